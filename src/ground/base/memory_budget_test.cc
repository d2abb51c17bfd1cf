#include "base/memory_budget.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "base/hash.h"

namespace twinset {
namespace {

TEST(MemoryBudget, ReservationsAreCountedAndGivenBack) {
  MemoryBudget budget(100);
  {
    Reservation a = budget.TryReserve(60);
    EXPECT_TRUE(a.ok());
    EXPECT_EQ(a.bytes(), 60u);
    EXPECT_EQ(budget.used_bytes(), 60u);
    EXPECT_EQ(budget.available_bytes(), 40u);
    Reservation b = budget.TryReserve(41);
    EXPECT_FALSE(b.ok());
    EXPECT_EQ(b.bytes(), 0u);
    Reservation c = budget.TryReserve(40);
    EXPECT_TRUE(c.ok());
    EXPECT_EQ(budget.available_bytes(), 0u);
    a.Reset();
    a.Reset();
    EXPECT_FALSE(a.ok());
    EXPECT_EQ(budget.used_bytes(), 40u);
  }
  EXPECT_EQ(budget.used_bytes(), 0u);
  EXPECT_EQ(budget.peak_bytes(), 100u);
  EXPECT_EQ(budget.limit_bytes(), 100u);
}

TEST(MemoryBudget, MovesCarryTheBytes) {
  MemoryBudget budget(100);
  Reservation a = budget.TryReserve(30);
  Reservation b = std::move(a);
  EXPECT_FALSE(a.ok());
  EXPECT_EQ(b.bytes(), 30u);
  Reservation c = budget.TryReserve(50);
  c = std::move(b);
  EXPECT_EQ(c.bytes(), 30u);
  b.Reset();
  EXPECT_EQ(budget.used_bytes(), 30u);
  c = Reservation();
  EXPECT_EQ(budget.used_bytes(), 0u);
}

TEST(MemoryBudget, ReserveUpToTakesWhatIsThereButNeverLessThanTheMinimum) {
  MemoryBudget budget(100);
  Reservation a = budget.ReserveUpTo(80, 10);
  EXPECT_EQ(a.bytes(), 80u);
  Reservation b = budget.ReserveUpTo(80, 10);
  EXPECT_EQ(b.bytes(), 20u);
  Reservation c = budget.ReserveUpTo(80, 10);
  EXPECT_EQ(c.bytes(), 10u);
  EXPECT_EQ(budget.used_bytes(), 110u);
  EXPECT_EQ(budget.available_bytes(), 0u);
  EXPECT_FALSE(budget.TryReserve(1).ok());  // over the limit: nothing fits
}

TEST(MemoryBudget, WaitBlocksUntilThereIsRoom) {
  MemoryBudget budget(100);
  Reservation held = budget.Wait(70);
  std::atomic<bool> granted{false};
  std::thread other([&] {
    Reservation mine = budget.Wait(50);
    granted = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(granted);
  held.Reset();
  other.join();
  EXPECT_TRUE(granted);
  EXPECT_LE(budget.peak_bytes(), 100u);
}

TEST(MemoryBudget, WaitForMoreThanTheLimitIsGrantedAlone) {
  MemoryBudget budget(100);
  Reservation fixed =
      budget.TryReserve(40);  // not through Wait: it does not stand in the way
  Reservation huge = budget.Wait(1000);
  EXPECT_TRUE(huge.ok());
  std::atomic<bool> granted{false};
  std::thread other([&] {
    Reservation mine = budget.Wait(1);
    granted = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(granted);
  huge.Reset();
  other.join();
  EXPECT_TRUE(granted);
}

TEST(MemoryBudget, ResizeGivesBackAndWaitsForMore) {
  MemoryBudget budget(100);
  Reservation reading = budget.Wait(60);
  reading.Resize(10);
  EXPECT_EQ(budget.used_bytes(), 10u);
  Reservation other = budget.Wait(80);
  std::atomic<bool> granted{false};
  std::thread grower([&] {
    reading.Resize(50);
    granted = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(granted);
  other.Reset();
  grower.join();
  EXPECT_EQ(budget.used_bytes(), 50u);
  // Alone it may go beyond the limit.
  reading.Resize(1000);
  EXPECT_EQ(budget.used_bytes(), 1000u);
  reading.Reset();
  EXPECT_EQ(budget.used_bytes(), 0u);
  EXPECT_EQ(budget.Wait(100).bytes(), 100u);
}

// Takes and gives back in eight threads; returns the most that was held at one
// moment.
uint64_t Hammer(MemoryBudget* budget, bool with_try) {
  std::atomic<uint64_t> held{0}, most{0};
  std::vector<std::thread> threads;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    threads.emplace_back([&, seed] {
      SplitMix64 random(seed);
      for (int i = 0; i < 2000; ++i) {
        const uint64_t bytes = 1 + random.Below(400);
        const bool wait = !with_try || random.Below(2) == 0;
        Reservation mine =
            wait ? budget->Wait(bytes) : budget->TryReserve(bytes);
        const uint64_t now = held.fetch_add(mine.bytes()) + mine.bytes();
        uint64_t before = most;
        while (now > before && !most.compare_exchange_weak(before, now)) {
        }
        held.fetch_sub(mine.bytes());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return most;
}

TEST(MemoryBudget, ManyThreadsThatWaitStayWithinTheLimit) {
  MemoryBudget budget(1000);
  EXPECT_LE(Hammer(&budget, false), 1000u);
  EXPECT_LE(budget.peak_bytes(), 1000u);
  EXPECT_EQ(budget.used_bytes(), 0u);
}

// One that waits never starves behind what others took at once, so it may go
// beyond the limit, but only by its own bytes.
TEST(MemoryBudget, ManyThreadsOfBothKindsAllGetThrough) {
  MemoryBudget budget(1000);
  EXPECT_LE(Hammer(&budget, true), 1400u);
  EXPECT_LE(budget.peak_bytes(), 1400u);
  EXPECT_GT(budget.peak_bytes(), 0u);
  EXPECT_EQ(budget.used_bytes(), 0u);
}

TEST(MemoryBudgetTest, HugeRequestsDoNotWrapAround) {
  MemoryBudget budget(1000);
  const Reservation held = budget.TryReserve(10);
  EXPECT_TRUE(held.ok());
  EXPECT_FALSE(budget.TryReserve(~uint64_t{0} - 5).ok());
}

}  // namespace
}  // namespace twinset
