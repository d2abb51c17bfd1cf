// What a file would be read as, without reading it.
#ifndef TWINSET_SRC_STAGES_READ_LOOK_H_
#define TWINSET_SRC_STAGES_READ_LOOK_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "read/byte_stream.h"
#include "read/container.h"
#include "read/reader.h"

namespace twinset {

struct InputLook {
  Compression compression = Compression::kNone;
  Container container = Container::kNone;
  InputFormat format = InputFormat::kText;  // of archives: nothing is said
  std::string archive;                      // of archives: "tar" or "zip"
  // Why it is skipped or quarantined whole, and what to do about it; empty
  // where it is read.
  std::string refusal;
};

// "gzip"; "none".
std::string_view CompressionName(Compression compression);

// By the first bytes of a regular file.
Result<InputLook> LookAt(const InputFile& input, const ReadOptions& options);

// "relevance judgements (qrels)" or "groups of ids" where the lines of a text
// look like these, else nothing: such files stand beside collections and are
// easily taken for documents.
std::string_view JudgementsIn(std::string_view text);

// What ListInputs leaves out below the folders among its arguments.
struct LeftOutFiles {
  uint64_t hidden = 0;        // files and folders whose names begin with a dot
  uint64_t folder_links = 0;  // links to folders
  uint64_t others = 0;        // neither files nor folders: pipes, sockets
};
LeftOutFiles CountLeftOut(const std::vector<std::string>& arguments);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_LOOK_H_
