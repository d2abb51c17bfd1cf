// Every preset runs, and those that name a property have it.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "support/dedup_fixture.h"
#include "twinset/methods.h"

namespace twinset::testing {
namespace {

DedupOptions WithPreset(const std::string& name, const std::string& input,
                        const std::string& out) {
  DedupOptions options;
  EXPECT_TRUE(ApplyPreset(name, &options)) << name;
  options.input.inputs = {input};
  options.out = out;
  options.resources.threads = 2;
  options.resources.memory_bytes = 256 << 20;
  return options;
}

// Copies are found by every one of them, and every pair that is told stands in
// the rows of the corpus.
TEST(PresetsRunTest, EveryPresetFindsTheCopies) {
  const TemporaryFolder folder;
  const SyntheticCorpus corpus(7, 60);
  const std::string input = folder / "corpus.jsonl";
  Write(input, corpus.Jsonl());
  std::set<std::string> distinct(corpus.texts.begin(), corpus.texts.end());
  for (const PresetInfo& preset : Presets()) {
    SCOPED_TRACE(preset.name);
    const std::string out = folder / preset.name;
    ParameterValues values;
    ASSERT_TRUE(ApplyPreset(preset.name, &values));
    if (values.cuts_units) {  // every document stays
      auto options = FileOptionsFor<CutOptions>(input, out);
      TakeValues(values, &options);
      EXPECT_GT(MustCut(options).cut, 0u);
      continue;
    }
    const auto summary = Dedup(WithPreset(preset.name, input, out));
    ASSERT_TRUE(summary) << summary.error().ToString();
    EXPECT_TRUE(summary->complete);
    EXPECT_LE(ReadLines(out + "/keep.txt").size(), distinct.size());
    EXPECT_GE(ReadRows(out + "/pairs.jsonl").size(),
              corpus.texts.size() - distinct.size());
  }
}

TEST(PresetsRunTest, TheCombinationFindsPairsOfAlgorithmBOnly) {
  const TemporaryFolder folder;
  const SyntheticCorpus corpus(11, 200);
  const std::string input = folder / "corpus.jsonl";
  Write(input, corpus.Jsonl());
  const auto pairs_of = [&](const std::string& name) {
    const std::string out = folder / name;
    EXPECT_TRUE(Dedup(WithPreset(name, input, out)));
    std::set<std::string> pairs;
    for (const Json& row : ReadRows(out + "/pairs.jsonl")) {
      pairs.insert(row["a"].get<std::string>() + " " +
                   row["b"].get<std::string>());
    }
    return pairs;
  };
  const auto both = pairs_of("henzinger06"), b = pairs_of("henzinger06-b");
  EXPECT_FALSE(both.empty());
  for (const std::string& pair : both) EXPECT_TRUE(b.contains(pair)) << pair;
}

// Content seen under two addresses; one changed byte is other content.
TEST(PresetsRunTest, MercatorSeesTheSameBytesUnderAnotherAddress) {
  const TemporaryFolder folder;
  const std::string input = folder / "pages.jsonl";
  Write(input,
        R"({"id":"a","url":"http://a.example/","text":"the same page"}
{"id":"b","url":"http://b.example/","text":"the same page"}
{"id":"c","url":"http://c.example/","text":"the sane page"}
)");
  for (const char* method : {"exact", "rabin-mod-prime"}) {
    const std::string out = folder / method;
    DedupOptions options = WithPreset("mercator", input, out);
    options.method.name = method;
    ASSERT_TRUE(Dedup(options));
    EXPECT_EQ(ReadLines(out + "/keep.txt"),
              (std::vector<std::string>{"a", "c"}));
    EXPECT_EQ(ReadLines(out + "/drop.txt"), (std::vector<std::string>{"b"}));
  }
}

// By classes, and with scopes, where sketches propose and pairs are verified.
TEST(PresetsRunTest, RabinModPrimeIsExactWhateverTheSeed) {
  const TemporaryFolder folder;
  const SyntheticCorpus corpus(13, 120);
  const std::string input = folder / "corpus.jsonl";
  Write(input, corpus.Jsonl());
  const auto keep_of = [&](const char* method, uint64_t seed,
                           const std::string& across) {
    const std::string out =
        folder / (std::string(method) + std::to_string(seed) + across);
    DedupOptions options = WithPreset("mercator", input, out);
    options.method.name = method;
    options.method.seed = seed;
    options.across = across;
    EXPECT_TRUE(Dedup(options));
    return Read(out + "/keep.txt");
  };
  for (const std::string across : {"", "id"}) {
    const std::string exact = keep_of("exact", 1, across);
    for (uint64_t seed = 1; seed <= 3; ++seed)
      EXPECT_EQ(keep_of("rabin-mod-prime", seed, across), exact);
  }
}

}  // namespace
}  // namespace twinset::testing
