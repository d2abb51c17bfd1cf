#include "text/tokens/given_weights.h"

#include <gtest/gtest.h>

#include <string>

namespace twinset {
namespace {

TEST(GivenWeights, AreOneForEachNamedLine) {
  GivenWeights weights("a\t2.5\nb\n\n\t7\nc\t1e-5\nd\t65535\ne\t0.00001526\nf");
  EXPECT_EQ(weights.Next(), 163840u);      // 2.5
  EXPECT_EQ(weights.Next(), 65536u);       // none is said
  EXPECT_EQ(weights.Next(), 1u);           // never 0
  EXPECT_EQ(weights.Next(), 4294901760u);  // the most that a row may say
  EXPECT_EQ(weights.Next(), 1u);           // 1.00008, rounded
  EXPECT_EQ(weights.Next(), GivenWeights::kOne);
  EXPECT_EQ(weights.Next(), GivenWeights::kOne);  // behind the end
}

TEST(GivenWeights, NonsenseIsBounded) {
  GivenWeights weights("a\tx\nb\t1e300\nc\t-4\nd\tnan");
  EXPECT_EQ(weights.Next(), 65536u);
  EXPECT_EQ(weights.Next(), 4294967295u);
  EXPECT_EQ(weights.Next(), 1u);
  EXPECT_EQ(weights.Next(), 1u);
}

}  // namespace
}  // namespace twinset
