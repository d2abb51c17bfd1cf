// Every kernel on every target of this CPU against its reference.
#include "kernels/kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/hash.h"

namespace twinset::kernels {
namespace {

using ::testing::ElementsAre;

class KernelTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { ASSERT_TRUE(ForceTarget(GetParam()).has_value()); }
  void TearDown() override { ASSERT_TRUE(ForceTarget("").has_value()); }
};

INSTANTIATE_TEST_SUITE_P(Targets, KernelTest, ::testing::ValuesIn(Targets()),
                         [](const auto& info) { return info.param; });

std::vector<uint64_t> RandomValues(SplitMix64* random, size_t count) {
  std::vector<uint64_t> values(count);
  for (uint64_t& value : values) value = random->Next();
  return values;
}

TEST(Targets, NamesCanBeForcedAndOthersCannot) {
  const std::vector<std::string> names = Targets();
  EXPECT_EQ(names.back(), "scalar");
  EXPECT_EQ(CurrentTarget(), names.front());
  for (const std::string& name : names) {
    ASSERT_TRUE(ForceTarget(name).has_value());
    EXPECT_EQ(CurrentTarget(), name);
    EXPECT_EQ(Targets(), names);
  }
  const Status status = ForceTarget("avx9");
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::kUsage);
  EXPECT_EQ(CurrentTarget(), "scalar");
  ASSERT_TRUE(ForceTarget("").has_value());
  EXPECT_EQ(CurrentTarget(), names.front());
}

// ---- MinHash ------------------------------------------------------------

std::vector<uint32_t> Sketch(const std::vector<uint64_t>& shingles,
                             const std::vector<uint64_t>& multipliers,
                             const std::vector<uint64_t>& addends,
                             bool reference) {
  std::vector<uint32_t> values(multipliers.size() + 1, 7);
  (reference ? reference::MinHash : MinHash)(shingles, multipliers, addends,
                                             values.data());
  EXPECT_EQ(values.back(), 7u) << "written behind the end";
  return values;
}

TEST_P(KernelTest, MinHashEqualsReference) {
  SplitMix64 random(1);
  for (size_t functions : {8, 16, 24, 32, 40, 64, 72, 104, 128, 256, 328}) {
    const auto a = RandomValues(&random, functions);
    const auto b = RandomValues(&random, functions);
    for (size_t count : {0, 1, 2, 3, 7, 8, 9, 31, 200, 1000}) {
      const auto x = RandomValues(&random, count);
      EXPECT_EQ(Sketch(x, a, b, false), Sketch(x, a, b, true))
          << functions << " functions, " << count << " shingles";
    }
  }
}

TEST_P(KernelTest, MinHashCarriesExactly) {
  // Values at the edges of the 32-bit halves, where carries are made or not.
  const uint64_t edges[] = {0,
                            1,
                            0x7fffffff,
                            0x80000000,
                            0xffffffff,
                            0x100000000,
                            0x1ffffffff,
                            0x7fffffffffffffff,
                            0x8000000000000000,
                            0xffffffff00000000,
                            ~0ull};
  std::vector<uint64_t> a, b;
  for (const uint64_t m : edges) {
    for (const uint64_t n : edges) a.push_back(m), b.push_back(n);
  }
  while (a.size() % 8 != 0) a.push_back(3), b.push_back(5);
  for (const uint64_t x : edges) {
    EXPECT_EQ(Sketch({x}, a, b, false), Sketch({x}, a, b, true)) << x;
  }
}

TEST_P(KernelTest, MinHashOfNothingIsAllOnes) {
  const std::vector<uint64_t> a(8, 3), b(8, 0);
  EXPECT_EQ(Sketch({}, a, b, false),
            (std::vector<uint32_t>{~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, 7}));
}

TEST_P(KernelTest, MinHashKnownAnswers) {
  // docs/spec/1.md: seed 1, the word:5 shingles of "a rose is a rose is a
  // rose".
  SplitMix64 random(1);
  std::vector<uint64_t> a, b;
  for (int i = 0; i < 8; ++i) {
    a.push_back(random.Next() | 1);
    b.push_back(random.Next());
  }
  EXPECT_EQ(Sketch({0x47929c78aeedc6c4, 0xa6fbfe90ee1f299d, 0xb696c9e457a9fbb0},
                   a, b, false),
            (std::vector<uint32_t>{0x0a093165, 0xaca96a01, 0x9b2e4677,
                                   0x04200e43, 0x4cf06813, 0x5bf8e2c6,
                                   0x01b48528, 0x7d50b233, 7}));
}

// ---- text -----------------------------------------------------------------

TEST_P(KernelTest, ForestSumsOfRandomForests) {
  SplitMix64 random(31);
  for (const size_t trees : {0, 1, 2, 7, 300}) {
    std::vector<uint8_t> features(trees * Forest::kInner);
    std::vector<uint32_t> thresholds(features.size());
    std::vector<uint32_t> leaves(trees * Forest::kLeaves);
    std::vector<int16_t> values(256 * Forest::kLanes);
    for (uint8_t& f : features) f = static_cast<uint8_t>(random.Next());
    // Few values, so that many equal their threshold; and the extremes.
    const auto draw = [&] {
      const uint64_t kind = random.Below(8);
      return static_cast<int16_t>(kind == 0   ? INT16_MIN
                                  : kind == 1 ? INT16_MAX
                                              : int64_t(random.Below(5)) - 2);
    };
    for (uint32_t& t : thresholds) t = Forest::Twice(draw());
    for (int16_t& v : values) v = draw();
    for (uint32_t& l : leaves)
      l = Forest::Twice(static_cast<int16_t>(random.Next()));
    const Forest forest = {trees, features.data(), thresholds.data(),
                           leaves.data()};
    std::vector<int32_t> sums(Forest::kLanes + 1, 7), expected = sums;
    ForestSums(forest, values.data(), sums.data());
    reference::ForestSums(forest, values.data(), expected.data());
    ASSERT_EQ(sums, expected) << trees;
    ASSERT_EQ(sums.back(), 7) << "written behind the end";
  }
}

TEST_P(KernelTest, TransposeRowsOfEveryWidth) {
  SplitMix64 random(33);
  for (size_t width = 8; width < 180; ++width) {
    std::vector<int16_t> rows(Forest::kLanes * width);
    for (int16_t& v : rows) v = static_cast<int16_t>(random.Next());
    std::vector<int16_t> columns(rows.size() + 1, 7), expected = columns;
    TransposeRows(rows.data(), width, columns.data());
    reference::TransposeRows(rows.data(), width, expected.data());
    ASSERT_EQ(columns, expected) << width;
  }
}

// Every pattern of space, line feed and letter up to 7 bytes at every place of
// a vector, and long random ones; bytes behind the result are free.
void ExpectCollapses(const std::string& text) {
  std::string out(text.size() + kPaddingBytes + 1, '#');
  std::string expected = out;
  const size_t size = CollapseSpaces(text, out.data());
  ASSERT_EQ(size, reference::CollapseSpaces(text, expected.data())) << text;
  ASSERT_EQ(out.substr(0, size), expected.substr(0, size)) << text;
  ASSERT_EQ(out.back(), '#') << "written behind the end";
}

TEST_P(KernelTest, CollapseSpacesAtEveryPosition) {
  constexpr char kBytes[] = {' ', '\n', 'a'};
  for (size_t before : {1, 14, 15, 16, 29, 30, 31, 32, 33, 62, 63, 64}) {
    for (int pattern = 0; pattern < 2187; ++pattern) {
      std::string text(before, 'x');
      for (int i = 0, rest = pattern; i < 7; ++i, rest /= 3) {
        text += kBytes[rest % 3];
      }
      ExpectCollapses(text + std::string(40, 'y'));
    }
  }
}

TEST_P(KernelTest, CollapseSpacesOfRandomTexts) {
  SplitMix64 random(5);
  constexpr char kBytes[] = {' ', '\t', '\n', '\f', '\r', '\v', '\0', '\x85'};
  for (int round = 0; round < 3000; ++round) {
    std::string text = "x";
    const uint64_t share = 2 + random.Below(12);
    for (uint64_t n = random.Below(400); n > 0; --n) {
      text += random.Below(share) == 0 ? kBytes[random.Below(8)]
                                       : static_cast<char>(random.Below(256));
    }
    ExpectCollapses(text);
  }
  ExpectCollapses("x" + std::string(1000, ' ') + "y");
}

TEST_P(KernelTest, LowerAsciiAtEverySizeAndPosition) {
  for (size_t size = 0; size <= 200; ++size) {
    std::string text(size, ' ');
    for (size_t i = 0; i < size; ++i) {
      text[i] = static_cast<char>((i * 37 + size) % 128);
    }
    for (size_t high = 0; high <= size; ++high) {
      std::string with = text;
      if (high < size) with[high] = static_cast<char>(0x80 + size % 128);
      // An exact buffer: the sanitizers see a read behind the end.
      const std::vector<char> exact(with.begin(), with.end());
      std::string out(size + kPaddingBytes, 'x'), expected = out;
      const std::string_view view(exact.data(), exact.size());
      const size_t got = LowerAscii(view, out.data());
      ASSERT_EQ(got, reference::LowerAscii(view, expected.data()));
      ASSERT_EQ(got, high);
      ASSERT_EQ(out.substr(0, got), expected.substr(0, got));
    }
  }
}

TEST_P(KernelTest, CountCharactersOfEveryByteAtEverySizeAndPosition) {
  for (size_t size = 0; size <= 200; ++size) {
    for (int byte = 0; byte < 256; byte += size < 70 ? 1 : 17) {
      // An exact buffer: the sanitizers see a read behind the end.
      std::vector<char> exact(size, 'x');
      for (size_t i = byte % 3; i < size; i += 1 + size % 5)
        exact[i] = static_cast<char>(byte + static_cast<int>(i / 7));
      const std::string_view text(exact.data(), exact.size());
      ASSERT_EQ(CountCharacters(text), reference::CountCharacters(text))
          << size << " bytes of " << byte;
    }
  }
  // Each byte by itself, by the rule.
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    const CharacterCounts counts = CountCharacters({&c, 1});
    EXPECT_EQ(counts.code_points, byte < 0x80 || byte >= 0xC0) << byte;
    const bool usual =
        std::string_view("\b\t\n\v\f\r\x1b").find(c) != std::string_view::npos;
    EXPECT_EQ(counts.controls, byte < 0x20 && !usual) << byte;
  }
}

using Bounds = std::vector<std::pair<uint32_t, uint32_t>>;

Bounds Find(const std::string& padded, size_t size, bool reference) {
  std::vector<uint32_t> begins(size / 2 + 64), ends(size / 2 + 64);
  const std::string_view text(padded.data(), size);
  const size_t count = (reference ? reference::FindTokens : FindTokens)(
      text, begins.data(), ends.data());
  Bounds bounds;
  for (size_t i = 0; i < count; ++i) bounds.emplace_back(begins[i], ends[i]);
  return bounds;
}

// `text` with letters behind it, which must not be seen.
Bounds Find(const std::string& text, bool reference) {
  return Find(text + std::string(kPaddingBytes, 'z'), text.size(), reference);
}

// Pieces that reach every class, length, joiner and malformed form.
const std::vector<std::string>& Pieces() {
  static const std::vector<std::string> pieces = {
      "a",      "1",        " ",    ".",          "'",
      ",",      "_",        "é",    "\u0301",     "中",
      "\u0663", "\u2160",   "๑",    "\U00010400", "\U00020000",
      "\u2019", "\xE4\xB8", "\xFF", "\U0001F600"};
  return pieces;
}

TEST_P(KernelTest, FindTokensOnAllShortStringsAroundABlockEnd) {
  // All strings of up to 3 pieces, beginning 0..12 bytes before a block end.
  const auto& pieces = Pieces();
  std::vector<std::string> strings = {""};
  for (size_t length = 0, from = 0; length < 3; ++length) {
    const size_t to = strings.size();
    for (; from < to; ++from) {
      for (const std::string& piece : pieces) {
        strings.push_back(strings[from] + piece);
      }
    }
  }
  for (const std::string& string : strings) {
    for (size_t before = 0; before <= 12;
         before += TWINSET_SLOW_BUILD ? 12 : 1) {
      for (const char filler : {' ', 'a', '1'}) {
        const std::string text = std::string(64 - before, filler) + string;
        ASSERT_EQ(Find(text, false), Find(text, true))
            << filler << " " << before << " [" << string << "]";
      }
    }
  }
}

TEST_P(KernelTest, FindTokensAtEverySize) {
  SplitMix64 random(2);
  for (size_t size = 0; size <= 200; ++size) {
    EXPECT_EQ(Find(std::string(size, 'a'), false),
              Find(std::string(size, 'a'), true));
    for (int i = 0; i < 20; ++i) {
      std::string text;
      while (text.size() < size) {
        text += Pieces()[random.Below(Pieces().size())];
      }
      text.resize(size);  // may cut a code point
      ASSERT_EQ(Find(text, false), Find(text, true)) << text;
    }
  }
}

TEST_P(KernelTest, FindTokensOnLongMixedText) {
  SplitMix64 random(3);
  for (int round = 0; round < 200; ++round) {
    std::string text;
    const size_t kinds = 1 + random.Below(Pieces().size());
    while (text.size() < 5000) {
      const size_t repeat = 1 + random.Below(random.Below(8) == 0 ? 90 : 4);
      const std::string& piece = Pieces()[random.Below(kinds)];
      for (size_t i = 0; i < repeat; ++i) text += piece;
    }
    ASSERT_EQ(Find(text, false), Find(text, true)) << round;
    std::string noise(3000, ' ');
    for (char& c : noise) c = static_cast<char>(random.Next());
    ASSERT_EQ(Find(noise, false), Find(noise, true)) << round;
  }
}

TEST_P(KernelTest, FindTokensByHand) {
  const auto tokens = [](const std::string& text) {
    std::vector<std::string> words;
    for (const auto& [begin, end] : Find(text, false)) {
      words.push_back(text.substr(begin, end - begin));
    }
    return words;
  };
  EXPECT_THAT(tokens("it's e.g. 3.14, 1,000 a_b x'"),
              ElementsAre("it's", "e.g", "3.14", "1,000", "a", "b", "x"));
  EXPECT_THAT(tokens("a..b 1,,2 a,b 1'2 a.1"),
              ElementsAre("a", "b", "1", "2", "a", "b", "1", "2", "a", "1"));
  EXPECT_THAT(tokens("中文ab中.b"), ElementsAre("中", "文", "ab", "中", "b"));
  EXPECT_THAT(tokens("\u0301a\u0301'b 中\u0301c"),
              ElementsAre("a\u0301", "b", "中", "c"));
  EXPECT_THAT(tokens("กำ x\u2160\u0663"),
              ElementsAre("ก", "ำ", "x\u2160\u0663"));
  EXPECT_THAT(tokens("a\xFF"
                     "b\xE4\xB8"
                     "c"),
              ElementsAre("a", "b", "c"));
}

TEST_P(KernelTest, HashTokensEqualsReference) {
  SplitMix64 random(4);
  std::string text(20000, ' ');
  for (char& c : text) c = static_cast<char>(random.Next());
  text.resize(text.size() + kPaddingBytes);
  for (uint32_t size = 0; size <= 300; ++size) {
    std::vector<uint32_t> begins, ends;
    for (uint32_t i = 0; i < 17; ++i) {
      begins.push_back(i * 1000 + size);
      ends.push_back(begins.back() + size);
    }
    std::vector<uint64_t> got(17), expected(17);
    HashTokens(text.data(), begins.data(), ends.data(), 17, got.data());
    reference::HashTokens(text.data(), begins.data(), ends.data(), 17,
                          expected.data());
    ASSERT_EQ(got, expected) << size;
  }
}

uint64_t HashOf(std::string token) {
  const uint32_t begin = 0, end = static_cast<uint32_t>(token.size());
  token.resize(token.size() + kPaddingBytes, '!');
  uint64_t hash;
  HashTokens(token.data(), &begin, &end, 1, &hash);
  return hash;
}

TEST_P(KernelTest, TokenHashSeesEveryByteAndTheLength) {
  std::set<uint64_t> seen;
  size_t hashed = 0;
  for (size_t size = 0; size <= 40; ++size) {
    seen.insert(HashOf(std::string(size, '\0')));
    ++hashed;
    for (size_t at = 0; at < size; ++at) {
      for (const char c : {'a', 'b', '\x7f'}) {
        std::string token(size, '\0');
        token[at] = c;
        seen.insert(HashOf(token));
        ++hashed;
      }
    }
  }
  EXPECT_EQ(seen.size(), hashed);
}

TEST_P(KernelTest, TokenHashKnownAnswers) {
  EXPECT_EQ(HashOf("a"), 0x4275afb30ee0d5ce);
  EXPECT_EQ(HashOf("rose"), 0x80688234963a83b1);
  EXPECT_EQ(HashOf("deduplication"), 0x64701727c8c4f7f4);
  EXPECT_EQ(HashOf("sixteen-bytes-ab"), 0xdbeb7ea193d50cd0);
  EXPECT_EQ(HashOf("seventeen-bytes-a"), 0x6d5fcf9eab03ca23);
  EXPECT_EQ(HashOf("中"), 0xc73deb2c4780bce7);
}

TEST_P(KernelTest, ShingleHashesEqualsReference) {
  SplitMix64 random(5);
  const auto weights = RandomValues(&random, 20);
  for (size_t n = 1; n <= 20; ++n) {
    for (size_t count = n; count <= 200; ++count) {
      const auto tokens = RandomValues(&random, count);
      const size_t windows = count - n + 1;
      std::vector<uint64_t> got(windows + 1, 9), expected(windows + 1, 9);
      ShingleHashes(tokens.data(), count, n, weights.data(), 77, got.data());
      reference::ShingleHashes(tokens.data(), count, n, weights.data(), 77,
                               expected.data());
      ASSERT_EQ(got, expected) << n << " of " << count;
      std::vector<uint64_t> in_place = tokens;
      ShingleHashes(in_place.data(), count, n, weights.data(), 77,
                    in_place.data());
      in_place.resize(windows);
      expected.resize(windows);
      ASSERT_EQ(in_place, expected) << n << " of " << count << " in place";
    }
  }
}

// ---- sets -------------------------------------------------------------------

TEST_P(KernelTest, SortUniqueEqualsReference) {
  SplitMix64 random(6);
  for (size_t count = 0; count <= 200; ++count) {
    for (const uint64_t range : {1ull, 2ull, 10ull, 150ull, ~0ull}) {
      std::vector<uint64_t> values(count);
      for (uint64_t& value : values) value = random.Below(range);
      std::vector<uint64_t> expected = values;
      expected.resize(reference::SortUnique(expected.data(), count));
      values.resize(SortUnique(values.data(), count));
      ASSERT_EQ(values, expected) << count << " below " << range;
    }
  }
  for (const uint64_t range : {5ull, 1000ull, 100000ull, ~0ull}) {
    std::vector<uint64_t> values(100003);
    for (uint64_t& value : values) value = ~random.Below(range);
    std::vector<uint64_t> expected = values;
    expected.resize(reference::SortUnique(expected.data(), expected.size()));
    values.resize(SortUnique(values.data(), values.size()));
    ASSERT_EQ(values, expected) << range;
  }
}

// Values that share their high bits: as many as are sorted where they fall, and
// more; at either end of the array, and where it is too large to be spread.
TEST_P(KernelTest, SortUniqueOfCrowdedValues) {
  SplitMix64 random(16);
  for (const size_t count : {40u, 257u, 1000u, 4095u, 4096u, 4097u}) {
    for (size_t crowd = 1; crowd <= 20; ++crowd) {
      for (const uint64_t high : {uint64_t{0}, random.Next(), ~uint64_t{0}}) {
        std::vector<uint64_t> values(count);
        for (uint64_t& value : values) value = random.Next();
        for (size_t i = 0; i < crowd; ++i) {
          values[random.Below(count)] =
              (high >> 32 << 32) | (random.Next() & 0xffffffff);
        }
        values[random.Below(count)] = values[0];
        values[random.Below(count)] = ~uint64_t{0};
        std::vector<uint64_t> expected = values;
        expected.resize(reference::SortUnique(expected.data(), count));
        values.resize(SortUnique(values.data(), count));
        ASSERT_EQ(values, expected) << count << " with " << crowd;
      }
    }
  }
}

TEST_P(KernelTest, SortUniqueOfOrderedArrays) {
  std::vector<uint64_t> up(5000), down(5000);
  for (size_t i = 0; i < up.size(); ++i) {
    up[i] = i / 3;
    down[up.size() - 1 - i] = i / 3;
  }
  EXPECT_EQ(SortUnique(up.data(), up.size()), 1667u);
  EXPECT_EQ(SortUnique(down.data(), down.size()), 1667u);
  EXPECT_TRUE(std::is_sorted(up.begin(), up.begin() + 1667));
  EXPECT_TRUE(std::equal(up.begin(), up.begin() + 1667, down.begin()));
}

std::vector<uint64_t> RandomSet(SplitMix64* random, size_t size,
                                uint64_t range) {
  std::set<uint64_t> set;
  while (set.size() < size) set.insert(random->Below(range));
  return {set.begin(), set.end()};
}

TEST_P(KernelTest, IntersectionSizeEqualsReference) {
  SplitMix64 random(7);
  for (size_t a_size = 0; a_size <= 70; a_size += TWINSET_SLOW_BUILD ? 3 : 1) {
    for (size_t b_size = 0; b_size <= 200; b_size += 1 + b_size / 9) {
      for (const uint64_t range : {200ull, 400ull, ~0ull}) {
        const auto a = RandomSet(&random, a_size, range);
        const auto b = RandomSet(&random, b_size, range);
        const size_t expected = reference::IntersectionSize(a, b);
        ASSERT_EQ(IntersectionSize(a, b), expected);
        ASSERT_EQ(IntersectionSize(b, a), expected);
        ASSERT_EQ(IntersectionSize(b, b), b_size);
      }
    }
  }
}

template <typename T>
void CheckAtLeast(const std::vector<T>& a, const std::vector<T>& b) {
  const std::span<const T> x(a), y(b);
  const size_t size = reference::IntersectionAtLeast(x, y, 0);
  for (const size_t least : {size_t{0}, size_t{1}, size / 2, size, size + 1,
                             size + 3, a.size(), b.size() + 1}) {
    const size_t expected = reference::IntersectionAtLeast(x, y, least);
    ASSERT_EQ(expected, size < least ? 0 : size);
    ASSERT_EQ(IntersectionAtLeast(x, y, least), expected);
    ASSERT_EQ(IntersectionAtLeast(y, x, least), expected);
  }
}

TEST_P(KernelTest, IntersectionAtLeastEqualsReference) {
  SplitMix64 random(9);
  constexpr size_t kFiner = TWINSET_SLOW_BUILD ? 1 : 3;
  for (size_t a_size = 0; a_size <= 1300; a_size += 1 + a_size / (4 * kFiner)) {
    for (size_t b_size = 0; b_size <= 200;
         b_size += 1 + b_size / (3 * kFiner)) {
      for (const uint64_t range : {2000ull, 1ull << 32}) {
        const auto a = RandomSet(&random, a_size, range);
        const auto b = RandomSet(&random, b_size, range);
        CheckAtLeast(a, b);
        CheckAtLeast(std::vector<uint32_t>(a.begin(), a.end()),
                     std::vector<uint32_t>(b.begin(), b.end()));
      }
    }
  }
}

TEST_P(KernelTest, IntersectionSizeOfLargeAndUnequalSets) {
  SplitMix64 random(8);
  for (size_t a_size : {1, 10, 300, 5000}) {
    for (size_t b_size : {5000, 20000}) {
      if (TWINSET_SLOW_BUILD && b_size > 5000 && a_size > 10) continue;
      for (const uint64_t range : {21000ull, 100000ull, ~0ull}) {
        const auto a = RandomSet(&random, a_size, range);
        const auto b = RandomSet(&random, b_size, range);
        const size_t expected = reference::IntersectionSize(a, b);
        EXPECT_EQ(IntersectionSize(a, b), expected);
        EXPECT_EQ(IntersectionSize(b, a), expected);
      }
    }
  }
}

}  // namespace
}  // namespace twinset::kernels
