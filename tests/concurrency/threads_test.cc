// Small runs with many threads: what ThreadSanitizer looks at in CI.
#include "support/dedup_fixture.h"

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
  same("components", [](DedupOptions* o) { o->cluster = "components"; });
  same("exact", [](DedupOptions* o) { o->method.name = "exact"; });
  same("hot", [](DedupOptions* o) { o->method.bucket_limit = 3; });
  same("max-df", [](DedupOptions* o) { o->max_df = 50; });
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
