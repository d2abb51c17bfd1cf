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

constexpr uint64_t kOccurrence = 0x6f63637572726e63;

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

}  // namespace twinset::inline v1
