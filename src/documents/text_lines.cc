#include "documents/text_lines.h"

#include <utility>

#include "read/byte_stream.h"
#include "read/line_reader.h"

namespace twinset::inline v1 {

namespace {

Status ForEachOf(std::unique_ptr<ByteStream> stream,
                 const std::function<bool(const TextLine&)>& on_line,
                 uint64_t max_line_bytes) {
  LineReader reader(stream.get(), max_line_bytes);
  using Kind = LineReader::Line::Kind;
  for (TextLine line{{}, 1, {}};; ++line.number) {
    TWINSET_ASSIGN(const LineReader::Line read, reader.Next());
    line.text = {};
    line.problem.clear();
    switch (read.kind) {
      case Kind::kEnd:
        return {};
      case Kind::kLine:
        line.text = WithoutLineEnd(read.text);
        break;
      case Kind::kTooLong:
        line.problem =
            "longer than " + std::to_string(max_line_bytes) + " bytes";
        break;
      case Kind::kBad:  // of arrays only
      case Kind::kFault:
        line.problem = "damaged at compressed byte " +
                       std::to_string(read.fault.compressed_offset) +
                       (read.fault.detail.empty() ? "" : ": ") +
                       read.fault.detail;
        break;
    }
    if (!on_line(line)) return {};
  }
}

}  // namespace

Status ForEachTextLine(const std::string& path,
                       const std::function<bool(const TextLine&)>& on_line,
                       uint64_t max_line_bytes) {
  TWINSET_ASSIGN(auto stream, OpenByteStream(path, {}));
  return ForEachOf(std::move(stream), on_line, max_line_bytes);
}

Status ForEachTextLineOf(std::string bytes,
                         const std::function<bool(const TextLine&)>& on_line,
                         uint64_t max_line_bytes) {
  return ForEachOf(ByteStreamFromMemory(std::move(bytes), {}), on_line,
                   max_line_bytes);
}

}  // namespace twinset::inline v1
