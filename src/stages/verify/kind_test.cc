#include "verify/kind.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/hash.h"

namespace twinset {
namespace {

std::vector<std::string_view> Split(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

std::string Kind(std::string_view a, std::string_view b) {
  const auto left = Split(a), right = Split(b);
  std::vector<uint64_t> ha, hb;
  for (const auto word : left) ha.push_back(Hash64(word));
  for (const auto word : right) hb.push_back(Hash64(word));
  return KindOfDifference(AlignTokens(ha, hb, 1000), left, right, a == b);
}

constexpr std::string_view kText =
    "the quick brown fox jumps over the lazy dog and then it sleeps all day "
    "in the warm sun until the evening comes with rain";

std::string With(std::string_view from, std::string_view to) {
  std::string text(kText);
  return text.replace(text.find(from), from.size(), to);
}

TEST(KindOfDifference, NamesEachKind) {
  EXPECT_EQ(Kind(kText, kText), "none");
  EXPECT_EQ(Kind("", ""), "none");
  EXPECT_EQ(Kind("a b", "a  b"), "punctuation or case only");
  EXPECT_EQ(Kind(kText, With("fox", "Fox")), "punctuation or case only");
  EXPECT_EQ(Kind(kText, With("lazy dog", "lazydog")),
            "punctuation or case only");
  EXPECT_EQ(Kind("posted 12 may at 10.30 by me", "posted 13 may at 9 by me"),
            "digits only");
  EXPECT_EQ(Kind("seen 5 times", "seen times"), "digits only");
  EXPECT_EQ(Kind("a b c", "x y z"), "everything");
  EXPECT_EQ(Kind("", "x y z"), "everything");
  EXPECT_EQ(Kind(kText, With("fox", "red fox")), "inserted words");
  EXPECT_EQ(Kind(With("fox", "red fox"), kText), "removed words");
  const std::string block = "one two three four five six seven eight nine fox";
  EXPECT_EQ(Kind(kText, With("fox", block)), "inserted block");
  EXPECT_EQ(Kind(With("fox", block), kText), "removed block");
  EXPECT_EQ(
      Kind(kText, With("brown", "one two three four five six seven eight")),
      "replaced block");
  EXPECT_EQ(Kind(kText, With("fox", "cat")), "scattered words");
  const std::string_view head = "the quick brown fox jumps over the lazy dog ";
  std::string moved(kText.substr(head.size()));
  moved.append(" ").append(head.substr(0, head.size() - 1));
  EXPECT_EQ(Kind(kText, moved), "moved block");
  std::string mixed = With("fox", block);
  mixed.replace(mixed.find("rain"), 4, "snow");
  EXPECT_EQ(Kind(kText, mixed), "mixed changes");
}

}  // namespace
}  // namespace twinset
