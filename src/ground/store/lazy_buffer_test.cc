#include "store/lazy_buffer.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>

namespace twinset {
namespace {

// Resident bytes of this process.
uint64_t Resident() {
  std::ifstream statm("/proc/self/statm");
  uint64_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident * 4096;
}

TEST(LazyBuffer, IsZeroFilledAndMovable) {
  Result<LazyBuffer> mapped = LazyBuffer::Map(100000);
  ASSERT_TRUE(mapped.has_value());
  LazyBuffer a = std::move(*mapped);
  EXPECT_EQ(mapped->size(),
            0u);  // NOLINT: the moved-from state is part of the contract
  for (size_t i = 0; i < a.size(); ++i) ASSERT_EQ(a.data()[i], 0);
  char* const at = a.data();
  at[99999] = 'x';
  LazyBuffer b;
  b = std::move(a);
  EXPECT_EQ(b.data(), at);
  EXPECT_EQ(b.data()[99999], 'x');
  b.Reset();
  EXPECT_EQ(b.size(), 0u);
  EXPECT_EQ(b.data(), nullptr);
  b.Reset();
}

TEST(LazyBuffer, EmptyAndImpossibleSizes) {
  Result<LazyBuffer> empty = LazyBuffer::Map(0);
  ASSERT_TRUE(empty.has_value());
  EXPECT_EQ(empty->data(), nullptr);
  const Result<LazyBuffer> huge = LazyBuffer::Map(uint64_t{1} << 62);
  ASSERT_FALSE(huge.has_value());
  EXPECT_EQ(huge.error().code, ErrorCode::kMemory);
}

// Sanitizers keep shadow memory, resident too.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr bool kShadowMemory = true;
#elif defined(__has_feature)
constexpr bool kShadowMemory =
    __has_feature(thread_sanitizer) || __has_feature(address_sanitizer);
#else
constexpr bool kShadowMemory = false;
#endif

TEST(LazyBuffer, CostsOnlyWhatIsTouchedAndGivesItBack) {
  if (kShadowMemory)
    GTEST_SKIP() << "resident bytes mean nothing under a sanitizer";
  constexpr uint64_t kMB = 1 << 20;
  const uint64_t before = Resident();
  Result<LazyBuffer> buffer = LazyBuffer::Map(1024 * kMB);
  ASSERT_TRUE(buffer.has_value());
  for (uint64_t i = 0; i < 32 * kMB; i += 4096) buffer->data()[i] = 1;
  const uint64_t touched = Resident();
  EXPECT_GE(touched, before + 30 * kMB);
  EXPECT_LE(touched, before + 40 * kMB);
  buffer->Reset();
  EXPECT_LE(Resident(), before + 8 * kMB);
}

}  // namespace
}  // namespace twinset
