#include "twinset/corpora/leak_stages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
#include "base/test_dir.h"

namespace twinset {
namespace {

constexpr SecretBytes kKey = {1, 2, 3};

Document DocumentOf(const std::string& text, const std::string& id = "") {
  Document document;
  document.payload = text;
  document.id = id;
  return document;
}

struct Text {
  std::string id, text;
};

// Items and documents of few words, so that much stands in much: parts of
// documents with words that differ, short ones, equal ones, empty ones.
struct Corpus {
  explicit Corpus(uint64_t seed) : random(seed) {
    for (int i = 0; i < 40; ++i) {
      std::string text = Words(random.Below(90));
      if (i % 5 == 1) text = documents.back().text + Words(random.Below(30));
      if (i % 7 == 2) text = documents[random.Below(documents.size())].text;
      documents.push_back({"d" + std::to_string(i), text});
    }
    for (int i = 0; i < 40; ++i) items.push_back({Id(i), ItemText(i)});
  }

  std::string Words(uint64_t count) {
    std::string words;
    for (uint64_t i = 0; i < count; ++i) {
      words += "w" + std::to_string(random.Below(40));
      words += random.Below(9) == 0 ? ".\u00a0" : " ";
    }
    return words;
  }
  std::string Id(int i) { return i % 6 == 5 ? "i0" : "i" + std::to_string(i); }
  std::string ItemText(int i) {
    if (i % 8 == 0) return Words(random.Below(5));
    if (i % 8 == 1) return i == 1 ? "" : "w1 W2";
    const std::string& from = documents[random.Below(documents.size())].text;
    const size_t begin = from.find(' ', random.Below(from.size() + 1));
    if (begin == from.npos) return from;
    const std::string part = from.substr(begin, 20 + random.Below(200)) + " ";
    return part + Words(random.Below(3));
  }

  SplitMix64 random;
  std::vector<Text> documents, items;
};

class LeakStages : public ::testing::Test {
 protected:
  void Write(const std::string& name, const std::vector<Text>& texts) {
    std::string rows;
    for (const Text& text : texts)
      rows += Json({{"id", text.id}, {"text", text.text}}).dump() + "\n";
    ASSERT_TRUE(WriteWholeFile(dir_ / name, rows));
  }

  // The files of a run over both, and the same put together here.
  void Check(const Corpus& corpus, double threshold) {
    Write("train.jsonl", corpus.documents);
    Write("test.jsonl", corpus.items);
    LeakOptions options;
    options.input.inputs = {dir_ / "train.jsonl"};
    options.test = {dir_ / "test.jsonl"};
    options.threshold = threshold;
    options.features.shingle = "word:3";
    options.out = dir_ / "out";
    options.overwrite = true;
    const auto run = FindLeaks(options);
    ASSERT_TRUE(run) << run.error().ToString();
    auto items = *LeakItems::Make(options);
    ASSERT_TRUE(items.Read());
    Together(corpus, options, &items);
    const LeakItems::Files files = items.Finish();
    EXPECT_EQ(files.leaks, *ReadWholeFile(options.out + "/leaks.jsonl"));
    EXPECT_EQ(files.clean, *ReadWholeFile(options.out + "/clean.txt"));
    EXPECT_EQ(files.splits, *ReadWholeFile(options.out + "/splits.csv"));
    EXPECT_EQ(rows_, *ReadWholeFile(options.out + "/documents.jsonl"));
    for (const Leak& leak : files.result.leaks) ++kinds_[leak.kind];
  }

  // By definition: all holdings of all documents, and of each item the best.
  void Together(const Corpus& corpus, const LeakOptions& options,
                LeakItems* items) {
    std::vector<std::string_view> texts;
    for (uint64_t i = 0; i < items->size(); ++i)
      texts.push_back(items->text(i));
    const LeakLook look = *LeakLook::Make(options, kKey, texts);
    std::vector<LeakLooked> looked;
    std::vector<bool> is_long(items->size());
    for (const Text& text : corpus.documents) {
      looked.push_back(*look.Look(DocumentOf(text.text, text.id)));
      for (const LeakHolding& held : looked.back().holdings)
        if (held.kind != LeakKind::kShortEmbedded) is_long[held.item] = true;
    }
    std::map<uint64_t, LeakBest> best;
    rows_.clear();
    for (uint64_t d = 0; d < looked.size(); ++d) {
      for (const LeakHolding& held : looked[d].holdings) {
        const bool is_short = held.kind == LeakKind::kShortEmbedded;
        if (is_short && is_long[held.item]) continue;
        const std::string& name = corpus.documents[d].id;
        rows_ += LeakDocumentLine(items->id(held.item), items->split(held.item),
                                  held.kind, name, held.similarity);
        LeakBest& of = best[held.item];
        ++of.documents;
        if (of.documents > 1 && held.similarity <= of.holding.similarity)
          continue;
        of.item = held.item;
        of.document = name;
        of.holding = held;
      }
    }
    for (auto& [item, found] : best) items->Found(std::move(found));
  }

  TestDir dir_;
  std::string rows_;
  std::map<LeakKind, int> kinds_;
};

TEST_F(LeakStages, GiveTheFilesOfARun) {
  for (const double threshold : {.3, .8, 1.})
    Check(Corpus(static_cast<uint64_t>(10 * threshold)), threshold);
  EXPECT_GT(kinds_[LeakKind::kWhole], 10);
  EXPECT_GT(kinds_[LeakKind::kEmbedded], 20);
  EXPECT_GT(kinds_[LeakKind::kShortEmbedded], 5);
}

TEST_F(LeakStages, RowsAreItems) {
  auto items = *LeakItems::Make({});
  ASSERT_TRUE(items.Add(DocumentOf("a b c", "x"), "test.jsonl", "dev"));
  ASSERT_TRUE(items.Add(DocumentOf("d", "x\n"), "test.jsonl", ""));
  Document none;
  none.has_text = false;
  ASSERT_TRUE(items.Add(std::move(none), "test.jsonl", ""));
  ASSERT_TRUE(items.Add(DocumentOf("e", "x"), "test.jsonl", "dev"));
  ASSERT_EQ(items.size(), 3u);
  EXPECT_EQ(items.id(1), "test.jsonl:1");
  EXPECT_EQ(items.split(1), "test.jsonl");
  EXPECT_EQ(items.id(2), "x#2");
  const LeakItems::Files files = items.Finish();
  EXPECT_EQ(files.clean, "x\ntest.jsonl:1\nx#2\n");
  EXPECT_EQ(files.result.quarantined, 1u);
  EXPECT_EQ(files.result.items(), 3u);
}

TEST_F(LeakStages, Refusals) {
  LeakOptions options;
  options.features.shingle = "char:5";
  EXPECT_EQ(LeakItems::Make(options).error().code, ErrorCode::kUsage);
  EXPECT_EQ(LeakLook::Make(options, kKey, {}).error().code, ErrorCode::kUsage);
  options = {};
  EXPECT_FALSE(LeakLook::Make(options, {}, {}));
  options.threshold = 0;
  EXPECT_EQ(LeakItems::Make(options).error().code, ErrorCode::kUsage);
  EXPECT_EQ(LeakLook::Make(options, kKey, {}).error().code, ErrorCode::kUsage);
  options = {};
  options.input.max_document_bytes = 8;
  const LeakLook look = *LeakLook::Make(options, kKey, {"one two"});
  EXPECT_EQ(look.Look(DocumentOf("12345678"))->rejected, "");
  EXPECT_EQ(look.Look(DocumentOf("123456789"))->rejected, "too-large");
  Document none;
  none.has_text = false;
  EXPECT_EQ(look.Look(std::move(none))->rejected, "no-text-field");
  EXPECT_TRUE(look.Look(DocumentOf(""))->holdings.empty());
  const auto looked = *look.Look(DocumentOf("One two"));
  ASSERT_EQ(looked.holdings.size(), 1u);
  EXPECT_EQ(looked.holdings[0].kind, LeakKind::kWhole);
}

}  // namespace
}  // namespace twinset
