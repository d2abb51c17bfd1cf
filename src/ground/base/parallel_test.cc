#include "base/parallel.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "base/hash.h"
#include "base/memory_budget.h"

namespace twinset {
namespace {

TEST(ParallelFor, CoversEveryIndexOnce) {
  for (int threads : {1, 2, 7}) {
    for (size_t count :
         {size_t{0}, size_t{1}, size_t{2}, size_t{99}, size_t{10000}}) {
      for (size_t grain : {size_t{0}, size_t{1}, size_t{64}, size_t{100000}}) {
        std::vector<std::atomic<int>> seen(count);
        ParallelFor(count, grain, threads, [&](size_t begin, size_t end) {
          EXPECT_LT(begin, end);
          ASSERT_LE(end, count);
          for (size_t i = begin; i < end; ++i) ++seen[i];
        });
        for (size_t i = 0; i < count; ++i) {
          ASSERT_EQ(seen[i], 1)
              << threads << ' ' << count << ' ' << grain << ' ' << i;
        }
      }
    }
  }
}

TEST(ParallelFor, OneThreadRunsInTheCaller) {
  const auto caller = std::this_thread::get_id();
  ParallelFor(1000, 1, 1, [&](size_t, size_t) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
  });
}

// Where no thread can start, since the system limits processes, the caller does
// all of the work. The limit does not hold for root.
TEST(ParallelFor, DoesWithoutThreadsThatCannotStart) {
  const auto alone = [] {
    constexpr uid_t kNobody = 65534;
    const rlimit none{0, 0};
    if (getuid() == 0 && setuid(kNobody) != 0) _exit(2);
    if (setrlimit(RLIMIT_NPROC, &none) != 0) _exit(3);
    bool refused = false;
    try {
      std::thread([] {}).join();
    } catch (const std::system_error&) {
      refused = true;
    }
    size_t sum = 0, taken = 0, made = 0;
    ParallelFor(1000, 1, 8,
                [&](size_t begin, size_t end) { sum += end - begin; });
    OrderedPipeline(
        8, 32,
        [&]() -> PipelineItem {
          return made++ < 100 ? std::make_shared<int>() : nullptr;
        },
        [](void*) {},
        [&](void*) {
          ++taken;
          return true;
        });
    bool beside = false;
    {
      const SideThread thread([&] { beside = true; });
    }
    _exit(refused && sum == 1000 && taken == 100 && !beside ? 0 : 1);
  };
  EXPECT_EXIT(alone(), testing::ExitedWithCode(0), "");
}

TEST(SideThread, RunsBesideTheCallerWhoWaitsForItsEnd) {
  std::atomic<bool> goes_on = false, is_done = false;
  {
    const SideThread thread([&] {
      while (!goes_on) std::this_thread::yield();
      is_done = true;
    });
    EXPECT_FALSE(is_done);
    goes_on = true;
  }
  EXPECT_TRUE(is_done);
}

TEST(ParallelFor, TenThousandThreadsAreNotStarted) {
  std::atomic<size_t> sum{0};
  ParallelFor(100'000, 1, 10'000,
              [&](size_t begin, size_t end) { sum += end - begin; });
  EXPECT_EQ(sum, 100'000u);
}

TEST(ParallelFor, MayBeNested) {
  std::atomic<int> sum{0};
  ParallelFor(10, 1, 3, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      ParallelFor(10, 1, 3,
                  [&](size_t b, size_t e) { sum += static_cast<int>(e - b); });
    }
  });
  EXPECT_EQ(sum, 100);
}

struct Item {
  size_t number = 0;
  uint64_t value = 0;
};

// Runs `count` items whose transformation takes unequal time; the sink stops
// after `stop_after`.
void RunPipeline(int threads, size_t tokens, size_t count, size_t stop_after) {
  size_t made = 0, taken = 0;
  std::atomic<int> in_source{0}, in_sink{0};
  std::atomic<size_t> alive{0}, most_alive{0};
  OrderedPipeline(
      threads, tokens,
      [&]() -> PipelineItem {
        EXPECT_EQ(in_source++, 0);
        PipelineItem item;
        if (made < count) {
          const size_t now = ++alive;
          size_t most = most_alive;
          while (now > most && !most_alive.compare_exchange_weak(most, now)) {
          }
          item = PipelineItem(new Item{made++, 0}, [&](void* at) {
            --alive;
            delete static_cast<Item*>(at);
          });
        }
        --in_source;
        return item;
      },
      [](void* at) {
        Item* item = static_cast<Item*>(at);
        uint64_t value = item->number;
        for (uint64_t i = 0; i < Mix64(item->number) % 2000; ++i)
          value = Mix64(value + i);
        item->value = value | 1;
      },
      [&](void* at) {
        EXPECT_EQ(in_sink++, 0);
        const Item* item = static_cast<const Item*>(at);
        EXPECT_EQ(item->number, taken);
        EXPECT_NE(item->value, 0u) << "not transformed";
        ++taken;
        --in_sink;
        return taken < stop_after;
      });
  EXPECT_EQ(taken, std::min(count, stop_after));
  EXPECT_EQ(alive, 0u);
  const size_t in_flight = std::max(tokens, static_cast<size_t>(threads));
  EXPECT_LE(most_alive, in_flight + 1);
  if (stop_after <= count) {
    EXPECT_LE(made, stop_after + in_flight) << "source called after the stop";
  }
}

TEST(OrderedPipeline, SinkSeesItemsInOrder) {
  for (int threads : {1, 2, 8}) {
    for (size_t tokens : {size_t{1}, size_t{4}, size_t{32}}) {
      for (size_t count : {size_t{0}, size_t{1}, size_t{500}}) {
        RunPipeline(threads, tokens, count, count + 1);
      }
    }
  }
}

TEST(OrderedPipeline, StopsEarly) {
  for (int threads : {1, 2, 8}) {
    for (size_t stop_after : {size_t{1}, size_t{2}, size_t{100}, size_t{499}}) {
      RunPipeline(threads, 16, 100000, stop_after);
    }
  }
}

// The source waits for memory that only items after the failed one hold.
TEST(OrderedPipeline, StopsWhileTheSourceWaits) {
  MemoryBudget budget(100);
  std::atomic<size_t> asked{0};
  OrderedPipeline(
      4, 8,
      [&]() -> PipelineItem {
        return std::make_shared<Reservation>(
            budget.Wait(asked++ == 0 ? 10 : 60));
      },
      [](void*) {},
      [&](void*) {
        while (asked < 3) std::this_thread::yield();
        return false;
      });
  EXPECT_EQ(budget.used_bytes(), 0u);
}

TEST(OrderedPipeline, OneThreadRunsInTheCaller) {
  const auto caller = std::this_thread::get_id();
  int left = 3;
  OrderedPipeline(
      1, 4,
      [&]() -> PipelineItem {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        return left-- > 0 ? std::make_shared<int>(left) : nullptr;
      },
      [&](void*) { EXPECT_EQ(std::this_thread::get_id(), caller); },
      [&](void*) {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        return true;
      });
}

// The others come to an end, and the caller gets what was thrown.
TEST(ParallelFor, WhatAThreadThrowsIsThrownInTheCaller) {
  for (const int threads : {1, 2, 7}) {
    for (const size_t at : {size_t{0}, size_t{500}, size_t{999}}) {
      std::atomic<size_t> done{0};
      const auto run = [&] {
        ParallelFor(1000, 1, threads, [&](size_t begin, size_t end) {
          if (begin <= at && at < end) throw std::bad_alloc();
          ++done;
        });
      };
      EXPECT_THROW(run(), std::bad_alloc);
      EXPECT_LT(done, 1000u);
    }
  }
}

TEST(OrderedPipeline, WhatAThreadThrowsIsThrownInTheCaller) {
  enum Place { kSource, kTransform, kSink };
  for (const int threads : {1, 2, 8}) {
    for (const Place place : {kSource, kTransform, kSink}) {
      size_t made = 0;
      const auto fail = [&](const void* item, Place here) {
        if (here == place && *static_cast<const size_t*>(item) == 50)
          throw std::bad_alloc();
      };
      const auto run = [&] {
        OrderedPipeline(
            threads, 16,
            [&]() -> PipelineItem {
              auto item = std::make_shared<size_t>(made++);
              fail(item.get(), kSource);
              return item;
            },
            [&](void* item) { fail(item, kTransform); },
            [&](void* item) {
              fail(item, kSink);
              return true;
            });
      };
      EXPECT_THROW(run(), std::bad_alloc) << threads << ' ' << place;
      EXPECT_LE(made, 50u + 16 + 8);
    }
  }
}

TEST(RunBeside, GivesTheFirstErrorOfTheList) {
  for (const int threads : {1, 2, 8}) {
    std::atomic<int> ran = 0;
    const auto good = [&ran]() -> Status {
      ++ran;
      return {};
    };
    const auto bad = [](const char* what) {
      return [what]() -> Status { return Fail(ErrorCode::kIo, what); };
    };
    EXPECT_TRUE(RunBeside(threads, {good, good, good}).has_value());
    EXPECT_EQ(ran, 3);
    EXPECT_TRUE(RunBeside(threads, {}).has_value());
    const Status status = RunBeside(threads, {good, bad("one"), bad("two")});
    ASSERT_FALSE(status.has_value());
    EXPECT_EQ(status.error().message, "one");
  }
}

TEST(RunBeside, RunsThemAtTheSameTime) {
  std::atomic<int> waiting = 0;
  const auto meet = [&waiting]() -> Status {
    ++waiting;
    while (waiting < 2) std::this_thread::yield();
    return {};
  };
  EXPECT_TRUE(RunBeside(2, {meet, meet}).has_value());
}

TEST(SideThread, WhatItThrowsEndsItAlone) {
  std::atomic<bool> begun = false;
  {
    const SideThread thread([&] {
      begun = true;
      throw std::bad_alloc();
    });
    while (!begun) std::this_thread::yield();
  }
  EXPECT_TRUE(begun);
}

}  // namespace
}  // namespace twinset
