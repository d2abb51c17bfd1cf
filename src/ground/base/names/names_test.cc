#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "base/json_text.h"
#include "twinset/error.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

using ::testing::Optional;

TEST(NamesTest, PlainNamesStayAsTheyAre) {
  EXPECT_EQ(NameText("crawl/a b.warc.gz"), "crawl/a b.warc.gz");
  EXPECT_EQ(NameText("grün 漢字 😀"), "grün 漢字 😀");
}

TEST(NamesTest, OtherBytesAreEscaped) {
  EXPECT_EQ(NameText("caf\xe9.jsonl"), R"(caf\xe9.jsonl)");
  EXPECT_EQ(NameText("a\nb\x1b[31m\x7f"), R"(a\x0ab\x1b[31m\x7f)");
  EXPECT_EQ(NameText(R"(a\xe9)"), R"(a\x5cxe9)");
  EXPECT_EQ(NameText("\xed\xa0\x80\xc0\xaf\xf5"),
            R"(\xed\xa0\x80\xc0\xaf\xf5)");
}

TEST(NamesTest, EveryNameComesBack) {
  std::mt19937 random(3);
  for (int i = 0; i < 20000; ++i) {
    std::string name;
    for (size_t size = random() % 12; name.size() < size;)
      name += random() % 4 == 0 ? '\\' : static_cast<char>(random() % 256);
    const std::string text = NameText(name);
    ASSERT_THAT(NameBytes(text), Optional(name)) << text;
    for (size_t at = 0; at < text.size();) {
      ASSERT_GE(static_cast<unsigned char>(text[at]), 0x20);
      const size_t length = Utf8SequenceLength(text.substr(at));
      ASSERT_GT(length, 0u);
      at += length;
    }
  }
}

TEST(NamesTest, WhatShowsNoNameIsRefused) {
  for (const char* text : {"\\", "\\x", "\\xe", "\\xE9", "\\n", "a\\xzz",
                           "\\x41", "caf\xe9", "a\nb"}) {
    EXPECT_EQ(NameBytes(text), std::nullopt) << text;
  }
}

TEST(NamesTest, ErrorsShowTheirPlaceSo) {
  const Error error{ErrorCode::kIo, "cannot open", "caf\xe9\n.jsonl", ""};
  EXPECT_EQ(error.ToString(), R"(caf\xe9\x0a.jsonl: cannot open)");
}

}  // namespace
}  // namespace twinset
