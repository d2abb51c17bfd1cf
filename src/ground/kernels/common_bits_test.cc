#include "kernels/common_bits.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/hash.h"
#include "kernels/kernels.h"

namespace twinset::kernels {
namespace {

class CommonBitsTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { ASSERT_TRUE(ForceTarget(GetParam()).has_value()); }
  void TearDown() override { ASSERT_TRUE(ForceTarget("").has_value()); }
};

INSTANTIATE_TEST_SUITE_P(Targets, CommonBitsTest,
                         ::testing::ValuesIn(Targets()),
                         [](const auto& info) { return info.param; });

TEST_P(CommonBitsTest, OfAnyNumberOfWords) {
  SplitMix64 random(1);
  for (size_t words = 0; words < 70; ++words) {
    std::vector<uint64_t> a(words), b(words);
    size_t expected = 0;
    for (size_t i = 0; i < words; ++i) {
      a[i] = random.Next();
      b[i] = i % 5 == 0 ? ~uint64_t{0} : random.Next();
      for (int bit = 0; bit < 64; ++bit)
        expected += (a[i] >> bit & b[i] >> bit & 1) != 0;
    }
    EXPECT_EQ(CommonBits(a.data(), b.data(), words), expected);
    EXPECT_EQ(reference::CommonBits(a.data(), b.data(), words), expected);
  }
}

}  // namespace
}  // namespace twinset::kernels
