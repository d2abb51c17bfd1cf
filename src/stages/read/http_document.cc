#include "read/http_document.h"

#include <simdjson.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "read/http_body.h"
#include "read/http_message.h"
#include "read/utf8.h"

namespace twinset {
namespace {

constexpr size_t kLongestDetail = 400;
constexpr uint64_t kHeadAllowance =
    1 << 20;  // for the HTTP head and the chunk sizes

void Skip(const char* reason, Record* record) {
  record->kind = RecordKind::kSkipped;
  record->reason = reason;
}

void Quarantine(const std::string& reason, std::string detail, Record* record) {
  record->kind = RecordKind::kQuarantined;
  record->reason = reason;
  record->detail = std::move(detail);
}

bool StatusPasses(int status, const ReadOptions& options) {
  return options.statuses.empty() ||
         std::find(options.statuses.begin(), options.statuses.end(), status) !=
             options.statuses.end();
}

bool IsText(std::string_view mime) {
  return mime == "text/html" || mime == "application/xhtml+xml" ||
         mime == "text/plain";
}

// Returns true iff a text in some charset may begin so.
bool LooksLikeText(std::string_view payload) {
  constexpr size_t kLooked = 4096, kMostControls = 3, kOneIn = 32;
  const std::string_view start = payload.substr(0, kLooked);
  if (start.starts_with("\xff\xfe") || start.starts_with("\xfe\xff"))
    return true;
  const auto controls =
      static_cast<size_t>(std::count_if(start.begin(), start.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' &&
               c != '\r' && c != '\f' && c != '\x1b';
      }));
  return controls <= kMostControls || controls * kOneIn <= start.size();
}

// Where a response that redirects leads to.
void NoteRedirect(const HttpHead& head, Record* record) {
  const bool redirects = (head.status >= 301 && head.status <= 303) ||
                         head.status == 307 || head.status == 308;
  const std::string* location = head.fields.Find("location");
  if (redirects && location != nullptr) record->redirects_to = *location;
}

bool IsCoded(const HttpHead& head) {
  return head.fields.Find("content-encoding") ||
         head.fields.Find("transfer-encoding");
}

ContentKind KindOf(const Document& document, bool is_conversion) {
  if (document.mime == "text/html" || document.mime == "application/xhtml+xml")
    return ContentKind::kHtml;
  if (document.mime != "text/plain") return ContentKind::kBytes;
  const std::string& text = document.payload;
  return is_conversion && simdjson::validate_utf8(text.data(), text.size())
             ? ContentKind::kText
             : ContentKind::kPlain;
}

void QuarantineTooLarge(uint64_t bytes, const ReadOptions& options,
                        Record* record) {
  const std::string limit = std::to_string(options.max_document_bytes);
  Quarantine("too-large",
             bytes > options.max_document_bytes
                 ? std::to_string(bytes) + " bytes; the limit is " + limit
                 : std::to_string(bytes) +
                       " encoded bytes decode to more than the limit of " +
                       limit,
             record);
}

// A block of which only the begin was kept: skipped if it would have been
// skipped anyway.
void JudgeOversized(const ArchivedBlock& block, const HttpHead& head,
                    const ReadOptions& options, Record* record) {
  Document* document = &record->document;
  if (IsGenericMime(document->mime) && !IsCoded(head)) {
    document->mime = SniffMime(std::string_view(block.bytes).substr(head.size));
    if (!MimePasses(document->mime, options)) return Skip("mime", record);
  }
  QuarantineTooLarge(block.real_bytes, options, record);
}

}  // namespace

bool MimePasses(std::string_view mime, const ReadOptions& options) {
  return std::any_of(options.mimes.begin(), options.mimes.end(),
                     [&](const std::string& wanted) {
                       return wanted == "*" || wanted == mime;
                     });
}

uint64_t MaxBlockBytes(const ReadOptions& options) {
  return options.max_document_bytes + kHeadAllowance;
}

void JudgeBlock(ArchivedBlock block, const ReadOptions& options,
                Record* record) {
  Document* document = &record->document;
  const std::optional<HttpHead> http =
      block.may_be_http ? ParseHttpHead(block.bytes) : std::nullopt;
  const HttpHead head = http.value_or(HttpHead{});
  if (http || block.status != 0) {
    if (!StatusPasses(http ? head.status : block.status, options)) {
      NoteRedirect(head, record);
      return Skip("status", record);
    }
  }
  const std::string* http_type =
      http ? head.fields.Find("content-type") : nullptr;
  MediaType type = ParseMediaType(http_type ? *http_type : block.content_type);
  document->mime = type.mime;
  document->charset = type.charset;
  const bool sniff = IsGenericMime(type.mime);
  if (!sniff && !MimePasses(type.mime, options)) return Skip("mime", record);
  if (block.real_bytes > block.bytes.size())
    return JudgeOversized(block, head, options, record);

  DecodedBody body;
  if (http && IsCoded(head)) {
    body =
        DecodeBody(head, std::string_view(block.bytes).substr(head.size),
                   BodyLimits{options.max_document_bytes, options.max_ratio,
                              options.max_window_bytes, options.keep_stored});
  } else {
    body.payload = std::move(block.bytes);
    body.payload.erase(0, head.size);
    if (body.payload.size() > options.max_document_bytes)
      body.refused = "too-large";
  }
  if (body.refused == "too-large")
    return QuarantineTooLarge(block.real_bytes, options, record);
  if (!body.refused.empty()) {
    return Quarantine(body.refused,
                      "decodes to more than " +
                          std::to_string(options.max_ratio) + " times its size",
                      record);
  }
  // What is text in spite of its head was decoded before it was stored.
  if (!body.undone.empty() && (sniff || IsText(type.mime)) &&
      !LooksLikeText(body.payload)) {
    return Quarantine("content-coding",
                      "coded as " + ReplaceMalformedUtf8(
                                        body.undone.substr(0, kLongestDetail)),
                      record);
  }
  if (sniff) {
    document->mime = SniffMime(body.payload);
    if (!MimePasses(document->mime, options)) return Skip("mime", record);
  }
  document->payload = std::move(body.payload);
  document->kind = KindOf(*document, block.is_conversion);
  record->kind = RecordKind::kDocument;
  record->is_stored = options.keep_stored && !document->truncated;
  record->stored = std::move(body.stored);
}

void JudgeRevisit(std::string_view block, const ReadOptions& options,
                  Record* record) {
  const std::optional<HttpHead> head = ParseHttpHead(block);
  // A server says by 304 that the page is as it was.
  if (!head || head->status == 304 || StatusPasses(head->status, options))
    return;
  record->revisits_no_page = true;
  NoteRedirect(*head, record);
}

}  // namespace twinset
