#include "text/charset/charset.h"

#include <gtest/gtest.h>

#include <cctype>
#include <string>

#include "base/hash.h"

namespace twinset {
namespace {

constexpr char kBad[] = "\xEF\xBF\xBD";

// By the bytes alone.
std::string_view DetectCharset(std::string_view bytes) {
  return ChooseCharset(bytes, "", false);
}

std::string Decode(std::string_view charset, std::string_view bytes) {
  const auto decoded = DecodeFrom(charset, bytes);
  EXPECT_TRUE(decoded.has_value()) << charset;
  return decoded ? decoded->text : "";
}

TEST(CharsetLabels, CanonicalNames) {
  EXPECT_EQ(CharsetForLabel("utf8"), "UTF-8");
  EXPECT_EQ(CharsetForLabel(" UTF-8\n"), "UTF-8");
  EXPECT_EQ(CharsetForLabel("latin1"), "windows-1252");
  EXPECT_EQ(CharsetForLabel("ISO-8859-1"), "windows-1252");
  EXPECT_EQ(CharsetForLabel("us-ascii"), "windows-1252");
  EXPECT_EQ(CharsetForLabel("iso-8859-9"), "windows-1254");
  EXPECT_EQ(CharsetForLabel("iso-8859-11"), "windows-874");
  EXPECT_EQ(CharsetForLabel("gb2312"), "GBK");
  EXPECT_EQ(CharsetForLabel("x-sjis"), "Shift_JIS");
  EXPECT_EQ(CharsetForLabel("ks_c_5601-1987"), "EUC-KR");
  EXPECT_EQ(CharsetForLabel("utf-16"), "UTF-16LE");
  EXPECT_EQ(CharsetForLabel("iso-2022-kr"), "replacement");
  EXPECT_EQ(CharsetForLabel("hz-gb-2312"), "replacement");
  EXPECT_EQ(CharsetForLabel("iso-ir-126"), "ISO-8859-7");
  EXPECT_EQ(CharsetForLabel("\f\r iso-ir-138\t"), "ISO-8859-8");
  EXPECT_EQ(CharsetForLabel("\vutf-8"), "");
  EXPECT_EQ(CharsetForLabel("iso-"), "");
  EXPECT_EQ(CharsetForLabel("ir-138"), "");
  EXPECT_EQ(CharsetForLabel("utf-7"), "");
  EXPECT_EQ(CharsetForLabel(""), "");
  EXPECT_EQ(CharsetForLabel(std::string(1000, 'x')), "");
}

// Every encoding of the standard has a decoder, and ASCII means ASCII in all
// but UTF-16.
TEST(CharsetLabels, EveryEncodingDecodesAscii) {
  std::string ascii;
  for (char c = 1; c < 127; ++c) {
    if (c != '\x1B' && c != '\x0E' && c != '\x0F') ascii += c;
  }
  ascii += '\x7F';
  for (const char* label :
       {"utf-8",          "ibm866",       "iso-8859-2",   "iso-8859-3",
        "iso-8859-4",     "iso-8859-5",   "iso-8859-6",   "iso-8859-7",
        "iso-8859-8",     "iso-8859-8-i", "iso-8859-10",  "iso-8859-13",
        "iso-8859-14",    "iso-8859-15",  "iso-8859-16",  "koi8-r",
        "koi8-u",         "macintosh",    "windows-874",  "windows-1250",
        "windows-1251",   "windows-1252", "windows-1253", "windows-1254",
        "windows-1255",   "windows-1256", "windows-1257", "windows-1258",
        "x-mac-cyrillic", "gbk",          "gb18030",      "big5",
        "euc-jp",         "iso-2022-jp",  "shift_jis",    "euc-kr",
        "x-user-defined"}) {
    const std::string_view charset = CharsetForLabel(label);
    ASSERT_FALSE(charset.empty()) << label;
    const auto decoded = DecodeFrom(charset, ascii);
    ASSERT_TRUE(decoded.has_value()) << label;
    EXPECT_EQ(decoded->text, ascii) << label;
    EXPECT_FALSE(decoded->malformed) << label;
  }
  EXPECT_FALSE(DecodeFrom("no-such", "x").has_value());
}

TEST(CharsetUtf8, MaximalSubparts) {
  const struct {
    std::string_view bytes;
    int replaced;
  } cases[] = {
      {"\x80", 1},
      {"\xC0\x80", 2},  // overlong
      {"\xC2", 1},
      {"\xE2\x82", 1},      // cut off
      {"\xE0\x80\x80", 3},  // overlong
      {"\xED\xA0\x80", 3},  // surrogate
      {"\xF0\x90\x80", 1},
      {"\xF4\x90\x80\x80", 4},  // above U+10FFFF
      {"\xF5\x80\x80\x80", 4},
      {"\xFF", 1},
      {"\xF0\x9F\x98\xF0\x9F\x98", 2},
  };
  for (const auto& c : cases) {
    std::string expected = "a";
    for (int i = 0; i < c.replaced; ++i) expected += kBad;
    expected += "b";
    std::string out;
    EXPECT_FALSE(
        AppendValidUtf8(std::string("a").append(c.bytes).append("b"), &out));
    EXPECT_EQ(out, expected);
  }
  std::string out;
  EXPECT_TRUE(
      AppendValidUtf8("\xF0\x9F\x98\x80\xED\x9F\xBF\xEE\x80\x80", &out));
}

TEST(CharsetLegacy, SingleByteSamples) {
  EXPECT_EQ(Decode("windows-1252", "\x80\x81\xE9"),
            "\xE2\x82\xAC\xC2\x81\xC3\xA9");
  EXPECT_EQ(Decode("windows-1251", "\xCF\xF0"), "\xD0\x9F\xD1\x80");
  EXPECT_EQ(Decode("KOI8-U", "\xAE\xBE"), "\xD1\x9E\xD0\x8E");
  EXPECT_EQ(Decode("windows-1255", "\xCA"), "\xD6\xBA");
  EXPECT_EQ(Decode("ISO-8859-16", "\xA4\x80"), "\xE2\x82\xAC\xC2\x80");
  EXPECT_EQ(Decode("x-user-defined", "\x80"), "\xEF\x9E\x80");
  const auto bad = DecodeFrom("windows-1253", "a\xAA");
  EXPECT_EQ(bad->text, std::string("a") + kBad);
  EXPECT_TRUE(bad->malformed);
}

TEST(CharsetLegacy, MultiByteSamplesAndErrors) {
  EXPECT_EQ(Decode("Shift_JIS", "\x93\xFA\x96\x7B"), "日本");
  EXPECT_EQ(Decode("EUC-JP", "\xC6\xFC\xCB\xDC"), "日本");
  EXPECT_EQ(Decode("ISO-2022-JP", "\x1B$BF|K\\\x1B(B!"), "日本!");
  EXPECT_EQ(Decode("GBK", "\xD6\xD0\xB9\xFA"), "中国");
  EXPECT_EQ(Decode("gb18030", "\x94\x39\xFC\x36"), "😀");
  EXPECT_EQ(Decode("Big5", "\xA4\xA4\xB0\xEA"), "中國");
  EXPECT_EQ(Decode("EUC-KR", "\xC7\xD1\xB1\xB9"), "한국");
  for (const char* charset : {"Shift_JIS", "EUC-JP", "GBK", "Big5", "EUC-KR"}) {
    const auto cut = DecodeFrom(charset, "a\x93");
    ASSERT_TRUE(cut.has_value());
    EXPECT_EQ(cut->text, std::string("a") + kBad) << charset;
    EXPECT_TRUE(cut->malformed);
  }
  EXPECT_EQ(Decode("replacement", "anything"), kBad);
  EXPECT_EQ(Decode("replacement", ""), "");
}

// What the standard decides and converters often do not.
TEST(CharsetLegacy, PeculiaritiesOfTheStandard) {
  const std::string bad = kBad;
  EXPECT_EQ(Decode("Big5", "\x88\x62\x88\x64\x88\xA3\x88\xA5"),
            "\xC3\x8A\xCC\x84\xC3\x8A\xCC\x8C\xC3\xAA\xCC\x84\xC3\xAA\xCC\x8C");
  EXPECT_EQ(Decode("Big5", "\x87\x45"), "\xF0\xA7\x89\xA7");  // plane 2
  EXPECT_EQ(Decode("Big5", "\x81<b>"), bad + "<b>");
  EXPECT_EQ(Decode("EUC-JP", "\x8E\xB1\x8F\xB0\xA1"), "ｱ丂");
  EXPECT_EQ(Decode("EUC-JP", "\x8F\xA1\xA1<\x8F<\x8F\xB0<\x8F\xB0"),
            bad + "<" + bad + "<" + bad + "<" + bad);
  EXPECT_EQ(Decode("Shift_JIS", "\xB1\x80\xF0\x40\xA0"),
            "ｱ\xC2\x80\xEE\x80\x80" + bad);
  EXPECT_EQ(Decode("GBK", "\x80\xA3\xA0"), "€\xE3\x80\x80");
  EXPECT_EQ(Decode("gb18030", "\xA6\xD9\xFE\x59"), "︐龴");  // since 2022
  EXPECT_EQ(Decode("gb18030", "\x81\x35\xF4\x37\xE3\x32\x9A\x35"),
            "\xEE\x9F\x87\xF4\x8F\xBF\xBF");
  EXPECT_EQ(Decode("gb18030", "\x81\x30\x81<"), bad + "0" + bad + "<");
  EXPECT_EQ(Decode("gb18030", "\x81\x30<\x81\x30\x81"), bad + "0<" + bad);
  EXPECT_EQ(Decode("gb18030", "\x84\x31\xA5\x30"), bad);
  EXPECT_EQ(Decode("EUC-KR", "\x81\x41\xC8\xFE\xC9\xA1"), "갂힝" + bad);
  EXPECT_EQ(Decode("ISO-2022-JP", "\x1B(J\\~\x1B(I1\x1B$@F|\x1B(B\\"),
            "¥‾ｱ日\\");
  EXPECT_EQ(Decode("ISO-2022-JP", "\x1B(B\x1B(J\x1B$BF\x1B(Ba\x0E\x1B"),
            bad + bad + bad + "a" + bad + bad);
  EXPECT_EQ(Decode("ISO-2022-JP", "\x1B(Zx\xB1"), bad + "(Zx" + bad);
}

TEST(CharsetLegacy, LongInputCrossesTheChunks) {
  std::string bytes, expected;
  for (int i = 0; i < 20000; ++i) {
    bytes += "\x94\x39\xFC\x36";
    bytes += i % 3 == 0 ? "x" : "";
    expected += "😀";
    expected += i % 3 == 0 ? "x" : "";
  }
  EXPECT_EQ(Decode("gb18030", bytes), expected);
}

TEST(CharsetUtf16, SurrogatesAndOddLength) {
  using namespace std::string_view_literals;
  EXPECT_EQ(Decode("UTF-16LE", "\x3D\xD8\x00\xDE"sv), "😀");
  EXPECT_EQ(Decode("UTF-16BE", "\xD8\x3D\xDE\x00"sv), "😀");
  EXPECT_EQ(Decode("UTF-16LE", "\xFF\xFE\x41\x00"sv), "A");
  EXPECT_EQ(Decode("UTF-16LE", "\x00\xDE\x41\x00\x3D\xD8\x41\x00\x3D\xD8"sv),
            std::string(kBad) + "A" + kBad + "A" + kBad);
  EXPECT_EQ(Decode("UTF-16LE", "\x41\x00\x42"sv), std::string("A") + kBad);
  EXPECT_EQ(Decode("UTF-16LE", "\x3D\xD8\x42"sv), kBad);  // one cut, one error
  EXPECT_EQ(Decode("UTF-16BE", "\xFF\xFE"sv), "\xEF\xBF\xBE");  // not its mark
}

TEST(CharsetPrescan, Meta) {
  EXPECT_EQ(PrescanMarkup("<meta charset=koi8-r>"), "KOI8-R");
  EXPECT_EQ(PrescanMarkup("<META CHARSET = ' Latin1 ' >"), "windows-1252");
  EXPECT_EQ(PrescanMarkup("<meta/charset=utf-16>"), "UTF-8");
  EXPECT_EQ(PrescanMarkup("<meta charset=x-user-defined>"), "windows-1252");
  EXPECT_EQ(PrescanMarkup("<meta http-equiv=Content-Type "
                          "content='text/html; charset=sjis'>"),
            "Shift_JIS");
  EXPECT_EQ(PrescanMarkup("<meta content='x; charset = \"big5\"' "
                          "http-equiv=content-type>"),
            "Big5");
  EXPECT_EQ(PrescanMarkup("<meta content='text/html; charset=sjis'>"), "");
  EXPECT_EQ(PrescanMarkup("<metacharset=sjis>"), "");
  EXPECT_EQ(PrescanMarkup("<!-- <meta charset=sjis> --><meta charset=gbk>"),
            "GBK");
  EXPECT_EQ(PrescanMarkup("<a title='<meta charset=sjis>'><meta charset=gbk>"),
            "GBK");
  EXPECT_EQ(PrescanMarkup("<!x><?y><meta charset=nope><meta charset=gbk>"),
            "GBK");
  EXPECT_EQ(PrescanMarkup("<?xml version='1.0' encoding='koi8-u'?><html>"),
            "KOI8-U");
  EXPECT_EQ(PrescanMarkup("<meta charset=sjis"), "");
  EXPECT_EQ(PrescanMarkup(std::string(1024, ' ') + "<meta charset=sjis>"), "");
}

TEST(CharsetPrescan, UnknownAndCutOff) {
  using namespace std::string_view_literals;
  // The charset attribute counts although its value is unknown.
  EXPECT_EQ(PrescanMarkup("<meta charset=x content='a;charset=gbk' "
                          "http-equiv=content-type>"),
            "");
  EXPECT_EQ(PrescanMarkup("<meta content='a;charset=gbk' charset=koi8-r>"),
            "KOI8-R");
  EXPECT_EQ(PrescanMarkup("<p a=b c='>' d/e =f><meta charset=gbk>"), "GBK");
  EXPECT_EQ(PrescanMarkup("<!--><meta charset=gbk>"), "GBK");
  EXPECT_EQ(PrescanMarkup("<p a='<meta charset=gbk>"), "");
  EXPECT_EQ(PrescanMarkup("<script>'<meta charset=gbk>'</script>"), "GBK");
  EXPECT_EQ(PrescanMarkup("<?xml version='1.0' encoding=' gbk'?>"), "");
  EXPECT_EQ(PrescanMarkup("<?xml version='1.0' encoding='utf-16'?>"), "UTF-8");
  EXPECT_EQ(PrescanMarkup("<\0?\0x\0m\0"sv), "UTF-16LE");
  EXPECT_EQ(PrescanMarkup("\0<\0?\0x\0m"sv), "UTF-16BE");
}

TEST(CharsetPrescan, LateMeta) {
  const std::string filler(2000, ' '), meta = "<meta charset=koi8-r>";
  EXPECT_EQ(LateMetaCharset(filler + meta), "KOI8-R");
  EXPECT_EQ(LateMetaCharset(filler), "");
  EXPECT_EQ(LateMetaCharset(""), "");
  for (const char* const name : {"script", "STYLE", "title", "textarea"}) {
    const std::string start = std::string("<") + name + " a=b>";
    EXPECT_EQ(LateMetaCharset(filler + start + meta), "") << name;
    EXPECT_EQ(LateMetaCharset(filler + start + meta + "</x></" + name + ">" +
                              "<META CHARSET='gbk'>"),
              "GBK")
        << name;
  }
  EXPECT_EQ(LateMetaCharset(filler + "<!--" + meta + "--><meta name=x>"), "");
  // It goes before what the bytes look like, but not before valid UTF-8.
  EXPECT_EQ(ChooseCharset(filler + meta, "", true), "KOI8-R");
  EXPECT_EQ(ChooseCharset(filler + meta + "\xC1\xC2", "", true), "KOI8-R");
  EXPECT_EQ(ChooseCharset(filler + meta + "é", "", true), "UTF-8");
  EXPECT_EQ(ChooseCharset(filler + meta, "", false), "UTF-8");
  EXPECT_EQ(ChooseCharset(filler + meta, "gbk", true), "GBK");
}

TEST(CharsetChoice, Precedence) {
  const std::string meta = "<meta charset=koi8-r>\xE9";
  EXPECT_EQ(ChooseCharset("\xEF\xBB\xBF" + meta, "gbk", true), "UTF-8");
  EXPECT_EQ(ChooseCharset("\xFE\xFF" + meta, "gbk", true), "UTF-16BE");
  EXPECT_EQ(ChooseCharset(meta, "gbk", true), "GBK");
  EXPECT_EQ(ChooseCharset(meta, "nonsense", true), "KOI8-R");
  EXPECT_NE(ChooseCharset(meta, "", false), "KOI8-R");  // only html is scanned
  EXPECT_EQ(ChooseCharset("plain \xC3\xA9", "", false), "UTF-8");
  EXPECT_EQ(ChooseCharset("", "", true), "UTF-8");
}

TEST(CharsetDetection, KnownTexts) {
  EXPECT_EQ(DetectCharset("\x1B$BF|K\\8l$N%F%-%9%H$G$9\x1B(B"), "ISO-2022-JP");
  EXPECT_EQ(DetectCharset("a\x1B(x"), "UTF-8");
  // A paragraph of Russian in windows-1251.
  const std::string russian =
      "\xC2 \xED\xE0\xF7\xE0\xEB\xE5 \xE1\xFB\xEB\xEE \xF1\xEB\xEE\xE2\xEE, "
      "\xE8 "
      "\xF1\xEB\xEE\xE2\xEE \xE1\xFB\xEB\xEE \xF3 \xE1\xEE\xE3\xE0, \xE8 "
      "\xF1\xEB\xEE\xE2\xEE \xE1\xFB\xEB\xEE \xE1\xEE\xE3. \xDD\xF2\xEE "
      "\xE1\xFB\xEB\xEE \xE2 \xED\xE0\xF7\xE0\xEB\xE5 \xF3 \xE1\xEE\xE3\xE0. "
      "\xC2\xF1\xE5 \xF7\xE5\xF0\xE5\xE7 \xED\xE5\xE3\xEE "
      "\xED\xE0\xF7\xE0\xEB\xEE "
      "\xE1\xFB\xF2\xFC.";
  EXPECT_EQ(DetectCharset(russian), "windows-1251");
  EXPECT_FALSE(DetectCharset("\xFF").empty());
  SplitMix64 random(1);
  std::string noise;
  for (int i = 0; i < 1000; ++i) noise += static_cast<char>(random.Next());
  EXPECT_FALSE(DetectCharset(noise).empty());
}

// `text`, which is UTF-8, in UTF-16.
std::string Utf16(std::string_view text, bool big_endian) {
  std::string bytes;
  const auto put = [&](uint32_t unit) {
    const char low = static_cast<char>(unit & 0xFF);
    const char high = static_cast<char>(unit >> 8);
    bytes += big_endian ? high : low;
    bytes += big_endian ? low : high;
  };
  for (size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at++]);
    const int tail = lead < 0xC0 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    uint32_t point = tail == 0 ? lead : lead & (0x3Fu >> tail);
    for (int i = 0; i < tail; ++i) {
      point = point << 6 | (static_cast<unsigned char>(text[at++]) & 0x3Fu);
    }
    if (point >= 0x10000) {
      put(0xD7C0 + (point >> 10));
      point = 0xDC00 | (point & 0x3FF);
    }
    put(point);
  }
  return bytes;
}

TEST(CharsetDetection, Utf16WithoutMark) {
  using namespace std::string_view_literals;
  const std::string_view html = "<html><body><p>一 Ünïcode 😀 text\r\n</p>";
  for (const bool big_endian : {false, true}) {
    const std::string_view name = big_endian ? "UTF-16BE" : "UTF-16LE";
    const std::string bytes = Utf16(html, big_endian);
    EXPECT_EQ(DetectCharset(bytes), name);
    EXPECT_EQ(ChooseCharset(bytes, "", true), name);
    EXPECT_EQ(ChooseCharset(bytes, "gbk", true), "GBK");
    EXPECT_EQ(Decode(name, bytes), html);
    EXPECT_EQ(DetectCharset(bytes + "x"), name);  // an odd byte at the end
    // Few units, half a pair, NUL, controls, no ASCII: not unmistakable.
    EXPECT_EQ(DetectCharset(bytes.substr(0, 14)), "UTF-8");
    for (const std::string_view unit : {"\xD8\xD8"sv, "\0\0"sv, "\xFF\xFF"sv}) {
      EXPECT_NE(DetectCharset(bytes + std::string(unit) + bytes), name);
    }
    EXPECT_NE(DetectCharset(bytes + Utf16("\x01", big_endian)), name);
    EXPECT_NE(DetectCharset(Utf16("abc一二三四五六", big_endian)), name);
  }
  EXPECT_EQ(DetectCharset("A text in ASCII with one NUL \0 and more."sv),
            "UTF-8");
  std::string utf32;
  for (const char c : html.substr(0, 12)) utf32 += {c, 0, 0, 0};
  EXPECT_EQ(DetectCharset(utf32), "UTF-8");
}

}  // namespace
}  // namespace twinset
