#include "verify/passages.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"

namespace twinset {

namespace {

// A run of equal tokens.
struct EqualRun {
  uint32_t a = 0, b = 0, length = 0;
};

// Takes kPassageIndexBytes a token of `b`.
class Finder {
 public:
  Finder(std::span<const uint64_t> a, std::span<const uint64_t> b,
         const PassageRules& rules, uint32_t k)
      : a_(a), b_(b), rules_(rules), k_(k) {
    const size_t seeds = b.size() < k ? 0 : b.size() - k + 1;
    // Places by their buckets, ascending in each: a sort by counting.
    ends_.resize(seeds / kPlacesInABucket + 2);
    for (uint32_t j = 0; j < seeds; ++j) ++ends_[BucketOf(&b[j]) + 1];
    for (size_t i = 1; i < ends_.size(); ++i) ends_[i] += ends_[i - 1];
    places_.resize(seeds);
    for (uint32_t j = 0; j < seeds; ++j) places_[ends_[BucketOf(&b[j])]++] = j;
  }

  // Equal runs from the left to the right of `a`, each the longest at its
  // place.
  std::vector<EqualRun> Runs() const {
    std::vector<EqualRun> runs;
    for (uint32_t i = 0; i + k_ <= a_.size();) {
      const EqualRun run = Longest(i, runs.empty() ? nullptr : &runs.back());
      if (run.length == 0) {
        ++i;
        continue;
      }
      runs.push_back(run);
      i += run.length;
    }
    return runs;
  }

  bool Follows(const EqualRun& last, uint32_t a, uint32_t b) const {
    const uint32_t a_end = last.a + last.length, b_end = last.b + last.length;
    return a >= a_end && b >= b_end && a - a_end <= rules_.max_gap &&
           b - b_end <= rules_.max_gap;
  }

 private:
  static constexpr size_t kPlacesInABucket = 2;

  // Places of equal seeds, the k tokens from there on, are in one bucket.
  size_t BucketOf(const uint64_t* tokens) const {
    uint64_t hash = 0;
    for (uint32_t j = 0; j < k_; ++j) hash = Mix64(hash ^ tokens[j]) + j;
    return static_cast<size_t>((hash >> 32) * (ends_.size() - 1) >> 32);
  }

  bool IsSeed(uint32_t i, size_t j) const {
    return j + k_ <= b_.size() &&
           std::equal(&a_[i], &a_[i] + k_,
                      b_.begin() + static_cast<ptrdiff_t>(j));
  }

  uint32_t Extend(uint32_t i, uint32_t j) const {
    uint32_t length = k_;
    while (i + length < a_.size() && j + length < b_.size() &&
           a_[i + length] == b_[j + length])
      ++length;
    return length;
  }

  // The longest run that begins at `i`; of equally long ones the one that goes
  // on from `last`, else the first.
  EqualRun Longest(uint32_t i, const EqualRun* last) const {
    EqualRun best;
    const auto consider = [&](uint32_t j) {
      const uint32_t length = Extend(i, j);
      if (length > best.length) best = {i, j, length};
    };
    if (last != nullptr && i - (last->a + last->length) <= rules_.max_gap) {
      const uint32_t from = last->b + last->length;
      for (uint32_t j = from; j <= from + rules_.max_gap; ++j)
        if (IsSeed(i, j)) consider(j);
    }
    const size_t bucket = BucketOf(&a_[i]);
    uint32_t tried = 0;
    for (uint32_t at = bucket == 0 ? 0 : ends_[bucket - 1];
         at < ends_[bucket] && tried < kMaxPlaces; ++at) {
      if (!IsSeed(i, places_[at])) continue;
      ++tried;
      consider(places_[at]);
    }
    return best;
  }

  std::span<const uint64_t> a_, b_;
  const PassageRules& rules_;
  const uint32_t k_;
  std::vector<uint32_t> ends_;    // of the buckets, in places_
  std::vector<uint32_t> places_;  // in b
};

}  // namespace

std::vector<Passage> FindPassages(std::span<const uint64_t> a,
                                  std::span<const uint64_t> b,
                                  const PassageRules& rules) {
  if (a.empty() || b.empty()) return {};
  // A text shorter than a seed can still stand in the other as a whole.
  const auto k =
      static_cast<uint32_t>(std::clamp<size_t>(rules.seed_tokens, 1, a.size()));
  const Finder finder(a, b, rules, k);
  std::vector<Passage> passages;
  EqualRun last;
  for (const EqualRun& run : finder.Runs()) {
    if (passages.empty() || !finder.Follows(last, run.a, run.b)) {
      passages.push_back({run.a, run.a, run.b, run.b, 0});
    }
    passages.back().a_end = run.a + run.length;
    passages.back().b_end = run.b + run.length;
    passages.back().equal += run.length;
    last = run;
  }
  const size_t least = std::min<size_t>(rules.min_tokens, a.size());
  std::erase_if(passages, [&](const Passage& passage) {
    return passage.a_end - passage.a_begin < least;
  });
  return passages;
}

}  // namespace twinset
