// The committed class tables against ICU, code point by code point.
#include <gtest/gtest.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <set>

#include "kernels/unicode_class.h"
#include "text/tokens/normalise.h"
#include "text/tokens/segment.h"
#include "text/tokens/tokens.h"

namespace twinset {
namespace {

using kernels::ClassOf;
using kernels::CodePointClass;

CodePointClass IcuClass(UChar32 c) {
  static const std::set<UScriptCode> singles = {
      USCRIPT_HAN, USCRIPT_HIRAGANA, USCRIPT_KATAKANA, USCRIPT_THAI,
      USCRIPT_LAO, USCRIPT_KHMER,    USCRIPT_MYANMAR};
  UErrorCode status = U_ZERO_ERROR;
  const bool single = singles.count(uscript_getScript(c, &status)) > 0;
  switch (u_charType(c)) {
    case U_UPPERCASE_LETTER:
    case U_LOWERCASE_LETTER:
    case U_TITLECASE_LETTER:
    case U_MODIFIER_LETTER:
    case U_OTHER_LETTER:
      return single ? CodePointClass::kSingle : CodePointClass::kLetter;
    case U_NON_SPACING_MARK:
    case U_ENCLOSING_MARK:
    case U_COMBINING_SPACING_MARK:
      return single ? CodePointClass::kSingle : CodePointClass::kMark;
    case U_DECIMAL_DIGIT_NUMBER:
      return single ? CodePointClass::kSingle : CodePointClass::kDigit;
    case U_LETTER_NUMBER:
    case U_OTHER_NUMBER:
      return single ? CodePointClass::kSingle : CodePointClass::kNumber;
    default:
      return CodePointClass::kOther;
  }
}

TEST(UnicodeClasses, EqualIcuForEveryCodePoint) {
  ASSERT_TRUE(CheckUnicodeVersion().has_value());
  size_t counts[6] = {};
  for (UChar32 c = 0; c < 0x110000; ++c) {
    ASSERT_EQ(ClassOf(static_cast<uint32_t>(c)), IcuClass(c)) << std::hex << c;
    ++counts[static_cast<size_t>(IcuClass(c))];
  }
  for (const size_t count : counts) EXPECT_GT(count, 600u);
}

TEST(UnicodeClasses, SentenceTerminalsEqualIcuForEveryCodePoint) {
  const std::set<UChar32> others = {0x2026, 0x17D4, 0x17D5, 0x0F0D, 0x0F0E};
  for (UChar32 c = 0; c < 0x110000; ++c) {
    ASSERT_EQ(IsSentenceTerminal(static_cast<uint32_t>(c)),
              u_hasBinaryProperty(c, UCHAR_S_TERM) || others.count(c) > 0)
        << std::hex << c;
  }
}

TEST(UnicodeClasses, WhiteSpaceEqualsIcuForEveryCodePoint) {
  for (UChar32 c = 0; c < 0x110000; ++c) {
    if (U_IS_SURROGATE(c)) continue;
    char bytes[4];
    int32_t size = 0;
    U8_APPEND_UNSAFE(bytes, size, c);
    const size_t expected = u_hasBinaryProperty(c, UCHAR_WHITE_SPACE)
                                ? static_cast<size_t>(size)
                                : 0;
    ASSERT_EQ(WhiteSpaceAt(bytes, bytes + size), expected) << std::hex << c;
    // Cut short it is none.
    if (size > 1) {
      ASSERT_EQ(WhiteSpaceAt(bytes, bytes + size - 1), 0u) << std::hex << c;
    }
  }
}

}  // namespace
}  // namespace twinset
