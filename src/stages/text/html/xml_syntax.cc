#include "text/html/xml_syntax.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "text/html/html_entities.h"

namespace twinset {

namespace {

constexpr size_t kNone = std::string_view::npos;

constexpr bool IsNameStart(char c) {
  return IsAsciiLetter(c) || c == '_' || c == ':' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Reads what stands in front of the root element.
class PrologReader {
 public:
  PrologReader(std::string_view text, XmlEntities* entities)
      : text_(text), entities_(entities) {}

  size_t Read() {
    if (StartsDeclaration() && !Declaration()) return kNone;
    for (bool has_type = false;;) {
      SkipSpace();
      if (Rest().starts_with("<!DOCTYPE")) {
        if (std::exchange(has_type, true) || !Doctype()) return kNone;
      } else if (!Rest().starts_with("<!") && !Rest().starts_with("<?")) {
        return at_;
      } else if (!Aside()) {
        return kNone;
      }
    }
  }

 private:
  std::string_view Rest() const { return text_.substr(at_); }
  size_t SkipSpace() {
    const size_t size = XmlSpaceSize(Rest());
    at_ += size;
    return size;
  }
  bool Take(std::string_view mark) {
    if (!Rest().starts_with(mark)) return false;
    at_ += mark.size();
    return true;
  }
  bool Aside() {
    const size_t size = XmlAsideSize(Rest());
    at_ += size;
    return size > 0;
  }
  // What stands between quotation marks.
  bool Literal(std::string_view* value) {
    if (at_ >= text_.size() || (text_[at_] != '"' && text_[at_] != '\''))
      return false;
    const size_t end = text_.find(text_[at_], at_ + 1);
    if (end == kNone) return false;
    *value = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return true;
  }

  bool StartsDeclaration() const {
    return text_.starts_with("<?xml") && text_.size() > 5 &&
           IsXmlSpace(text_[5]);
  }
  // <?xml version="1.0" encoding="utf-8" standalone="yes"?>
  bool Declaration() {
    at_ = 5;
    std::string_view value;
    for (const std::string_view name : {"version", "encoding", "standalone"}) {
      const size_t before = at_;
      const size_t space = SkipSpace();
      if (!Rest().starts_with(name)) {
        at_ = before;
        if (name == "version") return false;
        continue;
      }
      if (space == 0) return false;
      at_ += name.size();
      SkipSpace();
      if (!Take("=")) return false;
      SkipSpace();
      if (!Literal(&value)) return false;
    }
    SkipSpace();
    return Take("?>");
  }

  bool Doctype() {
    at_ += 9;
    if (SkipSpace() == 0) return false;
    const size_t name = XmlNameSize(Rest());
    if (name == 0) return false;
    at_ += name;
    SkipSpace();
    bool is_external = false;
    if (!ExternalId(&is_external)) return false;
    entities_->has_others |= is_external;
    SkipSpace();
    if (Take("[") && !Declarations()) return false;
    SkipSpace();
    return Take(">");
  }

  bool ExternalId(bool* is_external) {
    const bool is_public = Rest().starts_with("PUBLIC");
    *is_external = is_public || Rest().starts_with("SYSTEM");
    if (!*is_external) return true;
    at_ += 6;
    std::string_view value;
    for (int i = 0; i <= static_cast<int>(is_public); ++i)
      if (SkipSpace() == 0 || !Literal(&value)) return false;
    return true;
  }

  bool Declarations() {
    for (;;) {
      SkipSpace();
      if (Take("]")) return true;
      if (Take("%")) {
        const size_t name = XmlNameSize(Rest());
        at_ += name;
        if (name == 0 || !Take(";")) return false;
        entities_->has_others = true;
      } else if (Rest().starts_with("<!--") || Rest().starts_with("<?")) {
        if (!Aside()) return false;
      } else if (Rest().starts_with("<!ENTITY")) {
        if (!Entity()) return false;
      } else if (Rest().starts_with("<!ELEMENT") ||
                 Rest().starts_with("<!ATTLIST") ||
                 Rest().starts_with("<!NOTATION")) {
        if (!SkipDeclaration()) return false;
      } else {
        return false;
      }
    }
  }

  // To the '>' that stands in no quotation marks.
  bool SkipDeclaration() {
    std::string_view value;
    while (at_ < text_.size()) {
      if (text_[at_] == '>') return Take(">");
      if (text_[at_] == '"' || text_[at_] == '\'') {
        if (!Literal(&value)) return false;
      } else {
        ++at_;
      }
    }
    return false;
  }

  bool Entity() {
    at_ += 8;
    if (SkipSpace() == 0) return false;
    if (Take("%")) return SkipDeclaration();
    const size_t size = XmlNameSize(Rest());
    if (size == 0) return false;
    std::string name(Rest().substr(0, size));
    at_ += size;
    if (SkipSpace() == 0) return false;
    std::string_view value;
    std::optional<std::string> replacement;
    if (Literal(&value)) {
      if (!Replacement(value, &replacement.emplace())) return false;
    } else {
      bool is_external = false;
      if (!ExternalId(&is_external) || !is_external) return false;
    }
    // The first of several declarations counts.
    entities_->declared.emplace(std::move(name), std::move(replacement));
    return SkipDeclaration();
  }

  // References to characters are replaced where an entity is declared, those to
  // entities where it is used.
  static bool Replacement(std::string_view value, std::string* replacement) {
    for (;;) {
      const size_t at = value.find("&#");
      replacement->append(value.substr(0, at));
      if (at == kNone) return true;
      value.remove_prefix(at + 1);
      const size_t end = value.find(';');
      const auto c = XmlCharacterOf(value.substr(0, end));
      if (end == kNone || !c) return false;
      AppendReference({.length = 1, .code_point = *c}, replacement);
      value.remove_prefix(end + 1);
    }
  }

  const std::string_view text_;
  XmlEntities* const entities_;
  size_t at_ = 0;
};

}  // namespace

size_t XmlNameSize(std::string_view text) {
  if (text.empty() || !IsNameStart(text[0])) return 0;
  size_t size = 1;
  while (size < text.size() &&
         (IsNameStart(text[size]) || IsAsciiDigit(text[size]) ||
          text[size] == '-' || text[size] == '.'))
    ++size;
  return size;
}

size_t XmlSpaceSize(std::string_view text) {
  size_t size = 0;
  while (size < text.size() && IsXmlSpace(text[size])) ++size;
  return size;
}

bool IsXmlCharacter(char32_t c) {
  return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c < 0xD800) ||
         (c >= 0xE000 && c < 0xFFFE) || (c >= 0x10000 && c < 0x110000);
}

bool HasXmlCharacters(std::string_view utf8) {
  return std::none_of(utf8.begin(), utf8.end(),
                      [](char c) {
                        return static_cast<unsigned char>(c) < 0x20 &&
                               !IsXmlSpace(c);
                      }) &&
         utf8.find("\xEF\xBF\xBE") == kNone &&
         utf8.find("\xEF\xBF\xBF") == kNone;
}

std::optional<char32_t> XmlCharacterOf(std::string_view reference) {
  if (!reference.starts_with('#')) return {};
  reference.remove_prefix(1);
  const bool is_hex = reference.starts_with('x');
  if (is_hex) reference.remove_prefix(1);
  if (reference.empty()) return {};
  char32_t value = 0;
  for (const char c : reference) {
    if (is_hex ? !IsAsciiHexDigit(c) : !IsAsciiDigit(c)) return {};
    const auto digit = static_cast<char32_t>(
        IsAsciiDigit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
    value = value * (is_hex ? 16 : 10) + digit;
    if (value >= 0x110000) return {};
  }
  if (!IsXmlCharacter(value)) return {};
  return value;
}

size_t XmlAsideSize(std::string_view text) {
  if (text.starts_with("<!--")) {
    const size_t end = text.find("--", 4);
    const bool is_whole = end != kNone && text.substr(end + 2).starts_with('>');
    return is_whole ? end + 3 : 0;
  }
  if (!text.starts_with("<?")) return 0;
  const size_t name = XmlNameSize(text.substr(2));
  const size_t end = text.find("?>", 2);
  if (name == 0 || end == kNone ||
      EqualsIgnoreCase(text.substr(2, name), "xml"))
    return 0;
  const bool is_named = 2 + name == end || IsXmlSpace(text[2 + name]);
  return is_named ? end + 2 : 0;
}

size_t ReadXmlProlog(std::string_view text, XmlEntities* entities) {
  return PrologReader(text, entities).Read();
}

}  // namespace twinset
