// Single texts asked of a saved run, against a match of the same texts.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/test_dir.h"
#include "twinset/dedup.h"
#include "twinset/json.h"
#include "twinset/saved_run.h"

namespace twinset {
namespace {

std::vector<std::string> Texts(uint64_t seed, size_t count) {
  std::mt19937_64 random(seed);
  std::vector<std::string> texts;
  for (size_t i = 0; i < count; ++i) {
    std::string text;
    for (int word = 0; word < 40; ++word)
      text += "word" +
              std::to_string(i / 4 * 100 + random() % 3 +
                             static_cast<uint64_t>(word) * 3) +
              " ";
    texts.push_back(i % 2 == 0 || texts.empty() ? text
                                                : texts.back() + "and more");
  }
  return texts;
}

class SavedCollectionTest : public ::testing::Test {
 protected:
  std::string Write(const std::string& name,
                    const std::vector<std::string>& texts) {
    std::string rows;
    for (size_t i = 0; i < texts.size(); ++i)
      rows +=
          Json{{"id", name + std::to_string(i)}, {"text", texts[i]}}.dump() +
          "\n";
    const std::string path = dir_.path() + "/" + name + ".jsonl";
    EXPECT_TRUE(WriteWholeFile(path, rows));
    return path;
  }
  void Save(const std::string& method, const std::vector<std::string>& texts,
            Measure measure = Measure::kJaccard, double threshold = 0.8) {
    DedupOptions options;
    options.method.threshold = threshold;
    options.method.name = method;
    options.method.measure = measure;
    options.input.inputs = {Write("stored", texts)};
    options.out = dir_.path() + "/out-" + method;
    options.save = Folder(method);
    options.overwrite = true;
    options.resources.memory_bytes = 256 << 20;
    const auto done = Dedup(options);
    ASSERT_TRUE(done) << done.error().ToString();
  }
  // The stored ids with their similarity, by the id that is asked for.
  using Found = std::map<std::string, std::map<std::string, double>>;
  Found Matched(const std::string& method,
                const std::vector<std::string>& asked,
                Measure measure = Measure::kJaccard, double threshold = 0.8) {
    MatchOptions match;
    match.method.threshold = threshold;
    match.method.name = method;
    match.method.measure = measure;
    match.input.inputs = {Write("asked", asked)};
    match.against = {Folder(method)};
    match.out = dir_.path() + "/match-" + method;
    match.overwrite = true;
    match.resources.memory_bytes = 256 << 20;
    const auto matched = Match(match);
    EXPECT_TRUE(matched) << matched.error().ToString();
    Found found;
    const std::string rows =
        *ReadWholeFile(match.out + "/pairs.jsonl", 1 << 26);
    for (size_t at = 0; at < rows.size();) {
      const size_t end = rows.find('\n', at);
      const Json row = Json::Parse(std::string_view(rows).substr(at, end - at));
      found[row["a"].get<std::string>()][row["b"].get<std::string>()] =
          row["similarity"].get<double>();
      at = end + 1;
    }
    return found;
  }
  std::string Folder(const std::string& method) const {
    return dir_.path() + "/saved-" + method;
  }
  const TestDir dir_;
};

TEST_F(SavedCollectionTest, ABatchIsAnsweredAsAMatchAnswersIt) {
  const auto stored = Texts(1, 200);
  auto asked = Texts(1, 80);
  const auto others = Texts(2, 20);
  asked.insert(asked.end(), others.begin(), others.end());
  asked.push_back("");
  std::vector<uint8_t> mask(asked.size() / 8 + 1, 0xFF);
  mask[0] = 0xFB;  // text 2 is null
  for (const char* method : {"complete", "minhash", "simhash"}) {
    SCOPED_TRACE(method);
    Save(method, stored);
    Found expected = Matched(method, asked);
    EXPECT_GT(expected.size(), 40u);
    for (const int threads : {1, 3}) {
      SavedCollectionOptions options;
      options.threads = threads;
      options.memory_bytes = 256 << 20;
      uint64_t told = 0;
      options.on_progress = [&](const Progress&) { ++told; };
      const auto collection = SavedCollection::Open(Folder(method), options);
      ASSERT_TRUE(collection) << collection.error().ToString();
      EXPECT_GT(told, 0u);
      const auto found = collection->Find(TextBatch(asked, {mask, 0}));
      ASSERT_TRUE(found) << found.error().ToString();
      ASSERT_EQ(found->size(), asked.size());
      for (size_t i = 0; i < asked.size(); ++i) {
        if (i == 2) {
          EXPECT_TRUE((*found)[i].empty());
          continue;
        }
        EXPECT_EQ((*found)[i], *collection->Find(asked[i]));
        std::map<std::string, double> own;
        for (const FoundDocument& one : (*found)[i])
          own[one.id] = one.similarity;
        EXPECT_EQ(own, expected["asked" + std::to_string(i)]) << i;
      }
    }
  }
}

// Texts of ten paragraphs, of which some are in most texts and some in few. The
// second half of them are those of the first with a word or two replaced.
std::vector<std::string> Composed(uint64_t seed, size_t count) {
  constexpr uint64_t kParagraphs = 40, kWords = 20;
  std::mt19937_64 random(seed);
  std::vector<std::vector<uint64_t>> texts(count);
  for (size_t i = 0; i < count; ++i) {
    if (i >= count / 2) {
      texts[i] = texts[i - count / 2];
      for (uint64_t edits = 1 + random() % 2; edits > 0; --edits)
        texts[i][random() % texts[i].size()] = random();
      continue;
    }
    for (int paragraph = 0; paragraph < 10; ++paragraph) {
      const uint64_t first = random() % kParagraphs;
      const uint64_t second = random() % (first + 1);
      const uint64_t chosen = random() % (second + 1);
      for (uint64_t word = 0; word < kWords; ++word)
        texts[i].push_back(chosen * kWords + word);
    }
  }
  std::vector<std::string> written;
  for (const auto& text : texts) {
    std::string& words = written.emplace_back();
    for (const uint64_t word : text) words += "w" + std::to_string(word) + " ";
  }
  return written;
}

// By rarity the first shingles of a text are others than by hash.
TEST_F(SavedCollectionTest, CompleteFindsAllWhateverMostDocumentsShare) {
  const auto all = Composed(4, 200);
  const std::vector<std::string> stored(all.begin(), all.begin() + 100),
      asked(all.begin() + 100, all.end());
  for (const Measure measure :
       {Measure::kJaccard, Measure::kDice, Measure::kCosine, Measure::kS3,
        Measure::kEdit, Measure::kCosineTf}) {
    SCOPED_TRACE(ChoiceName(measure));
    Save("complete", stored, measure, 0.9);
    Found expected = Matched("complete", asked, measure, 0.9);
    EXPECT_GT(expected.size(), 60u);
    for (const int threads : {1, 3}) {
      SavedCollectionOptions options;
      options.threads = threads;
      options.memory_bytes = 256 << 20;
      const auto collection =
          SavedCollection::Open(Folder("complete"), options);
      ASSERT_TRUE(collection) << collection.error().ToString();
      for (size_t i = 0; i < asked.size(); ++i) {
        const auto found = collection->Find(asked[i]);
        ASSERT_TRUE(found) << found.error().ToString();
        std::map<std::string, double> own;
        for (const FoundDocument& one : *found) own[one.id] = one.similarity;
        EXPECT_EQ(own, expected["asked" + std::to_string(i)]) << i;
      }
    }
  }
}

TEST_F(SavedCollectionTest, StopEndsOpenAndBatches) {
  const auto stored = Texts(3, 300);
  Save("minhash", stored);
  std::atomic<bool> stop = true;
  SavedCollectionOptions options;
  options.memory_bytes = 256 << 20;
  options.stop = &stop;
  const auto stopped = SavedCollection::Open(Folder("minhash"), options);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kInterrupted);
  stop = false;
  const auto collection = SavedCollection::Open(Folder("minhash"), options);
  ASSERT_TRUE(collection);
  EXPECT_EQ(collection->Find(TextBatch(stored))->size(), stored.size());
  stop = true;
  const auto found = collection->Find(TextBatch(stored));
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::kInterrupted);
  EXPECT_TRUE(collection->Find(stored[0]));  // a single text is not long
  const std::vector<uint64_t> wrong = {5, 3};
  EXPECT_EQ(collection->Find(TextBatch("abcdef", wrong)).error().code,
            ErrorCode::kUsage);
}

}  // namespace
}  // namespace twinset
