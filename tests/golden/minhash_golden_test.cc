// The worked MinHash examples of the lectures (docs/examples/,
// minhash-permutations.md and minhash-slots.md), row by row, and the misprint
// of one of them.
#include <gtest/gtest.h>

#include "sketch/permutations.h"

namespace twinset {
namespace {

constexpr uint64_t kNone = kNoSlot;
using Row = std::vector<std::vector<uint64_t>>;

// Table 1 (Sauerhoff): 1 -> 3, 2 -> 4, 3 -> 1, 4 -> 2.
TEST(MinHashGoldenTest, LeastImageUnderAPermutation) {
  const std::vector<uint64_t> rank = {3, 4, 1, 2};
  EXPECT_EQ(LeastImage(rank, {2, 3, 4}), 1u);
  EXPECT_EQ(LeastImage(rank, {2}), 4u);
  EXPECT_EQ(LeastImage(rank, {2, 4}), 2u);
}

// Table 2 (Manning): columns 011010 and 101011.
TEST(MinHashGoldenTest, ResemblanceOfColumns) {
  EXPECT_EQ(ExactResemblance({2, 3, 5}, {1, 3, 5, 6}), (Agreement{2, 5}));
}

// Table 3 (Manning): three permutations; the value is the label of the row met
// first.
TEST(MinHashGoldenTest, SignaturesOfPermutations) {
  const std::vector<RowSet> sets = {{1, 3, 4}, {2, 5}, {1, 2, 4}};
  const PermutationTable table = PermutationSketches(
      {{1, 2, 3, 4, 5}, {5, 4, 3, 2, 1}, {3, 4, 5, 1, 2}}, sets);
  EXPECT_EQ(table.steps[0].first, (std::vector<uint64_t>{1, 2, 1}));
  EXPECT_EQ(table.steps[1].first, (std::vector<uint64_t>{4, 5, 4}));
  EXPECT_EQ(table.steps[2].first, (std::vector<uint64_t>{3, 5, 4}));
  EXPECT_EQ(ExactResemblance(sets[0], sets[1]), (Agreement{0, 5}));
  EXPECT_EQ(ExactResemblance(sets[0], sets[2]).share(), 0.5);
  EXPECT_EQ(ExactResemblance(sets[1], sets[2]).share(), 0.25);
  EXPECT_EQ(EqualSlots(table.sketch[0], table.sketch[1]), (Agreement{0, 3}));
  EXPECT_EQ(EqualSlots(table.sketch[0], table.sketch[2]), (Agreement{2, 3}));
  EXPECT_EQ(EqualSlots(table.sketch[1], table.sketch[2]), (Agreement{0, 3}));
}

// Table 4 (Manning): one pass; h = x mod 5, g = (2x + 1) mod 5.
TEST(MinHashGoldenTest, OnePassSlotTable) {
  const std::vector<LinearFunction> functions = {{1, 0, 5}, {2, 1, 5}};
  const std::vector<RowSet> sets = {{1, 3, 4}, {2, 3, 5}};
  const SlotTable table =
      OnePassSlots(std::vector<uint64_t>{1, 2, 3, 4, 5}, sets, functions);
  const std::vector<std::vector<uint64_t>> hashes = {
      {1, 3}, {2, 0}, {3, 2}, {4, 4}, {0, 1}};
  const std::vector<Row> slots = {{{1, 3}, {kNone, kNone}},
                                  {{1, 3}, {2, 0}},
                                  {{1, 2}, {2, 0}},
                                  {{1, 2}, {2, 0}},
                                  {{1, 2}, {0, 0}}};
  ASSERT_EQ(table.steps.size(), 5u);
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(table.steps[i].row, i + 1);
    EXPECT_EQ(table.steps[i].hashes, hashes[i]);
    EXPECT_EQ(table.steps[i].slots, slots[i]) << "row " << i + 1;
  }
  EXPECT_EQ(table.steps[2].member, (std::vector<bool>{true, true}));
  EXPECT_EQ(table.steps[4].member, (std::vector<bool>{false, true}));
  EXPECT_EQ(EqualSlots(table.sketch[0], table.sketch[1]), (Agreement{0, 2}));
  EXPECT_EQ(ExactResemblance(sets[0], sets[1]), (Agreement{1, 5}));
}

// The same table in another lecture prints g(4) = 0; it is 9 mod 5 = 4. With
// the misprint, g of the first document would become 0 and the estimate 1/2.
TEST(MinHashGoldenTest, MisprintOfTheSlotTable) {
  const LinearFunction g{2, 1, 5};
  EXPECT_EQ(g(4), 4u);
  const SlotTable right = UnionSlots({{1, 3, 4}, {2, 3, 5}},
                                     std::vector<LinearFunction>{{1, 0, 5}, g});
  std::vector<uint64_t> with_misprint = right.sketch[0];
  with_misprint[1] = std::min<uint64_t>(with_misprint[1], 0);
  EXPECT_EQ(EqualSlots(right.sketch[0], right.sketch[1]).share(), 0.0);
  EXPECT_EQ(EqualSlots(with_misprint, right.sketch[1]).share(), 0.5);
}

// Table 5 (the exercise): h = (5x + 5) mod 4, g = (3x + 1) mod 4.
TEST(MinHashGoldenTest, ExerciseOfThreeDocuments) {
  const std::vector<LinearFunction> functions = {{5, 5, 4}, {3, 1, 4}};
  const std::vector<RowSet> sets = {{2, 4}, {1, 3}, {1, 2}};
  const SlotTable table = UnionSlots(sets, functions);
  const std::vector<std::vector<uint64_t>> hashes = {
      {2, 0}, {3, 3}, {0, 2}, {1, 1}};
  const std::vector<Row> slots = {{{kNone, kNone}, {2, 0}, {2, 0}},
                                  {{3, 3}, {2, 0}, {2, 0}},
                                  {{3, 3}, {0, 0}, {2, 0}},
                                  {{1, 1}, {0, 0}, {2, 0}}};
  ASSERT_EQ(table.steps.size(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(table.steps[i].hashes, hashes[i]);
    EXPECT_EQ(table.steps[i].slots, slots[i]) << "row " << i + 1;
  }
  EXPECT_EQ(EqualSlots(table.sketch[0], table.sketch[1]).share(), 0.0);
  EXPECT_EQ(EqualSlots(table.sketch[0], table.sketch[2]).share(), 0.0);
  EXPECT_EQ(EqualSlots(table.sketch[1], table.sketch[2]).share(), 0.5);
  EXPECT_EQ(ExactResemblance(sets[0], sets[1]), (Agreement{0, 4}));
  EXPECT_EQ(ExactResemblance(sets[0], sets[2]), (Agreement{1, 3}));
  EXPECT_EQ(ExactResemblance(sets[1], sets[2]), (Agreement{1, 3}));
}

}  // namespace
}  // namespace twinset
