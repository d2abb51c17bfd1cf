// The stages put together by hand against a run of one machine.
#include "twinset/stages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <span>
#include <tuple>

#include "base/test_dir.h"
#include "twinset/collection.h"

namespace twinset {
namespace {

constexpr SecretBytes kKey = {1, 2, 3};

// Families of near-copies, equal texts, empty ones, and one text with a word
// that changes: a bucket of them is hot.
std::vector<std::string> Texts(uint64_t seed, size_t count) {
  std::mt19937_64 random(seed);
  const auto words = [&](size_t number) {
    std::string text;
    for (; number > 0; --number)
      text += "word" + std::to_string(random() % 5000) + " ";
    return text;
  };
  const std::string hub = words(80);
  std::vector<std::string> texts;
  while (texts.size() < count) {
    const uint64_t kind = random() % 10;
    if (kind < 3) {
      texts.push_back(hub + words(random() % 6));
    } else if (kind < 6 && texts.size() > 3) {
      texts.push_back(texts[random() % texts.size()] + words(random() % 2));
    } else {
      texts.push_back(kind == 6 ? "" : words(random() % 60));
    }
  }
  return texts;
}

CollectionOptions RunOptionsOf(const MethodOptions& method) {
  CollectionOptions options;
  options.method = method;
  options.keep = {"first"};
  options.pairs = ListedPairs::kAll;
  options.resources.key_bytes = kKey;
  return options;
}

// A whole run of the stages, in the order of an engine that sorts.
struct ByStages {
  explicit ByStages(const MethodOptions& method,
                    const std::vector<std::string>& texts) {
    StageOptions options;
    options.method = method;
    options.key = kKey;
    stages = *Stages::Make(options);
    for (const std::string& text : texts) {
      Document document;
      document.payload = text;
      documents.push_back(*stages->Take(std::move(document)));
    }
  }

  void FindCopies() {
    std::vector<std::tuple<std::array<uint64_t, 2>, uint64_t>> rows;
    for (uint64_t rank = 0; rank < documents.size(); ++rank)
      if (documents[rank].size > 0)
        rows.emplace_back(documents[rank].digest, rank);
    std::sort(rows.begin(), rows.end());
    StagedClasses classes;
    for (const auto& [digest, rank] : rows) {
      const auto leader = classes.Add(digest, rank, documents[rank].features);
      if (leader) copies[rank] = *leader;
    }
  }

  void Join() {
    std::vector<std::tuple<uint64_t, uint64_t, uint64_t>> postings;
    for (uint64_t rank = 0; rank < documents.size(); ++rank)
      if (!copies.contains(rank))
        for (const uint64_t key : documents[rank].keys)
          postings.emplace_back(key, rank, documents[rank].size);
    std::sort(postings.begin(), postings.end());
    const auto pairs = [&](uint64_t a, uint64_t b) -> Status {
      candidates.emplace(a, b);
      return {};
    };
    std::vector<StagedPosting> hot;
    KeyJoin join(
        *stages, pairs,
        [&](const StagedPosting& posting) -> Status {
          hot.push_back(posting);
          return {};
        },
        first_side);
    for (const auto& [key, rank, size] : postings)
      ASSERT_TRUE(join.Add({key, rank, size}));
    ASSERT_TRUE(join.Finish());
    HotJoin hot_join(*stages, pairs, first_side);
    for (const StagedPosting& one : hot)
      ASSERT_TRUE(hot_join.Add(one, documents[one.rank].features));
    ASSERT_TRUE(hot_join.Finish());
    counts = hot_join.counts();
  }

  void Decide() {
    std::vector<StagedPair> edges;
    for (const auto& [a, b] : candidates) {
      const auto pair =
          stages->Verify(a, documents[a].features, b, documents[b].features);
      if (*pair) edges.push_back(**pair);
    }
    verified = edges;
    std::sort(edges.begin(), edges.end(), [](const auto& x, const auto& y) {
      return std::tie(x.b, x.a) < std::tie(y.b, y.a);
    });
    auto cover = *StagedCover::Make(documents.size());
    const auto sink = [&](const StagedMember& member) -> Status {
      members.push_back(member);
      return {};
    };
    for (const StagedPair& edge : edges) ASSERT_TRUE(cover.Add(edge, sink));
    ASSERT_TRUE(cover.Finish(sink));
  }

  uint64_t first_side = 0;
  std::optional<Stages> stages;
  std::vector<StagedDocument> documents;
  std::map<uint64_t, uint64_t> copies;  // to the first of the class
  std::set<std::pair<uint64_t, uint64_t>> candidates;
  std::vector<StagedPair> verified;
  std::vector<StagedMember> members;
  HotJoin::Counts counts;
};

class StagesOfMethod : public testing::TestWithParam<const char*> {};

TEST_P(StagesOfMethod, AreTheRunOfOneMachine) {
  MethodOptions method;
  method.name = GetParam();
  for (const uint64_t limit : {4096, 40}) {
    method.bucket_limit = limit;
    const auto texts = Texts(limit, 600);
    ByStages staged(method, texts);
    staged.FindCopies();
    staged.Join();
    staged.Decide();
    const auto source = FromTexts(texts);
    const auto run = Dedup(*source, RunOptionsOf(method));
    ASSERT_TRUE(run) << run.error().message;

    EXPECT_EQ(staged.counts.buckets > 0, limit == 40);
    const Json& hot = run->summary.json["hot_buckets"];
    EXPECT_EQ(hot["count"].get<uint64_t>(), staged.counts.buckets);
    EXPECT_EQ(hot["members"].get<uint64_t>(), staged.counts.members);
    EXPECT_EQ(hot["pairs_compared"].get<uint64_t>(),
              staged.counts.pairs_compared);

    // The run has more pairs: those of copies.
    std::vector<std::tuple<uint64_t, uint64_t, double>> expected, found;
    for (const Pair& pair : run->pairs)
      if (!staged.copies.contains(pair.a) && !staged.copies.contains(pair.b))
        expected.emplace_back(pair.a, pair.b, pair.similarity);
    for (const StagedPair& pair : staged.verified)
      found.emplace_back(pair.a, pair.b, pair.similarity);
    EXPECT_GT(found.size(), 100);
    EXPECT_EQ(found, expected);

    std::map<uint64_t, std::tuple<uint64_t, double, double>> of_run, of_stages;
    for (const ClusterMember& member : run->members)
      if (member.document != member.representative &&
          !staged.copies.contains(member.document))
        of_run[member.document] = {member.representative, member.similarity,
                                   member.contained};
    for (const StagedMember& member : staged.members)
      of_stages[member.document] = {member.representative, member.similarity,
                                    member.contained};
    EXPECT_GT(of_run.size(), 50);
    EXPECT_EQ(of_stages, of_run);
    size_t empty = 0;
    for (const StagedDocument& document : staged.documents)
      empty += document.size == 0;
    EXPECT_EQ(empty, run->summary.empty);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, StagesOfMethod,
                         testing::Values("minhash", "fss"));

TEST(Stages, MatchTwoSides) {
  MethodOptions method;
  method.name = "minhash";
  for (const uint64_t limit : {4096, 40}) {
    method.bucket_limit = limit;
    auto texts = Texts(7, 600);
    for (const size_t end : {0, 199, 200, 599})
      texts[end] = "what stands at both ends of the one side and of the other";
    ByStages staged(method, texts);
    staged.first_side = 200;
    staged.Join();
    staged.Decide();
    const std::span<const std::string> all(texts);
    CollectionMatchOptions options;
    options.method = method;
    options.keep = {"first"};
    options.resources.key_bytes = kKey;
    const auto run = Match(*FromTexts(all.first(200)),
                           *FromTexts(all.subspan(200)), options);
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_EQ(staged.counts.buckets > 0, limit == 40);
    // Equal documents in hot buckets are the engine's to find.
    std::vector<std::pair<uint64_t, uint64_t>> expected, found;
    for (const Pair& pair : run->pairs)
      if (limit == 4096 || staged.candidates.contains({pair.a, 200 + pair.b}))
        expected.emplace_back(pair.a, 200 + pair.b);
    for (const StagedPair& pair : staged.verified)
      found.emplace_back(pair.a, pair.b);
    EXPECT_GT(found.size(), 100);
    EXPECT_EQ(found, expected);
  }
}

TEST(Stages, ALongerTextIsRejected) {
  StageOptions options;
  options.key = kKey;
  options.method.name = "minhash";
  options.max_document_bytes = 8;
  const Stages stages = *Stages::Make(options);
  Document document;
  document.payload = "12345678";
  EXPECT_EQ(stages.Take(document)->rejected, "");
  document.payload += "9";
  EXPECT_EQ(stages.Take(document)->rejected, "too-large");
}

class StagedFiles : public testing::Test {
 protected:
  StagedFiles() {
    StageOptions options;
    options.key = kKey;
    options.method.name = "minhash";
    stages_ = *Stages::Make(options);
    input_.inputs = {folder_ / ""};
    Write("b.jsonl",
          "{\"id\":\"x\",\"text\":\"a b c d e f\"}\n{\"id\"\n"
          "{\"text\":\"\",\"url\":\"http://u/\",\"date\":\"2020\"}\n");
    Write("a.txt", "words of a text that is a file");
  }
  void Write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
  }

  const TestDir folder_;
  std::optional<Stages> stages_;
  InputOptions input_;
};

TEST_F(StagedFiles, GiveTheRecordsOfARun) {
  const auto files = *ListStagedFiles(input_);
  ASSERT_EQ(files.size(), 2);
  std::vector<std::tuple<std::string, uint64_t, std::string, bool>> found;
  std::string quarantine, detail;
  for (const StagedFile& file : files) {
    auto reader = *StagedReader::Open(file, input_);
    StagedRecord record;
    while (*reader.Next(&record)) {
      StagedDocument made;
      if (record.rejected.empty())
        made = *stages_->Take(std::move(record.document));
      found.emplace_back(record.id, record.ordinal, record.rejected,
                         made.size > 0);
      EXPECT_EQ(record.url,
                made.size == 0 && record.ordinal == 2 ? "http://u/" : "");
      EXPECT_FALSE(record.is_skipped);
      EXPECT_EQ(record.read_id,
                record.url.empty() && record.rejected.empty() ? record.id : "");
      if (record.rejected.empty()) continue;
      detail = record.detail;
      RejectedRecord rejected;
      rejected.source = file.source;
      rejected.stage = "read";
      rejected.ordinal = record.ordinal;
      rejected.offset = record.offset;
      rejected.reason = record.rejected;
      rejected.detail = record.detail;
      quarantine += QuarantineLine(rejected, record.original_id, true);
    }
  }
  const std::string base = files[1].source;
  const std::vector<std::tuple<std::string, uint64_t, std::string, bool>>
      expected = {{files[0].relative, 0, "", true},
                  {"x", 0, "", true},
                  {base + ":1", 1, "bad-json", false},
                  {base + ":2", 2, "", false}};
  EXPECT_EQ(found, expected);
  EXPECT_EQ(quarantine,
            R"({"source":")" + base +
                R"(","offset":32,"ordinal":1,"id":"","stage":"read",)"
                R"("reason":"bad-json","detail":")" +
                detail + "\"}\n");
}

TEST_F(StagedFiles, AreWhatWasListed) {
  auto files = *ListStagedFiles(input_);
  Write("a.txt", "other words, and more of them than there were before");
  const auto opened = StagedReader::Open(files[0], input_);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kIo);
  EXPECT_TRUE(StagedReader::Open(files[1], input_));
  input_.inputs = {"-"};
  EXPECT_EQ(ListStagedFiles(input_).error().code, ErrorCode::kUnsupported);
}

TEST(Stages, RefuseWhatNeedsAllDocuments) {
  const auto refused = [](const std::function<void(StageOptions*)>& change) {
    StageOptions options;
    options.key = kKey;
    change(&options);
    const auto made = Stages::Make(options);
    return made ? std::string() : made.error().message;
  };
  EXPECT_EQ(refused([](StageOptions*) {}), "");
  EXPECT_EQ(refused([](StageOptions* o) { o->method.name = "complete"; }),
            "method complete chooses what it looks for by all documents "
            "together, and a stage never has them all");
  EXPECT_NE(refused([](StageOptions* o) { o->method.name = "simhash"; }), "");
  EXPECT_NE(refused([](StageOptions* o) { o->method.verify = false; }), "");
  EXPECT_NE(refused([](StageOptions* o) { o->max_df = 3; }), "");
  EXPECT_NE(refused([](StageOptions* o) { o->key = {}; }), "");
}

TEST(Stages, RejectDocumentsThatARunRejects) {
  StageOptions options;
  options.key = kKey;
  options.max_document_bytes = 10;
  const auto stages = Stages::Make(options);
  Document large, none;
  large.payload = "more than ten bytes";
  none.has_text = false;
  EXPECT_EQ(stages->Take(large)->rejected, "too-large");
  EXPECT_EQ(stages->Take(none)->rejected, "no-text-field");
}

TEST(StagedClasses, CompareTheFeatures) {
  StagedClasses classes;
  EXPECT_EQ(classes.Add({1, 1}, 0, "a"), std::nullopt);
  EXPECT_EQ(classes.Add({1, 1}, 1, "b"), std::nullopt);  // a collision
  EXPECT_EQ(classes.Add({1, 1}, 2, "b"), 1);
  EXPECT_EQ(classes.Add({1, 1}, 3, "a"), 0);
  EXPECT_EQ(classes.Add({1, 2}, 4, "a"), std::nullopt);
}

TEST(Stages, KeysAreGivenOrDrawn) {
  ResourceOptions resources;
  resources.key_bytes = kKey;
  EXPECT_EQ(*StageKey(resources), kKey);
  EXPECT_NE(*StageKey({}), *StageKey({}));
}

}  // namespace
}  // namespace twinset
