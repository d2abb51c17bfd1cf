// Paths into rows: elements of arrays, several fields, names with dots.
#include "read/rows/field_path.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "read/field_names.h"
#include "read/test_records.h"

namespace twinset {
namespace {

using Strings = std::vector<std::string>;

// The text of one row, or "!reason: detail".
std::string TextOf(const std::string& row, const std::string& path,
                   const std::string& name = "rows.jsonl") {
  ReadOptions options;
  options.text_field = path;
  const auto records = test::ReadAll(row + "\n", name, options);
  EXPECT_EQ(records.size(), 1u);
  if (records.empty()) return "";
  return records[0].kind == RecordKind::kDocument
             ? records[0].document.payload
             : "!" + records[0].reason + ": " + records[0].detail;
}

constexpr char kChat[] =
    R"({"id":"x","title":"T","messages":[{"role":"user","content":"one"},)"
    R"({"role":"bot","content":"two"},{"role":"bot"},{"content":null},)"
    R"({"content":"five"}],"tags":["a","b"],"deep":{"list":[[{"x":"p"},)"
    R"({"x":"q"}],[{"x":"r"}]]},"n":7})";

TEST(FieldPathTest, ElementsOfArrays) {
  EXPECT_EQ(TextOf(kChat, "messages.0.content"), "one");
  EXPECT_EQ(TextOf(kChat, "messages.1.content"), "two");
  EXPECT_EQ(TextOf(kChat, "messages.*.content"), "one\n\ntwo\n\nfive");
  EXPECT_EQ(TextOf(kChat, "messages.*.role"), "user\n\nbot\n\nbot");
  EXPECT_EQ(TextOf(kChat, "tags.*"), "a\n\nb");
  EXPECT_EQ(TextOf(kChat, "tags.1"), "b");
  EXPECT_EQ(TextOf(kChat, "deep.list.*.*.x"), "p\n\nq\n\nr");
  EXPECT_EQ(TextOf(kChat, "deep.list.0.*.x"), "p\n\nq");
  for (const char* path : {"messages.9.content", "messages.content", "tags.x",
                           "title.*", "deep.*.x", "messages.*.nothing"}) {
    EXPECT_TRUE(TextOf(kChat, path).starts_with("!no-text-field: no field"))
        << path << ": " << TextOf(kChat, path);
  }
  EXPECT_TRUE(TextOf(kChat, "messages.*").ends_with("is not a string"));
}

TEST(FieldPathTest, SeveralFields) {
  EXPECT_EQ(TextOf(kChat, "title,messages.0.content"), "T\n\none");
  EXPECT_EQ(TextOf(kChat, "tags.*,title"), "a\n\nb\n\nT");
  // What is missing or empty in a row leaves no gap.
  EXPECT_EQ(TextOf(kChat, "title,abstract"), "T");
  EXPECT_EQ(TextOf(R"({"a":"","b":"x","c":null})", "a,b,c"), "x");
  EXPECT_EQ(TextOf(R"({"a":"","b":""})", "a,b"), "");
  EXPECT_TRUE(TextOf(kChat, "abstract,body").starts_with("!no-text-field"));
  EXPECT_TRUE(TextOf(kChat, "title,n").ends_with("is not a string"));
}

TEST(FieldPathTest, NamesWithDotsAndCommas) {
  constexpr char kRow[] =
      R"({"a.b":"dot","a":{"b":"nested","c.d":"inner"},"x,y":"comma","x":"X",)"
      R"("y":"Y","0":"zero","*":"star","k\\z":"z"})";
  EXPECT_EQ(TextOf(kRow, "a.b"), "dot");    // the name itself first
  EXPECT_EQ(TextOf(kRow, "x,y"), "comma");  // likewise
  EXPECT_EQ(TextOf(kRow, "a.b,x"), "nested\n\nX");
  EXPECT_EQ(TextOf(kRow, "a\\.b,x"), "dot\n\nX");
  EXPECT_EQ(TextOf(kRow, "a.c\\.d"), "inner");
  EXPECT_EQ(TextOf(kRow, "x\\,y,x"), "comma\n\nX");
  EXPECT_EQ(TextOf(kRow, "0"), "zero");
  EXPECT_EQ(TextOf(kRow, "*"), "star");
  EXPECT_EQ(EscapedFieldName("a.b,c\\d"), "a\\.b\\,c\\\\d");
}

TEST(FieldPathTest, ColumnsAreWholeNames) {
  const std::string table = "id,title,a.b,body\n1,T,dot,B";
  EXPECT_EQ(TextOf(table, "title,body", "t.csv"), "T\n\nB");
  EXPECT_EQ(TextOf(table, "a.b,title", "t.csv"), "dot\n\nT");
  ReadOptions options;
  options.text_field = "titel,body";
  const auto reader = ReadRecordsFromMemory(table, "t.csv", options);
  Record record;
  const auto more = reader->Next(&record);
  ASSERT_FALSE(more.has_value());
  EXPECT_EQ(more.error().ToString(),
            "t.csv: no column \"titel\" (did you mean 'title'? its columns "
            "are: id, title, a.b, body)");
}

TEST(FieldPathTest, IdsMayBeInArraysToo) {
  ReadOptions options;
  options.id_field = "ids.1";
  options.fields = {"meta.tags.*", "n"};
  const auto records = test::ReadAll(
      R"({"ids":[4,5],"text":"x","meta":{"tags":["p","q"]},"n":1.50})"
      "\n",
      "rows.jsonl", options);
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].document.id, "5");
  EXPECT_EQ(records[0].document.fields[0].second, "p\n\nq");
  EXPECT_EQ(records[0].document.fields[1].second, "1.50");
}

TEST(FieldNamesTest, ArePathsOfTheFirstRows) {
  const std::string path = ::testing::TempDir() + "/field_names.jsonl";
  std::ofstream(path) << kChat << "\nnot json\n{\"a.b\":1,\"id\":2}\n";
  InputFile file;
  file.path = path;
  EXPECT_EQ(FieldNamesOf(file, {}),
            (Strings{"id", "title", "messages.*.role", "messages.*.content",
                     "tags.*", "deep.list.*.*.x", "n", "a\\.b"}));
  std::ofstream(path) << "[" << kChat << "]";
  EXPECT_EQ(FieldNamesOf(file, {}).size(), 7u);
  file.path = "/nonexistent";
  EXPECT_EQ(FieldNamesOf(file, {}), Strings());
}

}  // namespace
}  // namespace twinset
