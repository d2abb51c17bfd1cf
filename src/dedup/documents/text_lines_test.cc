#include "documents/text_lines.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/file.h"
#include "base/test_dir.h"
#include "twinset/lists.h"

namespace twinset {
namespace {

using std::string_literals::operator""s;
using Strings = std::vector<std::string>;

// The lines; "!problem" of those that have one.
Strings Lines(std::string bytes, uint64_t most = kMaxTextLineBytes) {
  Strings lines;
  const Status read = ForEachTextLineOf(
      std::move(bytes),
      [&](const TextLine& line) {
        lines.push_back(line.problem.empty() ? std::string(line.text)
                                             : "!" + line.problem);
        return true;
      },
      most);
  if (!read) lines.push_back("error: " + read.error().message);
  return lines;
}

TEST(TextLines, MarksAndLineEnds) {
  EXPECT_EQ(Lines("\xef\xbb\xbf"
                  "a\r\n\xef\xbb\xbf"
                  "b\nc\xef\xbb\xbf\n d "),
            (Strings{"a", "b", "c\xef\xbb\xbf", " d "}));
}

TEST(TextLines, WhatIsNoLineIsSaid) {
  EXPECT_EQ(Lines("a\nb\0c\n123456789\nd\n"s, 8),
            (Strings{"a", "!holds a NUL byte", "!longer than 8 bytes", "d"}));
  EXPECT_EQ(Lines("\xff\xfe"
                  "a\0\n\0"s),
            Strings{"error: is UTF-16"});
}

TEST(TextLines, RawLinesLoseTheirEndAlone) {
  Strings raw;
  const Status read = ForEachTextLineOf(
      "a\r\n\xef\xbb\xbf"
      "b\0\n123456789\n\nc"s,
      [&](const TextLine& line) {
        raw.emplace_back(line.raw);
        return true;
      },
      8);
  ASSERT_TRUE(read);
  EXPECT_EQ(raw, (Strings{"a\r",
                          "\xef\xbb\xbf"
                          "b\0"s,
                          "", "", "c"}));
}

class NameLists : public testing::Test {
 protected:
  Result<Strings> Read(const std::string& bytes, uint64_t memory = 64 << 20) {
    EXPECT_TRUE(WriteWholeFile(dir_ / "list", bytes));
    return ReadNameList(dir_ / "list", memory);
  }
  TestDir dir_;
};

TEST_F(NameLists, NamesAreTakenAsTheyAre) {
  EXPECT_EQ(Read("\xef\xbb\xbf"
                 "a\r\n b #\n\n\xef\xbb\xbf"
                 "c")
                .value(),
            (Strings{"a", " b #", "c"}));
  EXPECT_EQ(Read("a\nb\0c\r\0\0d"s).value(), (Strings{"a\nb", "c\r", "d"}));
  EXPECT_EQ(Read("").value(), Strings{});
}

TEST_F(NameLists, AreBounded) {
  std::string many;
  for (int i = 0; i < 200'000; ++i) many += "name\n";
  const auto names = Read(many);
  ASSERT_FALSE(names);
  EXPECT_EQ(names.error().code, ErrorCode::kMemory);
  EXPECT_EQ(Read(many, 1 << 30).value().size(), 200'000u);
  EXPECT_FALSE(Read(std::string(100'000, 'a')));
  EXPECT_FALSE(Read("a\0"s + std::string(100'000, 'a')));
  EXPECT_EQ(Read("\xff\xfe"
                 "a\0\n\0"s)
                .error()
                .message,
            "is UTF-16");
}

TEST_F(NameLists, SettingsAreText) {
  ASSERT_TRUE(WriteWholeFile(dir_ / "toml",
                             "\xef\xbb\xbf"
                             "a = 1\r\n"));
  EXPECT_EQ(ReadSettings(dir_ / "toml").value(), "a = 1\n");
  ASSERT_TRUE(WriteWholeFile(dir_ / "large", std::string(2 << 20, '#')));
  EXPECT_FALSE(ReadSettings(dir_ / "large"));
}

}  // namespace
}  // namespace twinset
