// Samples written and read back, and what is refused.
#include "sample/sample_rows.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/test_dir.h"

namespace twinset {
namespace {

class SampleRows : public ::testing::Test {
 protected:
  std::string Write(const std::string& text) {
    const std::string path = dir_.path() + "/sample.jsonl";
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  Result<SampleHeader> Read(const std::string& text) {
    rows_.clear();
    return ReadSample(Write(text), [this](SampleRow row) {
      rows_.push_back(std::move(row));
      return Status();
    });
  }
  TestDir dir_;
  std::vector<SampleRow> rows_;
};

TEST_F(SampleRows, WhatWasWrittenComesBack) {
  SampleHeader header{.sampler = "webwalker",
                      .engine = "a",
                      .seed = ~0ull,
                      .weights = "estimated",
                      .chain = true};
  SampleRow first{.url = "http://a/\"\n\u00fc",
                  .weight = 0.1,
                  .draw = 3,
                  .fields = {{"words", "12"}, {"x y", "[1,{\"a\":null}]"}}};
  SampleRow second{.url = "", .weight = 1e300, .draw = 4, .fields = {}};
  const std::string text =
      SampleHeaderLine(header) + SampleRowLine(first) + SampleRowLine(second);
  EXPECT_EQ(SampleRowLine(first),
            "{\"url\":\"http://a/\\\"\\n\u00fc\",\"weight\":0.1,\"draw\":3,"
            "\"words\":12,\"x y\":[1,{\"a\":null}]}\n");
  const auto read = Read(text);
  ASSERT_TRUE(read) << read.error().ToString();
  ASSERT_EQ(rows_.size(), 2u);
  EXPECT_EQ(SampleHeaderLine(*read) + SampleRowLine(rows_[0]) +
                SampleRowLine(rows_[1]),
            text);
  EXPECT_EQ(rows_[0].weight, 0.1);
  EXPECT_EQ(rows_[0].fields, first.fields);
}

TEST_F(SampleRows, RowsWithoutAHeaderAreTaken) {
  const auto header = Read("{\"url\":\"a\"}\r\n\n  \n{\"b\":1,\"weight\":2}");
  ASSERT_TRUE(header);
  EXPECT_EQ(header->sampler, "");
  ASSERT_EQ(rows_.size(), 2u);
  EXPECT_EQ(rows_[0].weight, 1);
  EXPECT_EQ(rows_[1].weight, 2);
  EXPECT_EQ(rows_[1].draw, 1u);
  ASSERT_TRUE(Read(""));
  EXPECT_TRUE(rows_.empty());
}

TEST_F(SampleRows, RefusalsNameTheLine) {
  const std::string good = "{\"url\":\"a\"}\n";
  std::string deep = "{\"x\":";
  for (int i = 0; i < 100000; ++i) deep += "[";
  for (const std::string& bad :
       {std::string("[1]"), std::string("x"), std::string("{\"url\":\"a\""),
        std::string("{\"weight\":0}"), std::string("{\"weight\":-1}"),
        std::string("{\"weight\":1e999}"), std::string("{\"weight\":\"1\"}"),
        std::string("{\"url\":5}"), std::string("{\"draw\":-1}"),
        std::string("{\"a\":\"\xff\"}"), deep,
        std::string("{\"magic\":\"twinset-sample\",\"version\":1}"),
        "{\"a\":\"" + std::string(17 << 20, 'x') + "\"}"}) {
    const auto refused = Read(good + bad);
    ASSERT_FALSE(refused) << bad.substr(0, 50);
    EXPECT_EQ(refused.error().code, ErrorCode::kCorrupt);
    EXPECT_TRUE(refused.error().where.ends_with(":2")) << refused.error().where;
  }
  const auto version = Read("{\"magic\":\"twinset-sample\",\"version\":2}\n");
  ASSERT_FALSE(version);
  EXPECT_EQ(version.error().code, ErrorCode::kUsage);
  EXPECT_FALSE(version.error().remedy.empty());
  const auto gone = ReadSample(dir_.path() + "/gone",
                               [](const SampleRow&) { return Status(); });
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().code, ErrorCode::kIo);
}

// Any damaged byte is refused or read as what it then says; nothing crashes,
// and weights stay above 0.
TEST_F(SampleRows, DamageIsSurvived) {
  const std::string text =
      SampleHeaderLine({.sampler = "s", .engine = "e", .seed = 1}) +
      SampleRowLine({"http://a/", 0.5, 0, {{"spam", "true"}}}) +
      SampleRowLine({"http://b/", 2, 1, {{"words", "[10,{\"a\":1}]"}}});
  SplitMix64 random(1);
  int refused = 0;
  const int runs = TWINSET_SLOW_BUILD ? 60 : 200;
  for (int run = 0; run < runs; ++run) {
    std::string damaged = text;
    if (run % 4 == 0) {
      damaged.resize(random.Below(text.size()));
    } else {
      damaged[random.Below(text.size())] = static_cast<char>(random.Next());
    }
    refused += !Read(damaged);
    for (const SampleRow& row : rows_) EXPECT_GT(row.weight, 0);
  }
  EXPECT_GT(refused, runs / 10);
}

TEST_F(SampleRows, PipesAreRefusedAndMarksPassedOver) {
  const std::string pipe = dir_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const auto refused =
      ReadSample(pipe, [](const SampleRow&) { return Status(); });
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  EXPECT_TRUE(Read("\xef\xbb\xbf{\"url\":\"a\"}\n"));
}

TEST_F(SampleRows, TheReaderMayStop) {
  const auto stopped = ReadSample(Write("{}\n{}\n"), [](const SampleRow&) {
    return Status(Fail(ErrorCode::kUsage, "enough"));
  });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().message, "enough");
}

}  // namespace
}  // namespace twinset
