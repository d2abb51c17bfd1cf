// A host is never ended: memory that is not there, whichever thread asks for
// it, is an error of the call.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
#include "base/test_dir.h"
#include "twinset/collection.h"
#include "twinset/dedup.h"
#include "twinset/session.h"

namespace {

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
// The allocation, counted from now, that fails; and whether all large ones
// behind it do.
std::atomic<int64_t> left_until_failure{kNever};
std::atomic<bool> large_fail{false};
constexpr size_t kLargeBytes = 16 << 10;

void* Allocate(size_t bytes) {
  const int64_t left =
      left_until_failure.load() == kNever ? kNever : --left_until_failure;
  if (left == 0 || (large_fail && left < 0 && bytes >= kLargeBytes))
    throw std::bad_alloc();
  void* const memory = std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(size_t bytes) { return Allocate(bytes); }
void* operator new[](size_t bytes) { return Allocate(bytes); }
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  return std::malloc(bytes);
}
void* operator new[](size_t bytes, const std::nothrow_t&) noexcept {
  return std::malloc(bytes);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t) noexcept { std::free(memory); }

namespace twinset {
namespace {

std::vector<std::string> Texts() {
  std::vector<std::string> texts;
  for (uint64_t i = 0; i < 200; ++i) {
    std::string text;
    for (uint64_t word = 0; word < 60; ++word)
      text +=
          std::to_string(Mix64(i / 2 * 1000 + word + (word == i % 60))) + ' ';
    texts.push_back(std::move(text));
  }
  return texts;
}

// What the caller itself allocates for a call (a source, options) is its own
// matter; it shows as the same error.
template <typename Call>
auto CallWithOwn(const Call& call) -> decltype(call()) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return Fail(ErrorCode::kMemory, "own");
  }
}

// Calls `call` with each of about `steps` of its allocations failing, and says
// how often it told so. What else it returned must be what it returns with
// memory.
template <typename Call>
int CountNoMemory(int64_t steps, const Call& call) {
  left_until_failure = kNever - 1;
  const auto expected = call();
  const int64_t all = kNever - 1 - left_until_failure.exchange(kNever);
  EXPECT_TRUE(expected) << expected.error().ToString();
  int told = 0;
  for (const bool large : {false, true}) {
    for (int64_t step = 0; step < steps; ++step) {
      large_fail = large;
      left_until_failure = 1 + all * step / steps;
      const auto result = CallWithOwn(call);
      left_until_failure = kNever;
      large_fail = false;
      if (result) {
        EXPECT_TRUE(*result == *expected) << step;
        continue;
      }
      EXPECT_EQ(result.error().code, ErrorCode::kMemory)
          << result.error().ToString();
      told += result.error().message != "own";
    }
  }
  return told;
}

TEST(NoMemory, IsAnErrorOfARunOverDocumentsInMemory) {
  const std::vector<std::string> texts = Texts();
  CollectionOptions options;
  options.resources.threads = 3;
  options.resources.memory_bytes = 256 << 20;
  const auto run = [&]() -> Result<std::vector<Pair>> {
    TWINSET_ASSIGN(const Duplicates found, Dedup(*FromTexts(texts), options));
    return found.pairs;
  };
  // A run that fails over work files in memory is tried again over files.
  EXPECT_GT(CountNoMemory(12, run), 2);
}

TEST(NoMemory, IsAnErrorOfARunOverFilesWhichCanBeResumed) {
  const TestDir dir;
  std::string rows;
  for (const std::string& text : Texts())
    rows += "{\"text\":\"" + text + "\"}\n";
  ASSERT_TRUE(WriteWholeFile(dir / "in.jsonl", rows));
  DedupOptions options;
  options.input.inputs = {dir / "in.jsonl"};
  options.resources.threads = 3;
  options.resources.memory_bytes = 256 << 20;
  options.overwrite = true;
  int number = 0;
  const auto run = [&]() -> Result<uint64_t> {
    options.out = dir / ("out" + std::to_string(number++));
    TWINSET_ASSIGN(const DedupSummary summary, Dedup(options));
    return summary.pairs;
  };
  EXPECT_GT(CountNoMemory(8, run), 8);
}

TEST(NoMemory, IsAnErrorOfASession) {
  const std::string text = Texts()[0];
  const std::vector<uint64_t> offsets = {0, text.size()};
  const auto call = [&]() -> Result<std::vector<uint32_t>> {
    TWINSET_ASSIGN(const Session session, Session::Make());
    TWINSET_ASSIGN(const SketchMatrix sketches,
                   session.Sketch(TextBatch{text, offsets}));
    return sketches.values;
  };
  EXPECT_GT(CountNoMemory(40, call), 20);
}

}  // namespace
}  // namespace twinset
