#include "twinset/corpora/leak.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
#include "base/test_dir.h"
#include "leak/short_items.h"

namespace twinset {
namespace {

using Tokens = std::vector<std::string>;

TEST(ShortItems, StandAnywhereInAText) {
  ShortItems items;
  items.Add(0, {"a", "b"});
  items.Add(1, {"b"});
  items.Add(2, {"a", "b"});
  items.Add(3, {"c", "a", "b", "a"});
  std::map<size_t, size_t> places;
  items.Find({"a", "b", "c", "a", "b", "b"}, 0, 6,
             [&](std::span<const size_t> found, size_t, size_t) {
               for (const size_t item : found) ++places[item];
             });
  EXPECT_EQ(places, (std::map<size_t, size_t>{{0, 2}, {1, 3}, {2, 2}}));
}

// Against a comparison of every item at every place.
TEST(ShortItems, RandomTexts) {
  SplitMix64 random(3);
  const auto draw = [&](size_t length) {
    Tokens tokens(length);
    for (std::string& token : tokens)
      token = std::string(1, static_cast<char>('a' + random.Below(3)));
    return tokens;
  };
  size_t places = 0;
  for (int round = 0; round < 100; ++round) {
    std::vector<Tokens> all;
    ShortItems items;
    for (size_t i = 0; i < 12; ++i) {
      all.push_back(draw(1 + random.Below(4)));
      items.Add(i, all.back());
    }
    const Tokens text = draw(random.Below(40));
    using Place = std::tuple<size_t, size_t, size_t>;
    std::multiset<Place> expected, found;
    for (size_t begin = 0; begin < text.size(); ++begin) {
      for (size_t i = 0; i < all.size(); ++i) {
        const size_t count = all[i].size();
        if (begin + count <= text.size() &&
            Tokens(text.begin() + static_cast<std::ptrdiff_t>(begin),
                   text.begin() + static_cast<std::ptrdiff_t>(begin + count)) ==
                all[i])
          expected.emplace(i, begin, count);
      }
    }
    items.Find(text, 0, text.size(),
               [&](std::span<const size_t> group, size_t begin, size_t count) {
                 for (const size_t item : group)
                   found.emplace(item, begin, count);
               });
    EXPECT_EQ(found, expected);
    places += found.size();
  }
  EXPECT_GT(places, 1000u);
}

std::string Words(const std::string& stem, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += stem + std::to_string(i) + " ";
  return text;
}

class LeakTest : public ::testing::Test {
 protected:
  std::string Rows(const std::string& name, const Tokens& rows) {
    std::string text;
    for (const std::string& row : rows) text += row + "\n";
    EXPECT_TRUE(WriteWholeFile(dir_ / name, text));
    return dir_ / name;
  }
  static std::string Row(const std::string& id, const std::string& text,
                         const std::string& more = "") {
    return "{\"id\":\"" + id + "\",\"text\":\"" + text + "\"" + more + "}";
  }
  TestDir dir_;
};

TEST_F(LeakTest, WholeEmbeddedAndShortItems) {
  LeakOptions options;
  options.input.inputs = {
      Rows("train.jsonl",
           {Row("1", Words("red", 30)),
            Row("t2", Words("x", 200) + Words("blue", 20) + Words("y", 200)),
            Row("t3", "the answer is yes indeed and nothing else matters"),
            Row("t4", "forty two")})};
  options.test = {
      Rows("dev.jsonl", {Row("1", Words("red", 28)), Row("2", Words("q", 20))}),
      Rows("test.jsonl",
           {Row("1", Words("blue", 20)), Row("3", "Forty-two!"),
            Row("4", "yes indeed"), Row("5", "no such"), Row("6", "")})};
  options.resources.tmp = dir_.path();
  options.out = dir_ / "out";
  options.report = true;
  const auto result = FindLeaks(options);
  ASSERT_TRUE(result) << result.error().ToString();
  EXPECT_EQ(result->training_documents, 4u);
  ASSERT_EQ(result->splits.size(), 2u);
  EXPECT_EQ(result->splits[0].name, "dev.jsonl");
  EXPECT_EQ(result->splits[0].items, 2u);
  EXPECT_EQ(result->splits[0].whole, 1u);
  EXPECT_EQ(result->splits[0].embedded, 0u);
  EXPECT_EQ(result->splits[1].items, 5u);
  EXPECT_EQ(result->splits[1].whole, 1u);     // forty two
  EXPECT_EQ(result->splits[1].embedded, 1u);  // blue
  EXPECT_EQ(result->splits[1].shorts, 3u);
  EXPECT_EQ(result->splits[1].short_embedded, 1u);  // yes indeed
  EXPECT_EQ(result->splits[1].empty, 1u);
  ASSERT_EQ(result->leaks.size(), 4u);
  EXPECT_EQ(result->leaks[0].document, "1");  // as an item is called
  EXPECT_EQ(result->leaks[0].kind, LeakKind::kWhole);
  EXPECT_EQ(result->leaks[1].item, "1#2");
  EXPECT_EQ(result->leaks[1].document, "t2");
  EXPECT_EQ(result->leaks[1].document_text.substr(0, 5), "blue0");
  const auto clean = ReadWholeFile(dir_ / "out/clean.txt");
  ASSERT_TRUE(clean);
  EXPECT_EQ(*clean, "2\n4\n5\n6\n");
}

// Fields of their own, every document that has an item, and a set without one.
TEST_F(LeakTest, FieldsOfTheTestSetAndAllDocuments) {
  LeakOptions options;
  const std::string blue = Words("blue", 20);
  options.input.inputs = {
      Rows("train.jsonl", {Row("t1", blue), Row("t2", Words("x", 99) + blue),
                           Row("t3", Words("y", 30))})};
  options.test = {
      Rows("test.jsonl", {"{\"nr\":\"q\",\"question\":\"" + blue + "\"}"})};
  options.resources.tmp = dir_.path();
  const auto lost = FindLeaks(options);
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, ErrorCode::kCorrupt);
  for (const char* word : {"test set", "test.jsonl", "\"text\"", "question"})
    EXPECT_NE(lost.error().message.find(word), std::string::npos) << word;
  options.test_input.text_field = "question";
  options.test_input.id_field = "nr";
  options.out = dir_ / "out";
  const auto result = FindLeaks(options);
  ASSERT_TRUE(result) << result.error().ToString();
  ASSERT_EQ(result->leaks.size(), 1u);
  EXPECT_EQ(result->leaks[0].item, "q");
  EXPECT_EQ(result->leaks[0].documents, 2u);
  EXPECT_EQ(result->leaking_documents, 2u);
  EXPECT_EQ(*ReadWholeFile(dir_ / "out/contaminated.txt"), "t1\nt2\n");
  ASSERT_EQ(result->sides.size(), 2u);
  EXPECT_EQ(result->sides[1].used, 3u);
  options.out.clear();
  options.input.inputs = {Rows("none.jsonl", {})};
  const auto none = FindLeaks(options);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().ToString(),
            "training data has no document: there is no record to read");
}

// A short item stands behind more words than are held at a time, and where two
// windows meet.
TEST_F(LeakTest, ShortItemsInLongTexts) {
  for (const int before : {8190, 8194, 8200, 20000}) {
    LeakOptions options;
    options.input.inputs = {
        Rows("train.jsonl",
             {Row("t", Words("w", before) + "forty two " + Words("v", 30))})};
    options.test = {Rows("test.jsonl", {Row("1", "forty two")})};
    options.resources.tmp = dir_.path();
    const auto result = FindLeaks(options);
    ASSERT_TRUE(result) << result.error().ToString();
    ASSERT_EQ(result->leaks.size(), 1u) << before;
    EXPECT_EQ(result->leaks[0].kind, LeakKind::kShortEmbedded);
    const std::string last = std::to_string(before - 1);
    EXPECT_NE(result->leaks[0].document_text.find("w" + last + " forty two v0"),
              std::string::npos)
        << result->leaks[0].document_text;
  }
}

// Against the definition: rows with an item go, and so does what is no
// document. Nothing is lost, and a second look finds nothing.
TEST_F(LeakTest, WritesWhatDoesNotLeak) {
  SplitMix64 random(7);
  const auto item = [](uint64_t i) {
    return Words("i" + std::to_string(i) + "x", 20);
  };
  Tokens rows, items;
  for (uint64_t i = 0; i < 30; ++i)
    items.push_back(Row("q" + std::to_string(i), item(i)));
  std::string stays;
  uint64_t kept = 0, leaking = 0;
  for (int i = 0; i < 200; ++i) {
    const std::string number = std::to_string(i);
    const bool leaks = random.Below(3) == 0;
    rows.push_back(Row(
        "t" + number,
        Words("t" + number + "x", 30) + (leaks ? item(random.Below(30)) : "")));
    (leaks ? leaking : kept) += 1;
    if (!leaks) stays += rows.back() + "\n";
    if (i % 50 == 0) rows.push_back("{\"id\":\"without text\"}");
  }
  LeakOptions options;
  options.input.inputs = {Rows("train.jsonl", rows)};
  options.test = {Rows("test.jsonl", items)};
  options.resources.tmp = dir_.path();
  options.write = dir_ / "written";
  const auto result = FindLeaks(options);
  ASSERT_TRUE(result) << result.error().ToString();
  EXPECT_EQ(result->leaking_documents, leaking);
  ASSERT_TRUE(result->written);
  EXPECT_EQ(result->written->records, kept);
  EXPECT_EQ(result->written->left_out, leaking + 4);
  EXPECT_EQ(*ReadWholeFile(dir_ / "written/train.jsonl"), stays);
  options.input.inputs = {dir_ / "written/train.jsonl"};
  options.write = dir_ / "again";
  const auto again = FindLeaks(options);
  ASSERT_TRUE(again) << again.error().ToString();
  EXPECT_EQ(again->leaked(), 0u);
  EXPECT_EQ(*ReadWholeFile(dir_ / "again/train.jsonl"), stays);
}

// A file comes while others are read: what the match has found there is not
// what is listed and written.
TEST_F(LeakTest, InputsThatChangeWhileTheyAreRead) {
  std::filesystem::create_directories(dir_ / "in");
  Rows("in/a.jsonl", {Row("t1", Words("red", 30)), Row("t2", Words("b", 30))});
  LeakOptions options;
  options.input.inputs = {dir_ / "in"};
  options.test = {Rows("test.jsonl", {Row("q1", Words("red", 30))})};
  options.resources.tmp = dir_.path();
  options.out = dir_ / "out";
  options.write = dir_ / "written";
  options.on_progress = [&](const Progress&) {
    Rows("in/b.jsonl", {Row("t3", Words("red", 30))});
  };
  const auto changed = FindLeaks(options);
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().code, ErrorCode::kIo);
  EXPECT_FALSE(FileExists(dir_ / "out/summary.json"));
  EXPECT_FALSE(FileExists(dir_ / "written/in/a.jsonl"));
}

// Other bytes with the size and time of those before: a document that stays is
// gone when it is to be written.
TEST_F(LeakTest, ADocumentThatIsGoneWhenItIsWritten) {
  Tokens rows = {Row("leaks", Words("red", 30)), Row("goes", Words("b", 9))};
  for (int i = 0; i < 260; ++i)
    rows.push_back(Row("t" + std::to_string(i), Words("c", 9)));
  const std::string path = Rows("train.jsonl", rows);
  LeakOptions options;
  options.input.inputs = {path};
  options.test = {Rows("test.jsonl", {Row("q1", Words("red", 30))})};
  options.resources.tmp = dir_.path();
  options.write = dir_ / "written";
  options.on_progress = [&](const Progress& progress) {
    // The last pass before the rows are written, which is past the second one.
    if (progress.stage != "training" || progress.done != 256) return;
    const auto time = std::filesystem::last_write_time(path);
    auto file = File::OpenReadWrite(path);
    ASSERT_TRUE(file && file->WriteAt(rows[0].size() + 1,
                                      std::string(rows[1].size(), ' ')));
    ASSERT_TRUE(file->Close());
    std::filesystem::last_write_time(path, time);
  };
  const auto lost = FindLeaks(options);
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, ErrorCode::kIo);
  EXPECT_TRUE(lost.error().where.ends_with("train.jsonl"));
  EXPECT_FALSE(FileExists(dir_ / "written/train.jsonl"));
}

// Where documents are called a, a and a#2, the second is a#3.
TEST_F(LeakTest, NumbersThatAreOwnIds) {
  const std::string sought = Words("red", 20), other = Words("blue", 20);
  LeakOptions options;
  options.input.inputs = {
      Rows("train.jsonl",
           {Row("a", Words("x", 20)), Row("a", sought + Words("y", 20)),
            Row("a#2", Words("z", 20)), Row("a", Words("v", 20))})};
  options.test = {Rows("test.jsonl",
                       {Row("i", other), Row("i", sought), Row("i#2", other)})};
  options.resources.tmp = dir_.path();
  options.out = dir_ / "out";
  options.write = dir_ / "write";
  const auto result = FindLeaks(options);
  ASSERT_TRUE(result) << result.error().ToString();
  ASSERT_EQ(result->leaks.size(), 1u);
  EXPECT_EQ(result->leaks[0].item, "i#3");
  EXPECT_EQ(result->leaks[0].document, "a#3");
  EXPECT_EQ(*ReadWholeFile(dir_ / "out/contaminated.txt"), "a#3\n");
  EXPECT_EQ(*ReadWholeFile(dir_ / "out/clean.txt"), "i\ni#2\n");
  const std::string written = *ReadWholeFile(dir_ / "write/train.jsonl");
  EXPECT_EQ(written.find("red"), std::string::npos);
  EXPECT_EQ(std::count(written.begin(), written.end(), '\n'), 3);
}

TEST_F(LeakTest, RecordsOfBothSidesAreQuarantined) {
  LeakOptions options;
  options.input.inputs = {
      Rows("train.jsonl", {"{\"id\":\"t\"}", Row("a", Words("x", 20))})};
  options.test = {Rows("test.jsonl", {Row("i", Words("y", 20)), "{"})};
  options.resources.tmp = dir_.path();
  options.out = dir_ / "out";
  const auto result = FindLeaks(options);
  ASSERT_TRUE(result) << result.error().ToString();
  EXPECT_EQ(result->quarantined, 2u);
  const std::string rows = *ReadWholeFile(dir_ / "out/quarantine.jsonl");
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 2);
  const size_t of_items = rows.find("\"reason\":\"bad-json\"");
  EXPECT_LT(of_items, rows.find("\"reason\":\"no-text-field\""));
  EXPECT_LT(of_items, rows.find("\n"));
}

TEST_F(LeakTest, SplitsByAField) {
  LeakOptions options;
  options.input.inputs = {Rows("train.jsonl", {Row("t1", Words("red", 30))})};
  options.test = {
      Rows("all.jsonl", {Row("1", Words("red", 30), ",\"split\":\"dev\""),
                         Row("2", Words("p", 30), ",\"split\":\"test\"")})};
  options.split_field = "split";
  options.resources.tmp = dir_.path();
  const auto result = FindLeaks(options);
  ASSERT_TRUE(result) << result.error().ToString();
  ASSERT_EQ(result->splits.size(), 2u);
  EXPECT_EQ(result->splits[0].name, "dev");
  EXPECT_EQ(result->splits[0].leaked(), 1u);
  EXPECT_EQ(result->splits[1].leaked(), 0u);
  options.features.shingle = "char:9";
  EXPECT_EQ(FindLeaks(options).error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace twinset
