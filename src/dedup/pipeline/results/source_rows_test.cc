// What stays of each source, against the counts themselves.
#include "pipeline/results/source_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/file.h"
#include "base/hash.h"
#include "pipeline/run/test_run.h"

namespace twinset {
namespace {

std::function<void(Plan*)> WithFiles(size_t count, size_t first_side = 0) {
  return [=](Plan* plan) {
    plan->inputs.files = {};
    for (size_t i = 0; i < count; ++i) {
      const std::string name = "in-" + std::to_string(i);
      plan->inputs.files.Add(name, "", name);
    }
    plan->inputs.first_side = first_side;
  };
}

std::vector<uint64_t> RandomCounts(SplitMix64* random, size_t count,
                                   uint64_t bound) {
  std::vector<uint64_t> counts(count);
  for (uint64_t& n : counts) n = random->Below(bound);
  return counts;
}

uint64_t Sum(const Json& rows, const char* name) {
  uint64_t sum = 0;
  for (const Json& row : rows) sum += row[name].get<uint64_t>();
  return sum;
}

TEST(SourceRows, ASummaryNamesThoseThatLoseMost) {
  SplitMix64 random(1);
  for (const size_t sources : {size_t{1}, size_t{99}, kMostNamedSources,
                               kMostNamedSources + 1, size_t{300}}) {
    TestRun run(0, {}, WithFiles(sources));
    for (const uint64_t bound : {1, 4, 1000}) {  // few values: many are equal
      auto& result = run.get()->counts.result;
      result.kept_by_source = RandomCounts(&random, sources, 50);
      auto lost = RandomCounts(&random, sources, bound);
      result.dropped_by_source = lost;
      Json summary;
      AddSourceRows(*run.get(), &summary);
      const Json rows = summary["sources"], others = summary["other_sources"];
      ASSERT_EQ(rows.size(), std::min(sources, kMostNamedSources));
      EXPECT_EQ(others.is_object(), sources > rows.size());
      // In input order, and nobody who is left out loses more.
      std::vector<bool> named(sources);
      uint64_t least = ~uint64_t{0}, most_left_out = 0;
      size_t next = 0;
      for (const Json& row : rows) {
        const auto number =
            std::stoul(row["source"].get<std::string>().substr(3));
        EXPECT_GE(number, next);
        next = number + 1;
        named[number] = true;
        EXPECT_EQ(row["dropped"].get<uint64_t>(), lost[number]);
        EXPECT_EQ(row["kept"].get<uint64_t>(), result.kept_by_source[number]);
        least = std::min(least, lost[number]);
      }
      for (size_t i = 0; i < sources; ++i)
        if (!named[i]) most_left_out = std::max(most_left_out, lost[i]);
      EXPECT_LE(most_left_out, least);
      // Nothing is lost of the sums.
      for (const auto& [name, counts] :
           {std::pair{"kept", &result.kept_by_source}, {"dropped", &lost}}) {
        EXPECT_EQ(Sum(rows, name) + others[name].get<uint64_t>(),
                  std::accumulate(counts->begin(), counts->end(), uint64_t{0}));
      }
    }
  }
}

TEST(SourceRows, TheFileHasEverySource) {
  TestRun run(0, {}, WithFiles(3));
  run.get()->counts.result.kept_by_source = {1, 2, 3};
  run.get()->counts.result.dropped_by_source = {4, 5, 6};
  ASSERT_TRUE(WriteSourceRows(*run.get()));
  EXPECT_EQ(*ReadWholeFile(run.out() + "/sources.jsonl"),
            "{\"source\":\"in-0\",\"kept\":1,\"dropped\":4}\n"
            "{\"source\":\"in-1\",\"kept\":2,\"dropped\":5}\n"
            "{\"source\":\"in-2\",\"kept\":3,\"dropped\":6}\n");
}

TEST(SourceRows, OfAMatchHaveTheirSide) {
  TestRun run(0, {}, WithFiles(2, 1));
  run.get()->counts.match_result.kept_by_source = {1, 2};
  run.get()->counts.match_result.dropped_by_source = {3, 0};
  ASSERT_TRUE(WriteSourceRows(*run.get()));
  EXPECT_EQ(*ReadWholeFile(run.out() + "/sources.jsonl"),
            "{\"source\":\"in-0\",\"side\":\"a\",\"kept\":1,\"dropped\":3}\n"
            "{\"source\":\"in-1\",\"side\":\"b\",\"kept\":2,\"dropped\":0}\n");
}

TEST(SourceRows, OfUnitsCountTokens) {
  TestRun run(
      0, [](auto* o) { o->cuts_units = true; }, WithFiles(1));
  ASSERT_EQ(run.get()->plan.features.form, FeatureForm::kUnits);
  run.get()->counts.read.source_documents = {2};
  run.get()->counts.unit_result.tokens_by_source = {30};
  run.get()->counts.unit_result.tokens_cut_by_source = {7};
  Json summary;
  AddSourceRows(*run.get(), &summary);
  EXPECT_EQ(summary["sources"].dump(),
            "[{\"source\":\"in-0\",\"documents\":2,\"tokens\":30,"
            "\"tokens_cut\":7}]");
}

}  // namespace
}  // namespace twinset
