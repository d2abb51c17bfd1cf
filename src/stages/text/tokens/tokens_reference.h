// Tests only: the definitions of docs/spec/1.md, written down code point by
// code point with ICU calls on the whole text, with nothing shared with the
// engine.
#ifndef TWINSET_SRC_STAGES_TEXT_TOKENS_TOKENS_REFERENCE_H_
#define TWINSET_SRC_STAGES_TEXT_TOKENS_TOKENS_REFERENCE_H_

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>

#include <string>
#include <string_view>
#include <vector>

namespace twinset::naive {

inline icu::UnicodeString Decode(std::string_view utf8) {
  return icu::UnicodeString::fromUTF8(
      icu::StringPiece(utf8.data(), static_cast<int32_t>(utf8.size())));
}

inline std::string Encode(const icu::UnicodeString& text) {
  std::string utf8;
  text.toUTF8String(utf8);
  return utf8;
}

inline icu::UnicodeString Normalised(std::string_view clean) {
  icu::UnicodeString text = Decode(clean);
  text.findAndReplace(icu::UnicodeString(char16_t{0x200B}), u" ");
  UErrorCode status = U_ZERO_ERROR;
  icu::UnicodeString folded =
      icu::Normalizer2::getNFKCCasefoldInstance(status)->normalize(text,
                                                                   status);
  folded.findAndReplace(icu::UnicodeString(char16_t{0x2019}), u"'");
  return folded;
}

inline bool IsSingle(UChar32 c) {
  UErrorCode status = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(c, &status);
  const bool one_of_seven =
      script == USCRIPT_HAN || script == USCRIPT_HIRAGANA ||
      script == USCRIPT_KATAKANA || script == USCRIPT_THAI ||
      script == USCRIPT_LAO || script == USCRIPT_KHMER ||
      script == USCRIPT_MYANMAR;
  return one_of_seven &&
         (U_GET_GC_MASK(c) & (U_GC_L_MASK | U_GC_M_MASK | U_GC_N_MASK)) != 0;
}
inline bool IsLetter(UChar32 c) {
  return (U_GET_GC_MASK(c) & U_GC_L_MASK) != 0 && !IsSingle(c);
}
inline bool IsMark(UChar32 c) {
  return (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0 && !IsSingle(c);
}
inline bool IsNumber(UChar32 c) {
  return (U_GET_GC_MASK(c) & U_GC_N_MASK) != 0 && !IsSingle(c);
}
inline bool IsDigit(UChar32 c) {
  return u_charType(c) == U_DECIMAL_DIGIT_NUMBER && !IsSingle(c);
}

// Tokens of normalised text; `breaks`: whether anything stands before each.
inline std::vector<std::string> TokensOf(const icu::UnicodeString& text,
                                         std::vector<bool>* breaks = nullptr) {
  std::vector<UChar32> points;
  for (int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
    points.push_back(text.char32At(i));
  }
  std::vector<icu::UnicodeString> tokens;
  bool open = false;  // the last token may go on
  bool is_break = false;
  for (size_t i = 0; i < points.size(); ++i) {
    const UChar32 c = points[i];
    const UChar32 before = i > 0 ? points[i - 1] : ' ';
    const UChar32 after = i + 1 < points.size() ? points[i + 1] : ' ';
    const bool joins_letters =
        (c == '\'' || c == '.') && IsLetter(before) && IsLetter(after);
    const bool joins_digits =
        (c == ',' || c == '.') && IsDigit(before) && IsDigit(after);
    const size_t before_count = tokens.size();
    if (IsSingle(c)) {
      tokens.emplace_back(c);
      open = false;
    } else if (IsLetter(c) || IsNumber(c) || joins_letters || joins_digits ||
               (IsMark(c) && open)) {
      if (!open) tokens.emplace_back();
      tokens.back().append(c);
      open = true;
    } else {
      open = false;
      is_break = true;
    }
    if (tokens.size() > before_count) {
      if (breaks != nullptr) breaks->push_back(is_break);
      is_break = false;
    }
  }
  std::vector<std::string> utf8;
  for (const icu::UnicodeString& token : tokens) utf8.push_back(Encode(token));
  return utf8;
}

inline std::vector<std::string> UnicodeTokens(std::string_view clean) {
  return TokensOf(Normalised(clean));
}

inline std::vector<std::string> WhitespaceTokens(std::string_view clean) {
  const icu::UnicodeString text = Decode(clean);
  std::vector<std::string> tokens(1);
  for (int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
    const UChar32 c = text.char32At(i);
    if (!u_hasBinaryProperty(c, UCHAR_WHITE_SPACE)) {
      tokens.back() += Encode(icu::UnicodeString(c));
    } else if (!tokens.back().empty()) {
      tokens.emplace_back();
    }
  }
  if (tokens.back().empty()) tokens.pop_back();
  return tokens;
}

// What char shingles count: one space where the text has a break between words,
// none between characters that are tokens of their own.
inline std::string Characters(std::string_view clean) {
  std::vector<bool> breaks;
  const auto tokens = TokensOf(Normalised(clean), &breaks);
  std::string text;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const auto single = [](const std::string& token) {
      return IsSingle(Decode(token).char32At(0));
    };
    if (i > 0 && breaks[i] && !(single(tokens[i - 1]) && single(tokens[i])))
      text += ' ';
    text += tokens[i];
  }
  return text;
}

inline std::string Join(const std::vector<std::string>& tokens) {
  std::string text;
  for (const std::string& token : tokens) {
    if (!text.empty()) text += ' ';
    text += token;
  }
  return text;
}

}  // namespace twinset::naive

#endif  // TWINSET_SRC_STAGES_TEXT_TOKENS_TOKENS_REFERENCE_H_
