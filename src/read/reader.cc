#include "read/reader.h"

#include <deque>
#include <utility>

#include "read/codec.h"
#include "read/detect.h"
#include "read/digest.h"
#include "read/formats.h"

namespace twinset {
namespace {

// A stream whose first gaps were taken to see what is behind them, and come
// again.
class ReplayedStream : public ByteStream {
 public:
  ReplayedStream(StreamPtr stream, std::deque<StreamFault> faults)
      : stream_(std::move(stream)), faults_(std::move(faults)) {}
  Result<std::string_view> Peek(size_t want) override {
    if (!faults_.empty()) return std::string_view();
    return stream_->Peek(want);
  }
  void Consume(size_t n) override { stream_->Consume(n); }
  bool AtGap() const override { return !faults_.empty() || stream_->AtGap(); }
  StreamFault TakeFault() override {
    if (faults_.empty()) return stream_->TakeFault();
    StreamFault fault = std::move(faults_.front());
    faults_.pop_front();
    return fault;
  }
  const StreamFault* UpcomingFault() const override {
    return faults_.empty() ? stream_->UpcomingFault() : &faults_.front();
  }
  uint64_t offset() const override { return stream_->offset(); }
  uint64_t compressed_offset() const override {
    return stream_->compressed_offset();
  }
  Compression compression() const override { return stream_->compression(); }

 private:
  StreamPtr stream_;
  std::deque<StreamFault> faults_;
};

// The format of the first bytes there are, behind whatever gaps.
Result<Format> Detect(StreamPtr* stream, const std::string& path) {
  constexpr size_t kMostFaults = 1000;
  std::deque<StreamFault> faults;
  std::string_view view;
  for (;;) {
    TWINSET_ASSIGN(view, (*stream)->Peek(kDetectFormatBytes));
    if (!view.empty() || !(*stream)->AtGap() || faults.size() == kMostFaults) {
      break;
    }
    faults.push_back((*stream)->TakeFault());
  }
  const Format format = DetectFormat(view, path);
  if (!faults.empty()) {
    *stream =
        std::make_unique<ReplayedStream>(std::move(*stream), std::move(faults));
  }
  return format;
}

ReaderPtr MakeReader(StreamPtr stream, const InputFile& input, uint32_t source,
                     const ReadOptions& options, Format format) {
  switch (format) {
    case Format::kWarc:
      return MakeWarcReader(std::move(stream), input, source, options);
    case Format::kArc:
      return MakeArcReader(std::move(stream), input, source, options);
    case Format::kTrec:
      return MakeTrecReader(std::move(stream), input, source, options);
    case Format::kJsonl:
      return MakeJsonlReader(std::move(stream), input, source, options);
    case Format::kCsv:
      return MakeCsvReader(std::move(stream), input, source, options, ',');
    case Format::kTsv:
      return MakeCsvReader(std::move(stream), input, source, options, '\t');
    case Format::kHtml:
    case Format::kText:
    case Format::kAuto:
      break;
  }
  return MakeFileReader(std::move(stream), input, source, options, format);
}

Result<ReaderPtr> OpenOver(StreamPtr stream, const InputFile& input,
                           uint32_t source, const ReadOptions& options) {
  Format format = options.format;
  if (format == Format::kAuto) {
    TWINSET_ASSIGN(format, Detect(&stream, input.path));
  }
  return MakeReader(std::move(stream), input, source, options, format);
}

}  // namespace

Status ApplyReadPreset(std::string_view preset, ReadOptions* options) {
  if (preset == "jsonl") {
    options->id_field = "id";
    options->text_field = "text";
    options->url_field = "metadata.url";
    options->date_field = "metadata.date";
    return {};
  }
  if (preset == "clueweb22") {
    options->id_field = "ClueWeb22-ID";
    options->text_field = "Clean-Text";
    options->url_field = "URL";
    options->fields.push_back("Language");
    return {};
  }
  return Fail(ErrorCode::kUsage,
              "unknown preset \"" + std::string(preset) + "\"", {},
              "known: jsonl, clueweb22");
}

Result<std::unique_ptr<RecordReader>> OpenRecordReader(
    const InputFile& input, uint32_t source, const ReadOptions& options) {
  if (options.want_digest && !ValidDigestKind(options.digest)) {
    return Fail(ErrorCode::kUsage, "unknown digest \"" + options.digest + "\"",
                {}, "known: sha1-base32, sha256");
  }
  ByteStreamOptions stream_options;
  stream_options.max_ratio = options.max_ratio;
  TWINSET_ASSIGN(StreamPtr stream, OpenByteStream(input.path, stream_options));
  return OpenOver(std::move(stream), input, source, options);
}

std::unique_ptr<RecordReader> ReadRecordsFromMemory(
    std::string bytes, const std::string& name, const ReadOptions& options) {
  ByteStreamOptions stream_options;
  stream_options.max_ratio = options.max_ratio;
  const InputFile input = {
      name, std::string(WithoutCompressionSuffix(name)), name, {}};
  auto reader = OpenOver(ByteStreamFromMemory(std::move(bytes), stream_options),
                         input, 0, options);
  // Memory does not fail to be read; what lacks the memory for a decompressor
  // yields no records.
  if (!reader)
    return MakeReader(ByteStreamFromMemory("", {}), input, 0, options,
                      Format::kText);
  return *std::move(reader);
}

}  // namespace twinset
