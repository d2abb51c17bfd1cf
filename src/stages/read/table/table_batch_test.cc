#include "read/table/table_batch.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace twinset {
namespace {

using Values = std::vector<std::optional<std::string>>;

void AppendU64(uint64_t value, std::string* to) {
  for (int i = 0; i < 8; ++i) *to += static_cast<char>(value >> (8 * i) & 0xff);
}

// A column as a helper sends it.
Json Column(const char* name, const char* kind, const Values& values,
            std::string* body) {
  std::string valid, places, data;
  AppendU64(0, &places);
  for (const auto& value : values) {
    valid += value ? '\1' : '\0';
    data += value.value_or("");
    AppendU64(data.size(), &places);
  }
  *body += valid + places + data;
  Json column;
  column["name"] = name;
  column["kind"] = kind;
  column["data_bytes"] = data.size();
  return column;
}

struct Sent {
  Json reply;
  std::string body;
};

Sent TwoColumns() {
  Sent sent;
  sent.reply["rows"] = 3;
  sent.reply["first"] = 7;
  sent.reply["columns"] = Json::array(
      {Column("te\"xt", "text", {{"a \"b\"\n"}, {}, {""}}, &sent.body),
       Column("n", "json", {{"1.50"}, {"[1,2]"}, {}}, &sent.body)});
  return sent;
}

TEST(TableBatchTest, RowsBecomeObjects) {
  const Sent sent = TwoColumns();
  const auto batch = TableBatch::Make(sent.reply, sent.body);
  ASSERT_TRUE(batch) << batch.error().ToString();
  EXPECT_EQ(batch->first(), 7u);
  std::vector<std::string> lines(batch->rows());
  for (size_t i = 0; i < lines.size(); ++i) batch->AppendRow(i, &lines[i]);
  EXPECT_EQ(lines,
            (std::vector<std::string>{R"({"te\"xt":"a \"b\"\n","n":1.50})",
                                      R"({"te\"xt":null,"n":[1,2]})",
                                      R"({"te\"xt":"","n":null})"}));
}

TEST(TableBatchTest, ATableMayHaveNoneOfTheColumns) {
  Json reply;
  reply["rows"] = 2;
  reply["first"] = 0;
  reply["columns"] = Json::array();
  const auto batch = TableBatch::Make(reply, "");
  ASSERT_TRUE(batch);
  std::string line;
  batch->AppendRow(1, &line);
  EXPECT_EQ(line, "{}");
}

TEST(TableBatchTest, ValuesThatAreTooLongAreKnownByTheirRow) {
  Sent sent = TwoColumns();
  sent.reply["too_large"] =
      Json::array({Json::array({2, 99}), Json::array({0, 50})});
  const auto batch = TableBatch::Make(sent.reply, sent.body);
  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->TooLarge(0), 50u);
  EXPECT_EQ(batch->TooLarge(1), 0u);
  EXPECT_EQ(batch->TooLarge(2), 99u);
}

TEST(TableBatchTest, EveryCutIsRefused) {
  const Sent sent = TwoColumns();
  for (size_t size = 0; size < sent.body.size(); ++size)
    EXPECT_FALSE(TableBatch::Make(sent.reply, sent.body.substr(0, size)));
  EXPECT_FALSE(TableBatch::Make(sent.reply, sent.body + "x"));
}

TEST(TableBatchTest, PlacesOutsideOfTheBytesAreRefused) {
  const Sent sent = TwoColumns();
  // The places of the first column stand behind three bytes.
  for (size_t place = 0; place < 4; ++place) {
    std::string body = sent.body;
    body[3 + 8 * place + 7] = '\x7f';
    EXPECT_FALSE(TableBatch::Make(sent.reply, body)) << place;
  }
  std::string first = sent.body;
  first[3] = 1;  // the first text would begin behind the first byte
  EXPECT_FALSE(TableBatch::Make(sent.reply, first));
}

TEST(TableBatchTest, AValueOfJsonIsOneLine) {
  Sent sent;
  sent.reply["rows"] = 1;
  sent.reply["first"] = 0;
  sent.reply["columns"] = Json::array(
      {Column("n", "json", {{"1\n{\"id\":\"forged\"}"}}, &sent.body)});
  EXPECT_FALSE(TableBatch::Make(sent.reply, sent.body));
}

TEST(TableBatchTest, RepliesOfOtherShapesAreRefused) {
  const Sent sent = TwoColumns();
  for (const char* name : {"rows", "first", "columns"}) {
    Json reply = sent.reply;
    reply[name] = "x";
    EXPECT_FALSE(TableBatch::Make(reply, sent.body)) << name;
  }
  Json reply = sent.reply;
  reply["columns"].front()["data_bytes"] = 1 << 20;
  EXPECT_FALSE(TableBatch::Make(reply, sent.body));
  reply["columns"] = Json::array({1});
  EXPECT_FALSE(TableBatch::Make(reply, sent.body));
}

}  // namespace
}  // namespace twinset
