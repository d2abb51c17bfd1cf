#include "candidate/complete/folded_sets.h"

#include <algorithm>
#include <cstring>

#include "base/hash.h"

namespace twinset {
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

void JoinElements(JoinMeasure measure, std::string_view features,
                  std::vector<uint64_t>* elements,
                  std::vector<uint32_t>* counts) {
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
  if (IsOfSequences(measure)) {
    NumberOccurrences(elements);
  } else if (measure == JoinMeasure::kCosineTf) {
    CountRepeats(elements, counts);
  }
}

void FoldElements(std::span<const uint64_t> elements, FoldedSet* set,
                  std::vector<uint32_t>* folds) {
  const size_t first = folds->size();
  for (const uint64_t element : elements) {
    const auto fold = static_cast<uint32_t>(element >> 32);
    if (folds->size() == first || folds->back() != fold) folds->push_back(fold);
  }
  set->folds = static_cast<uint32_t>(folds->size() - first);
}

}  // namespace twinset
