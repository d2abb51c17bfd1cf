// TREC collections: <DOC> <DOCNO>id</DOCNO> ... </DOC>, one behind the other.
#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/free_string.h"
#include "read/http_message.h"
#include "read/record_base.h"
#include "read/utf8.h"
#include "read/xml_prolog.h"

namespace twinset {
namespace {

constexpr std::string_view kOpen = "<DOC>", kClose = "</DOC>";
constexpr std::string_view kSpace = " \t\r\n\f\v";

// The content of the first <name> element of `text`; `behind` gets the position
// behind it, or stays as it is if there is none.
std::string_view Element(std::string_view text, std::string_view name,
                         size_t* behind) {
  const std::string open = std::string("<").append(name).append(">");
  const std::string close = std::string("</").append(name).append(">");
  const size_t begin = text.find(open);
  if (begin == std::string_view::npos) return {};
  const size_t from = begin + open.size();
  const size_t end = text.find(close, from);
  if (end == std::string_view::npos) return {};
  *behind = end + close.size();
  return Trim(text.substr(from, end - from), kSpace);
}

// Words of a line, up to three.
void FirstWords(std::string_view line, std::string_view words[3]) {
  for (int i = 0; i < 3; ++i) {
    line.remove_prefix(std::min(line.find_first_not_of(kSpace), line.size()));
    words[i] =
        line.substr(0, std::min(line.find_first_of(kSpace), line.size()));
    line.remove_prefix(words[i].size());
  }
}

std::string CharsetOf(std::string_view header) {
  const std::string lower = ToLowerAscii(header.substr(0, 64 << 10));
  const size_t at = lower.find("charset=");
  if (at == std::string::npos) return {};
  const std::string_view rest = std::string_view(lower).substr(at + 8);
  return std::string(Trim(
      rest.substr(0, std::min(rest.find_first_of(";\"'\r\n "), rest.size()))));
}

// The media type of markup behind the HTTP head of a web page, if it has one.
std::string_view MimeOf(std::string_view header, std::string_view payload) {
  constexpr std::string_view kField = "content-type:";
  const std::string lower = ToLowerAscii(header.substr(0, 64 << 10));
  const size_t at = lower.find(kField);
  if (at == std::string::npos) return MarkupMime(payload);
  const std::string_view rest =
      std::string_view(lower).substr(at + kField.size());
  const MediaType type = ParseMediaType(rest.substr(0, rest.find('\n')));
  if (IsGenericMime(type.mime)) return MarkupMime(payload);
  return type.mime == "application/xhtml+xml" ? "application/xhtml+xml"
                                              : "text/html";
}

class TrecReader : public ReaderBase {
 public:
  TrecReader(StreamPtr stream, const InputFile& input, uint32_t source,
             const ReadOptions& options)
      : ReaderBase(std::move(stream), input, source, options,
                   InputFormat::kTrec),
        max_document_(MaxRawBytes(options_)) {}

  Result<bool> Next(Record* record) override {
    std::string before;
    TWINSET_TRY(TakeSpace(&before));
    TWINSET_ASSIGN(const Piece piece, Front());
    const uint64_t offset = stream_->offset();
    switch (piece.kind) {
      case Piece::kEnd:
        return false;
      case Piece::kFault:
        TWINSET_TRY(TakeFaultRegion(record));
        break;
      case Piece::kSkip:
        Begin(record, offset);
        TWINSET_TRY(SkipToDocument(&record->raw));
        Quarantine(record, std::string(piece.reason),
                   std::to_string(stream_->offset() - offset) + " bytes");
        break;
      case Piece::kDocument:
        Begin(record, offset);
        if (options_.keep_raw) record->raw = piece.text;
        record->document.truncated = piece.truncated;
        Fill(piece, record);
        stream_->Consume(piece.text.size());
        if (piece.truncated) stream_->TakeFault();
        break;
    }
    if (!options_.keep_raw) return true;
    record->raw.insert(0, before);
    TWINSET_TRY(TakeSpace(&record->raw));
    return true;
  }

 private:
  struct Piece {
    enum Kind { kDocument, kSkip, kFault, kEnd } kind = kEnd;
    std::string_view text;    // kDocument: to consume
    std::string_view reason;  // kSkip, and kDocument that is quarantined
    bool truncated = false;   // kDocument: the gap behind it cut it off
  };

  // White space between documents, as far as no damaged member reaches into it.
  Status TakeSpace(std::string* raw) {
    for (;;) {
      TWINSET_ASSIGN(const std::string_view view, stream_->Peek(kHoldBack));
      const StreamFault* fault = stream_->UpcomingFault();
      size_t space = std::min(view.find_first_not_of(kSpace), view.size());
      if (view.starts_with(kUtf8Bom)) space = kUtf8Bom.size();
      if (space == 0 || (fault && Poisons(*fault, stream_->offset() + space))) {
        return {};
      }
      if (options_.keep_raw &&
          raw->size() < MaxRawBytes(options_) + kMaxBlank) {
        *raw += view.substr(0, space);
      }
      stream_->Consume(space);
    }
  }

  Result<Piece> Front() {
    size_t scanned = kOpen.size();
    for (uint64_t want = kHoldBack;;) {
      TWINSET_ASSIGN(const std::string_view view, stream_->Peek(want));
      const StreamFault* fault = stream_->UpcomingFault();
      bool closed = false;
      const bool document = view.starts_with(kOpen);
      const size_t end =
          document ? FindEnd(view, &scanned, &closed) : FindOpen(view, 1) + 1;
      const size_t size = end == 0 ? view.size() : document ? end : end - 1;
      const bool last = view.size() < want;
      if (fault && document && end == 0 && options_.keep_truncated &&
          fault->kind == StreamFault::kTruncated && size <= max_document_) {
        return Piece{Piece::kDocument, view, "", true};
      }
      if (fault && (Poisons(*fault, stream_->offset() + size) ||
                    (end == 0 && (size == 0 || (document && Cuts(*fault)))))) {
        return Piece{Piece::kFault, {}, {}};
      }
      if (size == 0 && last) return Piece{};
      if (!document) return Piece{Piece::kSkip, {}, "junk"};
      if (size > max_document_) return Piece{Piece::kSkip, {}, "too-large"};
      if (end > 0 || last) {
        return Piece{Piece::kDocument, view.substr(0, size),
                     closed ? "" : "unclosed"};
      }
      want = std::min<uint64_t>(want + want / 4, max_document_ + kHoldBack);
    }
  }

  // Position behind </DOC>, or of a <DOC> at the beginning of a line; 0 if
  // neither is there.
  static size_t FindEnd(std::string_view view, size_t* from, bool* closed) {
    for (size_t at = *from;; ++at) {
      at = view.find('<', at);
      if (at == std::string_view::npos || view.size() - at < kClose.size()) {
        *from = std::min(at, view.size());
        return 0;
      }
      const std::string_view rest = view.substr(at);
      *closed = rest.starts_with(kClose);
      if (*closed) return at + kClose.size();
      if (rest.starts_with(kOpen) && view[at - 1] == '\n') return at;
    }
  }

  // Drops bytes, up to the next <DOC> at the beginning of a line or, while that
  // did not come, up to a gap or the end. Constant memory: `raw` gets them only
  // if a document could be as long.
  Status SkipToDocument(std::string* raw) {
    constexpr size_t kOverlap = 5;
    bool first = true;
    uint64_t skipped = 0;
    for (;;) {
      TWINSET_ASSIGN(const std::string_view view, stream_->Peek(kHoldBack));
      if (view.empty()) return {};
      // The first byte is what made us skip.
      size_t at = first ? 1 : 0;
      first = false;
      const size_t found = FindOpen(view, at);
      const bool last = view.size() < kHoldBack;
      const size_t size = found != std::string_view::npos ? found
                          : last                          ? view.size()
                                 : view.size() - kOverlap;
      skipped += size;
      TWINSET_TRY(CheckSkipped(skipped, options_.max_skip_bytes));
      if (options_.keep_raw) {
        if (skipped <= max_document_) {
          raw->append(view.substr(0, size));
        } else {
          FreeString(raw);
        }
      }
      stream_->Consume(size);
      if (found != std::string_view::npos) return {};
    }
  }

  static size_t FindOpen(std::string_view view, size_t at) {
    for (;; ++at) {
      at = view.find(kOpen, at);
      if (at == std::string_view::npos || at == 0 || view[at - 1] == '\n' ||
          view[at - 1] == '>') {
        return at;
      }
    }
  }

  void Fill(const Piece& piece, Record* record) {
    Document& document = record->document;
    std::string_view body = piece.text.substr(kOpen.size());
    if (body.ends_with(kClose)) body.remove_suffix(kClose.size());
    size_t begin = 0;
    document.id = Element(body, "DOCNO", &begin);
    body.remove_prefix(begin);
    begin = 0;
    const std::string_view header = Element(body, "DOCHDR", &begin);
    std::string_view words[3];
    FirstWords(header.substr(0, header.find('\n')), words);
    document.provenance.url = words[0];
    document.charset = CharsetOf(header);
    const bool web = begin > 0;
    size_t ignored = 0;
    document.provenance.date = web ? words[2] : Element(body, "DATE", &ignored);
    if (!piece.reason.empty()) {
      Quarantine(record, std::string(piece.reason), "no </DOC>");
      return;
    }
    for (const std::string& name : options_.fields) {
      document.fields.emplace_back(name, Element(body, name, &ignored));
    }
    document.payload = web ? body.substr(begin) : body;
    document.kind = ContentKind::kHtml;
    document.mime = MimeOf(header, document.payload);
    Finish(record);
  }

  static constexpr size_t kMaxBlank = 1 << 20;
  const uint64_t max_document_;
};

}  // namespace

ReaderPtr MakeTrecReader(StreamPtr stream, const InputFile& input,
                         uint32_t source, const ReadOptions& options) {
  return std::make_unique<TrecReader>(std::move(stream), input, source,
                                      options);
}

}  // namespace twinset
