// Rows of pairs in result files: every pair in its order, under the final ids,
// in any memory.
#include "pipeline/pairs/pair_file.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/hash.h"
#include "pipeline/run/test_run.h"

namespace twinset {
namespace {

using Parsed = nlohmann::json;

std::vector<std::string> RandomIds(SplitMix64* random, size_t documents) {
  const std::vector<std::string> parts = {"\xC3\xA9", "\"", "a,b", "\\", " "};
  std::vector<std::string> ids;
  for (size_t i = 0; i < documents; ++i) {
    ids.push_back(parts[random->Below(parts.size())] + std::to_string(i) +
                  std::string(random->Below(300), 'x'));
  }
  return ids;
}

std::string WritePairs(TestRun* run, const std::vector<std::string>& ids,
                       const std::vector<VerifiedPair>& pairs,
                       const std::string& ending) {
  run->WriteBlobs("ids.blob", ids);
  const auto reader = OpenBlob(*run->get(), "ids.blob");
  EXPECT_TRUE(reader);
  const Status written = WritePairFile(
      run->get(), *reader, "pairs", nullptr, /*says_contained=*/true,
      [&](const ListedPairSink& row) -> Status {
        for (const VerifiedPair& pair : pairs)
          TWINSET_TRY(row(pair, pair.score / 2));
        return {};
      });
  EXPECT_TRUE(written) << written.error().ToString();
  return ReadWholeFile(run->out() + "/pairs" + ending).value_or("");
}

void ExpectRows(const std::string& text, const std::vector<std::string>& ids,
                const std::vector<VerifiedPair>& pairs) {
  size_t at = 0;
  for (const VerifiedPair& pair : pairs) {
    const size_t end = text.find('\n', at);
    ASSERT_NE(end, text.npos);
    const Parsed row = Parsed::parse(text.substr(at, end - at));
    EXPECT_EQ(row["a"], ids[pair.a]);
    EXPECT_EQ(row["b"], ids[pair.b]);
    EXPECT_EQ(row["similarity"].get<double>(), pair.score);
    EXPECT_EQ(row["contained"].get<double>(), pair.score / 2);
    EXPECT_EQ(row.size(), 4u);
    at = end + 1;
  }
  EXPECT_EQ(at, text.size());
}

TEST(PairFile, HasEveryPairInOrderInAnyMemory) {
  SplitMix64 random(1);
  const auto ids = RandomIds(&random, 500);
  std::vector<VerifiedPair> pairs;
  for (int i = 0; i < 3000; ++i) {
    pairs.push_back({random.Below(500), random.Below(500),
                     static_cast<double>(random.Next() >> 11) * 0x1p-53});
  }
  for (const uint64_t memory : {uint64_t{1} << 18, uint64_t{64} << 20}) {
    TestRun run(500, {},
                [&](Plan* plan) { plan->machine.memory_bytes = memory; });
    ExpectRows(WritePairs(&run, ids, pairs, ".jsonl"), ids, pairs);
  }
}

TEST(PairFile, OfNoPairsIsEmptyOrAHeader) {
  TestRun lines(1), table(1, [](auto*options) {
    options->output_format = OutputFormat::kCsv;
  });
  EXPECT_EQ(WritePairs(&lines, {"a"}, {}, ".jsonl"), "");
  EXPECT_TRUE(FileExists(lines.out() + "/pairs.jsonl"));
  EXPECT_EQ(WritePairs(&table, {"a"}, {}, ".csv"),
            "a,b,similarity,contained\n");
}

TEST(PairFile, EstimatesAndCutDocumentsAreMarked) {
  TestRun run(
      3,
      [](auto* options) {
        options->method.name = "minhash";
        options->method.verify = false;
      },
      [](Plan* plan) { plan->inputs.read.keep_truncated = true; });
  std::vector<DocumentInfo> infos(3);
  infos[1].truncated = true;
  run.WriteInfos(infos);
  const std::string text =
      WritePairs(&run, {"x", "y", "z"}, {{0, 1, .5}, {1, 2, 1}}, ".jsonl");
  EXPECT_EQ(text,
            "{\"a\":\"x\",\"b\":\"y\",\"similarity\":0.5,\"estimated\":true,"
            "\"a_truncated\":false,\"b_truncated\":true}\n"
            "{\"a\":\"y\",\"b\":\"z\",\"similarity\":1,\"estimated\":true,"
            "\"a_truncated\":true,\"b_truncated\":false}\n");
}

}  // namespace
}  // namespace twinset
