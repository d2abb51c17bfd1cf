// A file that is one document.
#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "read/codec.h"
#include "read/http_document.h"
#include "read/http_message.h"
#include "read/record_base.h"
#include "read/xml_prolog.h"

namespace twinset {
namespace {

constexpr size_t kSniff = 8 << 10;

// NULs are no text, unless a byte order mark says that the text is UTF-16 or
// UTF-32. What is called HTML may hold stray NULs, but it has some markup.
bool IsBinary(std::string_view payload, InputFormat format) {
  if (payload.starts_with("\xff\xfe") || payload.starts_with("\xfe\xff") ||
      payload.starts_with(std::string_view("\0\0\xfe\xff", 4))) {
    return false;
  }
  const std::string_view head = payload.substr(0, kSniff);
  if (head.find('\0') == std::string_view::npos) return false;
  return format != InputFormat::kHtml ||
         head.find('<') == std::string_view::npos;
}

// What to do about formats of data sets that are not read, by their magic.
std::string_view UnreadFormat(std::string_view payload, InputFormat format) {
  if (format == InputFormat::kTable)
    return "a table (Parquet, Arrow, ORC) is read from a file or an object by "
           "itself, not from a pipe, an archive or another compression: save "
           "it as a file";
  static constexpr struct {
    std::string_view magic, text;
  } kRows[] = {
      {std::string_view("Obj\1", 4),
       "Avro is not read: write JSONL first, as by avro-tools tojson"},
      {"SQLite format 3",
       "SQLite is not read: write CSV first, as by sqlite3 -csv -header"},
      {"\x89HDF", "HDF5 is not read: write JSONL first"},
      {"%PDF-", "PDF is not read: make text of it first, as by pdftotext"},
      {std::string_view("7z\xbc\xaf\x27\x1c", 6),
       "7z is not read: extract it first"},
      {"Rar!\x1a\7", "RAR is not read: extract it first"}};
  for (const auto& row : kRows)
    if (payload.starts_with(row.magic)) return row.text;
  // Others are opened before they come here.
  if (BundleOf(payload, "") == BundleKind::kTar)
    return "an archive in an archive is not read: extract it first";
  return {};
}

class WholeReader : public ReaderBase {
 protected:
  using ReaderBase::ReaderBase;

  // Reads to the end in constant memory; the number of bytes.
  Result<uint64_t> Drain() {
    const uint64_t begin = stream_->offset();
    for (;;) {
      TWINSET_ASSIGN(const std::string_view view, stream_->Peek(1));
      stream_->Consume(view.size());
      TWINSET_TRY(
          CheckSkipped(stream_->offset() - begin, options_.max_skip_bytes));
      if (stream_->AtGap()) {
        stream_->TakeFault();
      } else if (view.empty()) {
        return stream_->offset() - begin;
      }
    }
  }
};

class RefusedReader : public WholeReader {
 public:
  RefusedReader(StreamPtr stream, const InputFile& input, uint32_t source,
                const ReadOptions& options, InputFormat format,
                std::string detail)
      : WholeReader(std::move(stream), input, source, options, format),
        detail_(std::move(detail)) {}

  Result<bool> Next(Record* record) override {
    if (std::exchange(done_, true)) return false;
    Begin(record, 0);
    TWINSET_TRY(Drain());
    Quarantine(record, "not-utf-8", detail_);
    return true;
  }

 private:
  const std::string detail_;
  bool done_ = false;
};

class FileReader : public WholeReader {
 public:
  using WholeReader::WholeReader;

  Result<bool> Next(Record* record) override {
    if (done_) return false;
    done_ = !faulty_end_;
    if (faulty_end_) return TakeJunk(record);
    const uint64_t max = options_.max_document_bytes;
    TWINSET_ASSIGN(const std::string_view view, stream_->Peek(max + 1));
    const StreamFault* fault = stream_->UpcomingFault();
    if (view.empty() && fault == nullptr) return false;
    const bool cut_off =
        fault != nullptr && fault->kind == StreamFault::kTruncated;
    const bool keeps_rest = cut_off && options_.keep_truncated && !view.empty();
    if (view.size() <= max && fault != nullptr && Cuts(*fault) && !keeps_rest) {
      TWINSET_TRY(TakeFaultRegion(record));
      TWINSET_TRY(Drain().map([](uint64_t) {}));
      return true;
    }
    Begin(record, 0);
    record->document.id = WithoutCompressionSuffix(input_.relative);
    // Folders of pages hold their pictures too.
    if (const std::string_view mime = MimeOfSignature(view);
        !mime.empty() && !MimePasses(mime, options_)) {
      record->kind = RecordKind::kSkipped;
      record->reason = "mime";
      done_ = true;
      return Drain().map([](uint64_t) { return true; });
    }
    if (view.size() > max) {
      TWINSET_ASSIGN(const uint64_t size, Drain());
      Quarantine(record, "too-large",
                 "a file of " + std::to_string(size) + " bytes");
      return true;
    }
    faulty_end_ = fault != nullptr && !cut_off;
    done_ = !faulty_end_;
    record->document.truncated = cut_off;
    Fill(view, record);
    stream_->Consume(view.size());
    return true;
  }

 private:
  void Fill(std::string_view payload, Record* record) {
    Document& document = record->document;
    if (options_.keep_raw) record->raw = payload;
    if (const std::string_view what = UnreadFormat(payload, format());
        !what.empty()) {
      Quarantine(record, "unsupported-format", std::string(what));
      return;
    }
    if (IsBinary(payload, format())) {
      Quarantine(record, "binary", "NUL bytes in what should be text");
      return;
    }
    document.payload = payload;
    document.is_file = true;
    const bool html = format() == InputFormat::kHtml;
    document.kind = html ? ContentKind::kHtml : ContentKind::kPlain;
    document.mime = !html ? "text/plain"
                    : IsNamedXhtml() || DeclaresXhtml(payload)
                        ? "application/xhtml+xml"
                        : "text/html";
    for (const std::string& name : options_.fields) {
      document.fields.emplace_back(name, "");
    }
    Finish(record);
  }

  bool IsNamedXhtml() const {
    return ToLowerAscii(WithoutCompressionSuffix(input_.path))
        .ends_with(".xhtml");
  }

  // Junk behind the last member harms nothing but is told.
  Result<bool> TakeJunk(Record* record) {
    done_ = true;
    TWINSET_TRY(TakeFaultRegion(record));
    return true;
  }

  bool done_ = false, faulty_end_ = false;
};

}  // namespace

std::string RefusalOfFile(std::string_view first_bytes,
                          const ReadOptions& options, InputFormat format) {
  if (const std::string_view mime = MimeOfSignature(first_bytes);
      !mime.empty() && !MimePasses(mime, options))
    return std::string(mime) + " is not among the types of --mime";
  if (const std::string_view what = UnreadFormat(first_bytes, format);
      !what.empty())
    return std::string(what);
  return IsBinary(first_bytes, format) ? "NUL bytes in what should be text"
                                       : "";
}

ReaderPtr MakeRefusedReader(StreamPtr stream, const InputFile& input,
                            uint32_t source, const ReadOptions& options,
                            InputFormat format, std::string detail) {
  return std::make_unique<RefusedReader>(std::move(stream), input, source,
                                         options, format, std::move(detail));
}

ReaderPtr MakeFileReader(StreamPtr stream, const InputFile& input,
                         uint32_t source, const ReadOptions& options,
                         InputFormat format) {
  return std::make_unique<FileReader>(std::move(stream), input, source, options,
                                      format);
}

}  // namespace twinset
