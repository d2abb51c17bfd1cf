#include "pipeline/read/stored_sketches.h"

#include <gtest/gtest.h>

#include "base/hash.h"

namespace twinset {
namespace {

std::vector<Sketch> RandomSketches(SplitMix64* random) {
  std::vector<Sketch> sketches(random->Below(5));
  for (Sketch& sketch : sketches) {
    sketch.resize(random->Below(4) == 0 ? 0 : random->Below(20));
    for (uint32_t& value : sketch)
      value = static_cast<uint32_t>(random->Next());
  }
  return sketches;
}

TEST(StoredSketches, AreReadAsTheyWereWritten) {
  SplitMix64 random(1);
  std::string bytes;
  std::vector<SketchView> found = {SketchView()};  // of the document before
  for (int i = 0; i < 300; ++i) {
    const std::vector<Sketch> sketches = RandomSketches(&random);
    EncodeSketches(sketches, &bytes);
    ASSERT_TRUE(DecodeSketches(bytes, sketches.size(), &found));
    ASSERT_EQ(found.size(), sketches.size());
    for (size_t j = 0; j < sketches.size(); ++j)
      EXPECT_EQ(Sketch(found[j].begin(), found[j].end()), sketches[j]);
  }
}

TEST(StoredSketches, EveryTruncationIsFound) {
  SplitMix64 random(2);
  std::vector<SketchView> found;
  for (int i = 0; i < 20; ++i) {
    const std::vector<Sketch> sketches = RandomSketches(&random);
    std::string bytes;
    EncodeSketches(sketches, &bytes);
    for (size_t size = 0; size < bytes.size(); ++size) {
      const std::string part = bytes.substr(0, size);
      const Status status = DecodeSketches(part, sketches.size(), &found);
      ASSERT_FALSE(status) << size << " of " << bytes.size();
      EXPECT_EQ(status.error().code, ErrorCode::kCorrupt);
    }
    EXPECT_FALSE(DecodeSketches(bytes, sketches.size() + 1, &found));
  }
}

}  // namespace
}  // namespace twinset
