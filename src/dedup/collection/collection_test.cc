// Documents of a program against the same documents in files.
#include "twinset/collection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "base/file.h"
#include "base/test_dir.h"
#include "twinset/dedup.h"
#include "twinset/json.h"

namespace twinset {
namespace {

// Texts of few words, many of them alike or equal, some empty.
std::vector<std::string> Texts(uint64_t seed, size_t count) {
  std::mt19937_64 random(seed);
  std::vector<std::string> texts;
  while (texts.size() < count) {
    if (texts.size() > 3 && random() % 2 == 0) {
      std::string copy = texts[random() % texts.size()];
      if (random() % 2 == 0) copy += " word" + std::to_string(random() % 50);
      texts.push_back(std::move(copy));
      continue;
    }
    std::string text;
    for (uint64_t i = random() % 60; i > 0; --i)
      text += "word" + std::to_string(random() % 200) + " ";
    texts.push_back(std::move(text));
  }
  return texts;
}

std::string WriteRows(const std::string& path,
                      const std::vector<std::string>& texts) {
  std::ofstream file(path);
  for (size_t i = 0; i < texts.size(); ++i) {
    Json row;
    row["id"] = std::to_string(i);
    row["text"] = texts[i];
    file << row.dump() << "\n";
  }
  return path;
}

std::vector<Json> Rows(const std::string& path) {
  std::vector<Json> rows;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    rows.push_back(Json::Parse(line));
  return rows;
}

uint64_t Number(const Json& json, const char* key) {
  return std::stoull(json[key].get<std::string>());
}

std::vector<Pair> PairsOf(const std::string& path) {
  std::vector<Pair> pairs;
  for (const Json& row : Rows(path))
    pairs.push_back(
        {Number(row, "a"), Number(row, "b"), row["similarity"].get<double>()});
  return pairs;
}

std::vector<uint64_t> NumbersOf(const std::string& path) {
  std::vector<uint64_t> numbers;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    numbers.push_back(std::stoull(line));
  return numbers;
}

std::vector<ClusterMember> MembersOf(const std::string& path) {
  std::map<uint64_t, std::vector<ClusterMember>> clusters;
  for (const Json& row : Rows(path)) {
    const uint64_t kept = Number(row, "cluster"), own = Number(row, "id");
    auto& members = clusters[kept];
    const ClusterMember member{kept, own, row["similarity"].get<double>(),
                               row["contained"].get<double>()};
    own == kept ? (void)members.insert(members.begin(), member)
                : members.push_back(member);
  }
  std::vector<ClusterMember> all;
  for (const auto& [kept, members] : clusters)
    all.insert(all.end(), members.begin(), members.end());
  return all;
}

// The files of a run over the texts hold what the callbacks got.
void ExpectAsFromFiles(const std::vector<std::string>& texts,
                       const CollectionOptions& options, bool on_disk) {
  const TestDir dir;
  DedupOptions files;
  static_cast<ClusterOptions&>(files) = options;
  files.method = options.method;
  files.features = options.features;
  files.max_df = options.max_df;
  files.resources.memory_bytes = 256 << 20;
  files.input.inputs = {WriteRows(dir.path() + "/in.jsonl", texts)};
  files.out = dir.path() + "/out";
  const auto expected = Dedup(files);
  ASSERT_TRUE(expected.has_value()) << expected.error().ToString();
  const auto found = Dedup(*FromTexts(texts), options);
  ASSERT_TRUE(found.has_value()) << found.error().ToString();
  EXPECT_EQ(found->summary.on_disk, on_disk);
  EXPECT_EQ(found->pairs, PairsOf(files.out + "/pairs.jsonl"));
  EXPECT_EQ(found->members, MembersOf(files.out + "/clusters.jsonl"));
  EXPECT_EQ(found->kept, NumbersOf(files.out + "/keep.txt"));
  EXPECT_EQ(found->dropped, NumbersOf(files.out + "/drop.txt"));
  EXPECT_EQ(found->summary.documents, expected->documents);
  EXPECT_EQ(found->summary.pairs, expected->pairs);
  EXPECT_EQ(found->summary.clusters, expected->clusters);
  EXPECT_EQ(found->summary.dropped, expected->dropped);
  EXPECT_EQ(found->summary.empty, expected->empty);
  EXPECT_GT(found->pairs.size(), 10u);
}

CollectionOptions InMemory(uint64_t bytes = 512 << 20) {
  CollectionOptions options;
  options.resources.memory_bytes = bytes;
  return options;
}

TEST(Collection, FindsWhatARunOverFilesFinds) {
  const auto texts = Texts(1, TWINSET_SLOW_BUILD ? 150 : 400);
  for (const char* name :
       {"", "minhash", "exact", "simhash", "i-match", "super-shingle"}) {
    SCOPED_TRACE(name);
    CollectionOptions options = InMemory();
    options.method.name = name;
    ExpectAsFromFiles(texts, options, false);
  }
  for (const char* cluster : {"star", "components"}) {
    for (const char* action : {"drop", "drop-all", "report"}) {
      CollectionOptions options = InMemory();
      options.cluster = *FindChoice<ClusterRule>(cluster);
      options.action = *FindChoice<Action>(action);
      options.keep = {"shortest"};
      options.method.threshold = 0.5;
      ExpectAsFromFiles(texts, options, false);
    }
  }
  CollectionOptions options = InMemory();
  options.pairs = ListedPairs::kStar;
  options.max_df = 20;
  ExpectAsFromFiles(texts, options, false);
}

TEST(Collection, TheSameOnDisk) {
  // 64 MB has no room for work files beside the run.
  ExpectAsFromFiles(Texts(2, 400), InMemory(64 << 20), true);
}

// More than is held at first: the run begins anew on disk, or goes on from what
// was held.
TEST(Collection, GrowsFromMemoryToDisk) {
  auto texts = Texts(3, 60);
  for (std::string& text : texts) {
    std::string all;
    while (all.size() < 700'000) all += text + "and so on ";
    text = all;
  }
  const auto small = Dedup(*FromTexts(texts), InMemory(192 << 20));
  const auto large = Dedup(*FromTexts(texts), InMemory(2048ull << 20));
  ASSERT_TRUE(small.has_value()) << small.error().ToString();
  ASSERT_TRUE(large.has_value()) << large.error().ToString();
  EXPECT_TRUE(small->summary.on_disk);
  EXPECT_FALSE(large->summary.on_disk);
  EXPECT_EQ(small->pairs, large->pairs);
  EXPECT_EQ(small->members, large->members);
  EXPECT_EQ(small->kept, large->kept);
  EXPECT_GT(large->pairs.size(), 5u);
}

TEST(Collection, MatchIsThatOfFiles) {
  const auto texts = Texts(4, 400);
  const std::vector<std::string> a(texts.begin(), texts.begin() + 150),
      b(texts.begin() + 150, texts.end());
  std::set<size_t> dropped;  // how many were, by measure and --max-loss
  for (const auto& [measure, max_loss] :
       std::vector<std::pair<Measure, double>>{{Measure::kJaccard, 1},
                                               {Measure::kJaccard, .03},
                                               {Measure::kJaccard, 0},
                                               {Measure::kContainment, 1}}) {
    SCOPED_TRACE(std::string(ChoiceName(measure)) + " " +
                 std::to_string(max_loss));
    const TestDir dir;
    MatchOptions files;
    files.method.measure = measure;
    files.max_loss = max_loss;
    files.input.inputs = {WriteRows(dir.path() + "/a.jsonl", a)};
    files.against = {WriteRows(dir.path() + "/b.jsonl", b)};
    files.out = dir.path() + "/out";
    files.resources.memory_bytes = 256 << 20;
    const auto expected = Match(files);
    ASSERT_TRUE(expected.has_value()) << expected.error().ToString();
    CollectionMatchOptions options;
    options.resources = InMemory().resources;
    options.method.measure = measure;
    options.max_loss = max_loss;
    const auto found = Match(*FromTexts(a), *FromTexts(b), options);
    ASSERT_TRUE(found.has_value()) << found.error().ToString();
    EXPECT_EQ(found->pairs, PairsOf(files.out + "/pairs.jsonl"));
    EXPECT_EQ(found->kept, NumbersOf(files.out + "/keep.txt"));
    EXPECT_EQ(found->dropped, NumbersOf(files.out + "/drop.txt"));
    EXPECT_GT(found->pairs.size(), 10u);
    dropped.insert(found->dropped.size());
  }
  EXPECT_EQ(dropped.size(), 4u);
  CollectionMatchOptions options;
  options.max_loss = .1;
  options.method.name = "minhash";
  options.method.verify = false;
  const auto refused = Match(*FromTexts(a), *FromTexts(b), options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
}

TEST(Collection, ABatchIsItsTexts) {
  const auto texts = Texts(5, 100);
  std::string bytes;
  std::vector<uint64_t> offsets = {0};
  for (const std::string& text : texts) {
    bytes += text;
    offsets.push_back(bytes.size());
  }
  auto source = FromBatch(TextBatch(bytes, offsets));
  ASSERT_TRUE(source.has_value());
  const auto found = Dedup(**source, InMemory());
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->pairs, Dedup(*FromTexts(texts), InMemory())->pairs);
  offsets.back() = bytes.size() + 1;
  EXPECT_FALSE(FromBatch(TextBatch(bytes, offsets)).has_value());
  offsets.back() = 0;
  EXPECT_FALSE(FromBatch(TextBatch(bytes, offsets)).has_value());
  const auto nothing = FromBatch(TextBatch());
  ASSERT_TRUE(nothing.has_value());
  const auto of_nothing = Dedup(**nothing, InMemory());
  ASSERT_TRUE(of_nothing.has_value()) << of_nothing.error().ToString();
  EXPECT_EQ(of_nothing->summary.documents, 0u);
}

// Names of random bytes, rejected documents between others, fields in any
// order.
TEST(Collection, DocumentsAreKnownByTheirNumbers) {
  std::mt19937 random(6);
  const std::string text = "one two three four five six seven eight nine ten";
  int i = 0;
  const auto source = FromFunction([&](Document* document) -> Result<bool> {
    if (i == 60) return false;
    for (int k = 0; k < 9; ++k)
      document->id += static_cast<char>(random() % 256);
    document->provenance.url = document->id;
    document->fields = {{"other", "x"}, {"score", std::to_string(i % 7)}};
    document->payload = i % 3 == 0   ? std::string(300, 'x')
                        : i % 3 == 1 ? text
                                     : text + " " + std::to_string(i);
    ++i;
    return true;
  });
  CollectionOptions options = InMemory();
  options.max_document_bytes = 200;
  options.keep = {"max:score"};
  options.method.threshold = 0.5;
  const auto found = Dedup(*source, options);
  ASSERT_TRUE(found.has_value()) << found.error().ToString();
  EXPECT_EQ(found->rejected.size(), 20u);
  for (size_t k = 0; k < found->rejected.size(); ++k) {
    EXPECT_EQ(found->rejected[k].document, 3 * k);
    EXPECT_EQ(found->rejected[k].reason, "too-large");
  }
  // All others are a cluster around the first with the highest score.
  ASSERT_EQ(found->members.size(), 40u);
  EXPECT_EQ(found->kept, std::vector<uint64_t>{13});
  for (const ClusterMember& member : found->members) {
    EXPECT_EQ(member.representative, 13u);
    EXPECT_NE(member.document % 3, 0u);
  }
}

// One document larger than the memory is rejected like any that is too large,
// and the run stays within its memory.
TEST(Collection, ADocumentLargerThanTheMemoryIsRejected) {
  const auto texts = Texts(10, 30);
  size_t i = 0;
  const auto source = FromFunction([&](Document* document) -> Result<bool> {
    if (i > texts.size()) return false;
    if (i == 0) {
      document->payload.assign(size_t{200} << 20, 'x');
    } else {
      document->payload = texts[i - 1];
    }
    ++i;
    return true;
  });
  const auto found = Dedup(*source, InMemory(192 << 20));
  ASSERT_TRUE(found.has_value()) << found.error().ToString();
  EXPECT_TRUE(found->summary.on_disk);
  ASSERT_EQ(found->rejected.size(), 1u);
  EXPECT_EQ(found->rejected[0].document, 0u);
  auto expected = Dedup(*FromTexts(texts), InMemory())->pairs;
  for (Pair& pair : expected) ++pair.a, ++pair.b;
  EXPECT_EQ(found->pairs, expected);
}

TEST(Collection, ASecretOfBytesIsToldNowhere) {
  const TestDir dir;
  const auto texts = Texts(12, 100);
  DedupOptions options;
  options.input.inputs = {WriteRows(dir.path() + "/in.jsonl", texts)};
  options.out = dir.path() + "/out";
  options.save = dir.path() + "/saved";
  options.report = true;
  options.resources.memory_bytes = 256 << 20;
  const std::string bytes = "\x01sixteen bytes\xFE\xDC";
  options.resources.key_bytes.emplace();
  ASSERT_EQ(bytes.size(), options.resources.key_bytes->size());
  std::copy(bytes.begin(), bytes.end(), options.resources.key_bytes->begin());
  const std::string digits = "017369787465656e206279746573fedc";
  const auto done = Dedup(options);
  ASSERT_TRUE(done) << done.error().ToString();
  size_t files = 0, keys = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(dir.path())) {
    if (!entry.is_regular_file()) continue;
    ++files;
    const std::string text = *ReadWholeFile(entry.path(), 1 << 26);
    EXPECT_EQ(text.find(bytes), text.npos) << entry.path();
    if (entry.path().filename() != "verify.key") {
      EXPECT_EQ(text.find(digits), text.npos) << entry.path();
    } else {
      EXPECT_TRUE(text.starts_with(digits));
      ++keys;
    }
  }
  EXPECT_GT(files, 10u);
  EXPECT_EQ(keys, 1u);
  CollectionOptions in_memory = InMemory();
  in_memory.resources.key_bytes = options.resources.key_bytes;
  EXPECT_EQ(Dedup(*FromTexts(texts), in_memory)->pairs.size(), done->pairs);
  in_memory.resources.key_bytes.emplace();
  EXPECT_EQ(Dedup(*FromTexts(texts), in_memory).error().code,
            ErrorCode::kUsage);
}

TEST(Collection, ErrorsOfTheCallerEndTheRun) {
  const auto texts = Texts(7, 50);
  for (const size_t after : {0, 20}) {
    size_t i = 0;
    const auto source = FromFunction([&](Document* document) -> Result<bool> {
      if (i == after) return Fail(ErrorCode::kIo, "the queue is gone");
      document->payload = texts[i++];
      return true;
    });
    const auto found = Dedup(*source, InMemory());
    ASSERT_FALSE(found.has_value());
    EXPECT_EQ(found.error().message, "the queue is gone");
    i = 0;
    const auto on_disk = Dedup(*source, InMemory(64 << 20));
    ASSERT_FALSE(on_disk.has_value());
    EXPECT_EQ(on_disk.error().message, "the queue is gone");
  }
  struct Refuses : Sink {
    Status OnPair(const Pair&) override {
      ++calls;
      return Fail(ErrorCode::kMemory, "the table is full");
    }
    int calls = 0;
  } sink;
  const auto found = Dedup(*FromTexts(texts), InMemory(), sink);
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().message, "the table is full");
  EXPECT_EQ(sink.calls, 1);  // results are not given twice
  std::atomic<bool> stop{true};
  CollectionOptions options = InMemory();
  options.stop = &stop;
  const auto stopped = Dedup(*FromTexts(texts), options);
  ASSERT_FALSE(stopped.has_value());
  EXPECT_EQ(stopped.error().code, ErrorCode::kInterrupted);
}

TEST(Collection, ReadsFilesAndPrograms) {
  const TestDir dir;
  const auto texts = Texts(8, 100);
  const std::string path = WriteRows(dir.path() + "/in.jsonl", texts);
  const auto expected = Dedup(*FromTexts(texts), InMemory());
  InputOptions input;
  input.inputs = {path};
  auto files = FromFiles(input);
  ASSERT_TRUE(files.has_value());
  EXPECT_EQ(Dedup(**files, InMemory())->pairs, expected->pairs);
  auto program = FromProgram({"cat", path});
  ASSERT_TRUE(program.has_value()) << program.error().ToString();
  const auto found = Dedup(**program, InMemory());
  ASSERT_TRUE(found.has_value()) << found.error().ToString();
  EXPECT_EQ(found->pairs, expected->pairs);

  auto failing = FromProgram({"sh", "-c", "cat '" + path + "'; exit 3"});
  ASSERT_TRUE(failing.has_value());
  const auto failed = Dedup(**failing, InMemory());
  ASSERT_FALSE(failed.has_value());
  EXPECT_NE(failed.error().message.find("exit status 3"), std::string::npos);
  EXPECT_FALSE(FromProgram({}).has_value());
  EXPECT_FALSE(FromProgram({"no-such-program-of-twinset"}).has_value());
  // One that would never end is ended with its source.
  auto endless = FromProgram({"sh", "-c", "while :; do sleep 1; done"});
  ASSERT_TRUE(endless.has_value());
}

// A source gives a null where a row of a file has no text.
TEST(Collection, ADocumentWithoutATextIsRejectedAsInAFile) {
  int next = 0;
  const auto source = FromFunction([&](Document* document) -> Result<bool> {
    document->payload = "one two three four five six";
    document->has_text = next % 2 == 0;
    return next++ < 4;
  });
  const auto found = Dedup(*source, InMemory());
  ASSERT_TRUE(found.has_value()) << found.error().ToString();
  ASSERT_EQ(found->rejected.size(), 2u);
  EXPECT_EQ(found->rejected[0].document, 1u);
  EXPECT_EQ(found->rejected[1].document, 3u);
  EXPECT_EQ(found->rejected[0].reason, "no-text-field");
  ASSERT_EQ(found->pairs.size(), 1u);
  EXPECT_EQ(found->pairs[0], (Pair{0, 2, 1.0}));
  const Json json = SummaryJson(found->summary);
  EXPECT_EQ(json["records"]["quarantine_reasons"]["no-text-field"], Json(2));
  EXPECT_EQ(json["documents"]["kept"], Json(1));
  EXPECT_EQ(json["expected_recall"]["complete"], Json(true));
  EXPECT_EQ(json["parameters"]["threshold"], Json(0.8));
}

TEST(Collection, FieldsAreThoseThatTheOptionsRead) {
  CollectionOptions options;
  EXPECT_EQ(FieldsOf(options).value(), std::vector<std::string>());
  options.keep = {"max:score", "newest"};
  options.within = "field:site";
  options.across = "host";
  EXPECT_EQ(FieldsOf(options).value(),
            (std::vector<std::string>{"score", "site"}));
  options.keep = {"best"};
  EXPECT_EQ(FieldsOf(options).error().code, ErrorCode::kUsage);
}

TEST(Collection, RunsDoNotMeet) {
  const auto texts = Texts(9, 200);
  const auto expected = Dedup(*FromTexts(texts), InMemory());
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      CollectionOptions options = InMemory(256 << 20);
      options.resources.threads = 2;
      const auto found = Dedup(*FromTexts(texts), options);
      ASSERT_TRUE(found.has_value()) << found.error().ToString();
      EXPECT_EQ(found->pairs, expected->pairs);
      EXPECT_EQ(found->members, expected->members);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace twinset
