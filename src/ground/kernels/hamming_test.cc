#include "kernels/hamming.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <span>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "kernels/kernels.h"

namespace twinset::kernels {
namespace {

using Hits = std::vector<std::pair<uint64_t, uint64_t>>;

void Collect(void* context, const HammingHit* hits, size_t count) {
  ASSERT_LE(count, kHammingBatch);
  for (size_t i = 0; i < count; ++i)
    static_cast<Hits*>(context)->emplace_back(hits[i].x, hits[i].y);
}

// Values of few bits in the places that `mask` leaves: many are near.
std::vector<uint64_t> Values(size_t count, uint64_t mask, uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<uint64_t> values(count);
  for (uint64_t& value : values) value = random.Next() & mask;
  return values;
}

Hits Reference(std::span<const uint64_t> x, const std::vector<uint64_t>* y,
               int distance) {
  std::vector<HammingHit> hits(x.size() * (y ? y->size() : x.size()) + 1);
  size_t count = 0;
  EXPECT_TRUE(reference::HammingHits(
      x.data(), x.size(), y ? y->data() : nullptr, y ? y->size() : 0, distance,
      hits.data(), hits.size(), &count));
  Hits pairs;
  for (size_t i = 0; i < count; ++i) pairs.emplace_back(hits[i].x, hits[i].y);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

Hits Sorted(Hits hits) {
  std::sort(hits.begin(), hits.end());
  return hits;
}

class HammingKernelTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { ASSERT_TRUE(ForceTarget(GetParam())); }
  void TearDown() override { ASSERT_TRUE(ForceTarget("")); }
};

TEST_P(HammingKernelTest, AllPairsOfEverySize) {
  for (const uint64_t mask : {~0ull, 0x1111ull, 0x80000000000000ffull}) {
    for (size_t count = 0; count < 70; count += TWINSET_SLOW_BUILD ? 7 : 1) {
      const auto x = Values(count, mask, count), y = Values(40, mask, 99);
      for (const int distance : {0, 3, 64}) {
        Hits self, cross;
        HammingPairs(x.data(), count, distance, Collect, &self);
        EXPECT_EQ(Sorted(self), Reference(x, nullptr, distance)) << count;
        HammingCross(x.data(), count, y.data(), y.size(), distance, Collect,
                     &cross);
        EXPECT_EQ(Sorted(cross), Reference(x, &y, distance)) << count;
      }
    }
  }
}

TEST_P(HammingKernelTest, BucketsFindWhatEachBucketHolds) {
  for (const uint64_t mask : {~0ull, 0x0f0f0f0full}) {
    const auto x = Values(900, mask, 1), y = Values(500, mask, 2);
    for (const size_t limit : {size_t{3}, size_t{1000}}) {
      std::vector<uint64_t> x_room(908), y_room(508);
      HammingBucketed sorted, sorted_y;
      sorted.values = x_room.data();
      sorted_y.values = y_room.data();
      uint8_t left[kHammingBuckets];
      Hits self, cross;
      size_t count = HammingBuckets(x.data(), x.size(), 8, 3, limit, &sorted,
                                    left, Collect, &self);
      for (size_t i = 0; i < count; ++i) {  // the caller's part
        const uint32_t begin = sorted.bounds[left[i]];
        HammingPairs(sorted.values + begin, sorted.bounds[left[i] + 1] - begin,
                     3, Collect, &self);
      }
      count =
          HammingBucketsCross(x.data(), x.size(), y.data(), y.size(), 8, 3,
                              limit, &sorted, &sorted_y, left, Collect, &cross);
      for (size_t i = 0; i < count; ++i) {
        const uint32_t begin = sorted.bounds[left[i]],
                       begin_y = sorted_y.bounds[left[i]];
        HammingCross(sorted.values + begin, sorted.bounds[left[i] + 1] - begin,
                     sorted_y.values + begin_y,
                     sorted_y.bounds[left[i] + 1] - begin_y, 3, Collect,
                     &cross);
      }
      const auto other_byte = [](const auto& pair) {
        return ((pair.first ^ pair.second) >> 8 & 255) != 0;
      };
      Hits expected = Reference(x, nullptr, 3);
      expected.erase(
          std::remove_if(expected.begin(), expected.end(), other_byte),
          expected.end());
      // Each pair may stand either way round: the sort moved the values.
      const auto ordered = [](Hits hits) {
        for (auto& [a, b] : hits)
          if (a > b) std::swap(a, b);
        return Sorted(hits);
      };
      EXPECT_EQ(ordered(self), ordered(expected));
      expected = Reference(x, &y, 3);
      expected.erase(
          std::remove_if(expected.begin(), expected.end(), other_byte),
          expected.end());
      EXPECT_EQ(Sorted(cross), expected);
      if (mask != ~0ull) {
        EXPECT_GT(expected.size(), 100u);
      }
    }
  }
}

TEST_P(HammingKernelTest, ScatterIsAPartition) {
  for (const size_t count : {size_t{0}, size_t{1000}, (size_t{1} << 20) + 77}) {
    for (const uint64_t mask : {~0ull, 0x70000ull}) {
      const auto values = Values(count, mask, 5);
      std::vector<size_t> places(256), fast_places;
      for (const uint64_t value : values) ++places[(value >> 16) & 255];
      size_t place = 3;  // buckets begin anywhere in a line
      for (size_t& p : places) p = std::exchange(place, place + p);
      fast_places = places;
      std::vector<uint64_t> slow(count + 16), room(count + 24);
      uint64_t* const fast = reinterpret_cast<uint64_t*>(
          (reinterpret_cast<uintptr_t>(room.data()) + 63) / 64 * 64);
      reference::ScatterByByte(values.data(), count, 16, places.data(),
                               slow.data());
      ScatterByByte(values.data(), count, 16, fast_places.data(), fast);
      EXPECT_EQ(places, fast_places);
      EXPECT_TRUE(std::equal(slow.begin(), slow.begin() + count + 8, fast));
    }
  }
}

TEST_P(HammingKernelTest, SortValuesSorts) {
  for (const size_t count : {0, 1, 31, 32, 5000}) {
    auto values = Values(count, 0xff00ff, count), expected = values;
    std::sort(expected.begin(), expected.end());
    SortValues(values.data(), count);
    EXPECT_EQ(values, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, HammingKernelTest,
                         ::testing::ValuesIn(Targets()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace twinset::kernels
