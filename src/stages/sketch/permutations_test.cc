#include "sketch/permutations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/hash.h"

namespace twinset {
namespace {

RowSet Members(unsigned mask) {
  RowSet set;
  for (uint64_t row = 1; mask != 0; ++row, mask >>= 1) {
    if (mask & 1) set.push_back(row);
  }
  return set;
}

// Over all |U|! permutations two sets have the same least image, and the same
// first row, exactly |A and B| / |A or B| of the times: all pairs of sets, all
// universes up to 6 rows (the counting proof of docs/methods/minhash.md).
TEST(PermutationsTest, AllPermutationsAgreeExactlyAsOftenAsTheResemblance) {
  for (uint64_t universe = 1; universe <= 6; ++universe) {
    std::vector<uint64_t> permutation(universe);
    const unsigned sets = 1u << universe;
    std::vector<std::vector<uint64_t>> least(sets, std::vector<uint64_t>());
    auto first = least;
    std::iota(permutation.begin(), permutation.end(), 1);
    do {
      for (unsigned set = 1; set < sets; ++set) {
        const RowSet members = Members(set);
        least[set].push_back(LeastImage(permutation, members));
        first[set].push_back(FirstMet(permutation, members));
      }
    } while (std::next_permutation(permutation.begin(), permutation.end()));
    for (unsigned a = 1; a < sets; ++a) {
      for (unsigned b = 1; b < sets; ++b) {
        const Agreement exact = ExactResemblance(Members(a), Members(b));
        for (const auto* values : {&least, &first}) {
          const Agreement agree = EqualSlots((*values)[a], (*values)[b]);
          ASSERT_EQ(agree.equal * exact.all, agree.all * exact.equal)
              << a << " " << b;
        }
      }
    }
  }
}

// Each member of a set is first equally often: min-wise independence.
TEST(PermutationsTest, EveryMemberIsFirstEquallyOften) {
  std::vector<uint64_t> order = {1, 2, 3, 4, 5, 6};
  const RowSet set = {1, 4, 5};
  std::vector<int> times(7);
  do {
    ++times[FirstMet(order, set)];
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(times, (std::vector<int>{0, 240, 0, 0, 240, 240, 0}));
}

TEST(PermutationsTest, SlotsDoNotDependOnTheOrderOfTheRows) {
  SplitMix64 random(4);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<RowSet> sets(3);
    std::vector<uint64_t> rows(40);
    std::iota(rows.begin(), rows.end(), 1);
    for (const uint64_t row : rows) {
      for (RowSet& set : sets) {
        if (random.Below(3) == 0) set.push_back(row);
      }
    }
    std::vector<LinearFunction> functions;
    for (int k = 0; k < 5; ++k)
      functions.push_back({random.Next(), random.Next(), 1 + random.Below(97)});
    const SlotTable ascending = OnePassSlots(rows, sets, functions);
    for (size_t i = rows.size(); i > 1; --i)
      std::swap(rows[i - 1], rows[random.Below(i)]);
    EXPECT_EQ(OnePassSlots(rows, sets, functions).sketch, ascending.sketch);
    EXPECT_EQ(UnionSlots(sets, functions).sketch, ascending.sketch);
  }
}

TEST(PermutationsTest, EmptySetsAreNotAlike) {
  const std::vector<LinearFunction> functions = {{1, 0, 7}, {3, 1, 7}};
  const SlotTable table = UnionSlots({{}, {}, {3}}, functions);
  EXPECT_EQ(table.sketch[0], (std::vector<uint64_t>{kNoSlot, kNoSlot}));
  EXPECT_EQ(EqualSlots(table.sketch[0], table.sketch[1]), (Agreement{0, 2}));
  EXPECT_EQ(ExactResemblance({}, {}), (Agreement{0, 0}));
  EXPECT_EQ((Agreement{0, 0}.share()), 0.0);
  EXPECT_EQ(FirstMet(std::vector<uint64_t>{1, 2}, {}), kNoSlot);
}

TEST(PermutationsTest, LinearFunctionsAreExact) {
  EXPECT_EQ((LinearFunction{~0ull, ~0ull, ~0ull - 58}(~0ull)),
            static_cast<uint64_t>(
                (static_cast<unsigned __int128>(~0ull) * ~0ull + ~0ull) %
                (~0ull - 58)));
  EXPECT_EQ((LinearFunction{5, 5, 4}(3)), 0u);
}

}  // namespace
}  // namespace twinset
