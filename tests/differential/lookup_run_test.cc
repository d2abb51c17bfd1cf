// A match of few documents goes through lookup.blob of a saved run: its answers
// are those of a match that reads the inputs.
#include <functional>
#include <utility>

#include "support/dedup_fixture.h"
#include "support/rows_of_everything.h"

namespace twinset::testing {
namespace {

using SetOptions = std::function<void(DedupOptions*)>;

class LookupRunTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Write(folder_ / "a.jsonl", RowsOfEverything(7, 120));
    Write(folder_ / "b.jsonl", RowsOfEverything(7, 90));  // much is in a
  }

  DedupOptions Options(const std::vector<std::string>& inputs,
                       const std::string& out, const SetOptions& set) {
    DedupOptions options;
    for (const std::string& input : inputs)
      options.input.inputs.push_back(folder_ / input);
    options.out = folder_ / out;
    options.method.threshold = 0.5;
    options.overwrite = true;
    set(&options);
    return options;
  }

  static MatchOptions Matching(const DedupOptions& options) {
    MatchOptions match;
    CopyParts<RunOptions, ComparisonOptions, CorpusOptions, PriorityOptions>(
        options, &match);
    match.keep = {"longest"};
    return match;
  }

  TemporaryFolder folder_;
};

TEST_F(LookupRunTest, FewDocumentsAreLookedUp) {
  const auto rows = ReadLines(folder_ / "b.jsonl");
  for (const char* method : {"complete", "minhash", "simhash"}) {
    SCOPED_TRACE(method);
    const SetOptions set = [=](auto* o) { o->method.name = method; };
    DedupOptions first = Options({"a.jsonl"}, "first", set);
    first.save = folder_ / "saved";
    MustDedup(first);
    const std::string manifest = Read(folder_ / "saved/saved-run.json");
    ASSERT_NE(manifest.find("lookup.blob"), std::string::npos);
    uint64_t pairs = 0, looked_up = 0;
    for (size_t i = 0; i < rows.size(); i += 7) {
      Write(folder_ / "one.jsonl", rows[i] + "\n");
      for (const double threshold : {0.5, 0.9}) {
        MatchOptions match = Matching(Options({"one.jsonl"}, "read", set));
        match.method.threshold = threshold;
        match.against = {folder_ / "a.jsonl"};
        MustMatch(match);
        match.out = folder_ / "asked";
        match.against = {folder_ / "saved"};
        const MatchSummary asked = MustMatch(match);
        EXPECT_EQ(PromisedBytes(folder_ / "asked"),
                  PromisedBytes(folder_ / "read"));
        pairs += asked.pairs;
        looked_up += TakenBy(asked) <= 120 / 8 + 1;
      }
    }
    EXPECT_GT(pairs, 1u);
    EXPECT_GT(looked_up, 8u);
  }
}

// Bytes in the middle of what a pass would read are damaged.
TEST_F(LookupRunTest, ALookUpReadsNoOtherDocuments) {
  std::string rows;
  const SyntheticCorpus corpus(3, 600, 200);
  for (size_t i = 0; i < corpus.texts.size(); ++i) {
    const Json row = {{"id", std::to_string(i)}, {"text", corpus.texts[i]}};
    rows += row.dump() + "\n";
  }
  Write(folder_ / "all.jsonl", rows);
  Write(folder_ / "one.jsonl", rows.substr(0, rows.find('\n') + 1));
  const std::pair<const char*, const char*> read[] = {
      {"complete", "features.blob"}, {"minhash", "views.blob"}};
  for (const auto& [method, file] : read) {
    SCOPED_TRACE(method);
    const SetOptions set = [method = method](auto* o) {
      o->method.name = method;
    };
    DedupOptions first = Options({"all.jsonl"}, "first", set);
    first.save = folder_ / "saved";
    MustDedup(first);
    std::string bytes = Read(folder_ / ("saved/" + std::string(file)));
    // SavedRun::Open looks at 64 KB at either end.
    ASSERT_GT(bytes.size(), 3u << 16);
    bytes[bytes.size() / 2] ^= 1;
    Write(folder_ / ("saved/" + std::string(file)), bytes);
    MatchOptions match = Matching(Options({"one.jsonl"}, "asked", set));
    match.against = {folder_ / "saved"};
    EXPECT_GT(MustMatch(match).pairs, 0u);
    match.input.inputs = {folder_ / "all.jsonl"};
    EXPECT_FALSE(Match(match));
  }
}

}  // namespace
}  // namespace twinset::testing
