#include "pipeline/read/view_store.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/bytes.h"
#include "base/hash.h"

namespace twinset {
namespace {

std::vector<std::string> RandomViews(SplitMix64* random) {
  std::vector<std::string> views(random->Below(5));
  for (std::string& view : views) {
    view.resize(random->Below(40));
    for (char& c : view) c = static_cast<char>(random->Below(256));
  }
  return views;
}

TEST(ViewStore, GivesEveryViewBackAligned) {
  SplitMix64 random(1);
  for (int i = 0; i < 300; ++i) {
    const std::vector<std::string> views = RandomViews(&random);
    const std::string bytes = EncodeViews(views);
    std::vector<std::string_view> found;
    ASSERT_TRUE(DecodeViews(bytes, views.size(), &found));
    EXPECT_EQ(std::vector<std::string>(found.begin(), found.end()), views);
    for (const std::string_view view : found)
      EXPECT_EQ((view.data() - bytes.data()) % 8, 0);
    EXPECT_EQ(bytes.size() % 8, 0u);
  }
}

// Views that grow in place are stored as those that were made before.
TEST(ViewStore, TheWriterAppendsWhatEncodingStores) {
  SplitMix64 random(2);
  std::string bytes = "left by the document before";
  for (int i = 0; i < 100; ++i) {
    const std::vector<std::string> views = RandomViews(&random);
    ViewWriter writer(views.size(), &bytes);
    for (const std::string& view : views) {
      for (const char c : view) bytes += c;
      writer.End();
    }
    EXPECT_EQ(bytes, EncodeViews(views));
  }
}

TEST(ViewStore, DamageIsFound) {
  const std::vector<std::string> views = {"nine byte", "", "eight by"};
  const std::string bytes = EncodeViews(views);
  ASSERT_EQ(bytes.size(), 3 * 8u + 16 + 0 + 8);
  std::vector<std::string_view> found;
  const auto expect_damage = [&](const std::string& damaged, size_t count) {
    const Status status = DecodeViews(damaged, count, &found);
    ASSERT_FALSE(status) << damaged.size() << ' ' << count;
    EXPECT_EQ(status.error().code, ErrorCode::kCorrupt);
  };
  for (size_t size = 0; size < bytes.size(); ++size)
    expect_damage(bytes.substr(0, size), 3);
  expect_damage(bytes + std::string(8, '\0'), 3);
  expect_damage(bytes, 2);
  // Lengths beyond the end, the last of which is 0 when it is rounded up.
  for (const uint64_t length :
       {uint64_t{25}, uint64_t{1} << 40, ~uint64_t{0}}) {
    std::string longer = bytes;
    StoreLE(longer.data(), length);
    expect_damage(longer, 3);
  }
}

}  // namespace
}  // namespace twinset
