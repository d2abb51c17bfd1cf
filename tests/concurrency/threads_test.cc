// Small runs with many threads: what ThreadSanitizer looks at in CI.
#include <atomic>
#include <thread>

#include "sketch/simd_target.h"
#include "support/dedup_fixture.h"
#include "twinset/evaluate.h"
#include "twinset/methods.h"

namespace twinset::testing {
namespace {

std::map<std::string, std::string> RunWith(
    int threads, const std::string& input, const std::string& out,
    const std::function<void(DedupOptions*)>& set) {
  DedupOptions options = OptionsFor(input, out);
  options.resources.threads = threads;
  set(&options);
  MustDedup(options);
  return PromisedBytes(out);
}

TEST(ThreadsTest, ManyThreadsGiveTheBytesOfOne) {
  TemporaryFolder folder;
  Write(folder / "in.jsonl", SyntheticCorpus(31, 400).Jsonl() + "{broken\n");
  const auto same = [&](const std::string& name,
                        const std::function<void(DedupOptions*)>& set) {
    const auto one =
        RunWith(1, folder / "in.jsonl", folder / (name + "-1"), set);
    EXPECT_EQ(RunWith(4, folder / "in.jsonl", folder / (name + "-4"), set), one)
        << name;
  };
  same("star", [](DedupOptions*) {});
  same("components",
       [](DedupOptions* o) { o->cluster = ClusterRule::kComponents; });
  same("exact", [](DedupOptions* o) { o->method.name = "exact"; });
  same("hot", [](DedupOptions* o) {
    o->method.name = "minhash", o->method.bucket_limit = 3;
  });
  same("max-df", [](DedupOptions* o) { o->max_df = 50; });
}

// The kernel target is of the process: who asks for one works on it, or is told
// that another run works on another.
TEST(ThreadsTest, RunsAtOnceWorkOnTheTargetTheyAskFor) {
  TemporaryFolder folder;
  Write(folder / "in.jsonl", SyntheticCorpus(33, 200).Jsonl());
  const std::vector<std::string> targets = SimdTargets();
  const auto target_of = [](const DedupSummary& summary) {
    return Json::parse(summary.json.dump())["run"]["simd"].get<std::string>();
  };
  std::atomic<int> done = 0, refused = 0;
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 3; ++i) {
        DedupOptions options = OptionsFor(
            folder / "in.jsonl",
            folder / ("out-" + std::to_string(t) + "-" + std::to_string(i)));
        options.resources.simd = targets[t % targets.size()];
        const auto summary = Dedup(options);
        if (summary) {
          ++done;
          EXPECT_EQ(target_of(*summary), options.resources.simd);
        } else {
          ++refused;
          EXPECT_EQ(summary.error().code, ErrorCode::kUsage);
          EXPECT_NE(summary.error().message.find("kernel target"),
                    std::string::npos);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(done, 0);
  EXPECT_EQ(done + refused, 18);
  // Nothing stays, and a run that asks for none changes nothing.
  EXPECT_EQ(
      target_of(MustDedup(OptionsFor(folder / "in.jsonl", folder / "best"))),
      targets.front());
  const auto hold = SimdTargetHold::Take("scalar");
  ASSERT_TRUE(hold);
  EXPECT_EQ(
      target_of(MustDedup(OptionsFor(folder / "in.jsonl", folder / "scalar"))),
      "scalar");
  EXPECT_EQ(CurrentSimdTarget(), "scalar");
}

TEST(ThreadsTest, EvaluateLeavesTheMemoryOfItsHostAlone) {
  TemporaryFolder folder;
  Write(folder / "in.jsonl", SyntheticCorpus(34, 50).Jsonl());
  const auto peak = [] {
    const std::string status = Read("/proc/self/status");
    return std::stoull(status.substr(status.find("VmHWM:") + 6));
  };
  {
    std::vector<char> large(100 << 20, 1);
    ASSERT_NE(large[large.size() / 2], 0);
  }
  const auto before = peak();
  EvaluateOptions options;
  options.input.inputs = {folder / "in.jsonl"};
  options.out = folder / "out";
  options.methods.push_back({"minhash", {}, {}});
  const auto summary = Evaluate(options);
  ASSERT_TRUE(summary) << summary.error().ToString();
  EXPECT_GE(peak(), before);
  EXPECT_EQ(summary->rows[0].peak_bytes, 0u);
}

TEST(ThreadsTest, PagesGoThroughTheParserInParallel) {
  TemporaryFolder folder;
  std::filesystem::create_directories(folder / "site");
  const SyntheticCorpus corpus(32, 60);
  for (size_t i = 0; i < corpus.texts.size(); ++i) {
    Write(folder / ("site/" + std::to_string(i) + ".html"),
          "<html><body><p>" + corpus.texts[i] + " \xC3\xA4</p></body></html>");
  }
  const auto one =
      RunWith(1, folder / "site", folder / "one", [](DedupOptions*) {});
  EXPECT_EQ(RunWith(4, folder / "site", folder / "four", [](DedupOptions*) {}),
            one);
}

}  // namespace
}  // namespace twinset::testing
