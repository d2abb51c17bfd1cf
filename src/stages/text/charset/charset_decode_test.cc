// The fast decoders against the standard's own way of decoding.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/hash.h"
#include "text/charset/charset.h"
#include "text/charset/charset_reference.h"

namespace twinset {
namespace {

constexpr std::string_view kCharsets[] = {
    "UTF-8",          "IBM866",       "ISO-8859-2",     "ISO-8859-3",
    "ISO-8859-4",     "ISO-8859-5",   "ISO-8859-6",     "ISO-8859-7",
    "ISO-8859-8",     "ISO-8859-8-I", "ISO-8859-10",    "ISO-8859-13",
    "ISO-8859-14",    "ISO-8859-15",  "ISO-8859-16",    "KOI8-R",
    "KOI8-U",         "macintosh",    "windows-874",    "windows-1250",
    "windows-1251",   "windows-1252", "windows-1253",   "windows-1254",
    "windows-1255",   "windows-1256", "windows-1257",   "windows-1258",
    "x-mac-cyrillic", "GBK",          "gb18030",        "Big5",
    "EUC-JP",         "ISO-2022-JP",  "Shift_JIS",      "EUC-KR",
    "UTF-16LE",       "UTF-16BE",     "x-user-defined", "replacement"};

// Compares text and `malformed` with the reference. Storage is used again and
// again, as a caller would.
class Comparer {
 public:
  explicit Comparer(std::string_view charset) : charset_(charset) {}

  // False, and a failure is reported, if they differ.
  bool Same(std::string_view bytes) {
    if (charset_ == CharsetForBom(bytes)) return true;
    const auto decoded = DecodeInto(charset_, bytes, &storage_);
    if (!decoded) {
      ADD_FAILURE() << charset_ << ": " << decoded.error().message;
      return false;
    }
    bool malformed = false;
    const std::string expected = naive::Decode(charset_, bytes, &malformed);
    if (decoded->text == expected && decoded->malformed == malformed &&
        decoded->charset == charset_) {
      return true;
    }
    std::string hex;
    for (const char c : bytes.substr(0, 64)) {
      hex += "0123456789ABCDEF"[static_cast<unsigned char>(c) >> 4];
      hex += "0123456789ABCDEF"[c & 15];
      hex += ' ';
    }
    ADD_FAILURE() << charset_ << " of " << hex << "\nis       "
                  << decoded->text.substr(0, 200) << "\nnot      "
                  << expected.substr(0, 200);
    return false;
  }

 private:
  const std::string_view charset_;
  std::string storage_ = "what was there before";
};

char Byte(uint64_t value) { return static_cast<char>(value & 0xFF); }

// Builds without optimisation look at a part of what others look at whole.
constexpr unsigned kStep = TWINSET_SLOW_BUILD ? 17 : 1;

TEST(CharsetDecode, AllInputsOfUpToTwoBytes) {
  for (const std::string_view charset : kCharsets) {
    Comparer comparer(charset);
    ASSERT_TRUE(comparer.Same(""));
    for (unsigned first = 0; first < 256; ++first) {
      ASSERT_TRUE(comparer.Same(std::string(1, Byte(first))));
      for (unsigned second = first % kStep; second < 256; second += kStep) {
        ASSERT_TRUE(comparer.Same(std::string{Byte(first), Byte(second)}));
      }
    }
  }
}

// Bytes at the borders of every range that a decoder asks about.
constexpr unsigned char kBorders[] = {
    0x00, 0x0E, 0x1B, 0x20, 0x21, 0x24, 0x28, 0x2F, 0x30, 0x39, 0x3A,
    0x40, 0x41, 0x42, 0x49, 0x4A, 0x5C, 0x5F, 0x60, 0x7E, 0x7F, 0x80,
    0x81, 0x8E, 0x8F, 0x90, 0x9F, 0xA0, 0xA1, 0xBF, 0xC2, 0xD7, 0xD8,
    0xDC, 0xDF, 0xE0, 0xED, 0xF0, 0xF4, 0xFC, 0xFD, 0xFE, 0xFF};

TEST(CharsetDecode, AllInputsOfThreeBorderBytes) {
  for (const std::string_view charset :
       {"UTF-8", "gb18030", "Big5", "EUC-JP", "ISO-2022-JP", "Shift_JIS",
        "EUC-KR", "UTF-16LE", "UTF-16BE"}) {
    Comparer comparer(charset);
    for (const unsigned char first : kBorders) {
      for (const unsigned char second : kBorders) {
        for (const unsigned char third : kBorders) {
          if ((first + second + third) % kStep != 0) continue;
          ASSERT_TRUE(comparer.Same(
              std::string{Byte(first), Byte(second), Byte(third)}));
        }
      }
    }
  }
}

TEST(CharsetDecode, AllPairsOfJisX0212AndRandomFourBytesOfGb18030) {
  Comparer euc_jp("EUC-JP"), gb18030("gb18030");
  std::string all;
  for (unsigned row = 0xA0; row < 0x100; ++row) {
    for (unsigned cell = 0xA0; cell < 0x100; ++cell) {
      all += {'\x8F', Byte(row), Byte(cell), '\n'};
    }
  }
  EXPECT_TRUE(euc_jp.Same(all));
  SplitMix64 random(30);
  for (int page = 0; page < 20; ++page) {
    all.clear();
    for (int i = 0; i < 2000; ++i) {
      // Four bytes are a number in base 10, 126, 10, 126; the first 40 lead
      // bytes hold most of the characters.
      const uint64_t lead = random.Below(3) == 0 ? 126 : 40;
      all += {Byte(0x81 + random.Below(lead)), Byte(0x30 + random.Below(10)),
              Byte(0x81 + random.Below(126)), Byte(0x30 + random.Below(10))};
    }
    ASSERT_TRUE(gb18030.Same(all));
  }
}

constexpr const char* kEscapes[] = {"\x1B(B", "\x1B(J", "\x1B(I", "\x1B$@",
                                    "\x1B$B"};

// Inputs that cross the blocks of the decoders, of several mixtures: bytes at
// random, borders only, long ASCII runs between, and escapes of ISO-2022-JP.
std::string RandomInput(SplitMix64* random, size_t size) {
  const uint64_t mixture = random->Below(5);
  std::string bytes;
  while (bytes.size() < size) {
    switch (random->Below(mixture + 1)) {
      case 0:
        bytes += Byte(kBorders[random->Below(std::size(kBorders))]);
        break;
      case 1:
        bytes += Byte(random->Next());
        break;
      case 2:
        bytes += Byte(0x80 | random->Next());
        break;
      case 3:
        bytes.append(random->Below(100), 'a');
        break;
      default:
        bytes += kEscapes[random->Below(std::size(kEscapes))];
    }
  }
  return bytes;
}

TEST(CharsetDecode, RandomInputs) {
  SplitMix64 random(2026);
  for (const std::string_view charset : kCharsets) {
    Comparer comparer(charset);
    for (int i = 0; i < (TWINSET_SLOW_BUILD ? 100 : 300); ++i) {
      ASSERT_TRUE(comparer.Same(RandomInput(&random, random.Below(60))));
    }
    for (const size_t size : {1000u, 4095u, 4096u, 4097u, 9000u, 70000u}) {
      ASSERT_TRUE(comparer.Same(RandomInput(&random, size)));
    }
  }
}

// Valid text but for one byte, at every place around the borders of blocks.
TEST(CharsetDecode, Utf8WithOneBadByte) {
  std::string good;
  while (good.size() < 140000) good += "Grüße, 世界 😀 and ASCII. ";
  Comparer comparer("UTF-8");
  ASSERT_TRUE(comparer.Same(good));
  EXPECT_EQ(ValidUtf8Prefix(good), good.size());
  std::vector<size_t> places = {0, 1, good.size() - 1};
  for (const size_t border : {32u, 1024u, 65536u, 131072u}) {
    for (size_t at = border - 6; at < border + 6; ++at) places.push_back(at);
  }
  for (const size_t place : places) {
    if (TWINSET_SLOW_BUILD && place % 8 != 0) continue;
    for (const char bad : {'\x80', '\xC3', '\xE4', '\xF0', '\xFF'}) {
      std::string bytes = good;
      bytes[place] = bad;
      ASSERT_TRUE(comparer.Same(bytes)) << place;
      const size_t prefix = ValidUtf8Prefix(bytes);
      ASSERT_TRUE(prefix == bytes.size() || prefix <= place);
      ASSERT_GE(prefix + 4, prefix == bytes.size() ? 0 : place);
      ASSERT_TRUE(comparer.Same(std::string_view(bytes).substr(0, place + 1)));
    }
  }
}

TEST(CharsetDecode, ViewsWhatNeedsNoDecoding) {
  std::string storage;
  const std::string_view utf8 = "Grüße, 世界 😀",
                         ascii = "only ASCII, but long enough";
  const auto is_view = [&](std::string_view charset, std::string_view bytes) {
    const auto decoded = DecodeInto(charset, bytes, &storage);
    return decoded && decoded->text.data() == bytes.data();
  };
  EXPECT_TRUE(is_view("UTF-8", utf8));
  for (const std::string_view charset : kCharsets) {
    const bool expected = charset != "ISO-2022-JP" && charset != "UTF-16LE" &&
                          charset != "UTF-16BE" && charset != "replacement";
    EXPECT_EQ(is_view(charset, ascii), expected) << charset;
  }
  const auto with_mark = DecodeInto("UTF-8", "\xEF\xBB\xBFtext", &storage);
  EXPECT_EQ(with_mark->text, "text");
  EXPECT_FALSE(DecodeInto("", "x", &storage).has_value());
  EXPECT_FALSE(DecodeInto("latin1", "x", &storage).has_value());
  EXPECT_FALSE(DecodeInto("windows-1259", "x", &storage).has_value());
}

TEST(CharsetDecode, DocumentIsChoiceThenDecoding) {
  SplitMix64 random(7);
  const std::string_view starts[] = {"",
                                     "<meta charset=gbk>",
                                     "<meta charset=shift_jis>",
                                     "\xEF\xBB\xBF",
                                     "\xFF\xFE",
                                     "\xFE\xFF",
                                     "<?xml encoding='koi8-r'?>",
                                     "plain ÄÖÜ "};
  const std::string_view labels[] = {"", "", "euc-jp", "none", "utf-16be"};
  std::string storage;
  for (int i = 0; i < 400; ++i) {
    std::string bytes(starts[random.Below(std::size(starts))]);
    bytes += i % 3 == 0 ? "ASCII" : RandomInput(&random, random.Below(200));
    const std::string_view label = labels[random.Below(std::size(labels))];
    const bool is_html = i % 2 == 0;
    const auto got = DecodeDocument(bytes, label, is_html, &storage);
    const auto expected =
        DecodeFrom(ChooseCharset(bytes, label, is_html), bytes);
    ASSERT_TRUE(got.has_value() && expected.has_value());
    ASSERT_EQ(got->text, expected->text);
    ASSERT_EQ(got->charset, expected->charset);
    ASSERT_EQ(got->malformed, expected->malformed);
  }
}

}  // namespace
}  // namespace twinset
