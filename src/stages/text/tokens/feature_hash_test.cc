#include "text/tokens/feature_hash.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/hash.h"
#include "kernels/unicode_class.h"
#include "text/tokens/features.h"

namespace twinset {
namespace {

using Hashes = std::vector<uint64_t>;

constexpr FeatureHash kTextHashes[] = {
    FeatureHash::kMd5,     FeatureHash::kMd5Low, FeatureHash::kSha1_32,
    FeatureHash::kSha1_64, FeatureHash::kXxh3,   FeatureHash::kXxh3_32,
    FeatureHash::kRabin,   FeatureHash::kBinary, FeatureHash::kDecimal};

TEST(FeatureHashTest, KnownAnswers) {
  // MD5 and SHA-1 of "hello world" begin 5eb63bbbe01eeed0 and 2aae6c35c94fcfb4
  // (RFC 1321 and FIPS 180-4 by any implementation); the values of SHA-1 and
  // XXH3 stand in the documentation of text-dedup 0.4.0, hashfunc.py.
  const std::string text = "hello world";
  EXPECT_EQ(HashFeature(FeatureHash::kMd5, text), 0x5eb63bbbe01eeed0u);
  EXPECT_EQ(HashFeature(FeatureHash::kMd5Low, text), 0x93cb22bb8f5acdc3u);
  EXPECT_EQ(HashFeature(FeatureHash::kSha1_32, text), 896314922u);
  EXPECT_EQ(HashFeature(FeatureHash::kSha1_64, text), 13028719972609469994u);
  EXPECT_EQ(HashFeature(FeatureHash::kXxh3, text), 15296390279056496779u);
  EXPECT_EQ(HashFeature(FeatureHash::kXxh3_32, text), 1088854155u);
  EXPECT_EQ(HashFeature(FeatureHash::kRabin, "a rose is a rose"),
            0xcb44421d4abb1734u);
  EXPECT_EQ(HashFeature(FeatureHash::kMd5, ""), 0xd41d8cd98f00b204u);
  EXPECT_EQ(HashFeature(FeatureHash::kMd5Low, ""), 0xe9800998ecf8427eu);
}

TEST(FeatureHashTest, DigitsAreValues) {
  const auto binary = [](const std::string& text) {
    return HashFeature(FeatureHash::kBinary, text);
  };
  EXPECT_EQ(binary("1010"), 0xA000000000000000u);
  EXPECT_EQ(binary("00010110"), 0x1600000000000000u);
  EXPECT_EQ(binary(std::string(63, '0') + "1"), 1u);
  EXPECT_EQ(HashFeature(FeatureHash::kDecimal, "18446744073709551615"),
            ~uint64_t{0});
  EXPECT_EQ(HashFeature(FeatureHash::kDecimal, "0"), 0u);
  // What is no such number is hashed.
  for (const std::string& text :
       {std::string(), std::string("102"), std::string("1 0"),
        std::string(65, '0'), std::string("-1"), std::string("0b1")}) {
    EXPECT_EQ(binary(text), HashFeature(FeatureHash::kMd5, text)) << text;
  }
  for (const std::string& text :
       {std::string(), std::string("18446744073709551616"), std::string("+1"),
        std::string("1.0")}) {
    EXPECT_EQ(HashFeature(FeatureHash::kDecimal, text),
              HashFeature(FeatureHash::kMd5, text))
        << text;
  }
}

Features FeaturesBy(const FeatureExtractor& extractor, std::string_view text,
                    bool sequence) {
  FeatureScratch scratch;
  Features features;
  if (sequence) {
    extractor.Sequence(text, &scratch, &features);
  } else {
    extractor.Extract(text, &scratch, &features);
  }
  return features;
}

FeatureExtractor Extractor(const std::string& shingle, FeatureHash hash,
                           TokenRule rule = TokenRule::kUnicode) {
  return FeatureExtractor(rule, *ParseShingles(shingle), hash);
}

// Texts of the windows of one kind, from the tokens of the whole text.
std::vector<std::string> NaiveShingles(std::string_view text,
                                       const ShingleKind& kind,
                                       TokenRule rule) {
  const std::string separator(TokenSeparator(rule));
  std::vector<std::string> units;
  bool first = true, last_single = false;
  uint32_t last_end = 0;
  const bool chars = kind.unit == ShingleKind::kChar;
  for (const Token& token : FeatureExtractor(rule, {}).Tokens(text)) {
    bool spaced = chars && !first;
    if (rule == TokenRule::kUnicode) {
      const bool single = token.text == "\u4e2d" || token.text == "\u6587";
      if (token.begin == last_end || (single && last_single)) spaced = false;
      last_single = single;
      last_end = token.end;
    }
    const std::string joined = (spaced ? separator : "") + token.text;
    first = false;
    if (!chars) {
      units.push_back(joined);
      continue;
    }
    for (const char* p = joined.data(); p < joined.data() + joined.size();) {
      const auto c = kernels::DecodeUtf8(p, joined.data() + joined.size());
      units.emplace_back(p, c.size);
      p += c.size;
    }
  }
  std::vector<std::string> shingles;
  const size_t n = units.empty() ? 1 : std::min<size_t>(kind.n, units.size());
  for (size_t i = 0; i + n <= units.size(); ++i) {
    std::string shingle = units[i];
    for (size_t j = 1; j < n; ++j) {
      if (!chars) shingle += separator;
      shingle += units[i + j];
    }
    shingles.push_back(shingle);
  }
  return shingles;
}

std::string RandomText(SplitMix64* random, uint64_t words) {
  const char* const kWords[] = {"rose", "Is",  "a",     "\u00c4rger",
                                "1,5",  "-",   "don't", "\u4e2d\u6587",
                                "--",   "x_y", "\n"};
  std::string text;
  for (uint64_t i = 0; i < words; ++i)
    text += std::string(kWords[random->Below(std::size(kWords))]) + " ";
  return text;
}

TEST(FeatureHashTest, ShinglesAreHashesOfTheirText) {
  SplitMix64 random(3);
  const std::string large = RandomText(
      &random, TWINSET_SLOW_BUILD ? 8000 : 40000);  // several windows
  constexpr int kTexts = TWINSET_SLOW_BUILD ? 10 : 60;
  for (const TokenRule rule :
       {TokenRule::kUnicode, TokenRule::kWhitespace, TokenRule::kNonwordSplit,
        TokenRule::kJoinedWords, TokenRule::kLowerSpace, TokenRule::kRaw}) {
    for (const char* shingle : {"word:1", "word:3", "char:1", "char:4"}) {
      const auto kinds = *ParseShingles(shingle);
      for (int i = 0; i <= kTexts; ++i) {
        const std::string text =
            i == kTexts ? large : RandomText(&random, random.Below(12));
        // One large text for each rule is enough of the slow hashes.
        const FeatureHash hash =
            kTextHashes[static_cast<size_t>(i) % std::size(kTextHashes)];
        Hashes expected;
        for (const std::string& one : NaiveShingles(text, kinds[0], rule))
          expected.push_back(HashFeature(hash, one));
        const FeatureExtractor extractor(rule, kinds, hash);
        ASSERT_EQ(FeaturesBy(extractor, text, true).shingles, expected)
            << shingle << " " << text;
        std::sort(expected.begin(), expected.end());
        expected.erase(std::unique(expected.begin(), expected.end()),
                       expected.end());
        ASSERT_EQ(FeaturesBy(extractor, text, false).shingles, expected);
      }
    }
  }
}

TEST(FeatureHashTest, SegmentsAreHashedAsTheirTokens) {
  const std::string text = "One two. Three!\nFour five\n\nSix";
  const auto hashes = [&](const char* shingle) {
    return FeaturesBy(Extractor(shingle, FeatureHash::kXxh3), text, true)
        .shingles;
  };
  EXPECT_EQ(hashes("sentence"), (Hashes{Hash64("one two"), Hash64("three"),
                                        Hash64("four five six")}));
  EXPECT_EQ(hashes("line"), (Hashes{Hash64("one two three"),
                                    Hash64("four five"), Hash64("six")}));
  EXPECT_EQ(hashes("paragraph"),
            (Hashes{Hash64("one two three four five"), Hash64("six")}));
}

TEST(FeatureHashTest, ChunksEndWhereTheSpecsEnd) {
  SplitMix64 random(9);
  const std::string text = RandomText(&random, 5000);
  const auto spec = Extractor("chunk:4-12", FeatureHash::kSpec).Spans(text);
  const auto xxh3 = Extractor("chunk:4-12", FeatureHash::kXxh3).Spans(text);
  ASSERT_EQ(spec.size(), xxh3.size());
  for (size_t i = 0; i < spec.size(); ++i) {
    EXPECT_EQ(spec[i].begin, xxh3[i].begin);
    EXPECT_EQ(spec[i].end, xxh3[i].end);
  }
}

TEST(FeatureHashTest, SequenceHasTheSetOfExtractAndOfSpans) {
  SplitMix64 random(4);
  const std::string text = RandomText(&random, 30000);
  for (const char* shingle :
       {"word:5", "char:9", "word:2+word:3", "sentence"}) {
    for (const FeatureHash hash : {FeatureHash::kSpec, FeatureHash::kXxh3}) {
      const FeatureExtractor extractor = Extractor(shingle, hash);
      const Features set = FeaturesBy(extractor, text, false);
      const Features sequence = FeaturesBy(extractor, text, true);
      EXPECT_EQ(set.token_count, sequence.token_count);
      EXPECT_EQ(set.code_points, sequence.code_points);
      const std::set<uint64_t> unique(sequence.shingles.begin(),
                                      sequence.shingles.end());
      EXPECT_EQ(Hashes(unique.begin(), unique.end()), set.shingles);
      Hashes of_spans, of_sequence = sequence.shingles;
      for (const ShingleSpan& span : extractor.Spans(text))
        of_spans.push_back(span.hash);
      std::sort(of_spans.begin(), of_spans.end());
      std::sort(of_sequence.begin(), of_sequence.end());
      EXPECT_EQ(of_spans, of_sequence) << shingle;
    }
  }
}

TEST(FeatureHashTest, SequenceIsInTheOrderOfTheText) {
  const FeatureExtractor extractor = Extractor("word:1", FeatureHash::kSpec);
  const Hashes rose = FeaturesBy(extractor, "a rose is a rose", true).shingles;
  ASSERT_EQ(rose.size(), 5u);
  EXPECT_EQ(rose[0], rose[3]);
  EXPECT_EQ(rose[1], rose[4]);
  EXPECT_EQ(std::set<uint64_t>(rose.begin(), rose.end()).size(), 3u);
}

// 64-bit SimHash by its definition: the fingerprints of the worked example of
// n-grams (rose text) are reached by features that md5 hashes.
uint64_t NaiveSimHash(const Hashes& features) {
  uint64_t value = 0;
  for (int bit = 0; bit < 64; ++bit) {
    int64_t votes = 0;
    for (const uint64_t hash : features) votes += hash >> bit & 1 ? 1 : -1;
    if (votes > 0) value |= uint64_t{1} << bit;
  }
  return value;
}

TEST(FeatureHashTest, WorkedExampleOfSimHash) {
  const auto value = [](const char* text, const char* shingle) {
    return NaiveSimHash(
        FeaturesBy(Extractor(shingle, FeatureHash::kMd5), text, true).shingles);
  };
  const char* const kRose = "a rose is a rose is a rose";
  EXPECT_EQ(value(kRose, "word:1"), 0xacc571a245e28ea2u);
  EXPECT_EQ(value(kRose, "word:2"), 0x47d7dfa9eb1df662u);
  EXPECT_EQ(value(kRose, "word:3"), 0x021f06040dadd40du);
  EXPECT_EQ(value(kRose, "word:5"), 0x301110e204b10414u);
  EXPECT_EQ(value(kRose, "word:2+word:3"), 0x43df460dcb3dd66fu);
  EXPECT_EQ(value(kRose, "word:3+word:5"), 0x0217040404a51405u);
  EXPECT_EQ(value("Jack London traveled to Oakland", "word:1"),
            0x5d74ac2a5c148891u);
  EXPECT_EQ(value("Jack London traveled to the city of Oakland", "word:1"),
            0x0fd48c6a4d100891u);
  EXPECT_EQ(value("Jack traveled from Oakland to London", "word:1"),
            0x59100c2848148000u);
}

}  // namespace
}  // namespace twinset
