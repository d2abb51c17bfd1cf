// What stays of each value of --stats-by, against counts kept by its name.
#include "pipeline/results/value_stats.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "base/hash.h"
#include "pipeline/results/cluster_rows.h"
#include "pipeline/run/test_run.h"

namespace twinset {
namespace {

using Parsed = nlohmann::json;

struct Corpus {
  std::vector<DocumentInfo> infos;
  std::vector<ClusterRow> rows;
};

// Documents of two fields, whose values repeat; not every one is in a cluster.
Corpus RandomCorpus(SplitMix64* random, uint64_t documents, uint64_t values) {
  const std::vector<std::string> names = {"", "a", "\xC3\xA9t\xC3\xA9",
                                          "\"quoted\"\n", "0"};
  Corpus corpus;
  for (uint64_t i = 0; i < documents; ++i) {
    DocumentInfo info;
    info.id = "d" + std::to_string(i);
    info.payload_bytes = random->Below(1000);
    info.provenance.url =
        "http://host" + std::to_string(random->Below(4)) + ".example/x";
    info.fields = {names[random->Below(names.size())],
                   std::to_string(random->Below(values))};
    corpus.infos.push_back(info);
    if (random->Below(3) == 0) continue;
    const uint64_t representative = random->Below(2) == 0 ? i : 0;
    corpus.rows.push_back(
        {i, representative, 2, random->Below(2) == 0 ? 1 : .75, .5});
  }
  return corpus;
}

struct Naive {
  uint64_t first = 0;
  ValueCounts counts;
};

std::map<std::string, Naive> NaiveCounts(
    const Corpus& corpus, Action action,
    const std::function<std::string(const DocumentInfo&)>& value_of) {
  std::map<uint64_t, ClusterRow> rows;
  for (const ClusterRow& row : corpus.rows) rows[row.document] = row;
  std::map<std::string, Naive> values;
  for (uint64_t i = 0; i < corpus.infos.size(); ++i) {
    const DocumentInfo& info = corpus.infos[i];
    const auto [at, is_new] = values.try_emplace(value_of(info));
    if (is_new) at->second.first = i;
    ValueCounts& counts = at->second.counts;
    const auto row = rows.find(i);
    const bool duplicate = row != rows.end() && row->second.representative != i;
    const bool dropped =
        row != rows.end() &&
        (action == Action::kDropAll || (action == Action::kDrop && duplicate));
    ++counts.documents;
    counts.payload_bytes += info.payload_bytes;
    counts.duplicates += duplicate;
    counts.identical += duplicate && row->second.score == 1;
    counts.dropped += dropped;
    counts.dropped_bytes += dropped ? info.payload_bytes : 0;
  }
  return values;
}

// The values as the file lists them: most documents first, then as they come.
std::vector<std::pair<std::string, Naive>> InOrder(
    const std::map<std::string, Naive>& values) {
  std::vector<std::pair<std::string, Naive>> list(values.begin(), values.end());
  std::sort(list.begin(), list.end(), [](const auto& x, const auto& y) {
    const uint64_t many = x.second.counts.documents,
                   more = y.second.counts.documents;
    return many != more ? many > more : x.second.first < y.second.first;
  });
  return list;
}

std::vector<Parsed> Rows(const std::string& path) {
  const std::string text = ReadWholeFile(path).value_or("");
  std::vector<Parsed> rows;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    rows.push_back(Parsed::parse(text.substr(at, end - at)));
    at = end + 1;
  }
  return rows;
}

struct Written {
  std::vector<FieldStats> counts;
  std::vector<Parsed> rows;
  Json summary = Json::object();
};

Written WriteStats(const Corpus& corpus, Action action,
                   const std::vector<std::string>& stats_by,
                   uint64_t memory = 64 << 20) {
  TestRun run(
      corpus.infos.size(),
      [&](PlanOptions* options) {
        options->action = action;
        options->stats_by = stats_by;
      },
      [&](Plan* plan) { plan->machine.memory_bytes = memory; });
  run.WriteInfos(corpus.infos);
  run.WriteRecords("clusters.run", corpus.rows);
  Written written;
  const Status done = WriteValueStats(run.get(), &written.counts);
  EXPECT_TRUE(done) << done.error().ToString();
  written.rows = Rows(run.out() + "/stats.jsonl");
  AddValueStats(*run.get(), written.counts, &written.summary);
  return written;
}

void ExpectRow(const Parsed& row, const std::string& field,
               const std::string& value, const ValueCounts& counts) {
  EXPECT_EQ(row["field"], field);
  EXPECT_EQ(row["value"], value);
  EXPECT_EQ(row["documents"], counts.documents);
  EXPECT_EQ(row["payload_bytes"], counts.payload_bytes);
  EXPECT_EQ(row["duplicates"], counts.duplicates);
  EXPECT_EQ(row["identical"], counts.identical);
  EXPECT_EQ(row["dropped"], counts.dropped);
  EXPECT_EQ(row["kept"], counts.documents - counts.dropped);
  EXPECT_EQ(row["kept_bytes"], counts.payload_bytes - counts.dropped_bytes);
}

void ExpectStats(const Corpus& corpus, Action action, uint64_t memory) {
  const Written written =
      WriteStats(corpus, action, {"kind", "number", "host"}, memory);
  const std::vector<
      std::pair<std::string, std::function<std::string(const DocumentInfo&)>>>
      fields = {{"kind", [](const auto& info) { return info.fields[0]; }},
                {"number", [](const auto& info) { return info.fields[1]; }},
                {"host", [](const auto& info) {
                   const std::string& url = info.provenance.url;
                   return url.substr(7, url.size() - 9);
                 }}};
  ASSERT_EQ(written.counts.size(), fields.size());
  size_t at = 0;
  for (size_t f = 0; f < fields.size(); ++f) {
    const auto expected =
        InOrder(NaiveCounts(corpus, action, fields[f].second));
    EXPECT_EQ(written.counts[f].values, expected.size());
    ValueCounts others;
    for (size_t i = 0; i < expected.size(); ++i) {
      const auto& [value, naive] = expected[i];
      ASSERT_LT(at, written.rows.size());
      ExpectRow(written.rows[at++], fields[f].first, value, naive.counts);
      if (i >= 100) others.Add(naive.counts);
    }
    EXPECT_EQ(written.counts[f].largest.size(),
              std::min<size_t>(expected.size(), 100));
    EXPECT_EQ(written.counts[f].others.documents, others.documents);
    EXPECT_EQ(written.counts[f].others.payload_bytes, others.payload_bytes);
    EXPECT_EQ(written.counts[f].others.dropped_bytes, others.dropped_bytes);
  }
  EXPECT_EQ(at, written.rows.size());
}

TEST(ValueStats, EqualCountsByName) {
  SplitMix64 random(1);
  for (const Action action :
       {Action::kDrop, Action::kDropAll, Action::kReport}) {
    for (const uint64_t documents : {0u, 1u, 300u})
      ExpectStats(RandomCorpus(&random, documents, 140), action, 64 << 20);
  }
}

// More values than the small table holds, in little memory.
TEST(ValueStats, ManyValuesInLittleMemoryAreTheSame) {
  SplitMix64 random(2);
  ExpectStats(RandomCorpus(&random, 6000, 5500), Action::kDrop, 1 << 20);
}

TEST(ValueStats, OfTheSummaryAreTheLargestAndTheSumOfTheOthers) {
  SplitMix64 random(3);
  const Corpus corpus = RandomCorpus(&random, 400, 300);
  const Written written = WriteStats(corpus, Action::kDrop, {"kind", "number"});
  const Json& fields = written.summary["stats_by"];
  ASSERT_EQ(fields.size(), 2u);
  EXPECT_FALSE(fields[0].contains("others"));
  for (size_t f = 0; f < 2; ++f) {
    uint64_t documents = 0, bytes = 0, values = 0;
    const auto add = [&](const Json& row) {
      documents += row["documents"].get<uint64_t>();
      bytes += row["payload_bytes"].get<uint64_t>();
      EXPECT_EQ(row["kept"].get<uint64_t>() + row["dropped"].get<uint64_t>(),
                row["documents"].get<uint64_t>());
    };
    for (const Json& row : fields[f]["largest"]) {
      add(row);
      ++values;
    }
    if (fields[f].contains("others")) {
      add(fields[f]["others"]);
      values += fields[f]["others"]["values"].get<uint64_t>();
    }
    EXPECT_EQ(documents, 400u);
    EXPECT_EQ(values, fields[f]["values"].get<uint64_t>());
    uint64_t all = 0;
    for (const DocumentInfo& info : corpus.infos) all += info.payload_bytes;
    EXPECT_EQ(bytes, all);
  }
  EXPECT_EQ(fields[1]["largest"].size(), 100u);
}

// The file has a long value whole; the summary only its beginning, and no
// broken character at its end.
TEST(ValueStats, LongValuesAreShortenedInTheSummaryOnly) {
  Corpus corpus;
  std::string value;
  for (int i = 0; i < 400; ++i) value += "\xE6\x9D\xB1";
  for (const char* end : {"1", "2"}) {
    DocumentInfo info;
    info.fields = {value + end};
    corpus.infos.push_back(info);
  }
  const Written written = WriteStats(corpus, Action::kDrop, {"kind"});
  ASSERT_EQ(written.rows.size(), 2u);  // they differ behind the bound
  EXPECT_EQ(written.rows[0]["value"], value + "1");
  EXPECT_EQ(written.rows[1]["value"], value + "2");
  const std::string& shown = written.counts[0].largest[0].value;
  EXPECT_LT(shown.size(), 300u);
  EXPECT_NO_THROW(Parsed(shown).dump());
}

TEST(ValueStats, WithoutFieldsThereIsNoFileAndNoEntry) {
  SplitMix64 random(4);
  const Written written =
      WriteStats(RandomCorpus(&random, 10, 3), Action::kDrop, {});
  EXPECT_TRUE(written.counts.empty());
  EXPECT_TRUE(written.rows.empty());
  EXPECT_FALSE(written.summary.contains("stats_by"));
}

// The same field twice is counted twice, and does not mix with itself.
TEST(ValueStats, FieldsWithEqualValuesAreKeptApart) {
  Corpus corpus;
  for (int i = 0; i < 3; ++i) {
    DocumentInfo info;
    info.fields = {"same", "same"};
    corpus.infos.push_back(info);
  }
  const Written written = WriteStats(corpus, Action::kDrop, {"x", "y"});
  ASSERT_EQ(written.rows.size(), 2u);
  EXPECT_EQ(written.rows[0]["documents"], 3);
  EXPECT_EQ(written.rows[1]["documents"], 3);
  EXPECT_EQ(written.rows[1]["field"], "y");
}

}  // namespace
}  // namespace twinset
