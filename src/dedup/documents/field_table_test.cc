#include "documents/field_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "base/file.h"
#include "base/test_dir.h"
#include "read/input_list.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;

std::string TestPath(const std::string& name) {
  static const TestDir folder;
  return folder / name;
}

Result<FieldTable> LoadText(const std::string& text,
                            const std::vector<std::string>& names,
                            uint64_t memory = 1 << 20) {
  static std::vector<std::unique_ptr<MemoryBudget>> budgets;
  budgets.push_back(std::make_unique<MemoryBudget>(memory));
  const std::string path = TestPath("fields.jsonl");
  if (const Status written = WriteWholeFile(path, text); !written)
    return tl::unexpected(written.error());
  InputList files;
  files.Add(path, "", path);
  return FieldTable::Load(files, names, budgets.back().get());
}

std::string Joined(const FieldTable& table, const std::string& id,
                   const std::string& url, const std::string& own = "") {
  Document document;
  document.provenance.url = url;
  if (!own.empty()) document.fields = {{"rank", own}};
  table.Fill(id, &document);
  return document.fields.empty() ? "(none)" : document.fields[0].second;
}

TEST(FieldTable, JoinsByIdThenByAddressAndOwnFieldsGoBefore) {
  const auto table = LoadText(
      "{\"url\":\"http://a/\",\"rank\":0.5}\n\n"
      "{\"id\":\"x\",\"rank\":2,\"other\":1}\n"
      "{\"id\":\"y\",\"url\":\"http://y/\",\"rank\":\"text\"}\n"
      "{\"url\":\"http://none/\",\"rank\":null}\n"
      "{\"url\":\"x\",\"rank\":7}\n",
      {"rank"});
  ASSERT_TRUE(table) << table.error().ToString();
  EXPECT_EQ(Joined(*table, "", "http://a/"), "0.5");
  EXPECT_EQ(Joined(*table, "x", "http://a/"), "2");
  EXPECT_EQ(Joined(*table, "x", "", "9"), "9");
  EXPECT_EQ(Joined(*table, "y", ""), "text");
  EXPECT_EQ(Joined(*table, "", "http://y/"), "text");
  EXPECT_EQ(Joined(*table, "", "http://none/"), "");
  EXPECT_EQ(Joined(*table, "http://a/", ""), "");  // kinds of keys do not mix
}

TEST(FieldTable, FieldsMayLieDeeper) {
  const auto table =
      LoadText("{\"id\":\"x\",\"m\":{\"n\":{\"o\":3}}}\n", {"m.n.o", "m.p"});
  ASSERT_TRUE(table) << table.error().ToString();
  EXPECT_EQ(Joined(*table, "x", ""), "3");
}

// As in rows of documents.
TEST(FieldTable, NumbersAreIdsAsTheyAreWritten) {
  const auto table = LoadText(
      "{\"id\":1.50,\"rank\":2.50}\n{\"id\":12345678901234567890123,"
      "\"rank\":4}\n{\"id\":true,\"rank\":\"5\"}\n",
      {"rank"});
  ASSERT_TRUE(table) << table.error().ToString();
  EXPECT_EQ(Joined(*table, "1.50", ""), "2.5");
  EXPECT_EQ(Joined(*table, "1.5", ""), "");
  EXPECT_EQ(Joined(*table, "12345678901234567890123", ""), "4");
  EXPECT_EQ(Joined(*table, "true", ""), "5");
}

TEST(FieldTable, RefusesBadRowsWithTheirLine) {
  const std::string good = "{\"id\":\"a\",\"rank\":1}\n";
  const std::map<std::string, std::string> cases = {
      {"[1]\n", "not a JSON object"},
      {"{\"id\":\"b\"\n", "not a JSON object"},
      {"{\"rank\":1}\n", "neither"},
      {"{\"id\":[7],\"rank\":1}\n", "neither a text"},
      {"{\"url\":\"\",\"rank\":1}\n", "neither a text"},
      {"{\"id\":\"a\",\"rank\":1}\n", "lines 1 and 2 both give \"rank\""}};
  for (const auto& [row, message] : cases) {
    const auto table = LoadText(good + row, {"rank"});
    ASSERT_FALSE(table) << row;
    EXPECT_EQ(table.error().code, ErrorCode::kCorrupt);
    EXPECT_THAT(table.error().ToString(), HasSubstr(message));
    EXPECT_THAT(table.error().ToString(), HasSubstr("2"));
  }
  const auto absent = LoadText(good, {"pagerank"});
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(absent.error().ToString(), HasSubstr("the first has"));
  EXPECT_THAT(LoadText("\n", {"rank"}).error().ToString(),
              HasSubstr("there is no record to read"));
}

TEST(FieldTable, SaysWhatMemoryItNeeds) {
  std::string rows;
  for (int i = 0; i < 1000; ++i)
    rows += "{\"id\":\"" + std::to_string(i) + "\",\"rank\":12345678}\n";
  const auto table = LoadText(rows, {"rank"}, 64 << 10);
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().code, ErrorCode::kMemory);
  EXPECT_THAT(table.error().ToString(), HasSubstr("48000 bytes"));
  EXPECT_TRUE(LoadText(rows, {"rank"}, 96000));
}

// Any change of one byte is an error or another table, never a crash.
TEST(FieldTable, SurvivesDamage) {
  const std::string good =
      "{\"url\":\"http://a/\",\"rank\":1}\n{\"id\":\"b\",\"rank\":[2]}\n";
  for (size_t i = 0; i < good.size(); ++i) {
    for (const char c : {'\0', '"', '{', '\xff', '\n'}) {
      std::string bad = good;
      bad[i] = c;
      const auto table = LoadText(bad, {"rank"});
      if (!table) {
        EXPECT_FALSE(table.error().message.empty());
      }
    }
  }
}

}  // namespace
}  // namespace twinset
