#include "candidate/complete/prefix_postings.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/hash.h"
#include "candidate/complete/folded_sets.h"
#include "candidate/complete/leading_counts.h"
#include "candidate/complete/short_count.h"

namespace twinset {
namespace {

constexpr int kElementBits = 64;
constexpr int kLowBits = kElementBits - PrefixPosting::kFoldBits;
// A scope leaves it to the element whether it leads.
constexpr uint64_t kScopeMask =
    (uint64_t{1} << (PrefixPosting::kFoldBits - 4)) - 1;

constexpr int kCountBits = 12;  // a short count has 16

uint64_t KeyOf(uint32_t count, uint64_t fold) {
  return uint64_t{ShortCount<kCountBits>(count)} << PrefixPosting::kFoldBits |
         fold;
}

}  // namespace

uint64_t PrefixMaker::ScopeOf(const JoinMember& member) {
  return member.within == 0 ? 0 : Mix64(member.within) & kScopeMask;
}

uint64_t PrefixMaker::ProbeLength(const OverlapBounds& bounds, uint64_t size) {
  return bounds.measure() == JoinMeasure::kContainment
             ? size
             : LengthOfPrefix(size, bounds.RequiredAsLarger(size));
}

uint64_t PrefixMaker::IndexLength(const OverlapBounds& bounds, uint64_t size) {
  if (bounds.measure() == JoinMeasure::kCosineTf) return UINT64_MAX;
  // Which of two of saturated sizes is larger is not known.
  return size >= PrefixPosting::kMaxSize
             ? ProbeLength(bounds, size)
             : LengthOfPrefix(size, bounds.RequiredAsSmaller(size));
}

uint64_t PrefixMaker::MostPostings(const OverlapBounds& bounds, uint64_t size) {
  if (size == 0 || bounds.measure() == JoinMeasure::kCosineTf) return size;
  return std::min(size, ProbeLength(bounds, size));
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
// Sets and bags are taken where they lie: a large document is in memory often
// enough.
PrefixMaker::Elements PrefixMaker::ElementsOf(const JoinMember& member) {
  Elements elements;
  elements.scope = ScopeOf(member);
  elements.size = member.features.size() / sizeof(uint64_t);
  if (!IsOfSequences(bounds_.measure())) {
    elements.values = AsValues(member.features);
  } else if (!member.prepared.empty()) {
    elements.values = member.prepared;
  } else {
    JoinElements(bounds_.measure(), member.features, &elements_, nullptr);
    elements.values = elements_;
  }
  const auto& values = elements.values;
  const auto end = std::partition_point(
      values.begin(), values.end(), [this](uint64_t value) {
        return value >> kLowBits << kLowBits < rarity_->limit();
      });
  elements.leading = static_cast<size_t>(end - values.begin());
  return elements;
}

// Calls `body` with the distinct folds of the elements from `begin` to `end`,
// ascending, until it returns false. It begins with all or the trailing ones.
template <typename Body>
void PrefixMaker::ForEachFoldOf(const Elements& elements, size_t begin,
                                size_t end, const Body& body) const {
  constexpr size_t kAhead = 32;
  const auto& values = elements.values;
  const size_t asked = elements.are_counted ? elements.leading : 0;
  const auto prefetch = [&](size_t i) __attribute__((always_inline)) {
    if (i < asked || i >= end) return;
    rarity_->Prefetch(((values[i] >> kLowBits) ^ elements.scope) << kLowBits);
  };
  for (size_t i = begin; i < begin + kAhead; ++i) prefetch(i);
  Fold fold{UINT64_MAX, begin, begin};
  for (size_t i = begin; i < end; ++i) {
    prefetch(i + kAhead);
    const uint64_t value = values[i] >> kLowBits;
    if (value == fold.value) continue;
    fold.value = value;
    fold.at = i;
    if (!body(fold)) return;
    ++fold.number;
  }
}
template <typename Body>
void PrefixMaker::ForEachFoldOf(const Elements& elements,
                                const Body& body) const {
  ForEachFoldOf(elements, 0, elements.values.size(), body);
}

int PrefixMaker::AtLeast(const Elements& elements, const Fold& fold) const {
  if (elements.are_counted)
    return std::min<int>(elements.counts[fold.number], Rarity::kMore);
  return rarity_->AtLeast((fold.value ^ elements.scope) << kLowBits);
}

uint32_t PrefixMaker::CountOf(const Elements& elements, uint64_t fold) const {
  return (*rarity_)[(fold ^ elements.scope) << kLowBits];
}

uint32_t PrefixMaker::CountOf(const Elements& elements,
                              const Fold& fold) const {
  if (elements.are_counted && fold.at < elements.leading)
    return LongCount<LeadingCounts::kBits>(elements.counts[fold.number]);
  return CountOf(elements, fold.value);
}

// The weight of the elements of one fold of a bag, from the first of them on.
Square PrefixMaker::SquareAt(const Elements& elements, size_t i) const {
  const auto& values = elements.values;
  Square square = 0;
  for (const uint64_t fold = values[i] >> kLowBits;
       i < values.size() && values[i] >> kLowBits == fold;) {
    const size_t first = i;
    while (i < values.size() && values[i] == values[first]) ++i;
    square += SquaredWeight(idf_, values[first], i - first);
  }
  return square;
}

void PrefixMaker::Count(const JoinMember& member) {
  const Elements elements = ElementsOf(member);
  uint64_t rare = 0;
  const auto count = [&](const Fold& fold) {
    rare += !rarity_->Count(member.document,
                            (fold.value ^ elements.scope) << kLowBits,
                            member.stored);
    return true;
  };
  ForEachFoldOf(elements, 0, elements.leading, count);
  if (rare < ProbeLength(bounds_, elements.size))
    ForEachFoldOf(elements, elements.leading, elements.values.size(), count);
  Trim();
}

void PrefixMaker::CountTrailing(const JoinMember& member) {
  const bool all_lead = rarity_->limit() == UINT64_MAX;
  if (all_lead || !rarity_->Samples(member.document)) return;
  const Elements elements = ElementsOf(member);
  ForEachFoldOf(elements, elements.leading, elements.values.size(),
                [&](const Fold& fold) {
                  rarity_->Count(member.document,
                                 (fold.value ^ elements.scope) << kLowBits,
                                 member.stored);
                  return true;
                });
  Trim();
}

// keys_: the rarest folds that may meet others, count << 48 | fold, in the
// order of rarity. Returns how many of the prefix come before them.
uint64_t PrefixMaker::ChooseBySize(const Elements& elements) {
  const uint64_t most = ProbeLength(bounds_, elements.size);
  // Without a branch on what the counters say: it is not foreseeable.
  uint64_t alone = 0;
  size_t twos = 0, others = 0;
  keys_.resize(elements.leading);
  others_.resize(elements.leading);
  ForEachFoldOf(elements, 0, elements.leading, [&](const Fold& fold) {
    const int seen = AtLeast(elements, fold);
    keys_[twos] = KeyOf(2, fold.value);
    others_[others] = elements.are_counted
                          ? KeyOf(CountOf(elements, fold), fold.value)
                          : fold.value;
    alone += seen == 0;
    twos += seen == 2;
    others += seen == Rarity::kMore;
    return alone < most;
  });
  const uint64_t wanted = most - alone;
  // These are in order.
  keys_.resize(std::min<uint64_t>(twos, wanted));
  others_.resize(others);
  if (keys_.size() < wanted) AddOthers(elements, wanted - keys_.size());
  return alone;
}

// Appends the `wanted` rarest of others_ and of the trailing folds to keys_, or
// all, if there are fewer.
void PrefixMaker::AddOthers(const Elements& elements, uint64_t wanted) {
  uint64_t rare = 0;
  for (uint64_t& fold : others_) {
    if (!elements.are_counted) fold = KeyOf(CountOf(elements, fold), fold);
    rare += fold >> PrefixPosting::kFoldBits < Rarity::kFrequent;
  }
  if (rare < wanted) {
    ForEachFoldOf(
        elements, elements.leading, elements.values.size(),
        [&](const Fold& fold) {
          others_.push_back(KeyOf(CountOf(elements, fold), fold.value));
          return true;
        });
  }
  const auto end = others_.begin() + static_cast<ptrdiff_t>(std::min<uint64_t>(
                                         wanted, others_.size()));
  if (end != others_.end())
    std::nth_element(others_.begin(), end, others_.end());
  std::sort(others_.begin(), end);
  keys_.insert(keys_.end(), others_.begin(), end);
}

// The same of a bag: the rarest folds until the norm of the rest is below the
// threshold, so that with the rest alone no cosine reaches it.
uint64_t PrefixMaker::ChooseByWeight(const Elements& elements) {
  std::vector<std::pair<uint64_t, double>> order;
  double whole = 0;
  ForEachFoldOf(elements, [&](const Fold& fold) {
    const auto square = static_cast<double>(SquareAt(elements, fold.at));
    whole += square;
    order.emplace_back(KeyOf(CountOf(elements, fold), fold.value), square);
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

// The prefix of any document, in no room but its own: counts are looked up
// twice. Folds weigh one each, or what they weigh in a bag; the prefix ends
// where those that are left weigh too little for a pair. Of the folds of the
// last count that is taken the lowest are.
void PrefixMaker::ChooseOfLarge(const Elements& elements,
                                std::vector<uint64_t>* prefix) const {
  constexpr size_t kCounts = 1 << 16;
  const bool is_bag = bounds_.measure() == JoinMeasure::kCosineTf;
  const auto weight_at = [&](size_t i) {
    return is_bag ? SquareAt(elements, i) : Square{1};
  };
  std::vector<Square> of_count(kCounts);
  Square left = 0;
  ForEachFoldOf(elements, [&](const Fold& fold) {
    const Square weight = weight_at(fold.at);
    of_count[ShortCount<kCountBits>(CountOf(elements, fold))] += weight;
    left += weight;
    return true;
  });
  const auto whole = static_cast<double>(left);
  const auto most = static_cast<double>(ProbeLength(bounds_, elements.size));
  const double least =
      is_bag ? bounds_.LeastSquare(whole) : whole - std::min(whole, most) + 1;
  const auto enough = [&](Square weight) {
    return static_cast<double>(weight) >= least;
  };
  uint64_t last = 0;
  while (enough(left - of_count[last])) left -= of_count[last++];
  prefix->clear();
  if (last == 0) return;
  prefix->reserve(MostPostings(bounds_, elements.size) + 1);
  // Places in bags have no meaning.
  prefix->push_back(is_bag ? 0 : static_cast<uint64_t>(of_count[0]));
  ForEachFoldOf(elements, [&](const Fold& fold) {
    const uint32_t count = CountOf(elements, fold);
    const uint64_t short_count = ShortCount<kCountBits>(count);
    if (count == 0 || short_count > last) return true;
    if (short_count == last) {
      if (!enough(left)) return true;
      left -= weight_at(fold.at);
    }
    prefix->push_back(KeyOf(count, fold.value));
    return true;
  });
  std::sort(prefix->begin() + 1, prefix->end());
}

void PrefixMaker::Choose(const Elements& elements,
                         std::vector<uint64_t>* prefix) {
  constexpr size_t kLarge = 1 << 16;
  prefix->clear();
  if (elements.size == 0) return;
  if (elements.values.size() > kLarge) {
    ChooseOfLarge(elements, prefix);
  } else if (!IsAlone(elements)) {
    const uint64_t alone = bounds_.measure() == JoinMeasure::kCosineTf
                               ? ChooseByWeight(elements)
                               : ChooseBySize(elements);
    if (!keys_.empty()) {
      prefix->reserve(keys_.size() + 1);
      prefix->push_back(alone);
      prefix->insert(prefix->end(), keys_.begin(), keys_.end());
    }
  }
  Trim();
}

// Returns true iff elements that nobody else has are known to fill the prefix.
bool PrefixMaker::IsAlone(const Elements& elements) const {
  return elements.are_counted && bounds_.measure() != JoinMeasure::kCosineTf &&
         static_cast<uint64_t>(
             std::count(elements.counts.begin(), elements.counts.end(), 0)) >=
             ProbeLength(bounds_, elements.size);
}

// What a large document took is not kept for small ones.
void PrefixMaker::Trim() {
  constexpr size_t kKept = 1 << 13;
  for (auto* scratch : {&elements_, &keys_, &others_})
    if (scratch->capacity() > kKept) std::vector<uint64_t>().swap(*scratch);
}

}  // namespace twinset
