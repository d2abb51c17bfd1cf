// What a finished run says of its documents, read beside them.
#include "patch/patch_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/hash.h"
#include "base/test_dir.h"

namespace twinset {
namespace {

// Names in the order of the documents, some of them with a number behind.
TEST(IdListTest, NamesAreTakenByTheirIds) {
  const TestDir dir;
  SplitMix64 random(1);
  // Longer than the buffer by much, and ids of all lengths.
  std::vector<std::pair<std::string, std::string>> documents;  // id, name
  std::string text;
  for (int i = 0; i < 4000; ++i) {
    std::string id = "文" + std::string(random.Below(90), 'x') +
                     std::to_string(random.Below(50));
    if (random.Below(9) == 0) id += "#" + std::to_string(random.Below(3));
    std::string name;
    if (random.Below(3) == 0) name = id + "#" + std::to_string(i);
    documents.emplace_back(id, name);
    text += (name.empty() ? id : name) + "\n";
  }
  ASSERT_TRUE(WriteWholeFile(dir / "keep.txt", text));
  auto list = IdList::Open(dir / "keep.txt");
  ASSERT_TRUE(list);
  for (const auto& [id, name] : documents) {
    ASSERT_FALSE(*list->AtEnd());
    std::string found = "left over";
    // One that is not next takes nothing.
    ASSERT_FALSE(*list->Take(id + "y", &found));
    ASSERT_FALSE(*list->Take("other", &found));
    ASSERT_TRUE(*list->Take(id, &found)) << id;
    ASSERT_EQ(found, name);
  }
  EXPECT_TRUE(*list->AtEnd());
  std::string found;
  EXPECT_FALSE(*list->Take("more", &found));
}

TEST(IdListTest, OnlyANumberMayStandBehindAnId) {
  const TestDir dir;
  std::string found;
  for (const char* line : {"a#", "a#x", "a#1x", "a #1", "ab", "a#1#2", "A"}) {
    ASSERT_TRUE(WriteWholeFile(dir / "x", std::string(line) + "\n"));
    auto list = IdList::Open(dir / "x");
    ASSERT_TRUE(list);
    EXPECT_FALSE(*list->Take("a", &found)) << line;
  }
  // A last line without its end is not whole.
  ASSERT_TRUE(WriteWholeFile(dir / "x", "a#12"));
  auto cut = IdList::Open(dir / "x");
  ASSERT_TRUE(cut);
  EXPECT_FALSE(*cut->Take("a", &found));
  ASSERT_TRUE(WriteWholeFile(dir / "x", ""));
  auto empty = IdList::Open(dir / "x");
  ASSERT_TRUE(empty);
  EXPECT_TRUE(*empty->AtEnd());
  EXPECT_FALSE(IdList::Open(dir / "missing"));
}

TEST(PlaceReaderTest, PlacesAreTakenWhereTheyAre) {
  const TestDir dir;
  SplitMix64 random(2);
  auto writer = RunWriter<ClusteredPlace>::Create(dir / "places", 0);
  ASSERT_TRUE(writer);
  std::vector<bool> has;
  for (uint64_t i = 0; i < 200; ++i) {
    has.push_back(random.Below(3) == 0);
    if (!has.back()) continue;
    ClusteredPlace place;
    place.source = i / 50;
    place.ordinal = i % 50;
    place.size = i;
    ASSERT_TRUE(writer->Append(place));
  }
  ASSERT_TRUE(writer->Finish());
  auto reader = PlaceReader<ClusteredPlace>::Open(dir / "places");
  ASSERT_TRUE(reader);
  for (uint64_t i = 0; i < has.size(); ++i) {
    ClusteredPlace place;
    const auto taken = reader->Take(i / 50, i % 50, &place);
    ASSERT_TRUE(taken);
    ASSERT_EQ(*taken, has[i]) << i;
    if (*taken) {
      EXPECT_EQ(place.size, i);
    }
  }
  EXPECT_TRUE(reader->AtEnd());
}

}  // namespace
}  // namespace twinset
