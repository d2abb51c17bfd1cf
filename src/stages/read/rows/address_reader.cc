#include "read/rows/address_reader.h"

#include <utility>

#include "base/ascii.h"
#include "base/lists/list_text.h"
#include "read/detect.h"
#include "read/formats.h"
#include "read/line_reader.h"
#include "read/rows/address_line.h"
#include "read/rows/json_array.h"

namespace twinset {
namespace {

// Returns true iff a list is an array of rows, as CDX servers answer in JSON.
bool IsArrayOfRows(std::string_view head) {
  head = Trim(WithoutMark(head));
  if (!head.starts_with('[')) return false;
  head = Trim(head.substr(1));
  return head.starts_with('[');
}

class ListReader : public AddressReader {
 public:
  ListReader(std::string path, StreamPtr stream, const ReadOptions& options)
      : stream_(std::move(stream)),
        path_(std::move(path)),
        lines_(stream_.get(), LongestLine(options), options.max_skip_bytes),
        rows_(stream_.get(), LongestLine(options), options.max_skip_bytes) {}

  Result<bool> Next(FoundAddress* found) override {
    if (number_ == 0) TWINSET_TRY(Begin());
    for (;;) {
      TWINSET_ASSIGN(const LineReader::Line line,
                     is_json_ ? rows_.Next() : lines_.Next());
      if (line.kind == LineReader::Line::kEnd) return false;
      found->number = ++number_;
      found->offset = line.offset;
      found->address.clear();
      found->id.clear();
      found->date.clear();
      found->digest.clear();
      found->why.clear();
      if (line.kind == LineReader::Line::kFault) {
        found->why = "damaged";
        return true;
      }
      if (line.kind == LineReader::Line::kBad) {
        found->why = "bad-json";
        return true;
      }
      if (line.kind != LineReader::Line::kLine) {
        found->why = "too-long";
        return true;
      }
      if (is_json_) {
        parser_.ParseRow(line.text, &parsed_);
      } else {
        parser_.Parse(WithoutLineEnd(line.text), &parsed_);
      }
      if (parsed_.kind == AddressLine::kSkip) continue;
      found->why = parsed_.why;
      std::swap(found->address, parsed_.address);
      std::swap(found->id, parsed_.id);
      std::swap(found->date, parsed_.date);
      std::swap(found->digest, parsed_.digest);
      if (found->why.empty() && found->address.empty()) found->why = "no-url";
      return true;
    }
  }
  bool is_list() const override { return true; }

 private:
  static uint64_t LongestLine(const ReadOptions& options) {
    return 2 * options.max_field_bytes + (64 << 10);
  }

  Status Begin() {
    TWINSET_ASSIGN(const std::string_view head, stream_->Peek(kListHeadBytes));
    is_json_ = IsArrayOfRows(head);
    return CheckListBytes(head, path_);
  }

  StreamPtr stream_;
  const std::string path_;
  LineReader lines_;
  bool is_json_ = false;  // rows_ reads, not lines_
  JsonArrayReader rows_;
  AddressLineParser parser_;
  AddressLine parsed_;
  uint64_t number_ = 0;
};

// Documents with their addresses; other records are none of a page.
class RecordAddresses : public AddressReader {
 public:
  explicit RecordAddresses(ReaderPtr reader) : reader_(std::move(reader)) {}

  Result<bool> Next(FoundAddress* found) override {
    for (;;) {
      TWINSET_ASSIGN(const bool more, reader_->Next(&record_));
      if (!more) return false;
      if (record_.kind != RecordKind::kDocument &&
          record_.kind != RecordKind::kQuarantined)
        continue;
      Document& document = record_.document;
      found->address = std::move(document.provenance.url);
      found->id = std::move(document.id);
      found->number = document.provenance.ordinal;
      found->offset = document.provenance.offset;
      found->why.clear();
      if (record_.kind == RecordKind::kQuarantined)
        found->why =
            record_.reason == "no-text-field" ? "no-url" : record_.reason;
      else if (found->address.empty())
        found->why = "no-url";
      return true;
    }
  }
  bool is_list() const override { return false; }

 private:
  ReaderPtr reader_;
  Record record_;
};

// Returns true iff the source is a list, as far as its beginning tells.
// Standard input and pipes can be looked at only once: they are lists unless
// their format is named.
Result<bool> IsList(const InputFile& input, const ReadOptions& options) {
  if (options.format != InputFormat::kAuto)
    return options.format == InputFormat::kText;
  if (input.path == "-" || !input.state.regular) return true;
  const ByteStreamOptions stream_options = StreamOptionsOf(options);
  TWINSET_ASSIGN(const StreamPtr stream, OpenByteStream(input, stream_options));
  TWINSET_ASSIGN(const std::string_view first,
                 stream->Peek(kDetectFormatBytes));
  if (BundleOf(first, input.path) != BundleKind::kNone) return false;
  if (IsArrayOfRows(first)) return true;
  const InputFormat format = DetectFormat(first, input.path);
  if (format == InputFormat::kCsv || format == InputFormat::kTsv)
    return LooksLikeAddressList(first);
  return format == InputFormat::kText;
}

}  // namespace

Result<std::unique_ptr<AddressReader>> OpenAddressReader(
    const InputFile& input, uint32_t source, const ReadOptions& options) {
  TWINSET_ASSIGN(const bool is_list, IsList(input, options));
  if (!is_list) {
    ReadOptions rows = options;
    rows.text_field = rows.url_field;
    rows.html_field.clear();
    TWINSET_ASSIGN(ReaderPtr reader, OpenRecordReader(input, source, rows));
    return std::make_unique<RecordAddresses>(std::move(reader));
  }
  const ByteStreamOptions stream_options = StreamOptionsOf(options);
  TWINSET_ASSIGN(StreamPtr stream, OpenByteStream(input, stream_options));
  return ReadAddressList(std::move(stream), input.path, options);
}

std::unique_ptr<AddressReader> ReadAddressList(StreamPtr stream,
                                               const std::string& path,
                                               const ReadOptions& options) {
  return std::make_unique<ListReader>(path, std::move(stream), options);
}

std::unique_ptr<AddressReader> ReadAddressListFromMemory(
    std::string bytes, const ReadOptions& options) {
  return ReadAddressList(ByteStreamFromMemory(std::move(bytes), {}), "",
                         options);
}

}  // namespace twinset
