#include "candidate/complete/prefix_postings.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/hash.h"
#include "candidate/complete/folded_sets.h"

namespace twinset::inline v1 {
namespace {

constexpr int kElementBits = 64;
constexpr int kLowBits = kElementBits - PrefixPosting::kFoldBits;
constexpr uint64_t kFoldMask = (uint64_t{1} << PrefixPosting::kFoldBits) - 1;
// A scope leaves it to the element whether it leads.
constexpr uint64_t kScopeMask = kFoldMask >> 4;

// `count` in 16 bits: exact below 2^12, beyond with 12 significant bits. The
// order of counts remains, but for ties.
uint64_t ShortCount(uint32_t count) {
  constexpr int kExactBits = 12;
  const int more = static_cast<int>(std::bit_width(count)) - kExactBits;
  if (more <= 0) return count;
  return (static_cast<uint64_t>(more) << (kExactBits - 1)) + (count >> more);
}

}  // namespace

uint64_t PrefixMaker::ProbeLength(uint64_t size) const {
  return bounds_.measure() == JoinMeasure::kContainment
             ? size
             : LengthOfPrefix(size, bounds_.RequiredAsLarger(size));
}

uint64_t PrefixMaker::IndexLength(uint64_t size) const {
  // Which of two of saturated sizes is larger is not known.
  return size >= PrefixPosting::kMaxSize
             ? ProbeLength(size)
             : LengthOfPrefix(size, bounds_.RequiredAsSmaller(size));
}

uint64_t PrefixMaker::MostPostings(const OverlapBounds& bounds, uint64_t size) {
  if (size == 0 || bounds.measure() == JoinMeasure::kCosineTf) return size;
  return std::min(size,
                  PrefixMaker(bounds, nullptr, nullptr).ProbeLength(size));
}

double PrefixMaker::LeadingShare(const OverlapBounds& bounds) {
  // Two and a half times the prefix of a large document: enough where half of
  // its text is that of many, and there are more of its elements by chance.
  constexpr double kSize = 1 << 20, kPrefixes = 2.5, kParts = 16;
  const auto size = static_cast<uint64_t>(kSize);
  const auto most = static_cast<double>(MostPostings(bounds, size));
  return std::min(1.0, std::ceil(kPrefixes * most / kSize * kParts) / kParts);
}

// The member's elements, ascending, and what tells those of its scope apart.
// Sets are taken where they lie: a large document is in memory often enough.
PrefixMaker::Elements PrefixMaker::ElementsOf(const JoinMember& member) {
  Elements elements;
  if (member.within != 0) elements.scope = Mix64(member.within) & kScopeMask;
  std::span<const uint64_t> values;
  const auto at = reinterpret_cast<uintptr_t>(member.features.data());
  if (IsOfSets(bounds_.measure()) && at % alignof(uint64_t) == 0) {
    values = {reinterpret_cast<const uint64_t*>(member.features.data()),
              member.features.size() / sizeof(uint64_t)};
  } else {
    JoinElements(bounds_.measure(), member.features, &elements_, &counts_);
    values = elements_;
  }
  const auto end = std::partition_point(
      values.begin(), values.end(), [this](uint64_t value) {
        return value >> kLowBits << kLowBits < rarity_->limit();
      });
  const auto leading = static_cast<size_t>(end - values.begin());
  elements.values = values;
  elements.leading = values.first(leading);
  elements.trailing = values.subspan(leading);
  return elements;
}

// Calls `body(fold, i)` with the distinct folds of a part of the elements,
// ascending before the scope is mixed in, and the place of their first element;
// until it returns false.
template <typename Body>
void PrefixMaker::ForEachFoldOf(std::span<const uint64_t> values,
                                uint64_t scope, const Body& body) const {
  constexpr size_t kAhead = 32;
  const auto prefetch = [&](size_t i) __attribute__((always_inline)) {
    if (i < values.size())
      rarity_->Prefetch(((values[i] >> kLowBits) ^ scope) << kLowBits);
  };
  for (size_t i = 0; i < kAhead; ++i) prefetch(i);
  uint64_t last = UINT64_MAX;
  for (size_t i = 0; i < values.size(); ++i) {
    prefetch(i + kAhead);
    const uint64_t fold = values[i] >> kLowBits;
    if (fold == last) continue;
    last = fold;
    if (!body(fold ^ scope, i)) return;
  }
}

void PrefixMaker::Count(const JoinMember& member) {
  const Elements elements = ElementsOf(member);
  uint64_t rare = 0;
  const auto count = [&](uint64_t fold, size_t) {
    rare += !rarity_->Count(member.document, fold << kLowBits, member.stored);
    return true;
  };
  ForEachFoldOf(elements.leading, elements.scope, count);
  if (rare < ProbeLength(member.features.size() / sizeof(uint64_t)))
    ForEachFoldOf(elements.trailing, elements.scope, count);
}

// keys_: the rarest folds that may meet others, count << 48 | fold, in the
// order of rarity. Returns how many of the prefix come before them.
uint64_t PrefixMaker::ChooseBySize(const Elements& elements, uint64_t size) {
  constexpr size_t kLarge = 1 << 16;
  if (elements.values.size() > kLarge) return ChooseOfLarge(elements, size);
  const uint64_t most = ProbeLength(size);
  // Without a branch on what the counters say: it is not foreseeable.
  uint64_t alone = 0;
  size_t twos = 0, others = 0;
  keys_.resize(elements.leading.size());
  others_.resize(elements.leading.size());
  ForEachFoldOf(elements.leading, elements.scope, [&](uint64_t fold, size_t) {
    const int seen = rarity_->AtLeast(fold << kLowBits);
    keys_[twos] = uint64_t{2} << PrefixPosting::kFoldBits | fold;
    others_[others] = fold;
    alone += seen == 0;
    twos += seen == 2;
    others += seen == Rarity::kMore;
    return alone < most;
  });
  const uint64_t wanted = most - alone;
  keys_.resize(twos);
  others_.resize(others);
  KeepLowest(std::min<uint64_t>(twos, wanted), &keys_);
  if (keys_.size() == wanted) return alone;
  AddOthers(elements, wanted - keys_.size());
  return alone;
}

// Appends the `wanted` rarest of others_ and of the trailing folds to keys_, or
// all, if there are fewer.
void PrefixMaker::AddOthers(const Elements& elements, uint64_t wanted) {
  uint64_t rare = 0;
  const auto key_of = [&](uint64_t fold) {
    const uint32_t count = (*rarity_)[fold << kLowBits];
    rare += count < Rarity::kFrequent;
    return ShortCount(count) << PrefixPosting::kFoldBits | fold;
  };
  for (uint64_t& fold : others_) fold = key_of(fold);
  if (rare < wanted) {
    ForEachFoldOf(elements.trailing, elements.scope,
                  [&](uint64_t fold, size_t) {
                    others_.push_back(key_of(fold));
                    return true;
                  });
  }
  KeepLowest(std::min<uint64_t>(wanted, others_.size()), &others_);
  keys_.insert(keys_.end(), others_.begin(), others_.end());
}

// The same without a key for each fold: counts are looked up twice. Of folds
// with the last count that is taken, the lowest ones are: the first, unless a
// scope is mixed in.
uint64_t PrefixMaker::ChooseOfLarge(const Elements& elements, uint64_t size) {
  constexpr size_t kCounts = 1 << 16;
  std::vector<uint32_t> with_count(kCounts);
  uint64_t folds = 0;
  ForEachFoldOf(elements.values, elements.scope, [&](uint64_t fold, size_t) {
    ++with_count[ShortCount((*rarity_)[fold << kLowBits])];
    ++folds;
    return true;
  });
  keys_.clear();
  const uint64_t length = std::min(folds, ProbeLength(size));
  const uint64_t alone = std::min<uint64_t>(with_count[0], length);
  if (alone == length) return alone;
  uint64_t last = 1, left = length - alone;
  while (with_count[last] < left) left -= with_count[last++];
  if (elements.scope != 0) left = folds;
  keys_.reserve(length - alone);
  ForEachFoldOf(elements.values, elements.scope, [&](uint64_t fold, size_t) {
    const uint64_t count = ShortCount((*rarity_)[fold << kLowBits]);
    if (count == 0 || count > last || (count == last && left == 0)) return true;
    left -= count == last;
    keys_.push_back(count << PrefixPosting::kFoldBits | fold);
    return true;
  });
  KeepLowest(length - alone, &keys_);
  return alone;
}

// Sorts the keys, and drops all but the lowest `count`.
void PrefixMaker::KeepLowest(uint64_t count, std::vector<uint64_t>* keys) {
  const auto end = keys->begin() + static_cast<ptrdiff_t>(count);
  if (std::is_sorted(keys->begin(), keys->end())) {
    keys->erase(end, keys->end());
    return;
  }
  if (end != keys->end()) std::nth_element(keys->begin(), end, keys->end());
  keys->erase(end, keys->end());
  std::sort(keys->begin(), keys->end());
}

// The same of a bag: the rarest folds until the norm of the rest is below the
// threshold, so that with the rest alone no cosine reaches it.
uint64_t PrefixMaker::ChooseByWeight(const Elements& elements) {
  std::vector<std::pair<uint64_t, double>> order;
  double whole = 0;
  const auto& values = elements.values;
  ForEachFoldOf(elements.values, elements.scope, [&](uint64_t fold, size_t i) {
    double square = 0;
    for (const uint64_t low = values[i] >> kLowBits;
         i < values.size() && values[i] >> kLowBits == low; ++i) {
      square += SquaredWeight(idf_, values[i], counts_[i]);
    }
    whole += square;
    const uint32_t count = (*rarity_)[fold << kLowBits];
    order.emplace_back(ShortCount(count) << PrefixPosting::kFoldBits | fold,
                       square);
    return true;
  });
  std::sort(order.begin(), order.end());
  double rest = 0;
  size_t length = order.size();
  for (; length > 0; --length) {
    rest += order[length - 1].second;
    if (rest >= bounds_.LeastSquare(whole)) break;
  }
  keys_.clear();
  for (size_t i = 0; i < length; ++i) {
    if (order[i].first >> PrefixPosting::kFoldBits > 0)
      keys_.push_back(order[i].first);
  }
  return length - keys_.size();
}

void PrefixMaker::Append(const JoinMember& member, std::string* postings) {
  const uint64_t size = member.features.size() / sizeof(uint64_t);
  if (size == 0) return;
  const bool is_bag = bounds_.measure() == JoinMeasure::kCosineTf;
  const Elements elements = ElementsOf(member);
  const uint64_t alone =
      is_bag ? ChooseByWeight(elements) : ChooseBySize(elements, size);
  const uint64_t indexed = is_bag ? UINT64_MAX : IndexLength(size);
  PrefixPosting::Parts parts;
  parts.document = member.document;
  parts.stored = member.stored;
  parts.size = size;
  postings->reserve(postings->size() + keys_.size() * sizeof(PrefixPosting));
  for (size_t i = 0; i < keys_.size(); ++i) {
    parts.fold = keys_[i] & kFoldMask;
    parts.before = i == 0 ? parts.fold : keys_[i - 1] & kFoldMask;
    parts.position = alone + i;
    parts.indexed = parts.position < indexed;
    const PrefixPosting posting(parts);
    postings->append(reinterpret_cast<const char*>(&posting), sizeof(posting));
  }
  // What a large document took is not kept for small ones.
  constexpr size_t kKept = 1 << 18;
  if (keys_.capacity() > kKept) std::vector<uint64_t>().swap(keys_);
  if (elements_.capacity() > kKept) std::vector<uint64_t>().swap(elements_);
}

}  // namespace twinset::inline v1
