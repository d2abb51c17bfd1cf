// ARC records (versions 1 and 2) as they stand in the archive, before anything
// is judged.
#ifndef TWINSET_SRC_STAGES_READ_ARCHIVE_ARC_RECORD_H_
#define TWINSET_SRC_STAGES_READ_ARCHIVE_ARC_RECORD_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "read/archive/warc_framer.h"
#include "read/byte_stream.h"
#include "twinset/error.h"

namespace twinset {

// ARC as a syntax for the framer.
const RecordSyntax& ArcSyntax();

// The header line: "URL IP date mime length" (version 1) or "URL IP date mime
// status checksum location offset filename length" (version 2).
struct ArcHeader {
  std::string url;  // may hold blanks
  std::string ip, date, mime;
  int status = 0;  // version 2; 0: none
  std::optional<uint64_t> length;
};

// How much of a header line has to be right. kSure: an address and a date of 12
// to 18 digits beside each other. kDue also takes a line that only has the
// shape: a URL, four or more further words, the last one a number.
enum class ArcCertainty { kSure, kDue };
std::optional<ArcHeader> ParseArcHeader(std::string_view line,
                                        ArcCertainty certainty);

// "20080430204825" as "2008-04-30T20:48:25Z"; what is no such date comes back
// as it is.
std::string ArcDate(std::string_view digits);

struct ArcRecord {
  Frame frame;
  ArcHeader header;
  bool is_filedesc = false;  // describes the archive itself
};

// Every record of an ARC source, front to back.
class ArcRecordParser {
 public:
  ArcRecordParser(std::unique_ptr<ByteStream> stream, FramerOptions options);
  // False at the end of the source.
  Result<bool> Next(ArcRecord* record);
  const ByteStream& stream() const { return framer_.stream(); }

 private:
  RecordFramer framer_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_ARCHIVE_ARC_RECORD_H_
