#include "candidate/complete/folded_sets.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/hash.h"
#include "base/parallel.h"

namespace twinset::inline v1 {
namespace {

constexpr int kMinCounterBits = 16, kMaxCounterBits = 31;
constexpr uint64_t kOccurrence = 0x6f63637572726e63;

int CounterBits(uint64_t folds) {
  const int bits = static_cast<int>(std::bit_width(folds));
  return std::clamp(bits, kMinCounterBits, kMaxCounterBits);
}

// The i-th occurrence of a token becomes an element of its own: bags of tokens
// are then sets, and what two bags share is what the sets share.
void NumberOccurrences(std::vector<uint64_t>* tokens) {
  std::sort(tokens->begin(), tokens->end());
  uint64_t token = 0, occurrence = 0;
  for (size_t i = 0; i < tokens->size(); ++i) {
    occurrence = i > 0 && (*tokens)[i] == token ? occurrence + 1 : 0;
    token = (*tokens)[i];
    (*tokens)[i] = Mix64(token + occurrence * kOccurrence);
  }
  std::sort(tokens->begin(), tokens->end());
  tokens->erase(std::unique(tokens->begin(), tokens->end()), tokens->end());
}

void CountRepeats(std::vector<uint64_t>* bag, std::vector<uint32_t>* counts) {
  counts->clear();
  size_t kept = 0;
  for (const uint64_t feature : *bag) {
    if (kept == 0 || (*bag)[kept - 1] != feature) {
      (*bag)[kept++] = feature;
      counts->push_back(0);
    }
    ++counts->back();
  }
  bag->resize(kept);
}

}  // namespace

uint32_t RootUp(uint64_t square) {
  auto root = static_cast<uint64_t>(std::sqrt(static_cast<double>(square)));
  while (root * root < square) ++root;
  return static_cast<uint32_t>(std::min<uint64_t>(root, UINT32_MAX));
}

void JoinElements(JoinMeasure measure, std::string_view features,
                  std::vector<uint64_t>* elements,
                  std::vector<uint32_t>* weights) {
  const size_t count = features.size() / sizeof(uint64_t);
  // What it held is not needed, nor twice the room for a large document.
  if (elements->capacity() < count) {
    std::vector<uint64_t>().swap(*elements);
    elements->reserve(count);
  }
  elements->resize(count);
  if (!elements->empty()) {
    std::memcpy(elements->data(), features.data(),
                elements->size() * sizeof(uint64_t));
  }
  if (measure == JoinMeasure::kEdit || measure == JoinMeasure::kHamming) {
    NumberOccurrences(elements);
  } else if (measure == JoinMeasure::kCosineTf) {
    CountRepeats(elements, weights);
  }
}

void FoldElements(std::span<const uint64_t> elements,
                  std::span<const uint32_t> weights, FoldedSet* set,
                  std::vector<uint32_t>* folds,
                  std::vector<uint32_t>* fold_weights) {
  const size_t first = folds->size();
  uint64_t square = 0;
  for (size_t i = 0; i < elements.size(); ++i) {
    const auto fold = static_cast<uint32_t>(elements[i] >> 32);
    const bool is_new = folds->size() == first || folds->back() != fold;
    if (is_new) folds->push_back(fold);
    if (weights.empty()) continue;
    const uint64_t own = uint64_t{weights[i]} * weights[i];
    set->square += static_cast<double>(own);
    square = is_new ? own : square + own;
    if (is_new) fold_weights->push_back(0);
    fold_weights->back() = RootUp(square);
  }
  set->folds = static_cast<uint32_t>(folds->size() - first);
}

void AskForLargePages(LazyBuffer* buffer) {
  constexpr uint64_t kWorthIt = 16 << 20;
  // Only advice: a system without large pages works as well.
  if (buffer->size() >= kWorthIt)
    ::madvise(buffer->data(), buffer->size(), MADV_HUGEPAGE);
}

uint64_t FoldCounters::BytesFor(uint64_t folds) {
  return (uint64_t{1} << CounterBits(folds)) +
         (uint64_t{4} << (32 - kManyShift));
}

Status FoldCounters::Count(std::span<const uint32_t> folds, int threads) {
  constexpr size_t kAhead = 24;
  const int bits = CounterBits(folds.size());
  shift_ = 32 - bits;
  TWINSET_ASSIGN(few_, LazyBuffer::Map(uint64_t{1} << bits));
  AskForLargePages(&few_);
  many_.assign(size_t{1} << (32 - kManyShift), 0);
  // Each thread counts the folds of a range of its own: a power of two of them,
  // so that no counter is of two ranges.
  const auto ranges = std::bit_floor(
      static_cast<uint32_t>(std::clamp(threads, 1, 1 << kMinCounterBits)));
  const int range_shift = 32 - std::countr_zero(ranges);
  const auto count = [&](uint32_t range) {
    auto* few = reinterpret_cast<uint8_t*>(few_.data());
    const auto add = [&](uint32_t fold) {
      uint8_t& cell = few[fold >> shift_];
      if (cell < kMany) {
        ++cell;
      } else if (many_[fold >> kManyShift] < UINT32_MAX - kMany) {
        ++many_[fold >> kManyShift];
      }
    };
    const auto is_own = [&](uint32_t fold) {
      return ranges == 1 || fold >> range_shift == range;
    };
    for (size_t i = 0; i < folds.size(); ++i) {
      if (i + kAhead < folds.size() && is_own(folds[i + kAhead]))
        Prefetch(folds[i + kAhead]);
      if (is_own(folds[i])) add(folds[i]);
    }
  };
  ParallelFor(ranges, 1, threads, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) count(static_cast<uint32_t>(i));
  });
  return {};
}

}  // namespace twinset::inline v1
