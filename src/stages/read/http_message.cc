#include "read/http_message.h"

#include <algorithm>
#include <cstring>

#include "base/ascii.h"
#include "read/xml_prolog.h"

namespace twinset {
namespace {

constexpr size_t kMaxNameBytes = 64;
constexpr size_t kSniffBytes = 1445;

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool IsTokenChar(char c) {
  if (c <= ' ' || c == 0x7f)
    return false;  // controls and, char being signed, non-ASCII
  return std::strchr("()<>@,;:\\\"/[]?={}", c) == nullptr;
}

// Length of the field name in front of the colon, 0 if the line is not a field.
size_t FieldNameSize(std::string_view line) {
  size_t size = 0;
  while (size < line.size() && size <= kMaxNameBytes && IsTokenChar(line[size]))
    ++size;
  if (size == 0 || size > kMaxNameBytes) return 0;
  size_t colon = size;
  while (colon < line.size() && (line[colon] == ' ' || line[colon] == '\t'))
    ++colon;
  return colon < line.size() && line[colon] == ':' ? size : 0;
}

// The status of "HTTP/1.1 200 OK": the first number of three digits behind a
// blank.
int ParseStatus(std::string_view line) {
  size_t at = line.find(' ');
  if (at == std::string_view::npos) return 0;
  while (at < line.size() && IsBlank(line[at])) ++at;
  int status = 0;
  size_t digits = 0;
  for (; at < line.size() && line[at] >= '0' && line[at] <= '9' && digits < 4;
       ++at, ++digits)
    status = status * 10 + (line[at] - '0');
  return digits == 3 ? status : 0;
}

HttpHead ParseOneHead(std::string_view block) {
  HttpHead head;
  std::string_view rest = block, line;
  TakeLine(&rest, &line);
  head.status = ParseStatus(line);
  while (TakeLine(&rest, &line) && !line.empty())
    head.fields.AddLine(line, false);
  head.size = block.size() - rest.size();
  return head;
}

bool IsBinaryByte(unsigned char c) {
  return c <= 0x08 || c == 0x0b || (c >= 0x0e && c <= 0x1a) ||
         (c >= 0x1c && c <= 0x1f);
}

struct Signature {
  std::string_view bytes;
  const char* mime;
};

using namespace std::string_view_literals;
constexpr Signature kSignatures[] = {
    {"%PDF-"sv, "application/pdf"},
    {"%!PS-Adobe-"sv, "application/postscript"},
    {"GIF87a"sv, "image/gif"},
    {"GIF89a"sv, "image/gif"},
    {"\x89PNG\r\n\x1a\n"sv, "image/png"},
    {"\xff\xd8\xff"sv, "image/jpeg"},
    {"\0\0\1\0"sv, "image/x-icon"},
    {"II*\0"sv, "image/tiff"},
    {"MM\0*"sv, "image/tiff"},
    {"OggS\0"sv, "application/ogg"},
    {"wOFF\0"sv, "font/woff"},
    {"wOF2\0"sv, "font/woff2"},
    {"Rar!\x1a\x07"sv, "application/x-rar-compressed"},
    {"PK\x03\x04"sv, "application/zip"},
    {"\x1f\x8b\x08"sv, "application/x-gzip"},
};

constexpr std::string_view kHtmlTags[] = {"<!doctype html"sv,
                                          "<html"sv,
                                          "<head"sv,
                                          "<script"sv,
                                          "<iframe"sv,
                                          "<h1"sv,
                                          "<div"sv,
                                          "<font"sv,
                                          "<table"sv,
                                          "<a"sv,
                                          "<style"sv,
                                          "<title"sv,
                                          "<b"sv,
                                          "<body"sv,
                                          "<br"sv,
                                          "<p"sv};

bool StartsLikeHtml(std::string_view text) {
  if (text.substr(0, 4) == "<!--") return true;
  for (std::string_view tag : kHtmlTags) {
    if (!StartsWithIgnoreCase(text, tag) || text.size() == tag.size()) continue;
    const char end = text[tag.size()];
    if (end == ' ' || end == '>' ||
        (tag == "<!doctype html" && (end == '\n' || end == '\r')))
      return true;
  }
  return false;
}

}  // namespace

std::string_view TrimBlanks(std::string_view text) {
  return Trim(text, " \t\r");
}

std::optional<uint64_t> ParseDecimal(std::string_view text) {
  text = TrimBlanks(text);
  if (text.empty() || text.size() > 18) return std::nullopt;
  uint64_t value = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + static_cast<uint64_t>(c - '0');
  }
  return value;
}

bool TakeLine(std::string_view* rest, std::string_view* line) {
  if (rest->empty()) return false;
  const size_t end = rest->find('\n');
  *line = rest->substr(0, end);
  rest->remove_prefix(end == std::string_view::npos ? rest->size() : end + 1);
  if (!line->empty() && line->back() == '\r') line->remove_suffix(1);
  return true;
}

void HeaderFields::AddLine(std::string_view line, bool join_broken) {
  const size_t name = FieldNameSize(line);
  const bool folded = !line.empty() && (line[0] == ' ' || line[0] == '\t');
  if (name > 0 && !folded) {
    const size_t colon = line.find(':', name);
    fields_.emplace_back(line.substr(0, name),
                         TrimBlanks(line.substr(colon + 1)));
  } else if (!fields_.empty() && (folded || join_broken)) {
    std::string* value = &fields_.back().second;
    if (folded && !value->empty()) value->push_back(' ');
    value->append(TrimBlanks(line));
  }
}

const std::string* HeaderFields::Find(std::string_view name) const {
  for (const auto& field : fields_)
    if (EqualsIgnoreCase(field.first, name)) return &field.second;
  return nullptr;
}

std::string HeaderFields::FindAll(std::string_view name) const {
  std::string values;
  for (const auto& field : fields_) {
    if (!EqualsIgnoreCase(field.first, name)) continue;
    if (!values.empty()) values.push_back(',');
    values.append(field.second);
  }
  return values;
}

bool LooksLikeField(std::string_view line) { return FieldNameSize(line) > 0; }

std::optional<HttpHead> ParseHttpHead(std::string_view block) {
  if (!StartsWithIgnoreCase(block, "http/")) return std::nullopt;
  HttpHead head = ParseOneHead(block);
  // Interim responses stand in front of the final one.
  while (head.status >= 100 && head.status < 200 &&
         StartsWithIgnoreCase(block.substr(head.size), "http/")) {
    const size_t interim = head.size;
    head = ParseOneHead(block.substr(interim));
    head.size += interim;
  }
  return head;
}

MediaType ParseMediaType(std::string_view content_type) {
  MediaType type;
  const size_t end = content_type.find_first_of(";, \t");
  std::string_view mime = TrimBlanks(content_type);
  if (end != std::string_view::npos)
    mime = TrimBlanks(mime.substr(0, mime.find_first_of(";, \t")));
  type.mime = ToLowerAscii(mime);
  const std::string lower = ToLowerAscii(content_type);
  const size_t at = lower.find("charset");
  if (at == std::string::npos) return type;
  std::string_view value = TrimBlanks(content_type.substr(at + 7));
  if (value.empty() || value[0] != '=') return type;
  value = TrimBlanks(value.substr(1));
  if (!value.empty() && (value[0] == '"' || value[0] == '\'')) {
    value = value.substr(1, value.find(value[0], 1) - 1);
  } else {
    value = value.substr(0, value.find_first_of(";, \t"));
  }
  type.charset = std::string(TrimBlanks(value));
  return type;
}

bool IsGenericMime(std::string_view mime) {
  for (std::string_view generic :
       {""sv, "application/octet-stream"sv, "unknown/unknown"sv,
        "application/unknown"sv, "unknown"sv, "no-type"sv, "*/*"sv,
        "application/http"sv})
    if (mime == generic) return true;
  return mime.find('/') == std::string_view::npos;
}

std::string_view MimeOfSignature(std::string_view content) {
  for (const Signature& signature : kSignatures)
    if (content.starts_with(signature.bytes)) return signature.mime;
  // A size stands between the two words.
  if (content.starts_with("RIFF") && content.size() >= 12) {
    const std::string_view form = content.substr(8, 4);
    if (form == "WEBP") return "image/webp";
    if (form == "WAVE") return "audio/wave";
    if (form == "AVI ") return "video/avi";
  }
  if (content.size() >= 12 && content.substr(4, 4) == "ftyp" &&
      content[0] == '\0') {
    return content.substr(8, 4) == "avif" ? "image/avif" : "video/mp4";
  }
  return {};
}

std::string SniffMime(std::string_view payload) {
  const std::string_view start = payload.substr(0, kSniffBytes);
  std::string_view text = start;
  if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);
  while (!text.empty() &&
         (IsBlank(text[0]) || text[0] == '\n' || text[0] == '\f'))
    text.remove_prefix(1);
  if (StartsLikeHtml(text)) return "text/html";
  if (text.substr(0, 5) == "<?xml") {
    if (DeclaresXhtml(payload)) return "application/xhtml+xml";
    const std::string lower = ToLowerAscii(text);
    const bool html = lower.find("<html") != std::string::npos ||
                      lower.find("<!doctype html") != std::string::npos;
    return html ? "text/html" : "text/xml";
  }
  if (const std::string_view mime = MimeOfSignature(start); !mime.empty())
    return std::string(mime);
  const std::string_view mark = start.substr(0, 2);
  if (mark == "\xfe\xff" || mark == "\xff\xfe")
    return DeclaresXhtml(payload) ? "application/xhtml+xml" : "text/plain";
  for (char c : start)
    if (IsBinaryByte(static_cast<unsigned char>(c)))
      return "application/octet-stream";
  return "text/plain";
}

}  // namespace twinset
