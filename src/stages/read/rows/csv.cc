// CSV and TSV with a header row.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "base/csv_row.h"
#include "base/free_string.h"
#include "base/lists/list_text.h"
#include "read/line_reader.h"
#include "read/record_base.h"
#include "read/rows/field_path.h"
#include "read/rows/given_features.h"
#include "read/utf8.h"
#include "read/xml_prolog.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

constexpr size_t kNoColumn = static_cast<size_t>(-1);

class CsvReader : public ReaderBase {
 public:
  CsvReader(StreamPtr stream, const InputFile& input, uint32_t source,
            const ReadOptions& options, InputFormat format)
      : ReaderBase(std::move(stream), input, source, options, format),
        form_(CsvFormOf(format, options)),
        max_row_(MaxRawBytes(options_)) {}

  std::vector<std::string> FieldNames() const override { return header_; }

  Result<bool> Next(Record* record) override {
    if (error_) return tl::unexpected<Error>(*error_);
    Result<bool> more = NextRecord(record);
    if (!more) error_ = more.error();
    return more;
  }

 private:
  // What stands at the front of the stream. Valid until the stream is used.
  struct Piece {
    enum Kind { kRow, kBad, kTooLong, kFault, kEnd } kind = kEnd;
    std::string_view text;    // kRow, kBad, kTooLong: the bytes to consume
    std::string_view reason;  // kBad
  };

  Result<bool> NextRecord(Record* record) {
    if (lost_) return NoHeader(record);
    for (;;) {
      TWINSET_ASSIGN(const Piece piece, Front());
      const uint64_t offset = stream_->offset();
      switch (piece.kind) {
        case Piece::kEnd:
          return false;
        case Piece::kFault:
          TWINSET_TRY(TakeFaultRegion(record));
          PutBefore(record);
          break;
        case Piece::kTooLong: {
          Begin(record, offset);
          stream_->Consume(piece.text.size());
          TWINSET_TRY(SkipLine());
          Quarantine(record, "too-large",
                     "a row of " + std::to_string(stream_->offset() - offset) +
                         " bytes");
          break;
        }
        case Piece::kBad:
          Begin(record, offset);
          Quarantine(record, std::string(piece.reason),
                     "a quote that is never closed");
          Take(piece.text, record);
          break;
        case Piece::kRow: {
          TWINSET_ASSIGN(const bool is_record, Row(piece.text, record));
          if (!is_record) continue;
          break;
        }
      }
      AddBlankLines(record);
      lost_ = header_.empty();
      return true;
    }
  }

  Result<Piece> Front() {
    CsvRowScanner scanner(form_);
    for (uint64_t want = kHoldBack;;) {
      TWINSET_ASSIGN(const std::string_view view, stream_->Peek(want));
      const StreamFault* fault = stream_->UpcomingFault();
      const size_t row = scanner.Scan(view);
      const size_t size = row > 0 ? row : view.size();
      const bool last = view.size() < want;
      if (fault && (Poisons(*fault, stream_->offset() + size) ||
                    (row == 0 && (size == 0 || Cuts(*fault))))) {
        return Piece{Piece::kFault, {}, {}};
      }
      if (size == 0 && last) return Piece{};
      if (row > 0 && row <= max_row_) {
        return Piece{Piece::kRow, view.substr(0, row), {}};
      }
      if (size > max_row_ || last) return Odd(view, scanner, last);
      want = std::min<uint64_t>(want + want / 4, max_row_ + kHoldBack);
    }
  }

  // A row that does not end in `view`, because it is the last or because it is
  // too long. An open quote has probably swallowed sound rows: only the lines
  // up to its own are given up. Both kinds go on with the next line, unless
  // reading lines again has already cost eight times what was read.
  Piece Odd(std::string_view view, const CsvRowScanner& scanner, bool last) {
    if (last && !scanner.in_quotes() && view.size() <= max_row_) {
      return Piece{Piece::kRow, view, {}};
    }
    rescanned_ += view.size();
    const bool spent = rescanned_ > 8 * stream_->offset() + 16 * max_row_;
    const size_t newline = scanner.in_quotes()
                               ? view.find('\n', scanner.quote_at())
                               : std::string_view::npos;
    if (newline == std::string_view::npos && !(last && scanner.in_quotes())) {
      return Piece{Piece::kTooLong, spent ? view : view.substr(0, 0), {}};
    }
    const bool line = newline != std::string_view::npos && !spent;
    return Piece{Piece::kBad, line ? view.substr(0, newline + 1) : view,
                 "open-quote"};
  }

  // Drops the rest of the line in constant memory.
  Status SkipLine() {
    const uint64_t begin = stream_->offset();
    for (;;) {
      TWINSET_ASSIGN(const std::string_view view, stream_->Peek(1));
      const size_t newline = view.find('\n');
      const bool found = newline != std::string_view::npos;
      stream_->Consume(found ? newline + 1 : view.size());
      TWINSET_TRY(
          CheckSkipped(stream_->offset() - begin, options_.max_skip_bytes));
      if (found || view.empty()) return {};
    }
  }

  void Take(std::string_view text, Record* record) {
    if (options_.keep_raw) record->raw = text;
    PutBefore(record);
    stream_->Consume(text.size());
  }

  void PutBefore(Record* record) {
    record->raw.insert(0, before_);
    before_.clear();
  }

  // Consumes one row. False if it was the header or blank.
  Result<bool> Row(std::string_view text, Record* record) {
    const uint64_t offset = stream_->offset();
    std::string_view row = text;
    row = WithoutMark(row);  // also where files were joined
    row = WithoutLineEnd(row);
    if (row.empty() || header_.empty()) {
      if (!row.empty()) TWINSET_TRY(Header(row));
      if (options_.keep_raw && before_.size() < kMaxBlank) before_ += text;
      stream_->Consume(text.size());
      return false;
    }
    Begin(record, offset);
    const size_t count = SplitCsvRow(row, form_, &fields_, header_.size());
    if (!form_.quotes) {
      record->quoted_fields = static_cast<uint32_t>(
          std::count_if(fields_.begin(), fields_.end(), IsInQuotes));
    } else if (count == header_.size()) {
      record->has_rows_in_field = HoldsRows(row);
    }
    Take(text, record);
    Fill(count, record);
    return true;
  }

  static bool IsInQuotes(std::string_view field) {
    return field.size() > 1 && field.starts_with('"') && field.ends_with('"');
  }

  // Returns true iff every line of a row but the first is a row by itself: a
  // quote that stands in the text of the first has then probably swallowed
  // them. What has a blank behind a separator is prose.
  bool HoldsRows(std::string_view row) {
    size_t at = row.find('\n');
    if (at == std::string_view::npos || header_.size() < 2) return false;
    while (at < row.size()) {
      const size_t end = std::min(row.find('\n', ++at), row.size());
      const std::string_view line = WithoutLineEnd(row.substr(at, end - at));
      if (SplitCsvRow(line, form_, &parts_, header_.size()) != header_.size() ||
          std::any_of(parts_.begin() + 1, parts_.end(),
                      [](std::string_view f) { return f.starts_with(' '); }))
        return false;
      at = end;
    }
    return true;
  }

  Status Header(std::string_view row) {
    if (SplitCsvRow(row, form_, &header_, kMaxColumns) > kMaxColumns) {
      return Fail(ErrorCode::kUnsupported,
                  "more than " + std::to_string(kMaxColumns) + " columns",
                  input_.path);
    }
    for (std::string& name : header_) MakeUtf8(&name);
    const std::string& text = PayloadField(options_);
    text_.assign(1, Column(text));
    if (text_[0] == kNoColumn) TWINSET_TRY(TextColumns(text));
    id_ = Column(options_.id_field);
    url_ = Column(options_.url_field);
    date_ = Column(options_.date_field);
    // Rows without ids get some; but an id that was asked for must be there.
    const bool asked = options_.id_field != ReadOptions().id_field;
    if (id_ == kNoColumn && asked && !options_.id_field.empty()) {
      return NoColumn(options_.id_field);
    }
    for (const std::string& name : options_.fields) {
      wanted_.push_back(Column(name));
    }
    return {};
  }

  size_t Column(const std::string& name) const {
    const auto found = std::find(header_.begin(), header_.end(), name);
    return found == header_.end()
               ? kNoColumn
               : static_cast<size_t>(found - header_.begin());
  }

  // The columns of a text that is made of several.
  Status TextColumns(const std::string& names) {
    text_.clear();
    for (const std::string& name : SplitFieldNames(names)) {
      text_.push_back(Column(name));
      if (text_.back() == kNoColumn) return NoColumn(name);
    }
    return {};
  }

  Status NoColumn(const std::string& name) const {
    std::string names;
    for (size_t i = 0; i < header_.size() && names.size() < 500; ++i) {
      names += (i > 0 ? ", " : "") + header_[i].substr(0, 100);
    }
    std::string remedy = DidYouMean(name, header_);
    if (!remedy.empty()) remedy += " ";
    if (!form_.quotes &&
        std::any_of(header_.begin(), header_.end(), IsInQuotes))
      remedy += "--quoting csv undoes quotation marks around a name; ";
    return Fail(ErrorCode::kUsage, "no column \"" + name + "\"", input_.path,
                remedy + "its columns are: " + names);
  }

  std::string Field(size_t column) {
    return column == kNoColumn ? std::string() : fields_[column];
  }

  // `count`: fields of the row, which may be more than fields_ holds.
  void Fill(size_t count, Record* record) {
    Document& document = record->document;
    for (std::string& field : fields_) MakeUtf8(&field);
    if (count != header_.size()) {
      if (id_ < fields_.size()) document.id = fields_[id_];
      Quarantine(record, "ragged-row",
                 std::to_string(count) + " fields, the header has " +
                     std::to_string(header_.size()));
      return;
    }
    document.id = Field(id_);
    document.provenance.url = Field(url_);
    document.provenance.date = Field(date_);
    for (size_t i = 0; i < wanted_.size(); ++i) {
      document.fields.emplace_back(options_.fields[i], Field(wanted_[i]));
    }
    document.payload = std::move(fields_[text_[0]]);
    for (size_t i = 1; i < text_.size(); ++i) {
      const std::string& more = fields_[text_[i]];
      if (!document.payload.empty() && !more.empty())
        document.payload += kTextJoint;
      document.payload += more;
    }
    if (!options_.features_field.empty()) {
      const std::string json = std::move(document.payload);
      std::string why = features_.Read(json, &document.payload);
      if (!why.empty()) return Quarantine(record, "bad-features", why);
    }
    const bool html = !options_.html_field.empty();
    document.kind = html ? ContentKind::kHtml : ContentKind::kText;
    document.mime = html ? MarkupMime(document.payload) : "text/plain";
    document.charset = "utf-8";
    Finish(record);
  }

  // Blank lines, also those of a byte order mark alone, belong to the row in
  // front of them.
  void AddBlankLines(Record* record) {
    if (!options_.keep_raw) return;
    for (;;) {
      const auto view = stream_->Peek(kHoldBack);
      if (!view) return;  // the next call reports it
      const StreamFault* fault = stream_->UpcomingFault();
      const std::string_view line = WithoutMark(*view);
      const size_t mark = view->size() - line.size();
      const bool end =
          fault == nullptr && (line == "\r" || (line.empty() && mark > 0));
      size_t size = line.starts_with("\r\n") ? 2
                    : line.starts_with('\n') ? 1
                    : end                    ? line.size()
                                             : 0;
      if (size > 0 || end) size += mark;
      if (size == 0 || record->raw.size() > max_row_ + kMaxBlank ||
          (fault && Poisons(*fault, stream_->offset() + size))) {
        return;
      }
      record->raw += view->substr(0, size);
      stream_->Consume(size);
    }
  }

  // Damage in front of the header row: nothing of the source can be read, and
  // one record says so.
  Result<bool> NoHeader(Record* record) {
    const uint64_t begin = stream_->offset();
    std::string raw;
    for (;;) {
      TWINSET_ASSIGN(const std::string_view view, stream_->Peek(1));
      if (view.empty() && !stream_->AtGap()) break;
      if (options_.keep_raw) {
        if (stream_->offset() - begin + view.size() <= max_row_) {
          raw += view;
        } else {
          FreeString(&raw);
        }
      }
      stream_->Consume(view.size());
      if (stream_->AtGap()) stream_->TakeFault();
    }
    if (stream_->offset() == begin) return false;
    Begin(record, begin);
    Quarantine(record, "no-header",
               "the header row is damaged: " +
                   std::to_string(stream_->offset() - begin) +
                   " bytes of rows are not read");
    record->raw = std::move(raw);
    return true;
  }

  static constexpr size_t kMaxBlank = 1 << 20;
  static constexpr size_t kMaxColumns = 1 << 16;
  const CsvForm form_;
  const uint64_t max_row_;
  std::vector<std::string> header_, fields_;
  std::vector<std::string> parts_;  // of a line inside a row
  GivenFeatures features_;
  size_t id_ = kNoColumn;
  std::vector<size_t> text_;
  size_t url_ = kNoColumn, date_ = kNoColumn;
  std::vector<size_t> wanted_;
  std::string before_;  // raw of the header and of blank lines behind it
  uint64_t rescanned_ = 0;
  bool lost_ = false;
  std::optional<Error> error_;
};

}  // namespace

RowReaderPtr MakeCsvReader(StreamPtr stream, const InputFile& input,
                           uint32_t source, const ReadOptions& options,
                           InputFormat format) {
  return std::make_unique<CsvReader>(std::move(stream), input, source, options,
                                     format);
}

}  // namespace twinset
