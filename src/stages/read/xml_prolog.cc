#include "read/xml_prolog.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "base/lists/wide_text.h"
#include "read/utf8.h"

namespace twinset {

namespace {

constexpr std::string_view kDoctype = "<!DOCTYPE", kXmlBlanks = " \t\r\n";
constexpr size_t kNowhere = std::string_view::npos;

// Position behind `close`, looked for from `at` on; 0 where it is not there.
size_t Behind(std::string_view text, std::string_view close, size_t at) {
  const size_t found = text.find(close, at);
  return found == kNowhere ? 0 : found + close.size();
}

// The size of what stands in front of an element; 0 if it is none, or has no
// end.
size_t AsideSize(std::string_view text) {
  if (text.starts_with("<!--")) return Behind(text, "-->", 4);
  if (text.starts_with("<?")) return Behind(text, "?>", 2);
  return BeginsDoctype(text) ? EndOfDoctype(text) : 0;
}

// ASCII of UTF-16 with a byte order mark; other bytes as they are.
std::string Readable(std::string_view bytes) {
  WideText wide = ReadWideText(bytes);
  return wide.is_marked ? std::move(wide.text) : std::string(bytes);
}

}  // namespace

bool BeginsDoctype(std::string_view text) {
  return EqualsIgnoreCase(text.substr(0, kDoctype.size()), kDoctype);
}

size_t EndOfDoctype(std::string_view text) {
  bool is_inside = false;  // of the declarations between brackets
  for (size_t at = kDoctype.size(); at < text.size();) {
    const std::string_view rest = text.substr(at);
    size_t behind = at + 1;
    if (rest[0] == '"' || rest[0] == '\'') {
      behind = Behind(text, rest.substr(0, 1), at + 1);
    } else if (rest.starts_with("<!--")) {
      behind = Behind(text, "-->", at + 4);
    } else if (rest.starts_with("<?")) {
      behind = Behind(text, "?>", at + 2);
    } else if (rest[0] == '[') {
      is_inside = true;
    } else if (rest[0] == ']') {
      is_inside = false;
    } else if (rest[0] == '>' && !is_inside) {
      return behind;
    }
    if (behind == 0) return 0;
    at = behind;
  }
  return 0;
}

std::string_view RootElement(std::string_view text) {
  if (text.starts_with(kUtf8Bom)) text.remove_prefix(kUtf8Bom.size());
  for (;;) {
    text.remove_prefix(
        std::min(text.find_first_not_of(kXmlBlanks), text.size()));
    if (!text.starts_with("<!") && !text.starts_with("<?")) return text;
    const size_t size = AsideSize(text);
    if (size == 0) return {};
    text.remove_prefix(size);
  }
}

bool DeclaresXhtml(std::string_view bytes) {
  constexpr size_t kLooked = 16 << 10;
  constexpr std::string_view kNamespace = "http://www.w3.org/1999/xhtml";
  const std::string readable = Readable(bytes.substr(0, kLooked));
  std::string_view text = readable;
  if (text.starts_with(kUtf8Bom)) text.remove_prefix(kUtf8Bom.size());
  if (!text.starts_with("<?xml") || text.size() < 6 ||
      kXmlBlanks.find(text[5]) == kNowhere)
    return false;
  text = RootElement(text);
  if (!text.starts_with('<')) return false;
  const std::string_view tag = text.substr(1, text.find('>') - 1);
  std::string_view name = tag.substr(0, tag.find_first_of(" \t\r\n/"));
  if (const size_t colon = name.find(':'); colon != kNowhere)
    name.remove_prefix(colon + 1);
  const size_t at = tag.find(kNamespace);
  const size_t behind = at + kNamespace.size();
  return name == "html" && at != kNowhere && at > 0 && behind < tag.size() &&
         (tag[at - 1] == '"' || tag[at - 1] == '\'') &&
         tag[behind] == tag[at - 1];
}

std::string_view MarkupMime(std::string_view bytes) {
  return DeclaresXhtml(bytes) ? "application/xhtml+xml" : "text/html";
}

}  // namespace twinset
