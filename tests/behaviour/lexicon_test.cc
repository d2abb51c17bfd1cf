// Lexica and the methods that learn from the corpus, end to end.
#include "twinset/lexicon.h"

#include <algorithm>
#include <cmath>

#include "support/dedup_fixture.h"

namespace twinset::testing {
namespace {

std::set<std::string> Words(const std::string& text) {
  std::set<std::string> words;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) words.insert(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

LexiconInfo MustBuild(const std::string& input, const std::string& out,
                      const LexiconRules& rules = {}) {
  LexiconOptions options;
  options.input.inputs = {input};
  options.rules = rules;
  options.out = out;
  const auto info = BuildLexicon(options, {});
  EXPECT_TRUE(info) << info.error().ToString();
  return info.value_or(LexiconInfo{});
}

TEST(LexiconTest, IsTheMiddleOfTheWordsByFrequency) {
  TemporaryFolder folder;
  const SyntheticCorpus corpus(3, 400);
  Write(folder / "in.jsonl", corpus.Jsonl());
  const LexiconRules rules{3, 0.1, 0.5};
  const LexiconInfo info =
      MustBuild(folder / "in.jsonl", folder / "words", rules);
  std::map<std::string, uint64_t> df;
  for (const std::string& text : corpus.texts) {
    for (const std::string& word : Words(text)) ++df[word];
  }
  EXPECT_EQ(info.documents, 400u);
  EXPECT_EQ(info.counted, df.size());
  std::erase_if(df, [](const auto& entry) { return entry.second < 3; });
  EXPECT_EQ(info.ranked, df.size());
  std::vector<uint64_t> frequencies;
  for (const auto& [word, frequency] : df) frequencies.push_back(frequency);
  std::sort(frequencies.rbegin(), frequencies.rend());
  // The middle of the range of idf: nobody is on its edge here.
  const auto idf = [](uint64_t frequency) {
    return std::log2(400.0 / static_cast<double>(frequency));
  };
  const double low = idf(frequencies.front()),
               range = idf(frequencies.back()) - low;
  uint64_t rank = 0, end = 0;
  for (const uint64_t frequency : frequencies) {
    rank += idf(frequency) < low + 0.1 * range;
    end += idf(frequency) <= low + 0.5 * range;
  }
  EXPECT_GT(rank, 0u);
  EXPECT_LT(end, frequencies.size());
  EXPECT_EQ(info.first_rank, rank);
  EXPECT_EQ(info.terms, end - rank);
  std::set<std::string> seen;
  const auto shown = ShowLexicon(folder / "words", [&](const LexiconRow& row) {
    EXPECT_EQ(row.rank, rank);
    EXPECT_EQ(row.frequency, df[row.term]) << row.term;
    EXPECT_EQ(row.frequency, frequencies[rank]);
    EXPECT_NEAR(row.idf, std::log2(400.0 / static_cast<double>(row.frequency)),
                2.0 / 65536);
    EXPECT_TRUE(seen.insert(row.term).second);
    ++rank;
    return true;
  });
  ASSERT_TRUE(shown);
  EXPECT_EQ(seen.size(), info.terms);
  EXPECT_EQ(shown->checksum, info.checksum);
  EXPECT_FALSE(std::filesystem::exists(folder / "words.work"));
}

TEST(LexiconTest, AnExistingFileIsKept) {
  TemporaryFolder folder;
  Write(folder / "in.jsonl", SyntheticCorpus(3, 10).Jsonl());
  Write(folder / "words", "mine");
  LexiconOptions options;
  options.input.inputs = {folder / "in.jsonl"};
  options.out = folder / "words";
  const auto refused = BuildLexicon(options, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  EXPECT_NE(refused.error().remedy.find("--overwrite"), std::string::npos);
  EXPECT_EQ(Read(folder / "words"), "mine");
  options.overwrite = true;
  EXPECT_TRUE(BuildLexicon(options, {}));
}

DedupOptions IMatch(const std::string& input, const std::string& out) {
  DedupOptions options = OptionsFor(input, out);
  options.method.name = "i-match";
  return options;
}

// What is learnt in a run is what `lexicon build` writes.
TEST(IMatchTest, LearntAndFrozenLexicaFindTheSamePairs) {
  TemporaryFolder folder;
  Write(folder / "in.jsonl", SyntheticCorpus(4, 600).Jsonl());
  MustBuild(folder / "in.jsonl", folder / "words");
  DedupOptions options = IMatch(folder / "in.jsonl", folder / "learnt");
  MustDedup(options);
  options.out = folder / "frozen";
  options.method.lexicon = folder / "words";
  MustDedup(options);
  EXPECT_GT(ReadLines(folder / "learnt/pairs.jsonl").size(), 100u);
  EXPECT_EQ(Read(folder / "learnt/pairs.jsonl"),
            Read(folder / "frozen/pairs.jsonl"));
}

TEST(IMatchTest, MoreLexicaFindMore) {
  TemporaryFolder folder;
  Write(folder / "in.jsonl", SyntheticCorpus(5, 600).Jsonl());
  size_t before = 0;
  for (const int lexica : {0, 10, 100}) {
    DedupOptions options = IMatch(folder / "in.jsonl", folder / "out");
    options.method.lexicons = lexica;
    options.overwrite = true;
    MustDedup(options);
    const size_t pairs = ReadLines(folder / "out/pairs.jsonl").size();
    EXPECT_GT(pairs, before) << lexica;
    before = pairs;
  }
}

// Short documents with nothing in the lexicon are not all one.
TEST(IMatchTest, ShortDocumentsAreNotMatched) {
  TemporaryFolder folder;
  std::string rows = SyntheticCorpus(6, 200).Jsonl();
  for (int i = 0; i < 50; ++i) {
    const std::string n = std::to_string(i);
    rows += "{\"id\":\"s" + n + "\",\"text\":\"unheard" + n + "\"}\n";
  }
  Write(folder / "in.jsonl", rows);
  DedupOptions options = IMatch(folder / "in.jsonl", folder / "out");
  options.method.verify = false;  // nothing but the signatures decides
  MustDedup(options);
  for (const Json& row : ReadRows(folder / "out/pairs.jsonl"))
    EXPECT_NE(row["a"].get<std::string>()[0], 's');
  const Json summary = Json::parse(Read(folder / "out/summary.json"));
  EXPECT_GE(summary["flagged"].get<int>(), 50);
}

TEST(IMatchTest, BadParametersAreRefusedWithTheRemedy) {
  TemporaryFolder folder;
  Write(folder / "in.jsonl", SyntheticCorpus(7, 20).Jsonl());
  Write(folder / "none", "no lexicon");
  const auto refused = [&](auto change) {
    DedupOptions options = IMatch(folder / "in.jsonl", folder / "out");
    change(&options.method);
    const auto summary = Dedup(options);
    EXPECT_FALSE(summary);
    EXPECT_FALSE(std::filesystem::exists(folder / "out"));
    return summary ? Error{} : summary.error();
  };
  EXPECT_EQ(refused([](auto* m) { m->lexicon_drop = 1; }).code,
            ErrorCode::kUsage);
  EXPECT_EQ(refused([](auto* m) { m->agree = 12; }).code, ErrorCode::kUsage);
  EXPECT_EQ(refused([](auto* m) { m->min_terms = 0; }).code, ErrorCode::kUsage);
  const Error corrupt = refused([&](auto* m) { m->lexicon = folder / "none"; });
  EXPECT_EQ(corrupt.code, ErrorCode::kCorrupt);
  EXPECT_NE(corrupt.remedy.find("lexicon build"), std::string::npos);
  EXPECT_EQ(refused([](auto* m) {
              m->name = "spex";
              m->sketch_shingle = "char:5";
            }).code,
            ErrorCode::kUsage);
  EXPECT_EQ(refused([](auto* m) {
              m->name = "rare-chunks";
              m->chunks = 0;
            }).code,
            ErrorCode::kUsage);
  // Only a match has a side that asks.
  EXPECT_EQ(refused([](auto* m) {
              m->name = "rare-chunks";
              m->asked_chunks = 1000;
            }).code,
            ErrorCode::kUsage);
  // A second lexicon is learnt beside one that is learnt.
  EXPECT_EQ(refused([&](auto* m) {
              m->lexicon = folder / "none";
              m->short_coverage = 0.5;
            }).code,
            ErrorCode::kUsage);
}

// SPEX loses no chunk that two documents share, so it finds every pair.
TEST(SpexTest, FindsEveryPair) {
  TemporaryFolder folder;
  const SyntheticCorpus corpus(8, TWINSET_SLOW_BUILD ? 150 : 300);
  Write(folder / "in.jsonl", corpus.Jsonl());
  for (const double threshold : {0.3, 0.8}) {
    DedupOptions options = OptionsFor(folder / "in.jsonl", folder / "out");
    options.method.name = "spex";
    options.method.threshold = threshold;
    options.overwrite = true;
    MustDedup(options);
    const auto truth = NaiveTruth(corpus.texts).Pairs(threshold);
    EXPECT_GT(truth.size(), TWINSET_SLOW_BUILD ? 50u : 100u);
    EXPECT_EQ(ReadLines(folder / "out/pairs.jsonl").size(), truth.size());
  }
}

TEST(RareChunksTest, FindsNearlyEveryPair) {
  TemporaryFolder folder;
  const SyntheticCorpus corpus(9, TWINSET_SLOW_BUILD ? 150 : 300);
  Write(folder / "in.jsonl", corpus.Jsonl());
  DedupOptions options = OptionsFor(folder / "in.jsonl", folder / "out");
  options.method.name = "rare-chunks";
  MustDedup(options);
  const auto truth = NaiveTruth(corpus.texts).Pairs(0.8);
  EXPECT_GE(ReadLines(folder / "out/pairs.jsonl").size() * 100,
            truth.size() * 95);
}

// ---- signature drift ----

struct Drift {
  SignatureDrift counts;
  double changed = 0, unmatched = 0;
};

Drift MeasureDrift(const std::string& before, const std::string& after,
                   const std::string& input, LexiconDifference* difference) {
  LexiconDiffOptions options;
  options.a = before;
  options.b = after;
  options.input.inputs = {input};
  const auto result = DiffLexica(options, {}, {});
  EXPECT_TRUE(result) << result.error().ToString();
  if (!result) return {};
  if (difference != nullptr) *difference = *result;
  const SignatureDrift& drift = result->drift;
  const auto compared = static_cast<double>(drift.compared);
  return {drift, static_cast<double>(drift.changed) / compared,
          static_cast<double>(drift.unmatched) / compared};
}

// A collection grown by 10, 50 and 100 %: its old documents get new signatures,
// and randomised lexica keep more of them.
TEST(SignatureDriftTest, GrowsWithTheCollection) {
  TemporaryFolder folder;
  const SyntheticCorpus all(10, 2000);
  const auto write = [&](const std::string& name, size_t documents) {
    SyntheticCorpus part = all;
    part.texts.resize(documents);
    Write(folder / name, part.Jsonl());
    MustBuild(folder / name, folder / (name + ".lexicon"));
  };
  write("100", 1000);
  write("again", 1000);
  write("110", 1100);
  write("150", 1500);
  write("200", 2000);
  const auto drift = [&](const std::string& name) {
    return MeasureDrift(folder / "100.lexicon", folder / (name + ".lexicon"),
                        folder / "100", nullptr);
  };
  const Drift none = drift("again"), ten = drift("110"), fifty = drift("150"),
              hundred = drift("200");
  EXPECT_EQ(none.counts.changed, 0u);
  EXPECT_EQ(none.counts.unmatched, 0u);
  EXPECT_EQ(none.counts.documents, 1000u);
  EXPECT_GT(ten.changed, 0);
  EXPECT_GT(fifty.changed, ten.changed);
  EXPECT_GE(hundred.changed, fifty.changed);
  for (const Drift& grown : {ten, fifty, hundred})
    EXPECT_LT(grown.unmatched, grown.changed);
}

TEST(SignatureDriftTest, RowsAreTheDifference) {
  TemporaryFolder folder;
  Write(folder / "a.jsonl",
        "{\"id\":\"1\",\"text\":\"one two three\"}\n"
        "{\"id\":\"2\",\"text\":\"two three\"}\n");
  Write(folder / "b.jsonl",
        "{\"id\":\"1\",\"text\":\"one two four\"}\n"
        "{\"id\":\"2\",\"text\":\"four one\"}\n");
  const LexiconRules every{1, 0, 0};
  MustBuild(folder / "a.jsonl", folder / "a", every);
  MustBuild(folder / "b.jsonl", folder / "b", every);
  std::map<std::string, LexiconChange::Kind> changes;
  LexiconDiffOptions options;
  options.a = folder / "a";
  options.b = folder / "b";
  const auto difference = DiffLexica(options,
                                     [&](const LexiconChange& change) {
                                       changes[change.term()] = change.kind;
                                       return true;
                                     },
                                     {});
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->lost, 1u);
  EXPECT_EQ(difference->gained, 1u);
  EXPECT_EQ(difference->common, 2u);
  EXPECT_EQ(difference->drift.documents, 0u);
  EXPECT_EQ(changes.at("three"), LexiconChange::kLost);
  EXPECT_EQ(changes.at("four"), LexiconChange::kGained);
  // Ranks: three and two before one; one and four before two.
  EXPECT_EQ(changes.at("one"), LexiconChange::kMoved);
  EXPECT_EQ(changes.at("two"), LexiconChange::kMoved);
  EXPECT_EQ(difference->moved, 2u);
}

}  // namespace
}  // namespace twinset::testing
