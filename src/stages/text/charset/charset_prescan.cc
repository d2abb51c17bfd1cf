// "Prescan a byte stream to determine its encoding" of the HTML standard.
#include <algorithm>
#include <optional>
#include <string>

#include "base/ascii.h"
#include "text/charset/charset.h"

namespace twinset {
namespace {

constexpr size_t kPrescanBytes = 1024;

// "Extracting a character encoding from a meta element" (HTML standard):
// charset=X inside the content attribute.
std::string_view CharsetInContent(std::string_view content) {
  for (size_t at = 0; at < content.size(); ++at) {
    if (!StartsWithIgnoreCase(content.substr(at), "charset")) continue;
    size_t i = at + 7;
    while (i < content.size() && IsAsciiSpace(content[i])) ++i;
    if (i >= content.size() || content[i] != '=') {
      at = i - 1;
      continue;
    }
    ++i;
    while (i < content.size() && IsAsciiSpace(content[i])) ++i;
    if (i >= content.size()) return {};
    if (content[i] == '"' || content[i] == '\'') {
      const size_t end = content.find(content[i], i + 1);
      if (end == std::string_view::npos) return {};
      return CharsetForLabel(content.substr(i + 1, end - i - 1));
    }
    size_t end = i;
    while (end < content.size() && !IsAsciiSpace(content[end]) &&
           content[end] != ';') {
      ++end;
    }
    return CharsetForLabel(content.substr(i, end - i));
  }
  return {};
}

// Elements whose content is not markup.
constexpr std::string_view kRawText[] = {"iframe", "noembed", "noframes",
                                         "script", "style",   "textarea",
                                         "title",  "xmp"};

// The byte-level scanner of the prescan. Every step moves forward: linear.
class MetaPrescan {
 public:
  // `skip_raw_text`: as a parser does and the prescan of the standard does not.
  MetaPrescan(std::string_view bytes, bool skip_raw_text)
      : bytes_(bytes), skip_raw_text_(skip_raw_text) {}

  std::string_view Run() {
    while ((at_ = bytes_.find('<', at_)) < bytes_.size()) {
      const std::string_view rest = bytes_.substr(at_);
      if (rest.substr(0, 4) == "<!--") {
        const size_t end = bytes_.find("-->", at_ + 2);
        if (end == std::string_view::npos) return {};
        at_ = end + 3;
      } else if (StartsWithIgnoreCase(rest, "<meta") && rest.size() > 5 &&
                 (IsAsciiSpace(rest[5]) || rest[5] == '/')) {
        at_ += 5;
        const std::string_view found = ReadMeta();
        if (!found.empty()) return found;
      } else if (rest.size() > 1 && (IsAsciiLetter(rest[1]) ||
                                     (rest[1] == '/' && rest.size() > 2 &&
                                      IsAsciiLetter(rest[2])))) {
        SkipTag();
      } else if (rest.size() > 1 &&
                 (rest[1] == '!' || rest[1] == '/' || rest[1] == '?')) {
        const size_t end = bytes_.find('>', at_);
        if (end == std::string_view::npos) return {};
        at_ = end + 1;
      } else {
        ++at_;
      }
    }
    return {};
  }

 private:
  std::string_view ReadMeta() {
    bool got_pragma = false;
    std::optional<bool> need_pragma;
    std::optional<std::string_view> charset;
    std::string seen;  // names met: only the first of a kind counts
    while (ReadAttribute(/*keep=*/true)) {
      if (name_ == "http-equiv" && seen.find('h') == std::string::npos) {
        seen += 'h';
        got_pragma = value_ == "content-type";
      } else if (name_ == "content" && seen.find('c') == std::string::npos) {
        seen += 'c';
        const std::string_view found = CharsetInContent(value_);
        if (!found.empty() && !charset.has_value()) {
          charset = found;
          need_pragma = true;
        }
      } else if (name_ == "charset" && seen.find('s') == std::string::npos) {
        seen += 's';
        charset = CharsetForLabel(value_);  // empty: an unknown one counts too
        need_pragma = false;
      }
    }
    if (at_ >= bytes_.size()) return {};  // cut off: not to be trusted
    if (!need_pragma.has_value() || (*need_pragma && !got_pragma)) return {};
    return *charset;
  }

  // Past a tag other than meta and, if it starts raw text, past that.
  void SkipTag() {
    const size_t start = ++at_;
    while (at_ < bytes_.size() && !IsAsciiSpace(bytes_[at_]) &&
           bytes_[at_] != '>') {
      ++at_;
    }
    std::string_view name = bytes_.substr(start, at_ - start);
    name = name.substr(0, name.find('/'));  // <br/>; an end tag has no name
    while (ReadAttribute(/*keep=*/false)) {
    }
    ++at_;
    if (!skip_raw_text_) return;
    for (const std::string_view raw : kRawText) {
      if (name.size() != raw.size() || !StartsWithIgnoreCase(name, raw)) {
        continue;
      }
      while ((at_ = bytes_.find("</", at_)) < bytes_.size() &&
             !StartsWithIgnoreCase(bytes_.substr(at_ + 2), raw)) {
        at_ += 2;
      }
    }
  }

  // "Get an attribute": false at the end of the tag or of the bytes. Its name
  // and value are kept on demand only.
  bool ReadAttribute(bool keep) {
    name_.clear();
    value_.clear();
    while (at_ < bytes_.size() &&
           (IsAsciiSpace(bytes_[at_]) || bytes_[at_] == '/')) {
      ++at_;
    }
    if (at_ >= bytes_.size() || bytes_[at_] == '>') return false;
    const size_t start = at_;
    while (at_ < bytes_.size()) {
      const char c = bytes_[at_];
      if ((c == '=' && at_ > start) || c == '/' || c == '>' ||
          IsAsciiSpace(c)) {
        break;
      }
      ++at_;
    }
    if (keep) AppendLower(start, at_, &name_);
    SkipSpaces();
    if (at_ >= bytes_.size() || bytes_[at_] != '=') return true;
    ++at_;
    SkipSpaces();
    if (at_ >= bytes_.size()) return true;
    const char quote = bytes_[at_];
    size_t value = at_, end;
    if (quote == '"' || quote == '\'') {
      ++value;
      end = std::min(bytes_.find(quote, value), bytes_.size());
      at_ = std::min(end + 1, bytes_.size());
    } else {
      while (at_ < bytes_.size() && !IsAsciiSpace(bytes_[at_]) &&
             bytes_[at_] != '>') {
        ++at_;
      }
      end = at_;
    }
    if (keep) AppendLower(value, end, &value_);
    return true;
  }

  void SkipSpaces() {
    while (at_ < bytes_.size() && IsAsciiSpace(bytes_[at_])) ++at_;
  }
  void AppendLower(size_t begin, size_t end, std::string* out) const {
    for (const char c : bytes_.substr(begin, end - begin))
      *out += ToLowerAscii(c);
  }

  const std::string_view bytes_;
  const bool skip_raw_text_;
  size_t at_ = 0;
  std::string name_, value_;  // of the last attribute, lower case
};

// encoding="..." of an XML declaration at the very start ("get an XML
// encoding").
std::string_view CharsetInXmlDeclaration(std::string_view bytes) {
  if (bytes.substr(0, 5) != "<?xml") return {};
  bytes = bytes.substr(0, bytes.find('>'));
  size_t at = bytes.find("encoding");
  if (at == std::string_view::npos) return {};
  at += 8;
  const auto skip = [&] {
    while (at < bytes.size() && static_cast<unsigned char>(bytes[at]) <= ' ') {
      ++at;
    }
  };
  skip();
  if (at >= bytes.size() || bytes[at] != '=') return {};
  ++at;
  skip();
  if (at >= bytes.size() || (bytes[at] != '"' && bytes[at] != '\'')) return {};
  const size_t end = bytes.find(bytes[at], at + 1);
  if (end == std::string_view::npos) return {};
  const std::string_view label = bytes.substr(at + 1, end - at - 1);
  // CharsetForLabel would pass over white space; a declaration may have none.
  if (std::any_of(label.begin(), label.end(), [](char c) {
        return static_cast<unsigned char>(c) <= ' ';
      })) {
    return {};
  }
  return CharsetForLabel(label);
}

// Markup in UTF-16 cannot name it, so the name must be wrong.
std::string_view AsciiReadable(std::string_view charset) {
  return charset == "UTF-16LE" || charset == "UTF-16BE" ? "UTF-8" : charset;
}

std::string_view FromMeta(std::string_view bytes, bool skip_raw_text) {
  const std::string_view charset =
      AsciiReadable(MetaPrescan(bytes, skip_raw_text).Run());
  return charset == "x-user-defined" ? "windows-1252" : charset;
}

// The start of an XML declaration in UTF-16; its encoding name does not count.
std::string_view Utf16Declaration(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.substr(0, 6) == "<\0?\0x\0"sv) return "UTF-16LE";
  if (bytes.substr(0, 6) == "\0<\0?\0x"sv) return "UTF-16BE";
  return {};
}

}  // namespace

std::string_view XmlCharset(std::string_view bytes) {
  const std::string_view utf16 = Utf16Declaration(bytes);
  if (!utf16.empty()) return utf16;
  return AsciiReadable(CharsetInXmlDeclaration(bytes.substr(0, kPrescanBytes)));
}

std::string_view PrescanMarkup(std::string_view bytes) {
  const std::string_view head = bytes.substr(0, kPrescanBytes);
  const std::string_view utf16 = Utf16Declaration(head);
  if (!utf16.empty()) return utf16;
  const std::string_view charset = FromMeta(head, false);
  if (!charset.empty()) return charset;
  return AsciiReadable(CharsetInXmlDeclaration(head));
}

std::string_view LateMetaCharset(std::string_view bytes) {
  // Most documents have no further <meta>, which is quick to see.
  for (size_t at = std::min(bytes.size(), kPrescanBytes - 5);
       (at = bytes.find('<', at)) < bytes.size(); ++at) {
    if (StartsWithIgnoreCase(bytes.substr(at), "<meta")) {
      return FromMeta(bytes, true);
    }
  }
  return {};
}

}  // namespace twinset
