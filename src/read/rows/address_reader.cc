#include "read/rows/address_reader.h"

#include <utility>

#include "read/detect.h"
#include "read/formats.h"
#include "read/line_reader.h"
#include "read/rows/address_line.h"

namespace twinset::inline v1 {
namespace {

class ListReader : public AddressReader {
 public:
  ListReader(StreamPtr stream, const ReadOptions& options)
      : stream_(std::move(stream)),
        lines_(stream_.get(), 2 * options.max_field_bytes + (64 << 10),
               options.max_skip_bytes) {}

  Result<bool> Next(FoundAddress* found) override {
    for (;;) {
      TWINSET_ASSIGN(const LineReader::Line line, lines_.Next());
      if (line.kind == LineReader::Line::kEnd) return false;
      found->number = ++number_;
      found->offset = line.offset;
      found->address.clear();
      found->id.clear();
      found->why.clear();
      if (line.kind == LineReader::Line::kFault) {
        found->why = "damaged";
        return true;
      }
      if (line.kind != LineReader::Line::kLine) {
        found->why = "too-long";
        return true;
      }
      parser_.Parse(WithoutLineEnd(line.text), &parsed_);
      if (parsed_.kind == AddressLine::kSkip) continue;
      found->why = parsed_.why;
      std::swap(found->address, parsed_.address);
      std::swap(found->id, parsed_.id);
      if (found->why.empty() && found->address.empty()) found->why = "no-url";
      return true;
    }
  }
  bool is_list() const override { return true; }

 private:
  StreamPtr stream_;
  LineReader lines_;
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

// Whether the source is a list, as far as its beginning tells. Standard input
// can be looked at only once: it is a list unless its format is named.
Result<bool> IsList(const InputFile& input, const ReadOptions& options) {
  if (options.format != InputFormat::kAuto)
    return options.format == InputFormat::kText;
  if (input.path == "-") return true;
  const ByteStreamOptions stream_options = StreamOptionsOf(options);
  TWINSET_ASSIGN(const StreamPtr stream,
                 OpenByteStream(input.path, stream_options));
  TWINSET_ASSIGN(const std::string_view first,
                 stream->Peek(kDetectFormatBytes));
  if (BundleOf(first, input.path) != BundleKind::kNone) return false;
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
  TWINSET_ASSIGN(StreamPtr stream, OpenByteStream(input.path, stream_options));
  return std::make_unique<ListReader>(std::move(stream), options);
}

std::unique_ptr<AddressReader> ReadAddressListFromMemory(
    std::string bytes, const ReadOptions& options) {
  return std::make_unique<ListReader>(
      ByteStreamFromMemory(std::move(bytes), {}), options);
}

}  // namespace twinset::inline v1
