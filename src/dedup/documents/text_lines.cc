#include "documents/text_lines.h"

#include <filesystem>
#include <utility>

#include "base/lists/list_text.h"
#include "read/byte_stream.h"
#include "read/input_list.h"
#include "read/line_reader.h"

namespace twinset {

namespace {

// The line without its end and marks, or what is wrong with it.
void Take(std::string_view bytes, TextLine* line) {
  line->raw = bytes.substr(0, bytes.size() - bytes.ends_with('\n'));
  const std::string_view text = WithoutMark(WithoutLineEnd(bytes));
  if (text.find('\0') == text.npos) {
    line->text = text;
  } else {
    line->problem = "holds a NUL byte";
  }
}

}  // namespace

Status ForEachTextLineOf(const std::string& path, ByteStream* stream,
                         const std::function<bool(const TextLine&)>& on_line,
                         uint64_t max_line_bytes) {
  TWINSET_ASSIGN(const std::string_view head, stream->Peek(kListHeadBytes));
  TWINSET_TRY(CheckListBytes(head, path));
  LineReader reader(stream, max_line_bytes);
  using Kind = LineReader::Line::Kind;
  TextLine line;
  for (line.number = 1;; ++line.number) {
    TWINSET_ASSIGN(const LineReader::Line read, reader.Next());
    line.text = line.raw = {};
    line.problem.clear();
    switch (read.kind) {
      case Kind::kEnd:
        return {};
      case Kind::kLine:
        Take(read.text, &line);
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

Status ForEachTextLine(const std::string& path,
                       const std::function<bool(const TextLine&)>& on_line,
                       uint64_t max_line_bytes) {
  TWINSET_ASSIGN(const auto stream, OpenByteStream(path, {}));
  return ForEachTextLineOf(path, stream.get(), on_line, max_line_bytes);
}

Status ForEachTextLine(const InputFile& input,
                       const std::function<bool(const TextLine&)>& on_line,
                       uint64_t max_line_bytes) {
  TWINSET_ASSIGN(const auto stream, OpenByteStream(input, {}));
  return ForEachTextLineOf(input.path, stream.get(), on_line, max_line_bytes);
}

Status ForEachTextLineOf(std::string bytes,
                         const std::function<bool(const TextLine&)>& on_line,
                         uint64_t max_line_bytes) {
  const auto stream = ByteStreamFromMemory(std::move(bytes), {});
  return ForEachTextLineOf("", stream.get(), on_line, max_line_bytes);
}

Status CheckListFile(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return {};
  TWINSET_ASSIGN(const auto stream, OpenByteStream(path, {}));
  TWINSET_ASSIGN(const std::string_view head, stream->Peek(kListHeadBytes));
  return CheckListBytes(head, path);
}

}  // namespace twinset
