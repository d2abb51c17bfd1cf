#include "pipeline/run/class_table.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "pipeline/run/test_run.h"

namespace twinset {
namespace {

// Classes of 1 to 5 copies, of every third document: more blocks than one.
std::vector<Copy> SomeCopies(uint64_t documents) {
  std::vector<Copy> copies;
  for (uint64_t leader = 0; leader < documents; leader += 3) {
    for (uint64_t i = 0; i <= leader % 5; ++i)
      copies.push_back({leader, 100 * leader + i, leader + i + 1});
  }
  return copies;
}

// In a budget that holds all copies and in one that does not.
TEST(ClassTableTest, GivesTheCopiesOfAnyLeaderInAnyOrder) {
  constexpr uint64_t kDocuments = 20'000;
  TestRun run(kDocuments);
  const std::vector<Copy> copies = SomeCopies(kDocuments);
  run.WriteRecords("copies.run", copies);
  std::map<uint64_t, std::vector<Copy>> expected;
  for (const Copy& copy : copies) expected[copy.leader].push_back(copy);
  for (const uint64_t budget_bytes : {uint64_t{1} << 30, uint64_t{1}}) {
    MemoryBudget budget(budget_bytes);
    auto table = ClassTable::Open(*run.get(), &budget);
    ASSERT_TRUE(table);
    EXPECT_FALSE(table->empty());
    for (uint64_t i = 0; i < kDocuments; ++i) {
      const uint64_t document = i * 7919 % kDocuments;  // a prime
      const std::vector<Copy>& of_leader = expected[document];
      ASSERT_EQ(*table->Size(document), of_leader.size() + 1);
      size_t seen = 0;
      ASSERT_TRUE(table->ForEachCopy(document, [&](const Copy& copy) -> Status {
        EXPECT_EQ(copy.leader, document);
        EXPECT_LT(seen, of_leader.size());
        EXPECT_EQ(copy.document, of_leader[seen].document);
        EXPECT_EQ(copy.rank, of_leader[seen++].rank);
        return {};
      }));
      ASSERT_EQ(seen, of_leader.size());
    }
  }
}

}  // namespace
}  // namespace twinset
