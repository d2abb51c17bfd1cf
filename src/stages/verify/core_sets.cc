#include "verify/core_sets.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/hash.h"
#include "kernels/common_bits.h"
#include "kernels/kernels.h"

namespace twinset {
namespace {

constexpr size_t kWordBits = 64, kMostBits = 1 << 12;

// Elements that a sixteenth of the sets have, the most frequent first.
std::vector<std::pair<size_t, uint64_t>> Frequent(
    std::vector<uint64_t> elements, size_t sets) {
  constexpr size_t kPart = 16, kFew = 3;
  std::sort(elements.begin(), elements.end());
  std::vector<std::pair<size_t, uint64_t>> frequent;
  for (size_t i = 0, end = 0; i < elements.size(); i = end) {
    end = i + 1;
    while (end < elements.size() && elements[end] == elements[i]) ++end;
    if (end - i >= std::max(kFew, sets / kPart))
      frequent.emplace_back(end - i, elements[i]);
  }
  std::sort(frequent.rbegin(), frequent.rend());
  if (frequent.size() > kMostBits) frequent.resize(kMostBits);
  return frequent;
}

}  // namespace

SetCore SetCore::Of(std::span<const std::span<const uint64_t>> sample) {
  std::vector<uint64_t> elements;
  for (const auto& set : sample)
    elements.insert(elements.end(), set.begin(), set.end());
  const size_t all = elements.size();
  const auto frequent = Frequent(std::move(elements), sample.size());
  size_t covered = 0;
  for (const auto& [count, element] : frequent) covered += count;
  SetCore core;
  if (covered == 0 || covered < all / 2) return core;
  const size_t slots = std::bit_ceil(2 * frequent.size() + 2);
  core.words_ = (frequent.size() + kWordBits - 1) / kWordBits;
  core.shift_ = 64 - std::countr_zero(slots);
  core.slots_.resize(slots);
  uint32_t bit = 0;
  for (const auto& [count, element] : frequent)
    core.slots_[core.SlotOf(element)] = {element, ++bit};
  return core;
}

size_t SetCore::SlotOf(uint64_t element) const {
  size_t slot = Mix64(element) >> shift_;
  while (slots_[slot].bit != 0 && slots_[slot].element != element)
    slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

std::vector<uint64_t> SetCore::Encode(std::span<const uint64_t> set) const {
  std::vector<uint64_t> encoded(words_);
  for (const uint64_t element : set) {
    const uint32_t bit = slots_[SlotOf(element)].bit;
    if (bit == 0) {
      encoded.push_back(element);
    } else {
      encoded[(bit - 1) / kWordBits] |= uint64_t{1} << ((bit - 1) % kWordBits);
    }
  }
  encoded.shrink_to_fit();
  return encoded;
}

size_t SetCore::Common(std::span<const uint64_t> a, std::span<const uint64_t> b,
                       size_t least) const {
  const size_t bits = kernels::CommonBits(a.data(), b.data(), words_);
  const auto rest_a = a.subspan(words_), rest_b = b.subspan(words_);
  const size_t lacking = least - std::min(least, bits);
  if (std::min(rest_a.size(), rest_b.size()) < lacking) return 0;
  const size_t rest = kernels::IntersectionAtLeast(rest_a, rest_b, lacking);
  return rest < lacking ? 0 : bits + rest;
}

}  // namespace twinset
