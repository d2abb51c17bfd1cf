#include "report/row_writer.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/test_dir.h"

namespace twinset {
namespace {

struct Row {
  std::string id;
  uint64_t count = 0;
  double score = 0;
  bool flag = false;
};

// Ids of all kinds; few scores, so that their texts are kept, among many.
std::vector<Row> MakeRows(size_t count) {
  SplitMix64 random(count);
  const std::vector<std::string> kinds = {
      "",
      "plain",
      "with \"quotes\", commas\r\nand lines",
      "\xC3\xBC\xE4\xB8\x96",
      "\xFF\x01\t\\",
      "eight888",
      "=1+1"};
  std::vector<Row> rows;
  for (size_t i = 0; i < count; ++i) {
    Row row;
    row.id = kinds[random.Below(kinds.size())];
    if (random.Below(3) != 0) row.id += std::to_string(random.Next());
    row.count = random.Next() >> random.Below(64);
    const uint64_t whole =
        random.Below(2) == 0 ? 157 : 1 + random.Below(1000000);
    row.score = static_cast<double>(random.Below(whole + 1)) /
                static_cast<double>(whole);
    row.flag = random.Below(2) == 0;
    rows.push_back(row);
  }
  return rows;
}

void Format(const Row& row, RowText* to) {
  to->Text("id", row.id)
      .Integer("count", row.count)
      .Number("score", row.score)
      .Flag("flag", row.flag)
      .EndRow();
}

// The same one piece at a time.
std::string Naive(const std::vector<Row>& rows, OutputFormat format) {
  const bool csv = format == OutputFormat::kCsv;
  std::string text = csv ? "id,count,score,flag\n" : "";
  for (const Row& row : rows) {
    if (!csv) text += "{\"id\":";
    if (!csv) AppendJsonString(&text, row.id);
    if (csv && row.id.empty()) text += "\"\"";
    if (csv) AppendCsvField(&text, row.id);
    text += csv ? "," : ",\"count\":";
    text += std::to_string(row.count);
    text += csv ? "," : ",\"score\":";
    AppendDouble(&text, row.score);
    if (csv) {
      text += row.flag ? ",true" : ",false";
    } else if (row.flag) {
      text += ",\"flag\":true";
    }
    text += csv ? "\n" : "}\n";
  }
  return text;
}

std::string Written(const std::vector<Row>& rows, OutputFormat format,
                    int threads, size_t batch) {
  const TestDir dir;
  MemoryBudget budget(1 << 20);
  auto file =
      RowWriter::Create(dir.path(), "rows", format, "id,count,score,flag");
  EXPECT_TRUE(file.has_value());
  for (size_t begin = 0; begin < rows.size(); begin += batch) {
    EXPECT_TRUE(file->WriteRows(
        std::min(batch, rows.size() - begin), threads, &budget,
        [&](size_t i, RowText* to) { Format(rows[begin + i], to); }));
  }
  EXPECT_TRUE(file->Commit());
  EXPECT_EQ(budget.used_bytes(), 0u);
  return *ReadWholeFile(dir.path() + "/rows." +
                        (format == OutputFormat::kCsv ? "csv" : "jsonl"));
}

TEST(RowWriterTest, EqualsRowsOnePieceAtATime) {
  for (const OutputFormat format : {OutputFormat::kJsonl, OutputFormat::kCsv}) {
    for (const size_t count : {0, 1, 511, 512, 513, 1024, 20000}) {
      const std::vector<Row> rows = MakeRows(count);
      const std::string expected = Naive(rows, format);
      for (const int threads : {1, 2, 5}) {
        for (const size_t batch : {7000, 100000})
          ASSERT_TRUE(Written(rows, format, threads, batch) == expected)
              << count << " rows, " << threads << " threads, " << batch;
      }
    }
  }
}

// Rows of which a part holds less than its number of rows at a time.
TEST(RowWriterTest, VeryLongRowsStayInOrder) {
  std::vector<Row> rows = MakeRows(3000);
  for (size_t i = 0; i < rows.size(); i += 7) rows[i].id += std::string(i, 'x');
  rows[1000].id = std::string(300000, '"');
  const std::string expected = Naive(rows, OutputFormat::kJsonl);
  for (const int threads : {1, 3}) {
    ASSERT_TRUE(Written(rows, OutputFormat::kJsonl, threads, rows.size()) ==
                expected);
  }
}

TEST(RowWriterTest, AFullDiskIsAnError) {
  const std::vector<Row> rows = MakeRows(20000);
  for (const int threads : {1, 4}) {
    const TestDir dir;
    MemoryBudget budget(1 << 20);
    auto file = RowWriter::Create(dir.path(), "rows", OutputFormat::kJsonl, "");
    ASSERT_TRUE(file.has_value());
    size_t room = 300000;
    SetFileFault([&](const std::string&, size_t bytes) {
      if (bytes > room) return ENOSPC;
      room -= bytes;
      return 0;
    });
    const Status written =
        file->WriteRows(rows.size(), threads, &budget,
                        [&](size_t i, RowText* to) { Format(rows[i], to); });
    SetFileFault({});
    ASSERT_FALSE(written.has_value());
    EXPECT_EQ(written.error().code, ErrorCode::kIo);
    EXPECT_EQ(budget.used_bytes(), 0u);
  }
}

}  // namespace
}  // namespace twinset
