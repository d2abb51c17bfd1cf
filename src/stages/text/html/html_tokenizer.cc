#include "text/html/html_tokenizer.h"

#include "base/ascii.h"
#include "kernels/byte_scan.h"
#include "text/html/html_tokenizer_chars.h"

namespace twinset {

using kernels::Bytes16;
using kernels::FindAndNote;
using kernels::FindAnyOf;

const HtmlToken& HtmlTokenizer::Next() {
  switch (state_) {
    case kData:
      Data();
      break;
    case kRcdata:
    case kRawText:
      RawText();
      break;
    case kScript:
      Script();
      break;
    case kPlaintext:
      if (at_ == size_) {
        End();
      } else {
        SetText(
            size_,
            FindAnyOf(data_, at_, size_, '\r', '\0', kSoftHyphen[0]) != size_,
            false);
      }
      break;
  }
  return token_;
}

void HtmlTokenizer::SetState(State state, std::string_view end_tag) {
  state_ = state;
  end_tag_ = end_tag;
}

// ---- tokens -----------------------------------------------------------------

inline void HtmlTokenizer::SetRange(HtmlToken::Kind kind, size_t end) {
  token_.kind = kind;
  token_.begin = static_cast<uint32_t>(at_);
  token_.end = static_cast<uint32_t>(end);
  at_ = end;
}

inline void HtmlTokenizer::SetText(size_t end, bool needs_decoding,
                                   bool references) {
  token_.raw = {data_ + at_, end - at_};
  token_.needs_decoding = needs_decoding;
  token_.references = references;
  token_.cdata = false;
  SetRange(HtmlToken::kText, end);
}

void HtmlTokenizer::End() {
  token_.raw = {};
  SetRange(HtmlToken::kEnd, size_);
}

// ---- data -------------------------------------------------------------------

inline void HtmlTokenizer::Data() {
  while (at_ < size_) {
    if (data_[at_] != '<') return Text();
    switch (Open()) {
      case Markup::kToken:
        return;
      case Markup::kNothing:
        break;
      case Markup::kText:
        return Text();
    }
  }
  End();
}

namespace {

// Returns true iff the '<' at `at` begins a token (or nothing at all), not a
// text. What follows it decides: the tag open state and the end tag open state.
inline bool OpensMarkup(const char* data, size_t at, size_t size) {
  if (at + 1 >= size) return false;
  const char next = data[at + 1];
  return IsAsciiLetter(next) || next == '!' || next == '?' ||
         (next == '/' && at + 2 < size);
}

}  // namespace

void HtmlTokenizer::Text() {
  bool decode = false;
  // A '<' here is the first byte of the text.
  size_t end = at_ + (data_[at_] == '<');
  for (;;) {
    end = FindAndNote(data_, end, size_, '<', &decode, '&', '\r', '\0',
                      kSoftHyphen[0]);
    if (end == size_ || OpensMarkup(data_, end, size_)) break;
    ++end;
  }
  SetText(end, decode, true);
}

// The markup that the '<' at at_ opens.
inline HtmlTokenizer::Markup HtmlTokenizer::Open() {
  if (at_ + 1 >= size_) return Markup::kText;
  const char next = data_[at_ + 1];
  if (IsAsciiLetter(next)) {
    Tag(HtmlToken::kStartTag, at_ + 1);
    return Markup::kToken;
  }
  if (next == '/') {
    if (at_ + 2 >= size_) return Markup::kText;
    const char name = data_[at_ + 2];
    if (IsAsciiLetter(name)) {
      Tag(HtmlToken::kEndTag, at_ + 2);
      return Markup::kToken;
    }
    if (name == '>') {
      at_ += 3;
      return Markup::kNothing;
    }
    BogusComment(at_ + 2);
    return Markup::kToken;
  }
  if (next == '!') return Declaration();
  if (next == '?') {
    BogusComment(at_ + 1);
    return Markup::kToken;
  }
  return Markup::kText;
}

HtmlTokenizer::Markup HtmlTokenizer::Declaration() {
  const std::string_view rest(data_ + at_ + 2, size_ - at_ - 2);
  if (rest.substr(0, 2) == "--") {
    Comment(at_ + 4);
  } else if (EqualsIgnoreCase(rest.substr(0, 7), "doctype")) {
    // '>' ends a doctype everywhere, inside quotes too.
    const size_t close = FindAnyOf(data_, at_ + 9, size_, '>');
    token_.raw = {data_ + at_ + 9, close - at_ - 9};
    SetRange(HtmlToken::kDoctype, close + (close < size_));
  } else if (allow_cdata_ && rest.substr(0, 7) == "[CDATA[") {
    return CdataSection(at_ + 9);
  } else {
    BogusComment(at_ + 2);
  }
  return Markup::kToken;
}

void HtmlTokenizer::BogusComment(size_t data_at) {
  const size_t close = FindAnyOf(data_, data_at, size_, '>');
  token_.raw = {data_ + data_at, close - data_at};
  SetRange(HtmlToken::kComment, close + (close < size_));
}

// `data_at` is behind "<!--". "-->" and "--!>" end a comment; right behind its
// beginning, ">" and "->" do, too.
void HtmlTokenizer::Comment(size_t data_at) {
  const std::string_view rest(data_ + data_at, size_ - data_at);
  const size_t abrupt = rest.substr(0, 1) == ">"    ? 1
                        : rest.substr(0, 2) == "->" ? 2
                                                    : 0;
  if (abrupt != 0) {
    token_.raw = rest.substr(0, 0);
    return SetRange(HtmlToken::kComment, data_at + abrupt);
  }
  size_t at = data_at;
  while ((at = FindAnyOf(data_, at, size_, '>')) < size_) {
    const std::string_view before(data_ + data_at, at - data_at);
    const size_t close = before.ends_with("--")    ? 2
                         : before.ends_with("--!") ? 3
                                                   : 0;
    ++at;
    if (close == 0) continue;
    token_.raw = before.substr(0, before.size() - close);
    return SetRange(HtmlToken::kComment, at);
  }
  // What could still have become the end is no data.
  const size_t cut = rest.ends_with("--!")  ? 3
                     : rest.ends_with("--") ? 2
                     : rest.ends_with("-")  ? 1
                                            : 0;
  token_.raw = rest.substr(0, rest.size() - cut);
  SetRange(HtmlToken::kComment, size_);
}

// `text_at` is behind "<![CDATA[".
HtmlTokenizer::Markup HtmlTokenizer::CdataSection(size_t text_at) {
  size_t close = text_at, after = size_;
  for (;; ++close) {
    close = FindAnyOf(data_, close, size_, '>');
    if (close == size_) break;
    if (close - text_at < 2 || data_[close - 1] != ']' ||
        data_[close - 2] != ']') {
      continue;
    }
    after = close + 1;
    close -= 2;
    break;
  }
  if (close == text_at) {
    at_ = after;
    return Markup::kNothing;
  }
  token_.raw = {data_ + text_at, close - text_at};
  token_.needs_decoding =
      FindAnyOf(data_, text_at, close, '\r', '\0', kSoftHyphen[0]) != close;
  token_.references = false;
  token_.cdata = true;
  SetRange(HtmlToken::kText, after);
  return Markup::kToken;
}

// ---- RCDATA, raw text, scripts ----------------------------------------------

// Returns true iff the '<' at `at` begins the appropriate end tag. O(its name).
inline bool HtmlTokenizer::IsEndTag(size_t at) const {
  const size_t after = at + 2 + end_tag_.size();
  if (end_tag_.empty() || after >= size_ || data_[at + 1] != '/') return false;
  return EndsHtmlTagName(data_[after]) &&
         EqualsIgnoreCase({data_ + at + 2, end_tag_.size()}, end_tag_);
}

void HtmlTokenizer::RawText() {
  if (at_ == size_) return End();
  const bool references = state_ == kRcdata;
  bool decode = false;
  size_t end = at_;
  for (;; ++end) {
    end = references ? FindAndNote(data_, end, size_, '<', &decode, '&', '\r',
                                   '\0', kSoftHyphen[0])
                     : FindAndNote(data_, end, size_, '<', &decode, '\r', '\0',
                                   kSoftHyphen[0]);
    if (end == size_ || IsEndTag(end)) break;
  }
  if (end > at_) return SetText(end, decode, references);
  state_ = kData;
  Tag(HtmlToken::kEndTag, at_ + 2);
}

namespace {

// Returns true iff `lower` stands at `at` with the end of a tag name behind it.
bool IsScriptMark(const char* data, size_t at, size_t size,
                  std::string_view lower) {
  const size_t after = at + lower.size();
  return after < size && EndsHtmlTagName(data[after]) &&
         EqualsIgnoreCase({data + at, lower.size()}, lower);
}

}  // namespace

// "<!--" makes a script escaped until "-->" (whose dashes may be those of
// "<!--"); "<script" makes an escaped one double escaped until "</script" or
// "-->". Only in the double escaped text the end tag does not end the script.
void HtmlTokenizer::Script() {
  if (at_ == size_) return End();
  enum { kPlain, kEscaped, kDoubleEscaped } mode = kPlain;
  size_t dashes_from = 0;  // of a "-->"
  bool decode = false;
  size_t end = at_;
  for (;; ++end) {
    if (mode == kPlain) {
      end = FindAndNote(data_, end, size_, '<', &decode, '\r', '\0');
    } else {
      end = FindAnyOf(data_, end, size_, '<', '>');
    }
    if (end == size_) break;
    if (data_[end] == '>') {
      if (end >= dashes_from + 2 && data_[end - 1] == '-' &&
          data_[end - 2] == '-') {
        mode = kPlain;
      }
    } else if (mode == kDoubleEscaped) {
      if (IsScriptMark(data_, end, size_, "</script")) mode = kEscaped;
    } else if (IsEndTag(end)) {
      break;
    } else if (mode == kEscaped) {
      if (IsScriptMark(data_, end, size_, "<script")) mode = kDoubleEscaped;
    } else if (std::string_view(data_ + end, size_ - end).starts_with("<!--")) {
      mode = kEscaped;
      dashes_from = end + 2;
      decode = true;  // not looked for inside
    }
  }
  if (end > at_) return SetText(end, decode, false);
  state_ = kData;
  Tag(HtmlToken::kEndTag, at_ + 2);
}

// ---- tags -------------------------------------------------------------------

namespace {

// Returns true iff the '=' at `at` stands behind an attribute's name; else it
// is a name's first byte. `region`: where the last value (or the tag name)
// ended. Each look back ends at the '=' before, so that all together are
// linear.
inline bool IsAssignment(const char* data, size_t region, size_t at) {
  while (at > region && IsAsciiSpace(data[at - 1])) --at;
  return at > region && data[at - 1] != '/';
}

}  // namespace

// The tag whose '<' is at at_ and whose name, beginning with a letter, is at
// `name_at`.
inline void HtmlTokenizer::Tag(HtmlToken::Kind kind, size_t name_at) {
  size_t end = name_at;
  if (name_at + Bytes16::kSize <= size_) {
    // Other control bytes are rare: then the loop goes on.
    const uint32_t stops = Bytes16(data_ + name_at).AtMostOr(' ', '/', '>');
    end += stops != 0 ? kernels::LowestBit(stops) : Bytes16::kSize;
    while (end < size_ && !EndsHtmlTagName(data_[end])) ++end;
    token_.raw = {data_ + name_at, end - name_at};
    token_.tag = TagOfReadable(token_.raw);
  } else {
    while (end < size_ && !EndsHtmlTagName(data_[end])) ++end;
    token_.raw = {data_ + name_at, end - name_at};
    token_.tag = TagOf(token_.raw);
  }
  if (TagEnd(end)) {
    token_.kind = kind;
  } else {
    End();
  }
}

// Finds the '>' of the tag, `at` being behind its name. Only quoted values can
// hold a '>', and only '=' can begin a value: other bytes need no look. False
// if the source ends before.
inline bool HtmlTokenizer::TagEnd(size_t at) {
  size_t region = at;  // behind the last value (or the tag name)
  for (;;) {
    if (at < size_ && data_[at] != '>') {
      at = FindAnyOf(data_, at, size_, '>', '=');
    }
    if (at >= size_) return false;
    if (data_[at] == '>') {
      token_.self_closing = at > region && data_[at - 1] == '/';
      SetRange(HtmlToken::kStartTag, at + 1);
      return true;
    }
    ++at;
    if (!IsAssignment(data_, region, at - 1)) continue;
    while (at < size_ && IsAsciiSpace(data_[at])) ++at;
    if (at == size_) return false;
    const char quote = data_[at];
    if (quote == '"' || quote == '\'') {
      at = quote == '"' ? FindAnyOf(data_, at + 1, size_, '"')
                        : FindAnyOf(data_, at + 1, size_, '\'');
      if (at == size_) return false;
      ++at;
    } else {
      while (at < size_ && !EndsUnquotedValue(data_[at])) ++at;
    }
    region = at;
  }
}

}  // namespace twinset
