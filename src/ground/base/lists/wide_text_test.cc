#include "base/lists/wide_text.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace twinset {
namespace {

// Code points as units of `width` bytes, without surrogates.
std::string Encoded(std::u32string_view text, size_t width, bool is_little) {
  std::string bytes;
  for (const char32_t c : text) {
    std::string unit;
    for (size_t i = 0; i < width; ++i)
      unit += static_cast<char>(c >> (8 * i) & 0xff);
    bytes += is_little ? unit : std::string(unit.rbegin(), unit.rend());
  }
  return bytes;
}

TEST(WideText, EachCodingIsToldWithAndWithoutItsMark) {
  const struct {
    size_t width;
    bool is_little;
    std::string_view coding, marked;
  } forms[] = {{2, true, "UTF-16LE", "UTF-16"},
               {2, false, "UTF-16BE", "UTF-16"},
               {4, true, "UTF-32LE", "UTF-32"},
               {4, false, "UTF-32BE", "UTF-32"}};
  for (const auto& form : forms) {
    SCOPED_TRACE(form.coding);
    const auto encoded = [&](std::u32string_view text) {
      return Encoded(text, form.width, form.is_little);
    };
    const WideText plain = ReadWideText(encoded(U"{\"id\": 1\u00e9\u4e2d}"));
    EXPECT_EQ(plain.coding, form.coding);
    EXPECT_FALSE(plain.is_marked);
    EXPECT_EQ(plain.text, "{\"id\": 1??}");
    EXPECT_EQ(plain.latin_bytes, 9 * form.width);
    const WideText marked = ReadWideText(encoded(U"\ufeff\u4e2da"));
    EXPECT_EQ(marked.coding, form.marked);
    EXPECT_TRUE(marked.is_marked);
    EXPECT_EQ(marked.text, "?a");
    // Half a unit at the end is no character; one character tells nothing.
    EXPECT_EQ(ReadWideText(encoded(U"ab") + "x").text, "ab");
    EXPECT_EQ(ReadWideText(encoded(U"a")).coding, "");
  }
}

TEST(WideText, OtherBytesAreNone) {
  using std::string_view_literals::operator""sv;
  for (const std::string_view bytes :
       {""sv, "a"sv, "ab"sv, "{\"id\": 1}"sv,
        "\xef\xbb\xbf"
        "ab"sv,
        "\0\0\0\0"sv, "\x1f\x8b\x08\0\0\0\0\0"sv, "\xe4\xb8\xad\xe6\x96\x87"sv})
    EXPECT_EQ(ReadWideText(bytes).coding, "") << bytes;
}

}  // namespace
}  // namespace twinset
