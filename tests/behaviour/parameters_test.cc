// What is asked of a method is done or refused: the method that was named, and
// parameters that it reads, in their range.
#include "options/parameters.h"

#include "methods/method_rows.h"
#include "methods/registry.h"
#include "pipeline/read/view_store.h"
#include "support/dedup_fixture.h"
#include "text/tokens/features.h"
#include "twinset/dedup.h"
#include "twinset/inspect.h"
#include "twinset/methods.h"
#include "twinset/tune.h"

namespace twinset::testing {
namespace {

class ParametersTest : public ::testing::Test {
 protected:
  DedupOptions Options() {
    Write(folder_ / "in.jsonl", SyntheticCorpus(41, 30, 40).Jsonl());
    DedupOptions options = OptionsFor(folder_ / "in.jsonl", folder_ / "out");
    options.overwrite = true;
    return options;
  }
  // The message and the remedy of a run, or the method that ran.
  std::string Run(const std::function<void(MethodOptions*)>& set) {
    DedupOptions options = Options();
    set(&options.method);
    const auto summary = Dedup(options);
    if (!summary) {
      EXPECT_EQ(summary.error().code, ErrorCode::kUsage);
      return summary.error().ToString();
    }
    return Json::parse(summary->json.dump())["parameters"]["method"]
        .get<std::string>();
  }
  TemporaryFolder folder_;
};

TEST_F(ParametersTest, TheNamedMethodRunsOrIsRefused) {
  for (const char* measure : {"edit", "hamming", "cosine-tf"}) {
    EXPECT_EQ(Run([&](auto* m) { m->measure = *FindChoice<Measure>(measure); }),
              "complete");
    EXPECT_EQ(Run([&](auto* m) {
                m->measure = *FindChoice<Measure>(measure);
                m->name = "minhash";
              }),
              "minhash");
  }
  EXPECT_EQ(Run([](auto*) {}), "complete");
  EXPECT_NE(
      Run([](auto* m) {
        m->generator = "prefix";
        m->name = "minhash";
      })
          .find("--generator prefix is not in the range of method minhash "
                "(use bands|sorted)"),
      std::string::npos);
}

TEST_F(ParametersTest, MatchByContainmentTakesMethodsThatEstimateIt) {
  const DedupOptions dedup = Options();
  MatchOptions options;
  CopyParts<RunOptions>(dedup, &options);
  options.method.measure = Measure::kContainment;
  options.against = options.input.inputs;
  EXPECT_TRUE(Match(options));
  options.overwrite = true;
  options.method.name = "mod-m";
  EXPECT_TRUE(Match(options));
  for (const char* name : {"minhash", "simhash", "complete"}) {
    options.method.name = name;
    const auto summary = Match(options);
    ASSERT_FALSE(summary) << name;
    EXPECT_EQ(summary.error().code, ErrorCode::kUsage);
  }
}

TEST_F(ParametersTest, WhatAMethodDoesNotReadIsRefused) {
  EXPECT_EQ(Run([](auto* m) {
              m->name = "exact";
              m->permutations = 3;
            }),
            "method exact does not read --permutations (leave it out, or name "
            "a method that reads it: minhash, fss, one-permutation, "
            "rabin-minhash)");
  EXPECT_EQ(Run([](auto* m) { m->lexicons = 7; }),
            "method complete does not read --lexicons (leave it out, or name a "
            "method that reads it: i-match)");
  // Given at its default.
  EXPECT_EQ(Run([](auto* m) { m->given = {"modulus"}; }),
            "method complete does not read --modulus (leave it out, or name a "
            "method that reads it: mod-m)");
  // A study hands them to every method; named for one, they are read or
  // refused.
  EXPECT_EQ(Run([](auto* m) {
              m->name = "exact";
              m->threshold = 0.9;
              m->seed = 3;
            }),
            "exact");
  for (const auto& [name, flag] :
       {std::pair<std::string, std::string>("exact", "threshold"),
        {"text-profile", "seed"}}) {
    EXPECT_EQ(Run([&, &method = name, &parameter = flag](auto* m) {
                m->name = method;
                m->given = {parameter};
              }).rfind("method " + name + " does not read --" + flag + " (", 0),
              0u);
  }
}

TEST_F(ParametersTest, ValuesAreInTheRangeOfTheRow) {
  EXPECT_NE(
      Run([](auto* m) {
        m->name = "mod-m";
        m->agree = -2;
      }).find("--agree -2 is not in the range of method mod-m (use >= 0)"),
      std::string::npos);
  EXPECT_EQ(Run([](auto* m) {
              m->name = "super-shingle";
              m->groups = 65;
            }),
            "--groups 65 is not in the range of method super-shingle (use "
            "1..64)");
  // A default may be more than there is.
  EXPECT_EQ(Run([](auto* m) {
              m->name = "simhash";
              m->bits = 3;
            }),
            "--distance 3 is not in the range of method simhash (use 0..bits - "
            "1)");
}

bool Takes(const ParameterRange& range, std::string_view name,
           std::string_view value) {
  // Set by a parameter of the same field without a range.
  Parameter parameter = *FindParameter(name);
  parameter.range = {};
  ParameterValues options;
  EXPECT_TRUE(SetParameter(parameter, value, &options));
  return InRange(range, parameter, options);
}

TEST(ParameterRanges, HoldTheirValues) {
  EXPECT_TRUE(Takes(Between(8, 4096), "permutations", "4096"));
  EXPECT_FALSE(Takes(Between(8, 4096), "permutations", "4097"));
  EXPECT_FALSE(Takes(Between(8, 4096), "permutations", "0"));
  EXPECT_TRUE(Takes(UpTo(0, "bits", -1), "distance", "63"));
  EXPECT_FALSE(Takes(UpTo(0, "bits", -1), "distance", "64"));
  EXPECT_TRUE(Takes(UpTo(1, "lexicons", 1), "agree", "11"));
  EXPECT_FALSE(Takes(UpTo(1, "lexicons", 1), "agree", "12"));
  EXPECT_TRUE(Takes(AtLeast(1), "modulus", "1"));
  EXPECT_FALSE(Takes(AtLeast(1), "modulus", "0"));
  EXPECT_TRUE(Takes(AtLeast(0), "seed", "18446744073709551615"));
  ParameterRange share = {.kind = ParameterRange::kShare};
  EXPECT_TRUE(Takes(share, "threshold", "1"));
  EXPECT_FALSE(Takes(share, "threshold", "0"));
  share.open = true;
  EXPECT_FALSE(Takes(share, "threshold", "1"));
  EXPECT_TRUE(Takes(OneOf({"set", "tf"}), "weights", "tf"));
  EXPECT_FALSE(Takes(OneOf({"set", "tf"}), "weights", "tf-idf"));
  EXPECT_TRUE(Takes({}, "seed", "17"));
  EXPECT_TRUE(Takes(InWords("word:2..word:64"), "sketch-shingle", "word:3"));
  EXPECT_EQ(UpTo(0, "bits", -1).Text(), "0..bits - 1");
  EXPECT_EQ(UpTo(1, "groups").Text(), "1..groups");
  EXPECT_EQ(AtLeast(1).Text(), ">= 1");
  EXPECT_EQ(OneOf({"set", "tf"}).Text(), "set|tf");
}

// Each field of MethodOptions is under one name, takes its default back, and
// refuses what is no value.
TEST(ParameterTable, SetsAndTellsEveryField) {
  std::set<std::string_view> names;
  for (const Parameter& parameter : Parameters()) {
    SCOPED_TRACE(parameter.name);
    EXPECT_TRUE(names.insert(parameter.name).second);
    EXPECT_EQ(FindParameter(parameter.name), &parameter);
    const ParameterValues standard;
    const std::string text = ParameterText(parameter, standard);
    ParameterValues changed;
    const bool derived = !parameter.default_words.empty();
    if (!derived) {
      EXPECT_TRUE(SetParameter(parameter, text, &changed));
    }
    EXPECT_EQ(ParameterText(parameter, changed), text);
    const auto kind = parameter.range.kind;
    if (kind == ParameterRange::kWhole || kind == ParameterRange::kShare ||
        kind == ParameterRange::kChoice || parameter.value.empty()) {
      for (const char* bad : {"", "-1", "1x", "nan", "1e999"}) {
        const Status status = SetParameter(parameter, bad, &changed);
        ASSERT_FALSE(status) << bad;
        EXPECT_EQ(status.error().code, ErrorCode::kUsage);
      }
      EXPECT_EQ(ParameterText(parameter, changed), text);
    }
    for (const std::string_view choice : parameter.range.choices) {
      EXPECT_TRUE(SetParameter(parameter, choice, &changed));
      EXPECT_EQ(ParameterText(parameter, changed), choice);
    }
    if (!parameter.range.high_of.empty()) {
      EXPECT_NE(FindParameter(parameter.range.high_of), nullptr);
    }
  }
}

TEST(ParameterTable, RowsNameParametersAndHaveTheirDefaultsInRange) {
  std::vector<MethodInfo> rows = Methods();
  rows.push_back(ContainmentMethod()->info);
  for (const MethodInfo& method : rows) {
    std::set<std::string> names;
    for (const MethodParameter& read : method.parameters) {
      SCOPED_TRACE(method.name + " " + read.name);
      EXPECT_TRUE(names.insert(read.name).second);
      const Parameter* parameter = FindParameter(read.name);
      ASSERT_NE(parameter, nullptr);
      EXPECT_EQ(parameter->group, ParameterGroup::kMethod);
      if (!read.range.high_of.empty()) {
        EXPECT_TRUE(Reads(method, read.range.high_of));
      }
    }
    EXPECT_TRUE(CheckParameters(method, MethodOptions()));
  }
  EXPECT_EQ(std::count_if(rows.begin(), rows.end(),
                          [](const auto& row) { return row.is_standard; }),
            1);
  EXPECT_EQ(
      std::count_if(rows.begin(), rows.end(),
                    [](const auto& row) { return row.is_standard_sketch; }),
      1);
  for (const Parameter& parameter : Parameters()) {
    EXPECT_EQ(MethodsReading(parameter.name).empty(),
              parameter.group != ParameterGroup::kMethod)
        << parameter.name;
  }
}

// Everything that a method computes of a text: views, sketches, keys.
std::string Computed(const Method& method, const MethodOptions& options) {
  const auto views = method.views(options);
  const auto parts = method.make(options, nullptr);
  if (!views || !parts) return "refused";
  std::string all;
  std::vector<std::string> stored;
  const std::string text = "one two three four five six seven eight nine ten";
  for (const FeatureView& view : *views) {
    all += view.shingle + "/" + std::string(ChoiceName(view.hash)) + ";";
    if (!IsHashed(view.form)) {
      stored.push_back(text);
      continue;
    }
    const FeatureExtractor extractor(
        TokenRule::kUnicode,
        *ParseShingles(view.shingle.empty() ? "word:2" : view.shingle),
        view.hash);
    FeatureScratch scratch;
    Features features;
    extractor.Extract(text, &scratch, &features);
    stored.emplace_back(reinterpret_cast<const char*>(features.shingles.data()),
                        features.shingles.size() * 8);
  }
  if (method.learns && method.learns(options)) return all;
  std::vector<std::string_view> of_views(stored.begin(), stored.end());
  std::vector<Sketch> sketches;
  ComputeSketches(*parts, of_views, &sketches);
  for (const Sketch& sketch : sketches)
    for (const uint32_t value : sketch) all += std::to_string(value) + ",";
  std::vector<uint64_t> keys;
  if (parts->generator) parts->generator->Keys(sketches, 0, &keys);
  for (const uint64_t key : keys) all += std::to_string(key) + " ";
  return all + std::to_string(parts->bands) + std::to_string(parts->rows);
}

// A value that is not the default.
bool SetOther(const Parameter& parameter, ParameterValues* run) {
  const std::string standard = ParameterText(parameter, *run);
  for (const auto choice : parameter.range.choices)
    if (choice != standard && SetParameter(parameter, choice, run)) return true;
  if (parameter.range.kind == ParameterRange::kWords)
    return SetParameter(parameter, "word:3", run).has_value();
  for (const char* value : {"256", "16", "9", "0.3"})
    if (SetParameter(parameter, value, run)) return true;
  return false;
}

// The rows are true: what one does not list changes nothing, and features of
// sketches that it lists change something.
TEST(ParameterRows, ListWhatTheMethodReads) {
  size_t unread = 0;
  for (const Method& method : AllMethods()) {
    MethodOptions options;
    options.name = method.info.name;
    const std::string standard = Computed(method, options);
    for (const Parameter& parameter : Parameters()) {
      if (parameter.group != ParameterGroup::kMethod) continue;
      SCOPED_TRACE(method.info.name + " " + std::string(parameter.name));
      ParameterValues run;
      run.method = options;
      ASSERT_TRUE(SetOther(parameter, &run));
      const MethodOptions& changed = run.method;
      const bool reads = Reads(method.info, parameter.name);
      const bool of_features = parameter.name == "sketch-shingle" ||
                               parameter.name == "feature-hash";
      if (!reads) {
        EXPECT_EQ(Computed(method, changed), standard);
        ++unread;
      } else if (reads && of_features &&
                 !(method.learns && method.learns(options))) {
        EXPECT_NE(Computed(method, changed), standard);
      }
    }
  }
  EXPECT_GT(unread, 100u);
}

// A projection of 384 bits votes with all of them: no bit is the same in all
// documents because short words have the same leading bits.
TEST(ParameterRows, HenzingersProjectionsAreOfMixedHashes) {
  TemporaryFolder folder;
  Write(folder / "in.jsonl", SyntheticCorpus(43, 60).Jsonl());
  ParameterValues options;
  ASSERT_TRUE(ApplyPreset("henzinger06-c", &options));
  InputOptions input;
  input.inputs = {folder / "in.jsonl"};
  uint64_t ones = 0, all = ~uint64_t{0};
  ASSERT_TRUE(ForEachSketch(input, options.features, options.method,
                            [&](const SketchRow& row) {
                              const uint64_t first = std::stoull(
                                  row.sketch.substr(0, 16), nullptr, 16);
                              ones |= first;
                              all &= first;
                              return true;
                            },
                            {}));
  EXPECT_EQ(ones, ~uint64_t{0});
  EXPECT_EQ(all, 0u);
  ASSERT_TRUE(ApplyPreset("henzinger06", &options));
  const auto views = (*FindMethod("henzinger-combined"))->views(options.method);
  ASSERT_TRUE(views);
  EXPECT_EQ(views->at(1).hash, FeatureHash::kRabin);
  EXPECT_EQ(views->at(2).hash, FeatureHash::kRabinMixed);
}

TEST(ParameterRows, PresetsSetOnlyWhatTheirMethodReads) {
  for (const PresetInfo& preset : Presets()) {
    ParameterValues options;
    ASSERT_TRUE(ApplyPreset(preset.name, &options)) << preset.name;
    DedupOptions dedup;
    EXPECT_EQ(ApplyPreset(preset.name, &dedup).has_value(),
              !options.cuts_units);
    if (options.cuts_units) continue;
    EXPECT_EQ(dedup.method.name, options.method.name);
    EXPECT_EQ(dedup.keep, options.keep);
    const auto method = FindMethod(options.method.name);
    ASSERT_TRUE(method);
    const Status status = CheckParameters((*method)->info, options.method);
    EXPECT_TRUE(status) << preset.name << ": " << status.error().ToString();
  }
}

}  // namespace
}  // namespace twinset::testing
