// Methods that learn first: I-Match, rare chunks and SPEX, and the scores that
// only they have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "methods/method_rows.h"
#include "methods/methods_testing.h"
#include "methods/steps.h"
#include "sketch/learnt/lexicon.h"
#include "sketch/learnt/spex.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;

uint64_t HashOf(const std::string& word) {
  const FeatureExtractor words(TokenRule::kUnicode, *ParseShingles("word:1"));
  return words.Spans(word)[0].hash;
}

// A lexicon of the words in the middle, as a file.
std::string LexiconFile(const TestDir& folder,
                        const std::vector<std::string>& words) {
  std::map<uint64_t, std::string> by_hash;  // of one frequency: in this order
  for (const std::string& word : words) by_hash[HashOf(word)] = word;
  Lexicon lexicon;
  lexicon.documents = 100;
  lexicon.counted = lexicon.ranked = by_hash.size();
  for (const auto& [hash, word] : by_hash)
    lexicon.terms.push_back({hash, 10, word});
  const std::string path = folder / "lexicon";
  EXPECT_TRUE(WriteLexicon(lexicon, path));
  return path;
}

const std::vector<std::string> kTerms = {"apple",  "pear",   "plum",
                                         "quince", "cherry", "grape"};

MethodOptions IMatch(const std::string& lexicon) {
  MethodOptions options = Named("i-match");
  options.lexicon = lexicon;
  return options;
}

// Chowdhury and others 2002: neither frequency nor order nor what the lexicon
// leaves out counts; one term more makes another signature.
TEST(LexiconMethodsTest, ASignatureIsOfTheTermsThatAreKept) {
  const TestDir folder;
  MethodOptions options = IMatch(LexiconFile(folder, kTerms));
  options.lexicons = 0;
  const std::string text = "apple pear plum quince";
  const MethodOnTexts seen(
      MethodCalled("i-match"), options,
      {text, "quince plum pear apple",
       "apple, apple! pear plum the quince 1234", text + " cherry",
       "apple pear plum", "apple pear plum other"});
  EXPECT_EQ(seen.model(), nullptr) << "a lexicon of a file is not learnt";
  EXPECT_TRUE(seen.ShareKey(0, 1) && seen.PassesFilter(0, 1));
  EXPECT_TRUE(seen.ShareKey(0, 2) && seen.PassesFilter(0, 2));
  EXPECT_FALSE(seen.ShareKey(0, 3));
  // Three terms are fewer than four: flagged, and in no pair.
  EXPECT_TRUE(seen.SketchesOf(4)[0].empty());
  EXPECT_TRUE(seen.Keys(4).empty());
  EXPECT_FALSE(seen.ShareKey(4, 5));
  EXPECT_FALSE(seen.PassesFilter(4, 5));
}

// Kołcz, Chowdhury and Alspector 2004: with one term changed, one of ten lexica
// that drop a third of the terms agrees with probability 0.9818; the published
// law 1 - (1 - p^n)^K, over draws of the lexica.
TEST(LexiconMethodsTest, RandomLexicaForgiveAsTheLawSays) {
  const TestDir folder;
  std::vector<std::string> terms = kTerms;
  for (const std::string& word : RandomTexts(4, 40, 1)) terms.push_back(word);
  std::string text;
  for (const std::string& word : terms) text += word + " ";
  const std::string path = LexiconFile(folder, terms);
  for (const auto& [changed, law] :
       {std::pair(1, .9818), {2, .6843}, {3, .3065}, {4, .1125}}) {
    std::string other = text;
    for (int i = 0; i < changed; ++i)
      other.erase(0, other.find(' ') + 1);  // drops a term of the lexicon
    const int draws = TWINSET_SLOW_BUILD ? 80 : 250;
    int found = 0;
    for (int seed = 1; seed <= draws; ++seed) {
      MethodOptions options = IMatch(path);
      options.lexicon_drop = 0.33;
      options.seed = static_cast<uint64_t>(seed);
      const MethodParts parts = PartsOf(options);
      const FeatureView view{FeatureForm::kShingles, "word:1"};
      const std::vector<Sketch> x = {SketchOf(parts, StoredView(view, text))},
                                y = {SketchOf(parts, StoredView(view, other))};
      found += AnyCommon(KeysOf(parts, x), KeysOf(parts, y));
    }
    EXPECT_NEAR(found / double{draws}, law,
                4 * std::sqrt(law * (1 - law) / draws))
        << changed;
  }
}

TEST(LexiconMethodsTest, AgreeAsksForMoreLexicaAtTheSamePlace) {
  const TestDir folder;
  MethodOptions options = IMatch(LexiconFile(folder, kTerms));
  options.lexicons = 2;
  options.agree = 2;
  const MethodParts parts = PartsOf(options);
  const Sketch a = {1, 0, 2, 0, 3, 0}, one = {1, 0, 8, 0, 9, 0},
               two = {1, 0, 2, 0, 9, 0}, turned = {2, 0, 3, 0, 1, 0};
  EXPECT_FALSE(Passes(parts, {a}, {one}));
  EXPECT_TRUE(Passes(parts, {a}, {two}));
  EXPECT_FALSE(Passes(parts, {a}, {turned}));
  EXPECT_FALSE(AnyCommon(KeysOf(parts, {a}), KeysOf(parts, {turned})));
}

TEST(LexiconMethodsTest, ALexiconHoldsWords) {
  const TestDir folder;
  const std::string path = LexiconFile(folder, kTerms);
  const auto refused = [](const MethodOptions& options) {
    const auto made = MethodCalled("i-match").make(options, nullptr);
    return made ? std::string() : made.error().ToString();
  };
  EXPECT_EQ(refused(IMatch(path)), "");
  MethodOptions options = IMatch(path);
  options.sketch_shingle = "word:2";
  EXPECT_THAT(refused(options), HasSubstr("a lexicon holds words: --lexicon"));
  options.sketch_shingle = "word:1";
  EXPECT_EQ(refused(options), "");
  options.feature_hash = FeatureHash::kMd5;
  EXPECT_THAT(refused(options), HasSubstr("--feature-hash spec"));
  options = Named("i-match");
  options.short_lexicon = path;
  options.sketch_shingle = "word:2";
  EXPECT_THAT(refused(options), HasSubstr("--short-lexicon"));
  EXPECT_THAT(refused(IMatch(folder / "missing")), HasSubstr("missing"));
}

TEST(LexiconMethodsTest, ShortDocumentsHaveAWiderLexiconOrNone) {
  const TestDir folder;
  const std::string path = LexiconFile(folder, kTerms);
  const auto refused = [](const MethodOptions& options) {
    const auto made = MethodCalled("i-match").make(options, nullptr);
    return made ? std::string() : made.error().ToString();
  };
  MethodOptions options = IMatch(path);
  options.short_coverage = 0.5;
  EXPECT_THAT(refused(options), HasSubstr("does not go with a lexicon"));
  options = Named("i-match");
  options.short_coverage = 1e-17;
  EXPECT_THAT(refused(options), HasSubstr("too small"));
  options.short_coverage = 0.9;
  EXPECT_EQ(refused(options), "");
  // With a file for short ones, what was flagged is matched.
  options = IMatch(LexiconFile(folder, {"apple"}));
  const TestDir other;
  options.short_lexicon = LexiconFile(other, kTerms);
  const MethodOnTexts seen(
      MethodCalled("i-match"), options,
      {"apple pear plum quince", "quince plum pear apple now", "apple pear"});
  EXPECT_TRUE(seen.ShareKey(0, 1));
  EXPECT_TRUE(seen.Keys(2).empty());
}

// Two lexica are learnt at once, and both are told from each other.
TEST(LexiconMethodsTest, BothLexicaAreLearnt) {
  std::vector<std::string> texts;
  for (int i = 0; i < 40; ++i) {
    texts.push_back(RandomTexts(static_cast<uint64_t>(i % 20), 1, 60, 300)[0]);
  }
  MethodOptions options = Named("i-match");
  options.short_coverage = 1;
  const MethodOnTexts both(MethodCalled("i-match"), options, texts);
  const MethodOnTexts one(MethodCalled("i-match"), Named("i-match"), texts);
  ASSERT_NE(both.model(), nullptr);
  const std::string model = *RowModel(*both.model());
  ByteReader reader(model);
  const std::string first(reader.ReadSized()), second(reader.ReadSized());
  EXPECT_TRUE(reader.ok());
  EXPECT_EQ(first, *RowModel(*one.model()));
  const auto main = Lexicon::Decode(first, ""),
             wide = Lexicon::Decode(second, "");
  ASSERT_TRUE(main && wide);
  EXPECT_GT(wide->terms.size(), main->terms.size());
  EXPECT_EQ(wide->documents, 40u);
  for (size_t d = 0; d < texts.size(); ++d)
    if (!one.SketchesOf(d)[0].empty()) {
      EXPECT_EQ(one.SketchesOf(d), both.SketchesOf(d)) << d;
    }
}

// ---- rare-chunks ----

TEST(LexiconMethodsTest, ChunksKeepTheirNumber) {
  const auto texts = RandomTexts(6, 6, 400);
  MethodOptions options = Named("rare-chunks");
  for (const int chunks : {1, 7, 100}) {
    options.chunks = chunks;
    const MethodOnTexts seen(MethodCalled("rare-chunks"), options, texts);
    for (size_t d = 0; d < seen.size(); ++d) {
      const Sketch& sketch = seen.SketchesOf(d)[0];
      EXPECT_EQ(sketch.size(), 2u * static_cast<size_t>(chunks));
      EXPECT_EQ(seen.Keys(d).size(), static_cast<size_t>(chunks));
    }
  }
}

TEST(LexiconMethodsTest, WhoAsksMayAskWithMoreChunks) {
  MethodOptions options = Named("rare-chunks");
  EXPECT_TRUE(PartsOf(options).asked_sketchers.empty());
  options.asked_chunks = 1000;
  const MethodParts parts = PartsOf(options);
  ASSERT_EQ(parts.asked_sketchers.size(), 1u);
  const std::string view = TokensOf(RandomTexts(2, 1, 600)[0]);
  Sketch stored, asked;
  parts.sketchers[0]->Compute(view, &stored);
  parts.asked_sketchers[0]->Compute(view, &asked);
  EXPECT_EQ(stored.size(), 200u);
  EXPECT_EQ(asked.size(), 2000u);
  // What is stored of a text is among what it asks with.
  std::set<std::pair<uint32_t, uint32_t>> all;
  for (size_t i = 0; i < asked.size(); i += 2)
    all.emplace(asked[i], asked[i + 1]);
  for (size_t i = 0; i < stored.size(); i += 2)
    EXPECT_TRUE(all.contains({stored[i], stored[i + 1]}));
}

// Half of the threshold of the smaller sketch, or as many as --agree says.
TEST(LexiconMethodsTest, HowManyChunksMustAgree) {
  const auto set = [](uint32_t from, uint32_t count) {
    Sketch sketch;
    for (uint32_t i = from; i < from + count; ++i) {
      sketch.push_back(i);
      sketch.push_back(0);
    }
    return sketch;
  };
  MethodOptions options = Named("rare-chunks");
  options.threshold = 0.8;
  const Sketch ten = set(1, 10);
  // Ten chunks from 1 and ten from 1 + 10 - common.
  const auto passes = [&](uint32_t common) {
    return Passes(PartsOf(options), {ten}, {set(11 - common, 20)});
  };
  EXPECT_FALSE(passes(3));
  EXPECT_TRUE(passes(4));
  options.agree = 6;
  EXPECT_FALSE(passes(5));
  EXPECT_TRUE(passes(6));
  options.agree = 0;
  options.measure = Measure::kContainment;
  EXPECT_FALSE(passes(0));
  EXPECT_TRUE(passes(1));
}

TEST(LexiconMethodsTest, ChunksTellNoContainment) {
  MethodOptions options = Named("rare-chunks");
  options.measure = Measure::kContainment;
  const auto& directed = MethodCalled("rare-chunks").directed;
  ASSERT_NE(directed, nullptr);
  EXPECT_TRUE(directed->make(options, nullptr));
  options.verify = false;
  const auto made = directed->make(options, nullptr);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().remedy, "leave out --verify none");
}

// ---- spex ----

TEST(LexiconMethodsTest, ChunksOfSpexAreWords) {
  for (const char* bad :
       {"word:1", "word:65", "char:5", "line", "word:2+word:3", "nonsense"}) {
    MethodOptions options = Named("spex");
    options.sketch_shingle = bad;
    const auto made = MethodCalled("spex").make(options, nullptr);
    ASSERT_FALSE(made) << bad;
    EXPECT_EQ(made.error().code, ErrorCode::kUsage);
  }
  for (const char* good : {"", "word:2", "word:64"}) {
    MethodOptions options = Named("spex");
    options.sketch_shingle = good;
    EXPECT_TRUE(MethodCalled("spex").make(options, nullptr)) << good;
  }
}

// Some texts share passages; all in words of a small vocabulary.
std::vector<std::string> TextsThatShare() {
  std::vector<std::string> texts = RandomTexts(12, 14, 30, 500);
  SplitMix64 random(3);
  for (size_t d = 4; d < texts.size(); ++d) {
    std::string& text = texts[d];
    const std::string& other = texts[random.Below(d)];
    const size_t part = other.find(' ', random.Below(other.size() / 2));
    text =
        (d % 3 == 0 ? "" : text.substr(0, 40) + " ") + other.substr(part + 1);
  }
  return texts;
}

// Bernstein and Zobel 2004: no chunk that two documents have is lost, and with
// a large table hardly any other is kept. By the Jaccard of chunk sets, no pair
// at the threshold is lost.
TEST(LexiconMethodsTest, SpexKeepsAllThatIsShared) {
  const auto texts = TextsThatShare();
  MethodOptions options = Named("spex");
  options.sketch_shingle = "word:3";
  options.threshold = 0.2;
  const MethodOnTexts seen(MethodCalled("spex"), options, texts);
  std::vector<std::set<uint64_t>> chunks(texts.size());
  std::map<uint64_t, size_t> documents;
  for (size_t d = 0; d < texts.size(); ++d) {
    const std::string view =
        StoredView({FeatureForm::kSequence, "word:1"}, texts[d]);
    const auto words = AsHashes(view);
    for (size_t i = 0; i + 3 <= words.size(); ++i)
      chunks[d].insert(SpexChunk(&words[i], 3));
    for (const uint64_t chunk : chunks[d]) ++documents[chunk];
  }
  for (size_t d = 0; d < texts.size(); ++d) {
    std::vector<uint64_t> shared, kept;
    for (const uint64_t chunk : chunks[d])
      if (documents[chunk] > 1) shared.push_back(chunk);
    const Sketch& sketch = seen.SketchesOf(d)[0];
    for (size_t i = 0; i < sketch.size(); i += 2)
      kept.push_back(sketch[i] | uint64_t{sketch[i + 1]} << 32);
    EXPECT_EQ(kept, shared) << d;
  }
  size_t pairs = 0;
  for (size_t a = 0; a < texts.size(); ++a) {
    for (size_t b = 0; b < a; ++b) {
      std::vector<uint64_t> common;
      std::set_intersection(chunks[a].begin(), chunks[a].end(),
                            chunks[b].begin(), chunks[b].end(),
                            std::back_inserter(common));
      const auto n = static_cast<double>(common.size());
      const double jaccard =
          n / (static_cast<double>(chunks[a].size() + chunks[b].size()) - n);
      if (jaccard < options.threshold) continue;
      ++pairs;
      EXPECT_TRUE(seen.ShareKey(a, b) && seen.PassesFilter(a, b))
          << a << " " << b;
    }
  }
  EXPECT_GT(pairs, 5u);
  // The scores of the paper, by their definitions.
  const auto& method = MethodCalled("spex");
  for (size_t a = 0; a < texts.size(); a += 3) {
    for (size_t b = 1; b < texts.size(); b += 2) {
      const auto views_a = seen.Views(a), views_b = seen.Views(b);
      const auto scores = method.steps.scores(
          {seen.parts(), seen.model(), views_a, views_b, seen.SketchesOf(a),
           seen.SketchesOf(b), seen.Pass()});
      ASSERT_TRUE(scores);
      double shared = 0, rare = 0;
      for (const uint64_t chunk : chunks[a]) {
        if (!chunks[b].contains(chunk) || documents[chunk] < 2) continue;
        ++shared;
        rare += 1.0 / static_cast<double>(documents[chunk]);
      }
      const auto size_a = static_cast<double>(chunks[a].size());
      const auto size_b = static_cast<double>(chunks[b].size());
      ASSERT_EQ(scores->size(), 4u);
      EXPECT_DOUBLE_EQ((*scores)[0].value, shared);
      EXPECT_DOUBLE_EQ((*scores)[1].value, shared / std::min(size_a, size_b));
      EXPECT_DOUBLE_EQ((*scores)[2].value, 2 * shared / (size_a + size_b));
      EXPECT_DOUBLE_EQ((*scores)[3].value, 2 * rare / (size_a + size_b));
    }
  }
  // A pass that fails is told.
  const auto views = seen.Views(0);
  const auto failed = method.steps.scores(
      {seen.parts(), seen.model(), views, views, seen.SketchesOf(0),
       seen.SketchesOf(0), [](const auto&) -> Status {
         return Fail(ErrorCode::kIo, "no corpus");
       }});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "no corpus");
}

// With modulus 1 the sketch is the set: the estimate is the containment itself.
TEST(LexiconMethodsTest, ContainmentIsEstimatedInBothDirections) {
  MethodOptions options = Named("mod-m");
  options.modulus = 1;
  const MethodParts parts = PartsOf(options);
  for (uint64_t a = 1; a < 32; a += 2) {
    for (uint64_t b = 1; b < 32; b += 3) {
      const std::vector<Sketch> x = {SketchOf(parts, Stored(SetOfBits(a)))},
                                y = {SketchOf(parts, Stored(SetOfBits(b)))};
      const auto scores =
          ContainmentEstimates({parts, nullptr, {}, {}, x, y, {}});
      ASSERT_TRUE(scores);
      ASSERT_EQ(scores->size(), 2u);
      const double common = std::popcount(a & b);
      EXPECT_DOUBLE_EQ((*scores)[0].value, common / std::popcount(a));
      EXPECT_DOUBLE_EQ((*scores)[1].value, common / std::popcount(b));
      EXPECT_EQ((*scores)[0].name, "containment_ab");
      const double share = (*scores)[1].value;
      EXPECT_DOUBLE_EQ((*scores)[1].standard_error.value(),
                       std::sqrt(share * (1 - share) / std::popcount(b)));
    }
  }
  // Nothing is said of a document of which nothing is kept.
  options.modulus = 7;
  const MethodParts sparse = PartsOf(options);
  const std::vector<Sketch> none = {SketchOf(sparse, Stored({1, 2, 3}))},
                            some = {SketchOf(sparse, Stored({7, 14}))};
  const auto scores =
      ContainmentEstimates({sparse, nullptr, {}, {}, none, some, {}});
  ASSERT_TRUE(scores);
  ASSERT_EQ(scores->size(), 1u);
  EXPECT_EQ((*scores)[0].name, "containment_ba");
  EXPECT_EQ((*scores)[0].value, 0);
}

}  // namespace
}  // namespace twinset
