// The one policy of all commands that write a single file
// (docs/formats/result-folder.md).
#ifndef TWINSET_SRC_GROUND_STORE_RESULT_FILE_H_
#define TWINSET_SRC_GROUND_STORE_RESULT_FILE_H_

#include <optional>
#include <string>

#include "base/file.h"
#include "store/file_identity.h"
#include "twinset/error.h"

namespace twinset {

// One file that a command writes (through OutputFile) or adds to.
struct FileRequest {
  std::string path;
  std::string flag;
  bool overwrite = false;
  bool append = false;       // what is there is read and added to
  bool resume = false;       // a run that was killed may have left NAME.part
  bool overwritable = true;  // for remedies: the command has --overwrite
};

class ResultFile {
 public:
  // kUsage for what is no regular file, links included, for a file that exists
  // unless it may be overwritten or added to, and for a NAME.part that exists:
  // it would be lost. kIo when its folder cannot be written.
  static Result<ResultFile> Open(FileRequest request);
  // kUsage when `input` is the file, by any name. `is_told`: the file tells of
  // it, and is made without what it denies its group and others to read.
  Status Protect(const std::string& input, bool is_told = true) const;

 private:
  FileRequest request_;
  std::optional<FileIdentity> taken_;
};

// Opens and locks a file that runs add to, or makes it. kIo when another run
// has it: what both added would be torn. Before the first byte is written,
// Unshare with a lock keeps what the file's other names lead to.
Result<File> OpenToAdd(const std::string& path);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_STORE_RESULT_FILE_H_
