#include "candidate/laws.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "base/hash.h"
#include "candidate/bands.h"
#include "twinset/tune.h"

namespace twinset {
namespace {

double Choose(int n, int k) {
  double result = 1;
  for (int i = 1; i <= k; ++i) result *= static_cast<double>(n - k + i) / i;
  return result;
}

TEST(AtLeast, IsTheBinomialTail) {
  for (const int n : {1, 6, 64, 128}) {
    for (const double p : {0.0, 0.01, 0.3, 0.9, 1.0}) {
      for (int k = 0; k <= n; k += std::max(1, n / 7)) {
        double expected = 0;
        for (int i = k; i <= n; ++i)
          expected += Choose(n, i) * std::pow(p, i) * std::pow(1 - p, n - i);
        EXPECT_NEAR(AtLeast(p, n, k), expected, 1e-11) << n << " " << p;
      }
    }
  }
  EXPECT_EQ(AtLeast(0.5, 3, 4), 0);
}

TEST(LexiconRecall, IsTheLawOfIndependentLexica) {
  for (const double drop : {0.01, 0.1, 0.33}) {
    for (const int lexicons : {0, 1, 10, 256}) {
      for (const int terms : {1, 2, 9}) {
        EXPECT_NEAR(LexiconRecall(drop, lexicons, terms),
                    1 - std::pow(1 - std::pow(drop, terms), lexicons), 1e-12);
      }
    }
  }
  EXPECT_NEAR(LexiconRecall(0.33, 10, 1), .9818, 5e-5);
  EXPECT_NEAR(LexiconRecall(0.33, 10, 4), .1125, 5e-5);
  // At least two of three: two drop the term and one does not, or all do.
  EXPECT_NEAR(LexiconRecall(0.4, 3, 1, 2), 3 * .16 * .6 + .064, 1e-12);
  EXPECT_EQ(LexiconRecall(0.4, 3, 1, 4), 0);
}

TEST(AngleShare, AgreesWithTheLibrary) {
  for (double x = 0; x <= 1; x += 1.0 / 4096)
    EXPECT_NEAR(AngleShare(x), std::acos(x) / M_PI, 1e-14) << x;
}

// docs/methods/super-shingle.md: 6 super-shingles of 14 values, 2 must agree.
TEST(GroupRecall, KnownValues) {
  const double known[][2] = {{.7, .0007},  {.8, .0258},  {.9, .4151},
                             {.95, .8786}, {.98, .9957}, {.99, .9998}};
  for (const auto& [s, expected] : known)
    EXPECT_NEAR(GroupRecall(s, 6, 14, 2), expected, 0.00005) << s;
}

TEST(HammingRecall, IsMonotone) {
  double last = 0;
  for (double s = 0.01; s <= 1; s += 0.01) {
    const double recall = HammingRecall(s, 64, 3);
    EXPECT_GE(recall, last);
    last = recall;
  }
  EXPECT_EQ(HammingRecall(1, 64, 0), 1);
  for (int k = 1; k <= 64; ++k)
    EXPECT_GE(HammingRecall(0.8, 64, k), HammingRecall(0.8, 64, k - 1));
  EXPECT_NEAR(HammingRecall(0.3, 64, 64), 1, 1e-12);
}

// Facts recomputed from the rule of datasketch.
TEST(PlanBandsByError, SharedTable) {
  const char* folder = std::getenv("TWINSET_SHARED_DATA");
  const std::filesystem::path data =
      folder != nullptr
          ? std::filesystem::path(folder)
          : std::filesystem::path(TWINSET_SOURCE_DIR) / "../shared/data";
  std::ifstream file(data / "vectors.json");
  if (!file) {
    std::puts("SKIPPED (no shared data): vectors.json");
    GTEST_SKIP() << "compares with the table of another package, which lies "
                    "in the shared data";
  }
  const auto table = nlohmann::json::parse(file)["lsh_optimal_b_r"]["table"];
  ASSERT_EQ(table.size(), 15u);
  for (const auto& [key, expected] : table.items()) {
    const size_t bar = key.find('|');
    const BandPlan plan = PlanBandsByError(std::stod(key.substr(0, bar)),
                                           std::stoi(key.substr(bar + 1)));
    EXPECT_EQ(plan.bands, expected[0].get<int>()) << key;
    EXPECT_EQ(plan.rows, expected[1].get<int>()) << key;
  }
}

TEST(PlanBandsByError, KnownValues) {
  const BandPlan plan = PlanBandsByError(0.8, 128);
  EXPECT_EQ(plan.bands, 9);
  EXPECT_EQ(plan.rows, 13);
  EXPECT_DOUBLE_EQ(plan.expected_recall, BandRecall(0.8, 9, 13));
  const BandPlan other = PlanBandsByError(0.5, 256);
  EXPECT_EQ(other.bands, 42);
  EXPECT_EQ(other.rows, 6);
}

}  // namespace
}  // namespace twinset
