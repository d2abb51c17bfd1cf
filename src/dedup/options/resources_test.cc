#include "options/resources.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/machine.h"
#include "base/parallel.h"

namespace twinset {
namespace {

constexpr uint64_t kMiB = 1 << 20;

Result<uint64_t> MemoryOf(uint64_t memory, uint64_t document,
                          uint64_t window = 128 * kMiB) {
  ResourceOptions resources;
  resources.memory_bytes = memory;
  InputOptions input;
  input.max_document_bytes = document;
  input.max_window_bytes = window;
  return WorkingMemory(resources, input);
}

TEST(WorkingMemory, EightDocumentsOfTheLargestSizeMustFit) {
  for (uint64_t document = 1; document <= 64 * kMiB; document *= 2) {
    const uint64_t least = std::max(kMinimumMemoryBytes, 8 * document);
    EXPECT_EQ(MemoryOf(least, document), least) << document;
    const auto refused = MemoryOf(least - 1, document);
    ASSERT_FALSE(refused) << document;
    EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
    EXPECT_NE(refused.error().remedy.find("--memory " +
                                          std::to_string(least / kMiB) + "M"),
              std::string::npos)
        << refused.error().remedy;
  }
}

// What the remedy says works, and a MiB less does not.
TEST(WorkingMemory, TheRemedyIsTheLeastThatWorks) {
  for (const uint64_t document :
       {8 * kMiB + 1, 10 * kMiB - 1, uint64_t{100'000'000}, 99 * kMiB + 77}) {
    const auto refused = MemoryOf(1, document);
    ASSERT_FALSE(refused) << document;
    const std::string remedy = refused.error().remedy;
    const size_t at = remedy.rfind(' ');
    ASSERT_EQ(remedy.back(), 'M');
    const uint64_t least = std::stoull(remedy.substr(at)) * kMiB;
    EXPECT_EQ(MemoryOf(least, document), least) << remedy;
    EXPECT_FALSE(MemoryOf(least - kMiB, document)) << remedy;
  }
}

TEST(WorkingMemory, WindowsBeyondTheUsualAreTakenOff) {
  EXPECT_EQ(MemoryOf(1024 * kMiB, kMiB, kMiB), 1024 * kMiB);
  EXPECT_EQ(MemoryOf(1024 * kMiB, kMiB, 512 * kMiB), 640 * kMiB);
  const auto refused = MemoryOf(400 * kMiB, kMiB, 512 * kMiB);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().remedy.find("--memory 448M"), std::string::npos)
      << refused.error().remedy;
}

TEST(ResolveThreads, AskedForButNoMoreThanMemoryHasRoomFor) {
  for (const int asked : {1, 2, 7, 8, 9, 255, 256, 257, 100000}) {
    for (const uint64_t mib : {64u, 65u, 72u, 1000u, 4096u, 100000u}) {
      int naive = 0;  // one more as long as it is wanted, known and has room
      while (naive < asked && naive < kMostThreads &&
             static_cast<uint64_t>(naive + 1) * 16 * kMiB <= mib * kMiB)
        ++naive;
      EXPECT_EQ(ResolveThreads(asked, mib * kMiB), naive)
          << asked << " " << mib;
    }
  }
}

TEST(ResolveThreads, ZeroIsOneAProcessor) {
  EXPECT_EQ(ResolveThreads(0, uint64_t{1} << 40),
            std::min(UsableThreads(), kMostThreads));
  EXPECT_LE(ResolveThreads(0, kMinimumMemoryBytes), 4);
}

}  // namespace
}  // namespace twinset
