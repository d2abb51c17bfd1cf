#include "candidate/complete/prefix_postings.h"

#include <bit>
#include <numeric>
#include <utility>

#include "base/hash.h"
#include "candidate/complete/folded_sets.h"

namespace twinset::inline v1 {
namespace {

constexpr int kElementBits = 64;
constexpr int kLowBits = kElementBits - PrefixPosting::kFoldBits;
constexpr uint64_t kFoldMask = (uint64_t{1} << PrefixPosting::kFoldBits) - 1;

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

// folds_: of the member's elements, distinct; of a bag also squares_.
void PrefixMaker::FindFolds(const JoinMember& member) {
  const bool is_bag = bounds_.measure() == JoinMeasure::kCosineTf;
  JoinElements(bounds_.measure(), member.features, &elements_, &counts_);
  const uint64_t scope = member.within == 0 ? 0 : Mix64(member.within);
  folds_.clear();
  squares_.clear();
  uint64_t last = UINT64_MAX;
  for (size_t i = 0; i < elements_.size(); ++i) {
    const uint64_t fold = elements_[i] >> kLowBits;
    const bool is_new = fold != last;
    if (is_new) folds_.push_back(fold ^ (scope & kFoldMask));
    last = fold;
    if (!is_bag) continue;
    if (is_new) squares_.push_back(0);
    squares_.back() += SquaredWeight(idf_, elements_[i], counts_[i]);
  }
}

void PrefixMaker::Count(const JoinMember& member) {
  constexpr size_t kAhead = 16;
  FindFolds(member);
  for (size_t i = 0; i < folds_.size(); ++i) {
    if (i + kAhead < folds_.size())
      rarity_->Prefetch(folds_[i + kAhead] << kLowBits);
    rarity_->Count(member.document, folds_[i] << kLowBits, member.stored);
  }
}

// keys_: the rarest folds that may meet others, count << 48 | fold, in the
// order of rarity. Returns how many of the prefix come before them.
uint64_t PrefixMaker::ChooseBySize(uint64_t size) {
  constexpr size_t kAhead = 32;
  const uint64_t length = std::min<uint64_t>(folds_.size(), ProbeLength(size));
  uint64_t alone = 0;
  keys_.clear();
  for (size_t i = 0; i < folds_.size(); ++i) {
    if (i + kAhead < folds_.size())
      rarity_->Prefetch(folds_[i + kAhead] << kLowBits);
    const uint32_t count = (*rarity_)[folds_[i] << kLowBits];
    if (count > 0) {
      keys_.push_back(ShortCount(count) << PrefixPosting::kFoldBits |
                      folds_[i]);
    } else if (++alone == length) {
      keys_.clear();
      return alone;
    }
  }
  const auto end = keys_.begin() + static_cast<ptrdiff_t>(length - alone);
  if (end != keys_.end()) std::nth_element(keys_.begin(), end, keys_.end());
  keys_.erase(end, keys_.end());
  std::sort(keys_.begin(), keys_.end());
  return alone;
}

// The same of a bag: the rarest folds until the norm of the rest is below the
// threshold, so that with the rest alone no cosine reaches it.
uint64_t PrefixMaker::ChooseByWeight() {
  std::vector<std::pair<uint64_t, double>> order;
  for (size_t i = 0; i < folds_.size(); ++i) {
    const uint32_t count = (*rarity_)[folds_[i] << kLowBits];
    order.emplace_back(
        ShortCount(count) << PrefixPosting::kFoldBits | folds_[i], squares_[i]);
  }
  std::sort(order.begin(), order.end());
  const double whole = std::accumulate(squares_.begin(), squares_.end(), 0.0);
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

void PrefixMaker::Append(const JoinMember& member,
                         std::vector<PrefixPosting>* postings) {
  const uint64_t size = member.features.size() / sizeof(uint64_t);
  if (size == 0) return;
  FindFolds(member);
  const bool is_bag = bounds_.measure() == JoinMeasure::kCosineTf;
  const uint64_t alone = is_bag ? ChooseByWeight() : ChooseBySize(size);
  const uint64_t indexed = is_bag ? UINT64_MAX : IndexLength(size);
  PrefixPosting::Parts parts;
  parts.document = member.document;
  parts.stored = member.stored;
  parts.size = size;
  for (size_t i = 0; i < keys_.size(); ++i) {
    parts.fold = keys_[i] & kFoldMask;
    parts.before = i == 0 ? parts.fold : keys_[i - 1] & kFoldMask;
    parts.position = alone + i;
    parts.indexed = parts.position < indexed;
    postings->emplace_back(parts);
  }
}

}  // namespace twinset::inline v1
