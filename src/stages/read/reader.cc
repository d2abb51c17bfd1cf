#include "read/reader.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "base/free_string.h"
#include "base/lists/list_text.h"
#include "base/stop.h"
#include "read/codec.h"
#include "read/container.h"
#include "read/detect.h"
#include "read/field_names.h"
#include "read/formats.h"
#include "read/look.h"
#include "read/record_base.h"

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
  void SetMaxRatio(uint64_t max_ratio) override {
    stream_->SetMaxRatio(max_ratio);
  }

 private:
  StreamPtr stream_;
  std::deque<StreamFault> faults_;
};

// The first bytes there are, behind whatever gaps.
Result<std::string> FirstBytes(StreamPtr* stream) {
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
  std::string first(view.substr(0, kDetectFormatBytes));
  if (!faults.empty()) {
    *stream =
        std::make_unique<ReplayedStream>(std::move(*stream), std::move(faults));
  }
  return first;
}

bool IsRows(InputFormat format) {
  return format == InputFormat::kJsonl || format == InputFormat::kCsv ||
         format == InputFormat::kTsv || format == InputFormat::kTable;
}

// Returns true iff a helper can read `input` as a table: one that stands by
// itself and can be sought.
Result<bool> IsTable(const InputFile& input, StreamPtr* stream,
                     const ReadOptions& options) {
  if (!input.state.regular || (*stream)->compression() != Compression::kNone)
    return false;
  TWINSET_ASSIGN(const std::string first, FirstBytes(stream));
  return Recognise(first, input.path, options).format == InputFormat::kTable;
}

// A reader of bounded fields. It also says where the members of records stand.
// `stream`: what `reader` reads and owns; null: nothing with members.
class BoundedReader : public RecordReader {
 public:
  BoundedReader(ReaderPtr reader, const ByteStream* stream,
                const ReadOptions& options)
      : reader_(std::move(reader)),
        stream_(stream),
        limit_(options.max_field_bytes),
        may_have_features_(options.features_field.empty() ||
                           IsRows(reader_->format())) {}

  Result<bool> Next(Record* record) override {
    record->member_begin = record->member_end = std::nullopt;
    TWINSET_ASSIGN(const bool more, reader_->Next(record));
    if (more) Place(record);
    if (more && !may_have_features_) RefuseFeatures(record);
    if (more) BoundFields(limit_, record);
    return more;
  }
  void PassOver(uint64_t ordinal) override { reader_->PassOver(ordinal); }
  InputFormat format() const override { return reader_->format(); }
  uint64_t consumed_bytes() const override { return reader_->consumed_bytes(); }

 private:
  // What is no row cannot carry features.
  static void RefuseFeatures(Record* record) {
    if (record->kind != RecordKind::kDocument) return;
    record->kind = RecordKind::kQuarantined;
    record->reason = "bad-features";
    record->detail = "--features-field names a field of rows, and this is none";
    FreeString(&record->document.payload);
    record->document.fields.clear();
  }

  // Raws follow each other. One that begins elsewhere than the record has
  // something in front of it, and where some of a raw was dropped no later one
  // is where the sum says.
  void Place(Record* record) {
    const uint64_t begin = raw_end_;
    raw_end_ += record->raw.size();
    if (stream_ == nullptr || record->raw.empty() ||
        record->document.provenance.offset != begin)
      return;
    record->member_begin = stream_->MemberBeginAt(begin);
    record->member_end = stream_->MemberEndAt(raw_end_);
  }

  const ReaderPtr reader_;
  const ByteStream* const stream_;
  const uint64_t limit_;
  const bool may_have_features_;
  uint64_t raw_end_ = 0;  // of the record read last
};

RowReaderPtr MakeRowReader(StreamPtr stream, const InputFile& input,
                           uint32_t source, const ReadOptions& options,
                           InputFormat format) {
  if (format != InputFormat::kJsonl) {
    return MakeCsvReader(std::move(stream), input, source, options, format);
  }
  // A failure to read comes again with the first record.
  const auto view = stream->Peek(kDetectFormatBytes);
  const bool is_array = view && IsJsonArray(*view);
  return MakeJsonReader(std::move(stream), input, source, options, is_array);
}

ReaderPtr MakeFormatReader(StreamPtr stream, const InputFile& input,
                           uint32_t source, const ReadOptions& options,
                           InputFormat format) {
  switch (format) {
    case InputFormat::kWarc:
      return MakeWarcReader(std::move(stream), input, source, options);
    case InputFormat::kArc:
      return MakeArcReader(std::move(stream), input, source, options);
    case InputFormat::kTrec:
      return MakeTrecReader(std::move(stream), input, source, options);
    case InputFormat::kMediaWiki:
      return MakeMediaWikiReader(std::move(stream), input, source, options);
    case InputFormat::kJsonl:
    case InputFormat::kCsv:
    case InputFormat::kTsv:
      return MakeRowReader(std::move(stream), input, source, options, format);
    case InputFormat::kTable:  // in an archive, compressed or in a pipe
    case InputFormat::kHtml:
    case InputFormat::kText:
    case InputFormat::kAuto:
      break;
  }
  // A file is held as one; streams of records never are.
  stream->SetMaxRatio(options.max_ratio);
  return MakeFileReader(std::move(stream), input, source, options, format);
}

ReaderPtr MakeReader(StreamPtr stream, const InputFile& input, uint32_t source,
                     const ReadOptions& options, InputFormat format) {
  const ByteStream* const bytes = stream.get();
  return std::make_unique<BoundedReader>(
      MakeFormatReader(std::move(stream), input, source, options, format),
      bytes, options);
}

// A source that is no archive of files, or one file of such an archive.
Result<ReaderPtr> OpenFile(StreamPtr stream, const InputFile& input,
                           uint32_t source, const ReadOptions& options) {
  TWINSET_ASSIGN(const std::string first, FirstBytes(&stream));
  const auto [format, coding] = Recognise(first, input.path, options);
  if (!coding.empty()) {
    // A table whose columns cannot be read is an error.
    if (format == InputFormat::kCsv || format == InputFormat::kTsv)
      return RefuseCoding(coding, input.path);
    return MakeRefusedReader(std::move(stream), input, source, options, format,
                             RefuseCoding(coding, "").value().ToString());
  }
  return MakeReader(std::move(stream), input, source, options, format);
}

// `file`: opens the source once more, to be sought.
template <typename File>
Result<ReaderPtr> OpenOver(StreamPtr stream, const InputFile& input,
                           uint32_t source, const ReadOptions& options,
                           const File& file) {
  TWINSET_ASSIGN(const std::string first, FirstBytes(&stream));
  const BundleKind kind = BundleOf(first, input.path);
  if (kind == BundleKind::kNone)
    return OpenFile(std::move(stream), input, source, options);
  ReadOptions of_members = options;
  of_members.defers_rows = false;
  if (kind == BundleKind::kTar) {
    return MakeTarReader(std::move(stream), input, source, of_members,
                         OpenFile);
  }
  TWINSET_ASSIGN(auto whole, file());
  if (stream->compression() != Compression::kNone || !whole->seekable()) {
    return Fail(ErrorCode::kUnsupported,
                "a zip archive is read from its end: it must be a file",
                input.path, "save it, without further compression, first");
  }
  return MakeZipReader(std::move(whole), input, source, of_members, OpenFile);
}

}  // namespace

void ApplyFieldPreset(FieldPreset preset, ReadOptions* options) {
  switch (preset) {
    case FieldPreset::kJsonl:
      options->id_field = "id";
      options->text_field = "text";
      options->url_field = "metadata.url";
      options->date_field = "metadata.date";
      return;
    case FieldPreset::kClueWeb22:
      options->id_field = "ClueWeb22-ID";
      options->text_field = "Clean-Text";
      options->url_field = "URL";
      options->fields.push_back("Language");
  }
}

Result<InputLook> LookAt(const InputFile& input, const ReadOptions& options) {
  const ByteStreamOptions stream_options = StreamOptionsOf(options);
  TWINSET_ASSIGN(StreamPtr stream, OpenByteStream(input, stream_options));
  TWINSET_ASSIGN(const std::string first, FirstBytes(&stream));
  InputLook look;
  look.compression = stream->compression();
  if (const BundleKind bundle = BundleOf(first, input.path);
      bundle != BundleKind::kNone) {
    look.container = Container::kArchive;
    look.archive = bundle == BundleKind::kTar ? "tar" : "zip";
    return look;
  }
  const auto [format, coding] = Recognise(first, input.path, options);
  look.format = format;
  if (look.format == InputFormat::kJsonl && IsJsonArray(first))
    look.container = Container::kArray;
  if (look.format == InputFormat::kMediaWiki) look.container = Container::kWiki;
  const bool is_table = look.format == InputFormat::kTable &&
                        look.compression == Compression::kNone;
  if (look.format == InputFormat::kHtml || look.format == InputFormat::kText ||
      (look.format == InputFormat::kTable && !is_table))
    look.refusal = RefusalOfFile(first, options, look.format);
  if (!coding.empty()) {
    const Error error = RefuseCoding(coding, input.path).value();
    look.refusal = error.message + ": " + error.remedy;
  }
  return look;
}

Result<Container> ContainerOf(const InputFile& input,
                              const ReadOptions& options) {
  if (!input.state.regular) return Container::kNone;
  return LookAt(input, options).map([](const InputLook& look) {
    return look.container;
  });
}

std::vector<std::string> FieldNamesOf(const InputFile& input,
                                      const ReadOptions& options) {
  constexpr size_t kMostRows = 100;
  std::vector<std::string> names;
  auto stream = OpenByteStream(input, StreamOptionsOf(options));
  if (!stream) return names;
  if (IsTable(input, &*stream, options).value_or(false)) {
    const auto table = MakeTableReader(input, 0, options);
    return table ? (*table)->FieldNames() : names;
  }
  const auto first = FirstBytes(&*stream);
  if (!first) return names;
  const auto [format, coding] = Recognise(*first, input.path, options);
  if (!IsRows(format) || !coding.empty()) return names;
  const RowReaderPtr reader =
      MakeRowReader(*std::move(stream), input, 0, options, format);
  Record record;
  for (size_t row = 0; row < kMostRows; ++row) {
    const auto more = reader->Next(&record);
    for (std::string& name : reader->FieldNames()) {
      if (std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(std::move(name));
    }
    if (!more || !*more) break;
  }
  return names;
}

Result<std::unique_ptr<RecordReader>> OpenRecordReader(
    const InputFile& input, uint32_t source, const ReadOptions& options) {
  const ByteStreamOptions stream_options = StreamOptionsOf(options);
  TWINSET_ASSIGN(StreamPtr stream, OpenByteStream(input, stream_options));
  TWINSET_ASSIGN(const bool is_table, IsTable(input, &stream, options));
  if (is_table) {
    TWINSET_ASSIGN(ReaderPtr table, MakeTableReader(input, source, options));
    return std::make_unique<BoundedReader>(std::move(table), nullptr, options);
  }
  return OpenOver(std::move(stream), input, source, options, [&] {
    return OpenByteSource(input, options.stop, options.once);
  });
}

namespace {

constexpr size_t kMostRemote = 1000;  // objects that CheckColumns looks at
constexpr size_t kMostPaths = 1000;   // that a helper looks at in one go

bool MayLackColumns(const InputFile& input, const ReadOptions& options) {
  if (!input.state.regular ||
      CompressionOfPath(input.path) != Compression::kNone)
    return false;
  // Its helper looks, unless the name says that it is something else.
  if (IsRemote(input.path))
    return DetectFormat({}, input.path) == InputFormat::kText;
  auto stream = OpenByteStream(input, StreamOptionsOf(options));
  return stream && IsTable(input, &*stream, options).value_or(false);
}

}  // namespace

Status CheckColumns(const InputList& files, size_t begin, size_t end,
                    const ReadOptions& options) {
  if (end < begin + 2 || (options.format != InputFormat::kAuto &&
                          options.format != InputFormat::kTable))
    return {};
  size_t remote = 0;
  for (size_t i = begin; i < end; ++i) remote += IsRemote(files[i].path);
  const size_t step = (remote + kMostRemote - 1) / kMostRemote;
  std::vector<std::string> paths;
  std::shared_ptr<TableHelpers> helpers;
  const auto check = [&]() -> Status {
    if (paths.empty()) return {};
    return CheckTables(std::exchange(paths, {}), helpers, options);
  };
  remote = 0;
  for (size_t i = begin; i < end; ++i) {
    InputFile input = files[i];
    if (IsRemote(input.path) && remote++ % step != 0) continue;
    TWINSET_TRY(CheckStop(options.stop));
    if (!MayLackColumns(input, options)) continue;
    helpers = std::move(input.helpers);
    paths.push_back(std::move(input.path));
    if (paths.size() == kMostPaths) TWINSET_TRY(check());
  }
  return check();
}

std::unique_ptr<RecordReader> ReadRecordsFromMemory(
    std::string bytes, const std::string& name, const ReadOptions& options) {
  const ByteStreamOptions stream_options = StreamOptionsOf(options);
  const InputFile input = {
      name, std::string(WithoutCompressionSuffix(name)), name, {}};
  const std::string copy =
      BundleOf(bytes, name) == BundleKind::kZip ? bytes : std::string();
  auto reader =
      OpenOver(ByteStreamFromMemory(std::move(bytes), stream_options), input, 0,
               options, [&]() -> Result<std::unique_ptr<ByteSource>> {
                 return ByteSourceFromMemory(copy);
               });
  // Memory does not fail to be read; what lacks the memory for a decompressor
  // yields no records.
  if (!reader)
    return MakeReader(ByteStreamFromMemory("", {}), input, 0, options,
                      InputFormat::kText);
  return *std::move(reader);
}

}  // namespace twinset
