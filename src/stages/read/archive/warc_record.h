// WARC records as they stand in the archive, before anything is judged.
#ifndef TWINSET_SRC_STAGES_READ_ARCHIVE_WARC_RECORD_H_
#define TWINSET_SRC_STAGES_READ_ARCHIVE_WARC_RECORD_H_

#include <memory>
#include <string>
#include <string_view>

#include "read/archive/warc_framer.h"
#include "read/byte_stream.h"
#include "read/http_message.h"
#include "twinset/error.h"

namespace twinset {

// WARC 0.17 to 1.1 as a syntax for the framer.
const RecordSyntax& WarcSyntax();

// The named fields of a record header, in order. ClueWeb09 breaks values over
// lines without indenting them: such lines are joined.
HeaderFields ParseWarcFields(std::string_view header);

struct WarcRecord {
  Frame frame;
  HeaderFields fields;
  std::string type;        // lower case; empty when the header names none
  std::string target_uri;  // without angle brackets, blanks inside kept

  // The first value of that name, empty when there is none.
  const std::string& Get(std::string_view name) const;
};

// Every record of a WARC source, front to back.
class WarcRecordParser {
 public:
  WarcRecordParser(std::unique_ptr<ByteStream> stream, FramerOptions options);
  // False at the end of the source.
  Result<bool> Next(WarcRecord* record);
  const ByteStream& stream() const { return framer_.stream(); }

 private:
  RecordFramer framer_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_ARCHIVE_WARC_RECORD_H_
