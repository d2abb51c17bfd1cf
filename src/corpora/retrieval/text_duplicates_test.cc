// Duplicates told by the texts of ranked documents.
#include "retrieval/text_duplicates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/file.h"
#include "base/hash.h"
#include "base/test_dir.h"
#include "documents/page_text.h"
#include "twinset/json.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Words(uint64_t seed, int changed) {
  SplitMix64 random(seed);
  std::string text;
  for (int i = 0; i < 60; ++i)
    text += "w" + std::to_string(random.Below(5000)) + " ";
  for (int i = 0; i < changed; ++i) text += "x" + std::to_string(i) + " ";
  return text;
}

// A collection, of which only some documents are ranked, and all pairs of these
// by comparing each with each.
TEST(TextDuplicates, AreThoseOfAComparisonOfAllRankedTexts) {
  const TestDir dir;
  std::string rows;
  std::vector<std::string> texts, names;
  for (int i = 0; i < 40; ++i) {
    texts.push_back(Words(static_cast<uint64_t>(i / 4), i % 4 * 3));
    const std::string url = "http://a.example/" + std::to_string(i);
    Json row = {{"id", "d" + std::to_string(i)}, {"text", texts.back()}};
    if (i % 3 == 0) row["url"] = url;
    names.push_back(i % 3 == 0 ? url : "d" + std::to_string(i));
    rows += row.dump() + "\n";
  }
  rows += "{\"id\":\"d1\",\"text\":\"another of the same id\"}\n";
  ASSERT_TRUE(WriteWholeFile(dir / "texts.jsonl", rows));
  IdTable ids;
  for (size_t i = 0; i < names.size(); ++i)
    if (i % 5 != 0) ids.NumberOf(names[i]);
  ids.NumberOf("d99");  // without a text
  RunsOptions options;
  options.texts.inputs = {dir / "texts.jsonl"};
  options.resources.threads = 1;
  options.resources.tmp = dir.path();
  RunsCollapseResult result;
  const auto list = FindTextDuplicates(options, &ids, &result);
  ASSERT_TRUE(list) << list.error().ToString();
  EXPECT_EQ(result.texts->ranked, 33u);
  EXPECT_EQ(result.texts->with_text, 32u);
  EXPECT_THAT(result.warnings, ElementsAre(HasSubstr("1 of 33 ranked")));
  std::set<std::set<std::string>> found, naive;
  for (const DuplicateLink& link : list->links) {
    found.insert({ids[link.a], ids[link.b]});
    EXPECT_GE(link.similarity, kTextDuplicate);
  }
  const auto reader = TextReader::Make({});
  for (size_t i = 0; i < names.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (i % 5 != 0 && j % 5 != 0 &&
          reader->Resemblance(texts[i], texts[j]) >= kTextDuplicate)
        naive.insert({names[i], names[j]});
  EXPECT_EQ(found, naive);
  EXPECT_GT(naive.size(), 10u);
  EXPECT_EQ(result.texts->pairs, naive.size());

  // The least memory there is, and a record that cannot be read.
  ASSERT_TRUE(WriteWholeFile(dir / "texts.jsonl", rows + "{\"id\":\n"));
  options.resources.memory_bytes = 128 << 20;
  const auto again = FindTextDuplicates(options, &ids, &result);
  ASSERT_TRUE(again) << again.error().ToString();
  EXPECT_EQ(result.texts->pairs, naive.size());
  EXPECT_EQ(result.texts->quarantined, 1u);
  options.strict = true;
  EXPECT_EQ(FindTextDuplicates(options, &ids, &result).error().code,
            ErrorCode::kCorrupt);
  options.strict = false;
  const std::atomic<bool> stop = true;
  options.stop = &stop;
  EXPECT_EQ(FindTextDuplicates(options, &ids, &result).error().code,
            ErrorCode::kInterrupted);
  options.stop = nullptr;

  IdTable others;
  others.NumberOf("nobody");
  EXPECT_EQ(FindTextDuplicates(options, &others, &result).error().code,
            ErrorCode::kCorrupt);
}

TEST(TextDuplicates, CollapseARun) {
  const TestDir dir;
  std::string rows;
  for (const char* id : {"a", "b", "c"})
    rows += Json({{"id", id},
                  {"text", Words(id[0] == 'c' ? 2 : 1, id[0] == 'b' ? 2 : 0)}})
                .dump() +
            "\n";
  ASSERT_TRUE(WriteWholeFile(dir / "texts.jsonl", rows));
  ASSERT_TRUE(WriteWholeFile(
      dir / "s.run",
      "1 Q0 b 1 3 s\n1 Q0 c 2 2 s\n1 Q0 a 3 1 s\n2 Q0 a 1 1 s\n"));
  RunsOptions options;
  options.runs = {dir / "s.run"};
  options.texts.inputs = {dir / "texts.jsonl"};
  options.resources.threads = 1;
  options.out = dir / "out.run";
  const auto result = CollapseRuns(options);
  ASSERT_TRUE(result) << result.error().ToString();
  EXPECT_EQ(result->runs[0].collapsed, 1u);
  EXPECT_EQ(*ReadWholeFile(options.out),
            "1 Q0 b 1 3 s\n1 Q0 c 2 2 s\n2 Q0 a 1 1 s\n");
  options.overwrite = true;
  options.evaluation.duplicates = {dir / "s.run"};
  EXPECT_EQ(CollapseRuns(options).error().code, ErrorCode::kUsage);
  options.evaluation.duplicates.clear();
  options.texts.inputs.clear();
  EXPECT_EQ(CollapseRuns(options).error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace twinset
