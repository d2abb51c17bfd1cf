// Two corpora: pairs only across, ids of both sides kept, every containment
// found, passages where they stand.
#include <algorithm>
#include <set>

#include "support/dedup_fixture.h"
#include "twinset/dedup.h"

namespace twinset::testing {
namespace {

std::string Words(uint64_t seed, size_t count) {
  SplitMix64 random(seed);
  std::string text;
  for (size_t i = 0; i < count; ++i)
    text += (i == 0 ? "" : " ") + SyntheticCorpus::Word(random.Below(100000));
  return text;
}

std::string Row(const std::string& id, const std::string& text) {
  return "{\"id\":\"" + id + "\",\"text\":\"" + text + "\"}\n";
}

class MatchTest : public ::testing::Test {
 protected:
  MatchSummary Run(const std::string& a, const std::string& b,
                   const std::function<void(MatchOptions*)>& set = {}) {
    Write(folder_ / "a.jsonl", a);
    Write(folder_ / "b.jsonl", b);
    MatchOptions options;
    options.input.inputs = {folder_ / "a.jsonl"};
    options.out = folder_ / "out";
    options.overwrite = true;
    options.against = {folder_ / "b.jsonl"};
    if (set) set(&options);
    const auto summary = Match(options);
    EXPECT_TRUE(summary) << summary.error().ToString();
    return summary.value_or(MatchSummary());
  }
  std::vector<std::string> Lines(const std::string& name) {
    return ReadLines(folder_ / ("out/" + name));
  }
  std::vector<Json> Rows(const std::string& name) {
    return ReadRows(folder_ / ("out/" + name));
  }
  TemporaryFolder folder_;
};

using Names = std::vector<std::string>;

TEST_F(MatchTest, PairsStandAcrossOnlyAndIdsOfBothSidesAreKept) {
  const std::string same = Words(1, 50), other = Words(2, 50);
  // "x" twice in A and twice in B: repeats are numbered within a side.
  const MatchSummary summary =
      Run(Row("x", same) + Row("x", same) + Row("y", other),
          Row("x", same) + Row("x", Words(3, 50)) + Row("z", same));
  EXPECT_EQ(summary.documents_a, 3u);
  EXPECT_EQ(summary.documents_b, 3u);
  EXPECT_EQ(summary.matched, 2u);
  std::set<std::pair<std::string, std::string>> pairs;
  for (const Json& row : Rows("pairs.jsonl"))
    pairs.emplace(row["a"].get<std::string>(), row["b"].get<std::string>());
  EXPECT_EQ(pairs, (std::set<std::pair<std::string, std::string>>{
                       {"x", "x"}, {"x", "z"}, {"x#2", "x"}, {"x#2", "z"}}));
  EXPECT_EQ(Lines("drop.txt"), (Names{"x", "x#2"}));
  EXPECT_EQ(Lines("keep.txt"), (Names{"y"}));
}

TEST_F(MatchTest, BothSidesHaveFieldsOfTheirOwn) {
  const std::string text = Words(1, 50);
  const std::string b = R"({"nr":7,"body":")" + text +
                        R"(","link":"http://b/"})"
                        "\n";
  MatchSummary summary = Run(Row("a", text), b, [](MatchOptions* o) {
    o->against_input.id_field = "nr";
    o->against_input.text_field = "body";
    o->against_input.url_field = "link";
  });
  EXPECT_EQ(summary.matched, 1u);
  EXPECT_EQ(Rows("pairs.jsonl")[0]["b"], "7");
  EXPECT_EQ(summary.warnings, Names());
  // Fields of A do not count where B has a preset.
  const std::string row = R"({"title":")" + text +
                          R"("})"
                          "\n";
  const std::string page = R"({"ClueWeb22-ID":"c","Clean-Text":")" + text +
                           R"(","URL":"u"})"
                           "\n";
  summary = Run(row, page, [](MatchOptions* o) {
    o->input.text_field = "title";
    o->against_input.preset = FieldPreset::kClueWeb22;
  });
  EXPECT_EQ(summary.matched, 1u);
  EXPECT_EQ(Rows("pairs.jsonl")[0]["b"], "c");
  // Markup on one side only; another format.
  const std::string html = R"({"html":"<p>)" + text +
                           R"("})"
                           "\n";
  summary = Run(html, Row("b", text), [](MatchOptions* o) {
    o->input.html_field = "html";
    o->against_input.text_field = "text";
  });
  EXPECT_EQ(summary.matched, 1u);
  summary =
      Run(Row("a", text), "id,text\nb," + text + "\n",
          [](MatchOptions* o) { o->against_input.format = InputFormat::kCsv; });
  EXPECT_EQ(summary.matched, 1u);
}

TEST_F(MatchTest, NothingIsCleanWhereNothingWasCompared) {
  const std::string text = Words(1, 50), good = Row("a", text);
  const std::string other = "{\"nr\":1,\"question\":\"" + text + "\"}\n";
  const auto error = [&](const std::string& a, const std::string& b,
                         InputFormat format = InputFormat::kAuto) {
    Write(folder_ / "a.jsonl", a);
    Write(folder_ / "b.jsonl", b);
    MatchOptions options;
    options.input.inputs = {folder_ / "a.jsonl"};
    options.out = folder_ / "out";
    options.write = folder_ / "clean";
    options.overwrite = true;
    options.against = {folder_ / "b.jsonl"};
    options.against_input.format = format;
    const auto summary = Match(options);
    EXPECT_FALSE(summary);
    EXPECT_FALSE(FileExists(folder_ / "out/keep.txt"));
    EXPECT_FALSE(FileExists(folder_ / "out/summary.json"));
    EXPECT_FALSE(FileExists(folder_ / "clean/a.jsonl"));
    if (summary) return std::string();
    EXPECT_EQ(summary.error().code, ErrorCode::kCorrupt);
    return summary.error().message;
  };
  EXPECT_EQ(error(good, other + other),
            "nothing is compared: B has no document: 2 records were "
            "quarantined, the first because of no-text-field (no field "
            "\"text\"; the row has nr, question)");
  EXPECT_EQ(Rows("quarantine.jsonl").size(), 2u);
  EXPECT_EQ(error(other, good),
            "nothing is compared: A has no document: 1 record was quarantined "
            "because of no-text-field (no field \"text\"; the row has nr, "
            "question)");
  EXPECT_EQ(error(good, ""),
            "nothing is compared: B has no document: there is no record to "
            "read");
  EXPECT_NE(error(good, "nr,question\n1,x\n", InputFormat::kCsv)
                .find("no column \"text\""),
            std::string::npos);
}

TEST_F(MatchTest, AFieldThatNoDocumentOfItsSideHasIsAnError) {
  const auto error = [&](const std::function<void(MatchOptions*)>& set) {
    Write(folder_ / "a.jsonl", Row("a", Words(1, 50)));
    Write(folder_ / "b.jsonl", Row("b", Words(1, 50)));
    MatchOptions options;
    options.input.inputs = {folder_ / "a.jsonl"};
    options.out = folder_ / "out";
    options.against = {folder_ / "b.jsonl"};
    set(&options);
    const auto summary = Match(options);
    EXPECT_FALSE(summary);
    EXPECT_FALSE(FileExists(folder_ / "out"));
    return summary ? std::string() : summary.error().ToString();
  };
  EXPECT_EQ(
      error([](MatchOptions* o) { o->input.url_field = "adress"; }),
      "no document of A has the field \"adress\" of --url-field (the rows "
      "have id, text)");
  EXPECT_EQ(error([](MatchOptions* o) { o->against_input.id_field = "idd"; }),
            "no document of B has the field \"idd\" of --against-id-field (did "
            "you mean 'id'? the rows have id, text)");
}

TEST_F(MatchTest, WhatBothSidesLackIsAWarning) {
  const MatchSummary summary =
      Run(Row("a", Words(1, 50)), Row("b", Words(1, 50)),
          [](MatchOptions* o) { o->window = "date:3d"; });
  EXPECT_EQ(summary.warnings,
            (Names{"no document of A has a date, which --window compares",
                   "no document of B has a date, which --window compares"}));
  EXPECT_EQ(Json::parse(summary.json.dump())["warnings"].size(), 2u);
}

TEST_F(MatchTest, ASideWithoutDocumentsDoesNotBlockTheNextRun) {
  Write(folder_ / "a.jsonl", Row("a", Words(1, 50)));
  Write(folder_ / "b.jsonl",
        "{\"nr\":1,\"question\":\"" + Words(1, 50) + "\"}\n");
  MatchOptions options;
  options.input.inputs = {folder_ / "a.jsonl"};
  options.out = folder_ / "out";
  options.against = {folder_ / "b.jsonl"};
  EXPECT_FALSE(Match(options));
  EXPECT_TRUE(FileExists(folder_ / "out/quarantine.jsonl"));
  EXPECT_FALSE(FileExists(folder_ / "out/.work"));
  options.against_input.text_field = "question";
  const auto summary = Match(options);
  ASSERT_TRUE(summary) << summary.error().ToString();
  EXPECT_EQ(summary->matched, 1u);
}

TEST_F(MatchTest, BestIsTheMostSimilarOfB) {
  const std::string text = Words(1, 200);
  const MatchSummary summary = Run(
      Row("a", text + " one two"),
      Row("far", text + " three four five six seven") +
          Row("near", text + " one three") + Row("next", text + " one four"));
  EXPECT_EQ(summary.pairs, 3u);
  const auto best = Rows("best.jsonl");
  ASSERT_EQ(best.size(), 1u);
  EXPECT_EQ(best[0]["b"], "near");  // "next" is as similar and comes later
  const MatchSummary kept =
      Run(Row("a", text), Row("b", text),
          [](MatchOptions* o) { o->action = Action::kAnnotate; });
  EXPECT_EQ(kept.dropped, 0u);
  EXPECT_EQ(kept.matched, 1u);
}

TEST_F(MatchTest, WritesTheFirstCorpusWithoutWhatTheSecondHas) {
  Run(Row("a", Words(1, 40)) + Row("b", Words(2, 40)), Row("c", Words(1, 40)),
      [&](MatchOptions* o) { o->write = folder_ / "clean"; });
  EXPECT_EQ(Read(folder_ / "clean/a.jsonl"), Row("b", Words(2, 40)));
  EXPECT_FALSE(FileExists(folder_ / "clean/b.jsonl"));
}

// Shingles of five words, by the definition.
std::set<std::string> Shingles(const std::string& text) {
  std::vector<std::string> words;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  std::set<std::string> shingles;
  for (size_t i = 0; i + 5 <= words.size(); ++i) {
    std::string shingle;
    for (size_t j = 0; j < 5; ++j) shingle += words[i + j] + " ";
    shingles.insert(shingle);
  }
  return shingles;
}

TEST_F(MatchTest, FindsEveryContainmentHoweverLongTheSource) {
  SplitMix64 random(11);
  std::vector<std::string> suspects, sources;
  for (size_t i = 0; i < 30; ++i)
    sources.push_back(Words(100 + i, 30 + 40 * i));
  for (size_t i = 0; i < 60; ++i) {
    // Own words, and a stretch of a source.
    const std::string& source = sources[random.Below(sources.size())];
    const size_t begin = source.find(' ', random.Below(source.size() / 2)) + 1;
    suspects.push_back(Words(1000 + i, random.Below(60)) + " " +
                       source.substr(begin, 40 + random.Below(300)));
  }
  std::string a, b;
  for (size_t i = 0; i < suspects.size(); ++i)
    a += Row("a" + std::to_string(i), suspects[i]);
  for (size_t i = 0; i < sources.size(); ++i)
    b += Row("b" + std::to_string(i), sources[i]);
  std::vector<decltype(Shingles(sources[0]))> of_sources;
  for (const std::string& source : sources)
    of_sources.push_back(Shingles(source));
  for (const double threshold : {0.1, 0.5, 0.9}) {
    Run(a, b, [&](MatchOptions* o) {
      o->method.measure = Measure::kContainment;
      o->method.threshold = threshold;
    });
    std::map<std::pair<std::string, std::string>, double> found, truth;
    for (const Json& row : Rows("pairs.jsonl"))
      found[{row["a"].get<std::string>(), row["b"].get<std::string>()}] =
          row["similarity"].get<double>();
    for (size_t i = 0; i < suspects.size(); ++i) {
      const auto of_a = Shingles(suspects[i]);
      for (size_t j = 0; j < sources.size(); ++j) {
        const auto& of_b = of_sources[j];
        size_t common = 0;
        for (const auto& shingle : of_a) common += of_b.contains(shingle);
        const double c =
            static_cast<double>(common) / static_cast<double>(of_a.size());
        if (c >= threshold)
          truth[{"a" + std::to_string(i), "b" + std::to_string(j)}] = c;
      }
    }
    EXPECT_FALSE(truth.empty());
    EXPECT_EQ(found, truth) << threshold;
  }
}

// By mod-m sketches: of every shingle the complete search, of a sample pairs of
// it, with estimates as near as the law of the sample says.
TEST_F(MatchTest, ContainmentByModShingles) {
  std::string a, b;
  std::map<std::string, std::set<std::string>> shingles;
  const auto add = [&](std::string* side, const std::string& id,
                       const std::string& text) {
    *side += Row(id, text);
    shingles[id] = Shingles(text);
  };
  for (uint64_t i = 0; i < 24; ++i) {
    // A stretch of a source among own words: from nothing to all of a.
    const std::string n = std::to_string(i), source = Words(100 + i, 1500);
    const size_t words = 480 * (i % 12) / 11;
    size_t end = 0;
    for (size_t w = 0; w < words; ++w) end = source.find(' ', end + 1);
    add(&a, "a" + n,
        source.substr(0, end) + " " + Words(1000 + i, 500 - words));
    add(&b, "b" + n, source);
  }
  using Pairs = std::map<std::pair<std::string, std::string>, double>;
  int threads = 1;
  const auto found = [&](double threshold, int modulus, bool verify) {
    Run(a, b, [&](MatchOptions* o) {
      o->method.measure = Measure::kContainment;
      o->method.threshold = threshold;
      o->method.verify = verify;
      o->resources.threads = threads;
      if (modulus > 0) {
        o->method.name = "mod-m";
        o->method.modulus = modulus;
      }
    });
    Pairs pairs;
    for (const Json& row : Rows("pairs.jsonl"))
      pairs[{row["a"].get<std::string>(), row["b"].get<std::string>()}] =
          row["similarity"].get<double>();
    return pairs;
  };
  const Pairs all = found(0.4, 0, true);
  ASSERT_GT(all.size(), 10u);
  EXPECT_EQ(found(0.4, 1, true), all);
  // What is found is exact, though some of it is missed.
  const Pairs sampled = found(0.4, 10, true);
  const auto bytes = PromisedBytes(folder_ / "out");
  threads = 4;
  EXPECT_EQ(found(0.4, 10, true), sampled);
  EXPECT_EQ(PromisedBytes(folder_ / "out"), bytes);
  EXPECT_GE(sampled.size(), all.size() / 2);
  for (const auto& [pair, score] : sampled) {
    ASSERT_TRUE(all.contains(pair)) << pair.first;
    EXPECT_EQ(score, all.at(pair));
  }
  // About 50 of 500 shingles are kept of each document: the estimate is off by
  // less than four standard errors of a share of 35.
  for (const auto& [pair, estimate] : found(0.05, 10, false)) {
    const auto &of_a = shingles[pair.first], &of_b = shingles[pair.second];
    double common = 0;
    for (const std::string& shingle : of_a) common += of_b.contains(shingle);
    const double c = common / static_cast<double>(of_a.size());
    EXPECT_NEAR(estimate, c, 4 * std::sqrt(c * (1 - c) / 35) + 1e-12)
        << pair.first;
  }
}

TEST_F(MatchTest, ContainmentNeedsAMethodThatEstimatesIt) {
  MatchOptions options;
  options.input.inputs = {"a.jsonl"};
  options.against = {"b.jsonl"};
  options.out = folder_ / "refused";
  options.method.measure = Measure::kContainment;
  options.method.name = "minhash";
  Write(folder_ / "a.jsonl", Row("a", Words(1, 20)));
  options.input.inputs = options.against = {folder_ / "a.jsonl"};
  const auto refused = Match(options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  EXPECT_NE(refused.error().ToString().find("mod-m"), std::string::npos);
}

TEST_F(MatchTest, PassagesAreCharactersOfTheText) {
  const std::string copied =
      "Übung macht — wie man sagt — den großen Meister "
      "aus, und das gilt für alle Künste.";
  const std::string before = "Çok güzel. ";
  const std::string a = before + copied + " " + Words(1, 20);
  const std::string b = Words(2, 50) + " " + copied + " " + Words(3, 50);
  const MatchSummary summary =
      Run(Row("a", a), Row("b", b), [](MatchOptions* o) {
        o->method.measure = Measure::kContainment;
        o->method.threshold = 0.2;
      });
  EXPECT_EQ(summary.passages, 1u);
  const auto rows = Rows("passages.jsonl");
  ASSERT_EQ(rows.size(), 1u);
  // Characters, not bytes: up to the last word, without the full stop.
  const auto characters = [](const std::string& text) {
    return std::count_if(text.begin(), text.end(),
                         [](char c) { return (c & 0xC0) != 0x80; });
  };
  const auto begin = characters(before);
  EXPECT_EQ(rows[0]["a_begin"], begin);
  EXPECT_EQ(rows[0]["a_end"], begin + characters(copied) - 1);
  EXPECT_EQ(rows[0]["b_begin"], characters(Words(2, 50)) + 1);
  EXPECT_EQ(rows[0]["similarity"], 1);
}

TEST_F(MatchTest, SameBytesForAnyThreadsAndMemory) {
  const SyntheticCorpus corpus(5, 400);
  std::string a, b;
  for (size_t i = 0; i < corpus.texts.size(); ++i)
    (i % 2 == 0 ? a : b) += Row("d" + std::to_string(i), corpus.texts[i]);
  for (const char* measure : {"jaccard", "containment"}) {
    std::map<std::string, std::string> first;
    for (const int threads : {1, 2, 8}) {
      for (const uint64_t memory : {uint64_t{64} << 20, uint64_t{2} << 30}) {
        Run(a, b, [&](MatchOptions* o) {
          o->method.measure = *FindChoice<Measure>(measure);
          o->method.threshold = 0.5;
          o->resources.threads = threads;
          o->resources.memory_bytes = memory;
        });
        const auto bytes = PromisedBytes(folder_ / "out");
        if (first.empty()) first = bytes;
        EXPECT_EQ(bytes, first) << measure << threads << memory;
      }
    }
    EXPECT_GT(first["pairs.jsonl"].size(), 100u);
  }
}

TEST_F(MatchTest, KeepSaysWhoLeadsALargeBucket) {
  std::string sides[2];
  for (uint64_t i = 0; i < 400; ++i) {
    // One text, with a word of its own and an end cut off.
    std::string text = Words(7, 60 - i % 7);
    text.replace(text.find(' ', i % 100), 1, " " + Words(1000 + i, 1) + " ");
    sides[i % 2] += Row("d" + std::to_string(i), text);
  }
  const auto pairs = [&](const std::string& keep) {
    Run(sides[0], sides[1], [&](MatchOptions* o) {
      o->keep = {keep};
      o->method.name = "minhash";
      o->method.bucket_limit = 20;
    });
    return Lines("pairs.jsonl");
  };
  EXPECT_NE(pairs("longest"), pairs("shortest"));
}

TEST_F(MatchTest, RefusesWhatMakesNoSense) {
  Write(folder_ / "a.jsonl", Row("a", "one"));
  MatchOptions options;
  options.input.inputs = {folder_ / "a.jsonl"};
  options.out = folder_ / "out";
  EXPECT_EQ(Match(options).error().code, ErrorCode::kUsage);  // no second side
  options.against = {folder_ / "a.jsonl"};
  options.action = Action::kDropAll;
  EXPECT_EQ(Match(options).error().code, ErrorCode::kUsage);
  options.action = Action::kDrop;
  options.passage_tokens = 0;
  EXPECT_EQ(Match(options).error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace twinset::testing
