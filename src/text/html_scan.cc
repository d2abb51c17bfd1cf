#include "text/html_scan.h"

#include <algorithm>

#include "text/html_tags.h"

namespace twinset {
namespace {

constexpr size_t kNone = std::string_view::npos;

char Lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}
bool IsLetter(char c) { return Lower(c) >= 'a' && Lower(c) <= 'z'; }

std::string_view Trim(std::string_view text) {
  while (!text.empty() && IsHtmlSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsHtmlSpace(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

bool EqualsIgnoringCase(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() &&
         std::equal(lower.begin(), lower.end(), text.begin(),
                    [](char l, char c) { return l == Lower(c); });
}

bool AttributeScanner::Next() {
  const size_t size = text_.size();
  bool slash = false;
  while (at_ < size && (IsHtmlSpace(text_[at_]) || text_[at_] == '/')) {
    slash = text_[at_] == '/';
    ++at_;
  }
  name_ = value_ = {};
  if (at_ >= size) return false;
  if (text_[at_] == '>') {
    ++at_;
    closed_ = true;
    self_closing_ = slash;
    return false;
  }
  const size_t name_at = at_++;  // whatever it is, even '='
  while (at_ < size && !IsHtmlSpace(text_[at_]) && text_[at_] != '/' &&
         text_[at_] != '>' && text_[at_] != '=') {
    ++at_;
  }
  name_ = text_.substr(name_at, at_ - name_at);
  size_t next = at_;
  while (next < size && IsHtmlSpace(text_[next])) ++next;
  if (next >= size || text_[next] != '=') return true;
  at_ = next + 1;
  while (at_ < size && IsHtmlSpace(text_[at_])) ++at_;
  if (at_ >= size || text_[at_] == '>') return true;
  const char quote = text_[at_];
  if (quote == '"' || quote == '\'') {
    const size_t close = std::min(text_.find(quote, at_ + 1), size);
    value_ = text_.substr(at_ + 1, close - at_ - 1);
    at_ = std::min(close + 1, size);
    return true;
  }
  const size_t value_at = at_;
  while (at_ < size && !IsHtmlSpace(text_[at_]) && text_[at_] != '>') ++at_;
  value_ = text_.substr(value_at, at_ - value_at);
  return true;
}

MarkupToken MarkupScanner::Next() {
  const size_t size = text_.size();
  const size_t begin = at_;
  size_t at = at_;
  while (at < size) {
    at = std::min(text_.find('<', at), size);
    if (at + 1 >= size) {
      at = size;
      break;
    }
    const char next = text_[at + 1];
    if (IsLetter(next) || next == '!' || next == '?' ||
        (next == '/' && at + 2 < size)) {
      break;
    }
    ++at;
  }
  if (at > begin) {
    at_ = at;
    return {MarkupToken::kText, begin, at, 0, 0, 0, 0, false};
  }
  if (at >= size) return {MarkupToken::kEnd, size, size, 0, 0, 0, 0, false};
  if (IsLetter(text_[at + 1])) return Tag(false);
  if (text_[at + 1] == '/' && IsLetter(text_[at + 2])) return Tag(true);
  return Comment();
}

MarkupToken MarkupScanner::Tag(bool closing) {
  MarkupToken token;
  token.begin = at_;
  const size_t name_at = at_ + (closing ? 2 : 1);
  size_t at = name_at;
  while (at < text_.size() && !IsHtmlSpace(text_[at]) && text_[at] != '/' &&
         text_[at] != '>') {
    ++at;
  }
  name_size_ = at - name_at;
  token.key = TagKey(text_.substr(name_at, name_size_));
  token.flags = TagFlags(token.key);
  token.attributes_at = at;
  AttributeScanner attributes(text_, at);
  while (attributes.Next()) ++token.attributes;
  at_ = token.end = attributes.end();
  token.self_closing = attributes.self_closing();
  token.kind = !attributes.closed() ? MarkupToken::kOther  // cut off: no tag
               : closing            ? MarkupToken::kEndTag
                                    : MarkupToken::kStartTag;
  return token;
}

MarkupToken MarkupScanner::Comment() {
  MarkupToken token;
  token.kind = MarkupToken::kOther;
  token.begin = at_;
  size_t end = kNone;
  if (text_.substr(at_, 4) != "<!--") {  // doctype or bogus comment
    end = text_.find('>', at_ + 2);
    if (end != kNone) ++end;
  } else if (text_.substr(at_ + 4, 1) == ">") {
    end = at_ + 5;
  } else if (text_.substr(at_ + 4, 2) == "->") {
    end = at_ + 6;
  } else {
    for (size_t i = text_.find("--", at_ + 4); i != kNone;
         i = text_.find("--", i + 1)) {
      if (text_.substr(i + 2, 1) == ">") {
        end = i + 3;
        break;
      }
      if (text_.substr(i + 2, 2) == "!>") {
        end = i + 4;
        break;
      }
    }
  }
  at_ = token.end = std::min(end, text_.size());
  return token;
}

bool MarkupScanner::IsEndTagAt(size_t at, uint64_t key,
                               size_t name_size) const {
  const size_t after = at + 2 + name_size;
  if (after >= text_.size() || text_[at + 1] != '/') return false;
  const char c = text_[after];
  return (IsHtmlSpace(c) || c == '/' || c == '>') &&
         TagKey(text_.substr(at + 2, name_size)) == key;
}

MarkupToken MarkupScanner::RawText(const MarkupToken& start) {
  MarkupToken token;
  token.kind = MarkupToken::kText;
  token.begin = at_;
  size_t end = text_.size();
  if ((start.flags & kTagScript) != 0) {
    end = ScriptEnd();
  } else if ((start.flags & kTagPlaintext) == 0) {
    for (size_t i = text_.find('<', at_); i != kNone;
         i = text_.find('<', i + 1)) {
      if (IsEndTagAt(i, start.key, name_size_)) {
        end = i;
        break;
      }
    }
  }
  at_ = token.end = end;
  return token;
}

// Script data states of the standard: inside "<!--" a nested <script> hides one
// </script>.
size_t MarkupScanner::ScriptEnd() const {
  constexpr uint64_t kScript = TagKeyOf("script");
  constexpr size_t kNameSize = 6;
  enum { kPlain, kEscaped, kDoubleEscaped } state = kPlain;
  for (size_t i = at_; i < text_.size(); ++i) {
    if (state == kPlain) {
      i = text_.find('<', i);
      if (i == kNone) break;
    }
    const char c = text_[i];
    if (c == '-' && state != kPlain && text_.substr(i, 3) == "-->") {
      state = kPlain;
      i += 2;
    } else if (c == '<') {
      if (state == kPlain && text_.substr(i, 4) == "<!--") {
        state = kEscaped;
        ++i;  // "<!-->" ends at once
      } else if (IsEndTagAt(i, kScript, kNameSize)) {
        if (state != kDoubleEscaped) return i;
        state = kEscaped;
      } else if (state == kEscaped && i + 1 + kNameSize < text_.size() &&
                 TagKey(text_.substr(i + 1, kNameSize)) == kScript) {
        const char after = text_[i + 1 + kNameSize];
        if (IsHtmlSpace(after) || after == '/' || after == '>') {
          state = kDoubleEscaped;
        }
      }
    }
  }
  return text_.size();
}

bool IsHidingAttribute(std::string_view name, std::string_view value) {
  if (EqualsIgnoringCase(name, "hidden")) return true;
  if (!EqualsIgnoringCase(name, "style")) return false;
  bool none = false;  // by the last declaration of display
  while (!value.empty()) {
    const size_t end = std::min(value.find(';'), value.size());
    const std::string_view declaration = value.substr(0, end);
    value.remove_prefix(std::min(end + 1, value.size()));
    const size_t colon = declaration.find(':');
    if (colon == kNone ||
        !EqualsIgnoringCase(Trim(declaration.substr(0, colon)), "display")) {
      continue;
    }
    std::string_view what = declaration.substr(colon + 1);
    what = Trim(what.substr(0, what.find('!')));
    none = EqualsIgnoringCase(what, "none");
  }
  return none;
}

}  // namespace twinset
