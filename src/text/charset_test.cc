#include "text/charset.h"

#include <gtest/gtest.h>
#include <unicode/ucnv.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/hash.h"

namespace twinset {
namespace {

constexpr char kBad[] = "\xEF\xBF\xBD";

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

// All sequences of up to three bytes from a set that has every class: the
// decoder's output is valid, and valid input is unchanged.
TEST(CharsetUtf8, ExhaustiveOnByteClasses) {
  const unsigned char classes[] = {
      0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF,
      0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF};
  UErrorCode status = U_ZERO_ERROR;
  UConverter* const icu = ucnv_open("UTF-8", &status);
  ASSERT_TRUE(U_SUCCESS(status));
  const size_t n = std::size(classes);
  for (size_t code = 0; code < n * n * n * n; ++code) {
    std::string bytes;
    for (size_t rest = code, i = 0; i < 4; ++i, rest /= n) {
      bytes += static_cast<char>(classes[rest % n]);
    }
    UChar units[16];
    status = U_ZERO_ERROR;
    const int32_t length =
        ucnv_toUChars(icu, units, 16, bytes.data(), 4, &status);
    std::string expected;
    for (int32_t i = 0; i < length; ++i) {
      char32_t c = units[i];
      if (c >= 0xD800 && c <= 0xDBFF) {
        c = 0x10000 + ((c - 0xD800) << 10) + (units[++i] - 0xDC00u);
      }
      AppendCodePoint(c, &expected);
    }
    std::string out;
    const bool valid = AppendValidUtf8(bytes, &out);
    ASSERT_EQ(out, expected);
    ASSERT_EQ(valid, out == bytes);
    ASSERT_EQ(ValidUtf8Prefix(out), out.size());
  }
  ucnv_close(icu);
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

std::string SharedData() {
  const char* const set = std::getenv("TWINSET_SHARED_DATA");
  return set != nullptr ? set : TWINSET_SOURCE_DIR "/../shared/data";
}

std::string ReadMember(const std::string& archive, const std::string& member) {
  std::string bytes;
  const std::string command =
      "tar -xJOf '" + archive + "' '" + member + "' 2>/dev/null";
  if (FILE* const pipe = popen(command.c_str(), "r")) {
    char buffer[65536];
    while (const size_t n = fread(buffer, 1, sizeof buffer, pipe)) {
      bytes.append(buffer, n);
    }
    pclose(pipe);
  }
  return bytes;
}

// The vectors decode every index of the standard, valid and not, one per line.
TEST(CharsetLegacy, IndexVectors) {
  const std::string archive =
      SharedData() + "/encoding/encoding_rs_legacy_vectors.tar.xz";
  if (FILE* const file = fopen(archive.c_str(), "r")) {
    fclose(file);
  } else {
    std::printf("SKIPPED (no shared data): %s\n", archive.c_str());
    GTEST_SKIP() << "needs the shared encoding vectors";
  }
  const struct {
    const char *name, *charset;
    double share;  // of lines that must agree
  } vectors[] = {{"big5", "Big5", 0.96},
                 {"euc_kr", "EUC-KR", 0.99},
                 {"jis0208", "EUC-JP", 1.0},
                 {"jis0212", "EUC-JP", 0.997},
                 {"shift_jis", "Shift_JIS", 1.0}};
  const auto lines = [](std::string_view text) {
    std::vector<std::string_view> out;
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size());
      out.push_back(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
  };
  for (const auto& vector : vectors) {
    const std::string base = std::string("encoding_rs/") + vector.name;
    const std::string in = ReadMember(archive, base + "_in.txt");
    const std::string expected = ReadMember(archive, base + "_in_ref.txt");
    ASSERT_FALSE(in.empty());
    const std::string decoded = Decode(vector.charset, in);
    const auto got = lines(decoded), want = lines(expected);
    size_t same = 0;
    for (size_t i = 0; i < std::min(got.size(), want.size()); ++i) {
      same += got[i] == want[i];
    }
    std::printf("%-10s %zu of %zu lines agree\n", vector.name, same,
                want.size());
    EXPECT_GE(static_cast<double>(same),
              vector.share * static_cast<double>(want.size()));
  }
}

}  // namespace
}  // namespace twinset
