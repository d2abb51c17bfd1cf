// Windows of texts against the same cuts made code point by code point.
#include "pipeline/report/text_window.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/hash.h"

namespace twinset {
namespace {

constexpr uint64_t kContext = 160, kTail = 160;

std::vector<std::string> RandomCodePoints(SplitMix64* random, size_t count) {
  constexpr const char* kPoints[] = {"a", " ", "\xC3\xBC", "\xE6\xBC\xA2",
                                     "\xF0\x9F\x98\x80"};
  std::vector<std::string> points(count);
  for (std::string& point : points)
    point = kPoints[random->Below(std::size(kPoints))];
  return points;
}

std::string Joined(const std::vector<std::string>& points, uint64_t begin,
                   uint64_t end) {
  std::string text;
  for (uint64_t i = begin; i < std::min<uint64_t>(end, points.size()); ++i)
    text += points[i];
  return text;
}

TEST(TextWindow, IsCutByCodePoints) {
  SplitMix64 random(1);
  uint64_t cut = 0;
  for (int i = 0; i < 300; ++i) {
    const auto points = RandomCodePoints(&random, random.Below(1500));
    TextWindow window;
    window.begin = random.Below(points.size() + 1);
    window.end = window.begin + random.Below(points.size() - window.begin + 1);
    if (random.Below(2) == 0) window.most_head = random.Below(100);
    FillWindow(Joined(points, 0, points.size()), &window);
    const uint64_t begin = window.begin, end = window.end;
    EXPECT_EQ(window.before,
              Joined(points, begin - std::min(begin, kContext), begin));
    EXPECT_EQ(window.after, Joined(points, end, end + kContext));
    EXPECT_EQ(window.more_before, begin > kContext);
    EXPECT_EQ(window.more_after, end + kContext < points.size());
    if (end - begin <= window.most_head + kTail) {
      EXPECT_EQ(window.head, Joined(points, begin, end));
      EXPECT_EQ(window.tail, "");
      EXPECT_EQ(window.left_out, 0u);
      continue;
    }
    ++cut;
    EXPECT_EQ(window.head, Joined(points, begin, begin + window.most_head));
    EXPECT_EQ(window.tail, Joined(points, end - kTail, end));
    EXPECT_EQ(window.left_out, end - begin - window.most_head - kTail);
  }
  EXPECT_GT(cut, 50u);
}

TEST(TextWindow, OfNoTextIsEmpty) {
  TextWindow window;
  FillWindow("", &window);
  EXPECT_EQ(window.before + window.head + window.tail + window.after, "");
  EXPECT_FALSE(window.more_before || window.more_after);
}

// A window that says more than the text has ends with the text.
TEST(TextWindow, BeyondTheTextEndsWithIt) {
  TextWindow window;
  window.begin = 2;
  window.end = 9;
  FillWindow("rose", &window);
  EXPECT_EQ(window.before, "ro");
  EXPECT_EQ(window.head, "se");
  EXPECT_EQ(window.after, "");
}

}  // namespace
}  // namespace twinset
