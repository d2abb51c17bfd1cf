#include "pipeline/pairs/pair_file.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
#include "pipeline/run/test_run.h"

namespace twinset {
namespace {

using Change = std::function<void(PlanOptions*)>;

// The rows of a file of these pairs; document i is called "i" and a quote.
std::string Written(TestRun* run, const std::string& file,
                    const std::vector<VerifiedPair>& pairs,
                    uint64_t documents) {
  std::vector<std::string> ids;
  for (uint64_t i = 0; i < documents; ++i)
    ids.push_back(std::to_string(i) + '"');
  run->WriteBlobs("ids.blob", ids);
  auto reader = OpenBlob(*run->get(), "ids.blob");
  EXPECT_TRUE(reader);
  const Status status = WritePairFile(run->get(), *reader, "some", nullptr,
                                      [&](const auto& add) -> Status {
                                        for (const VerifiedPair& pair : pairs)
                                          TWINSET_TRY(add(pair));
                                        return {};
                                      });
  EXPECT_TRUE(status) << status.error().ToString();
  return *ReadWholeFile(run->out() + "/" + file);
}

TEST(PairFile, HasARowForEachPairInItsOrder) {
  TestRun none(0);
  EXPECT_EQ(Written(&none, "some.jsonl", {}, 0), "");
  TestRun run(3);
  EXPECT_EQ(Written(&run, "some.jsonl", {{1, 2, .5}, {0, 1, 1}}, 3),
            "{\"a\":\"1\\\"\",\"b\":\"2\\\"\",\"similarity\":0.5}\n"
            "{\"a\":\"0\\\"\",\"b\":\"1\\\"\",\"similarity\":1}\n");
}

TEST(PairFile, SaysWhatIsEstimatedAndWhatIsCutOff) {
  TestRun run(
      2,
      [](auto* o) {
        o->method.name = "minhash";
        o->method.verify = false;
        o->output_format = OutputFormat::kCsv;
      },
      [](Plan* plan) { plan->inputs.read.keep_truncated = true; });
  std::vector<DocumentInfo> infos(2);
  infos[1].truncated = true;
  run.WriteInfos(infos);
  EXPECT_EQ(Written(&run, "some.csv", {{0, 1, .75}}, 2),
            "a,b,similarity,estimated,a_truncated,b_truncated\n"
            "\"0\"\"\",\"1\"\"\",0.75,true,false,true\n");
}

// However little memory and however many threads: the same bytes.
TEST(PairFile, DoesNotDependOnTheMachine) {
  SplitMix64 random(1);
  constexpr uint64_t kDocuments = 300;
  std::vector<VerifiedPair> pairs;
  for (int i = 0; i < 2000; ++i)
    pairs.push_back({random.Below(kDocuments), random.Below(kDocuments),
                     static_cast<double>(random.Below(1000)) / 1000});
  TestRun large(kDocuments);
  const std::string rows = Written(&large, "some.jsonl", pairs, kDocuments);
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 2000);
  for (const int threads : {1, 3}) {
    TestRun small(
        kDocuments, [&](auto* o) { o->resources.threads = threads; },
        [](Plan* plan) { plan->machine.memory_bytes = 1 << 16; });
    EXPECT_EQ(Written(&small, "some.jsonl", pairs, kDocuments), rows);
  }
}

TEST(PairFile, AnErrorOfThePairsLeavesNoFile) {
  TestRun run(1);
  run.WriteBlobs("ids.blob", {"a"});
  const auto ids = OpenBlob(*run.get(), "ids.blob");
  ASSERT_TRUE(ids);
  const Status status = WritePairFile(
      run.get(), *ids, "some", nullptr, [](const auto&) -> Status {
        return Fail(ErrorCode::kInterrupted, "stopped");
      });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kInterrupted);
  EXPECT_FALSE(FileExists(run.out() + "/some.jsonl"));
}

}  // namespace
}  // namespace twinset
