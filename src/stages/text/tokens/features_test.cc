#include "text/tokens/features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"
#include "kernels/kernels.h"
#include "text/tokens/features_shingles.h"
#include "text/tokens/tokens_reference.h"

namespace twinset {
namespace {

FeatureExtractor Extractor(std::string_view kinds,
                           TokenRule rule = TokenRule::kUnicode) {
  const auto parsed = ParseShingles(kinds);
  EXPECT_TRUE(parsed.has_value()) << kinds;
  return FeatureExtractor(rule, parsed.value_or(std::vector<ShingleKind>()));
}

Features Extract(std::string_view clean, std::string_view kinds,
                 TokenRule rule = TokenRule::kUnicode) {
  static FeatureScratch scratch;  // reused: nothing of one text may leak
  Features features;
  Extractor(kinds, rule).Extract(clean, &scratch, &features);
  EXPECT_TRUE(
      std::is_sorted(features.shingles.begin(), features.shingles.end()));
  return features;
}

size_t CountOf(std::string_view clean, std::string_view kinds) {
  return Extract(clean, kinds).shingles.size();
}

// ---- parsing
// ------------------------------------------------------------------

TEST(Shingles, ParseAndPrint) {
  for (const char* text :
       {"word:5", "char:9", "line", "sentence", "paragraph", "chunk:20-100",
        "chunk:7-7", "word:1+word:256", "word:2+word:3+char:5+line"}) {
    const auto kinds = ParseShingles(text);
    ASSERT_TRUE(kinds.has_value()) << text;
    EXPECT_EQ(ShinglesToString(*kinds), text);
  }
}

TEST(Shingles, ParseRefusesWhatIsWrong) {
  for (const char* text :
       {"", "word", "word:", "word:0", "word:257", "word:-1", "word:5x",
        "word: 5", "char:99999999999", "lines", "line:3", "chunk:20",
        "chunk:0-5", "chunk:6-5", "chunk:5-1000001", "word:2+", "+word:2",
        "word:2+word:2", "word:2,word:3"}) {
    const auto kinds = ParseShingles(text);
    ASSERT_FALSE(kinds.has_value()) << text;
    EXPECT_EQ(kinds.error().code, ErrorCode::kUsage);
    EXPECT_FALSE(kinds.error().message.empty());
  }
}

// ---- lectures' examples
// ---------------------------------------------------------

TEST(Shingles, SpamAndRose) {
  const char* spam = "spam spam spam lovely spam wonderful spam lovely spam";
  EXPECT_EQ(CountOf(spam, "word:2"), 5u);
  EXPECT_EQ(Extract(spam, "word:2").token_count, 9u);
  const char* rose = "a rose is a rose is a rose";
  EXPECT_EQ(CountOf(rose, "word:4"), 3u);
  EXPECT_EQ(CountOf(rose, "word:3"), 3u);
  EXPECT_EQ(CountOf(rose, "word:2"), 3u);
  EXPECT_EQ(CountOf(rose, "word:1"), 3u);
  EXPECT_EQ(CountOf("a rose is a rose", "word:3"), 3u);
  EXPECT_EQ(Extract("a rose is a rose", "word:3").shingles,
            Extract("A rose is... a ROSE is\ta", "word:3").shingles);
}

TEST(Shingles, London) {
  const auto d1 = Extract("Jack London traveled to Oakland", "word:2").shingles;
  const auto d2 =
      Extract("Jack London traveled to the city of Oakland", "word:2").shingles;
  const auto d3 =
      Extract("Jack traveled from Oakland to London", "word:2").shingles;
  EXPECT_EQ(d1.size(), 4u);
  EXPECT_EQ(d2.size(), 7u);
  EXPECT_EQ(d3.size(), 5u);
  EXPECT_EQ(kernels::IntersectionSize(d1, d2), 3u);
  EXPECT_EQ(kernels::IntersectionSize(d1, d3), 0u);
  EXPECT_EQ(kernels::IntersectionSize(d2, d3), 0u);
}

// ---- definitions
// ------------------------------------------------------------------

// The set of a kind by its definition: windows of a sequence of unit hashes.
std::vector<uint64_t> Windows(const std::vector<uint64_t>& units,
                              const ShingleKind& kind) {
  const ShingleKeys keys = features_internal::MakeKeys(kind);
  std::set<uint64_t> set;
  const auto finalise = [](uint64_t x) {
    x ^= x >> 32;
    x *= 0x898d1371f02116d9;
    return x ^ (x >> 29);
  };
  if (!units.empty() && units.size() < kind.n) {
    uint64_t sum = keys.salt + Mix64(units.size());
    for (size_t j = 0; j < units.size(); ++j) sum += keys.weights[j] * units[j];
    set.insert(finalise(sum));
  }
  for (size_t i = 0; i + kind.n <= units.size(); ++i) {
    uint64_t sum = keys.salt;
    for (size_t j = 0; j < kind.n; ++j) sum += keys.weights[j] * units[i + j];
    set.insert(finalise(sum));
  }
  return {set.begin(), set.end()};
}

uint64_t TokenHash(std::string token) {
  const uint32_t begin = 0, end = static_cast<uint32_t>(token.size());
  token.resize(token.size() + kernels::kPaddingBytes);
  uint64_t hash;
  kernels::reference::HashTokens(token.data(), &begin, &end, 1, &hash);
  return hash;
}

std::vector<uint64_t> NaiveShingles(std::string_view clean,
                                    const ShingleKind& kind) {
  std::vector<uint64_t> units;
  if (kind.unit == ShingleKind::kWord) {
    for (const std::string& token : naive::UnicodeTokens(clean))
      units.push_back(TokenHash(token));
  } else {
    const icu::UnicodeString joined = naive::Decode(naive::Characters(clean));
    for (int32_t i = 0; i < joined.length(); i = joined.moveIndex32(i, 1)) {
      units.push_back(features_internal::HashCodePoint(
          static_cast<uint32_t>(joined.char32At(i))));
    }
  }
  return Windows(units, kind);
}

std::string RandomText(SplitMix64* random, size_t words) {
  static const char* const kWords[] = {"the ",
                                       "Of ",
                                       "rose, ",
                                       "is. ",
                                       "A\n",
                                       "three\n\n",
                                       "中文",
                                       "l'été ",
                                       "3.14 ",
                                       "x!  ",
                                       "ok?\n",
                                       "Привет ",
                                       "。",
                                       "ย ",
                                       "ﬁn ",
                                       "a_b ",
                                       "it's ",
                                       "\"End.\" ",
                                       "unbelievably-long "};
  std::string text;
  for (size_t i = 0; i < words; ++i) {
    text += kWords[random->Below(std::size(kWords))];
  }
  return text;
}

TEST(Shingles, WordAndCharEqualTheDefinition) {
  SplitMix64 random(31);
  for (const char* kinds : {"word:1", "word:2", "word:5", "word:9", "word:40",
                            "char:1", "char:5", "char:9", "char:100"}) {
    const ShingleKind kind = ParseShingles(kinds)->front();
    for (size_t words = 0; words < 60; words += TWINSET_SLOW_BUILD ? 3 : 1) {
      const std::string text = RandomText(&random, words);
      ASSERT_EQ(Extract(text, kinds).shingles, NaiveShingles(text, kind))
          << kinds << " of [" << text << "]";
    }
    // Many windows of the token stream.
    const std::string text = RandomText(&random, 60000);
    ASSERT_GT(text.size(), 4 * kTokenWindowBytes);
    ASSERT_EQ(Extract(text, kinds).shingles, NaiveShingles(text, kind));
  }
}

TEST(Shingles, CharactersOfScriptsWithoutSpacesStandSideBySide) {
  const char* han = "\u641c\u7d22\u5f15\u64ce\u7f51\u9875\u53bb\u91cd";
  EXPECT_EQ(CountOf(han, "char:2"), 7u);
  EXPECT_EQ(CountOf(han, "char:8"), 1u);
  const auto same = [](const char* x, const char* y) {
    return Extract(x, "char:2").shingles == Extract(y, "char:2").shingles;
  };
  // A line that is wrapped, and punctuation, are no words' ends.
  EXPECT_TRUE(same("\u641c\u7d22\u5f15", "\u641c\n\u7d22\uff0c\u5f15"));
  EXPECT_TRUE(same("\u30e9\u30e1\u30f3", "\u30e9 \u30e1\u30f3"));
  EXPECT_EQ(CountOf("\u30e9\u30fc\u30e1\u30f3", "char:2"), 3u);
  EXPECT_TRUE(same("\u0e01\u0e48\u0e32", "\u0e01\u0e48 \u0e32"));
  // Words of other scripts are divided where the text divides them.
  EXPECT_FALSE(same("\u641cweb\u7d22", "\u641c web \u7d22"));
  EXPECT_EQ(CountOf("\u641cweb\u7d22", "char:2"), 4u);
  EXPECT_EQ(CountOf("\u641c web, \u7d22", "char:2"), 6u);
  EXPECT_EQ(CountOf("ab cd", "char:2"), 4u);
  // Scrambled, a text has nothing in common with itself.
  const auto a = Extract(han, "char:2").shingles;
  const auto b =
      Extract("\u91cd\u53bb\u9875\u7f51\u64ce\u5f15\u7d22\u641c", "char:2")
          .shingles;
  EXPECT_EQ(kernels::IntersectionSize(a, b), 0u);
}

FeatureExtractor Secret(std::string_view kinds, const HashKey& key,
                        TokenRule rule = TokenRule::kUnicode) {
  return FeatureExtractor(rule, *ParseShingles(kinds), key);
}

TEST(Shingles, UnderASecretTheSameShinglesHaveOtherValues) {
  SplitMix64 random(37);
  const HashKey key = {random.Next(), random.Next()};
  FeatureScratch scratch;
  for (const char* kinds :
       {"word:5", "word:1+word:200", "char:9", "line+sentence", "chunk:3-9",
        "word:2+char:4+line+chunk:5-20"}) {
    for (const size_t words :
         {0, 1, 3, 50, 300, TWINSET_SLOW_BUILD ? 8000 : 40000}) {
      const std::string text = RandomText(&random, words);
      const FeatureExtractor open = Extractor(kinds);
      const FeatureExtractor secret = Secret(kinds, key);
      Features of_open, of_secret, both_open, both_secret;
      open.Sequence(text, &scratch, &of_open);
      secret.Sequence(text, &scratch, &of_secret);
      // Where one sequence repeats a value, so does the other.
      ASSERT_EQ(of_open.shingles.size(), of_secret.shingles.size()) << kinds;
      std::map<uint64_t, uint64_t> forth, back;
      for (size_t i = 0; i < of_open.shingles.size(); ++i) {
        const uint64_t x = of_open.shingles[i], y = of_secret.shingles[i];
        ASSERT_EQ(forth.emplace(x, y).first->second, y) << kinds;
        ASSERT_EQ(back.emplace(y, x).first->second, x) << kinds;
      }
      if (words > 0) {
        EXPECT_NE(of_open.shingles, of_secret.shingles);
        EXPECT_NE(Secret(kinds, {key.low, key.high + 1}).Spans(text)[0].hash,
                  of_secret.shingles[0]);
      }
      secret.ExtractBoth(text, false, false, &scratch, &both_secret,
                         &both_open);
      EXPECT_EQ(both_secret.shingles, of_secret.shingles);
      EXPECT_EQ(both_open.shingles, of_open.shingles);
      EXPECT_EQ(both_open.token_count, of_open.token_count);
      EXPECT_EQ(both_secret.code_points, of_secret.code_points);
      secret.ExtractBoth(text, true, true, &scratch, &both_secret, &both_open);
      EXPECT_EQ(both_open.shingles, Extract(text, kinds).shingles);
      secret.Extract(text, &scratch, &of_secret);
      EXPECT_EQ(both_secret.shingles, of_secret.shingles);
      std::vector<uint64_t> spans;
      for (const ShingleSpan& span : secret.Spans(text))
        spans.push_back(span.hash);
      std::sort(spans.begin(), spans.end());
      spans.erase(std::unique(spans.begin(), spans.end()), spans.end());
      EXPECT_EQ(spans, of_secret.shingles);
    }
  }
}

TEST(Shingles, FewerTokensThanTheWindowAreOneShingle) {
  EXPECT_EQ(CountOf("only three words", "word:5"), 1u);
  EXPECT_EQ(CountOf("only three words here now", "word:5"), 1u);
  EXPECT_EQ(CountOf("", "word:5"), 0u);
  EXPECT_EQ(CountOf(" .,- \n", "word:5+char:3+line+chunk:2-4"), 0u);
  std::set<uint64_t> seen;
  for (const char* text : {"a", "a a", "a a a", "a a a a", "a a a a a"}) {
    seen.insert(Extract(text, "word:5").shingles.at(0));
  }
  EXPECT_EQ(seen.size(), 5u);
}

TEST(Shingles, UnionsAreTheUnionOfDisjointSets) {
  SplitMix64 random(32);
  const std::string text = RandomText(&random, 3000);
  const char* const kinds[] = {"word:2", "word:3",   "char:2",    "char:3",
                               "line",   "sentence", "paragraph", "chunk:3-9"};
  std::vector<uint64_t> all;
  std::string name;
  for (const char* kind : kinds) {
    const auto set = Extract(text, kind).shingles;
    EXPECT_FALSE(set.empty());
    all.insert(all.end(), set.begin(), set.end());
    name += (name.empty() ? "" : "+") + std::string(kind);
  }
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
  EXPECT_EQ(Extract(text, name).shingles, all);
}

TEST(Shingles, OneTextHasDifferentShinglesInEveryKind) {
  // One token, one code point, one line, one sentence, ...: the same content.
  const auto set = Extract("a",
                           "word:1+word:2+char:1+char:2+line+sentence+"
                           "paragraph+chunk:1-2+chunk:1-3")
                       .shingles;
  EXPECT_EQ(set.size(), 9u);
}

TEST(Shingles, NaturalSegments) {
  const char* text = "One two. Three\nfour? Five.\n\nSix \"seven.\" Eight 3.14";
  EXPECT_EQ(CountOf(text, "line"), 3u);
  EXPECT_EQ(CountOf(text, "paragraph"), 2u);
  EXPECT_EQ(CountOf(text, "sentence"), 5u);
  EXPECT_EQ(Extract("a b\nc", "line").shingles,
            Extract("\n\nC!!\n--\nA, b\n\n", "line").shingles);
  EXPECT_NE(Extract("a b", "line").shingles, Extract("b a", "line").shingles);
  EXPECT_EQ(CountOf("すごい！本当？はい。そう", "sentence"), 4u);
  EXPECT_EQ(Extract("One two. Three.", "sentence", TokenRule::kWhitespace)
                .shingles.size(),
            2u);
}

TEST(Shingles, SegmentsDoNotDependOnWindows) {
  SplitMix64 random(33);
  std::string text = RandomText(&random, 50000);
  for (const char* kind : {"line", "sentence", "paragraph"}) {
    const ShingleKind::Unit unit = ParseShingles(kind)->front().unit;
    // Segments cut by hand from the whole text, each hashed as a text of its
    // own.
    std::set<uint64_t> expected;
    const auto tokens = Extractor(kind).Tokens(text);
    size_t first = 0;
    for (size_t i = 1; i <= tokens.size(); ++i) {
      const bool last = i == tokens.size();
      const std::string gap =
          last ? ""
               : Normalise(std::string_view(text).substr(
                               tokens[i - 1].end,
                               tokens[i].begin - tokens[i - 1].end),
                           NormaliseRule::kUnicode, nullptr);
      const bool single =
          !last && naive::IsSingle(naive::Decode(tokens[i].text).char32At(0));
      if (!last && !SegmentEnds(unit, gap, false, single)) continue;
      std::string segment;
      for (; first < i; ++first) segment += tokens[first].text + " ";
      const auto set = Extract(segment, kind).shingles;
      expected.insert(set.begin(), set.end());
    }
    EXPECT_THAT(Extract(text, kind).shingles,
                ::testing::ElementsAreArray(expected))
        << kind;
  }
}

TEST(Shingles, ChunksAreSharedByTextsThatShareAPassage) {
  SplitMix64 random(34);
  const std::string passage = [&] {
    std::string words;
    for (int i = 0; i < 3000; ++i) {
      words += "w" + std::to_string(random.Below(1000)) + " ";
    }
    return words;
  }();
  const auto a = Extract(passage, "chunk:20-100").shingles;
  const auto b =
      Extract("some other words first " + passage, "chunk:20-100").shingles;
  EXPECT_GT(a.size(), 30u);
  EXPECT_GT(kernels::IntersectionSize(a, b), a.size() * 8 / 10);
}

TEST(Shingles, SpansQuoteTheTextAndHaveExtractsHashes) {
  SplitMix64 random(35);
  for (const char* kinds :
       {"word:5", "word:3+word:200", "char:9", "line", "sentence+paragraph",
        "chunk:3-9", "word:2+char:4+line"}) {
    for (const size_t words : {0, 1, 3, 50, 40000}) {
      const std::string text = RandomText(&random, words);
      const auto spans = Extractor(kinds).Spans(text);
      std::vector<uint64_t> hashes;
      uint32_t last = 0;
      for (const ShingleSpan& span : spans) {
        ASSERT_LE(last, span.begin);
        ASSERT_LT(span.begin, span.end);
        ASSERT_LE(span.end, text.size());
        last = span.begin;
        hashes.push_back(span.hash);
      }
      std::sort(hashes.begin(), hashes.end());
      hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
      EXPECT_EQ(Extract(text, kinds).shingles, hashes) << kinds << words;
    }
  }
  const std::string rose = "A rose is (a  Rose) is";
  const auto spans = Extractor("word:2").Spans(rose);
  ASSERT_EQ(spans.size(), 5u);
  EXPECT_EQ(rose.substr(spans[2].begin, spans[2].end - spans[2].begin),
            "is (a");
  EXPECT_EQ(rose.substr(spans[3].begin, spans[3].end - spans[3].begin),
            "a  Rose");
  EXPECT_EQ(spans[1].hash, spans[4].hash);
}

// Windows of the text (ForEachToken) against all of it at once (Spans), with
// code points that normalise to several and tokens across the end of windows.
TEST(Shingles, TokensOfWindowsAreThoseOfTheWholeText) {
  SplitMix64 random(36);
  std::vector<std::string> texts;
  for (const size_t words : {0, 1, 50, 9000, 40000})
    texts.push_back(RandomText(&random, words));
  std::string folded;  // U+FB03 becomes three letters, U+FDFA eighteen
  while (folded.size() < 3 * kTokenWindowBytes)
    folded += random.Below(3) == 0 ? "\xEF\xAC\x83" : "\xEF\xB7\xBA \xC3\x85";
  texts.push_back(folded);
  texts.push_back("a " + std::string(2 * kTokenWindowBytes, 'b') + " c");
  texts.push_back("a" + std::string(2 * kTokenWindowBytes, ' ') + "c");
  const FeatureExtractor words = Extractor("word:1");
  for (const std::string& text : texts) {
    const auto spans = words.Spans(text);
    size_t i = 0;
    words.ForEachToken(text, [&](const TokenView& token) {
      ASSERT_LT(i, spans.size());
      ASSERT_EQ(token.begin, spans[i].begin);
      ASSERT_EQ(token.end, spans[i].end);
      if (i % 64 == 0) {
        const auto alone = words.Spans(token.text);
        ASSERT_EQ(alone.size(), 1u) << token.text;
        ASSERT_EQ(alone[0].hash, spans[i].hash);
      }
      ++i;
    });
    EXPECT_EQ(i, spans.size());
  }
}

TEST(Shingles, CountsTokensAndCodePoints) {
  const Features features = Extract("Äb 中\xFF\u00AD!", "word:5");
  EXPECT_EQ(features.token_count, 2u);
  EXPECT_EQ(features.code_points, 7u);
  EXPECT_EQ(
      Extract("ab\xE4\xB8 c", "word:1", TokenRule::kWhitespace).code_points,
      5u);
}

TEST(Shingles, AllTargetsGiveTheSameFeatures) {
  SplitMix64 random(36);
  const char* kinds = "word:5+word:2+char:6+line+sentence+chunk:4-20";
  std::vector<std::string> texts;
  for (int i = 0; i < 50; ++i) texts.push_back(RandomText(&random, 40u * i));
  std::vector<std::vector<uint64_t>> expected;
  for (const std::string& text : texts) {
    expected.push_back(Extract(text, kinds).shingles);
  }
  for (const std::string& target : kernels::Targets()) {
    ASSERT_TRUE(kernels::ForceTarget(target).has_value());
    for (size_t i = 0; i < texts.size(); ++i) {
      ASSERT_EQ(Extract(texts[i], kinds).shingles, expected[i]) << target;
    }
  }
  ASSERT_TRUE(kernels::ForceTarget("").has_value());
}

TEST(Shingles, RepetitionCostsMemoryOnce) {
  std::string text;
  while (text.size() < ((TWINSET_SLOW_BUILD ? 6 : 24) << 20))
    text += "all work and no play ";
  FeatureScratch scratch;
  Features features;
  Extractor("char:9").Extract(text, &scratch, &features);
  EXPECT_LT(features.shingles.size(), 30u);
  EXPECT_LT(features.shingles.capacity(), 4u << 20);
}

// ---- known answers (docs/spec/1.md)
// -------------------------------------------

TEST(Shingles, KnownAnswers) {
  const auto rose = "a rose is a rose is a rose";
  EXPECT_EQ(Extract(rose, "word:5").shingles,
            (std::vector<uint64_t>{0x47929c78aeedc6c4, 0xa6fbfe90ee1f299d,
                                   0xb696c9e457a9fbb0}));
  EXPECT_EQ(Extract(rose, "word:2").shingles,
            (std::vector<uint64_t>{0x0366444051fd418b, 0x40c1c543fc28f2e9,
                                   0xaa2d59182c1ffd9c}));
  EXPECT_EQ(Extract("a rose", "word:5").shingles,
            (std::vector<uint64_t>{0x7eb6d78b87879662}));
  EXPECT_EQ(Extract("中文", "char:2").shingles,
            (std::vector<uint64_t>{0xa15e935f7a988afe}));
  EXPECT_EQ(Extract(rose, "line").shingles,
            (std::vector<uint64_t>{0x33b6f6ed0d0e566f}));
  EXPECT_EQ(Extract(rose, "sentence").shingles,
            (std::vector<uint64_t>{0x460c8b026d0048b4}));
  EXPECT_EQ(Extract(rose, "paragraph").shingles,
            (std::vector<uint64_t>{0x411cd7bb493caaea}));
  EXPECT_EQ(Extract(rose, "chunk:3-4").shingles,
            (std::vector<uint64_t>{0x6c03f97119c0609b, 0xfe23700d8f30a4f7}));
}

}  // namespace
}  // namespace twinset
