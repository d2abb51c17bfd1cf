#include "verify/passages.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"

namespace twinset {

namespace {

// Hash of the k tokens that begin at `tokens`.
uint64_t SeedAt(const uint64_t* tokens, uint32_t k) {
  uint64_t hash = 0;
  for (uint32_t j = 0; j < k; ++j) hash = Mix64(hash ^ tokens[j]) + j;
  return hash;
}

// A run of equal tokens.
struct EqualRun {
  uint32_t a = 0, b = 0, length = 0;
};

// Takes 12 bytes a token of `b`.
class Finder {
 public:
  Finder(std::span<const uint64_t> a, std::span<const uint64_t> b,
         const PassageRules& rules, uint32_t k)
      : a_(a),
        b_(b),
        rules_(rules),
        k_(k),
        seeds_b_(b.size() < k ? 0 : b.size() - k + 1),
        places_(seeds_b_.size()) {
    for (uint32_t j = 0; j < places_.size(); ++j) {
      seeds_b_[j] = SeedAt(&b[j], k);
      places_[j] = j;
    }
    std::sort(places_.begin(), places_.end(), [this](uint32_t x, uint32_t y) {
      return seeds_b_[x] != seeds_b_[y] ? seeds_b_[x] < seeds_b_[y] : x < y;
    });
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
  uint32_t Extend(uint32_t i, uint32_t j) const {
    uint32_t length = 0;
    while (i + length < a_.size() && j + length < b_.size() &&
           a_[i + length] == b_[j + length])
      ++length;
    return length;
  }

  // The longest run that begins at `i`; of equally long ones the one that goes
  // on from `last`, else the first.
  EqualRun Longest(uint32_t i, const EqualRun* last) const {
    EqualRun best;
    const uint64_t seed = SeedAt(&a_[i], k_);
    const auto consider = [&](uint32_t j) {
      const uint32_t length = Extend(i, j);
      if (length > best.length) best = {i, j, length};
    };
    if (last != nullptr && i - (last->a + last->length) <= rules_.max_gap) {
      const uint32_t from = last->b + last->length;
      for (uint32_t j = from; j <= from + rules_.max_gap; ++j) {
        if (j < seeds_b_.size() && seeds_b_[j] == seed) consider(j);
      }
    }
    auto place = std::lower_bound(
        places_.begin(), places_.end(), seed,
        [this](uint32_t x, uint64_t value) { return seeds_b_[x] < value; });
    for (uint32_t tried = 0; place != places_.end() &&
                             seeds_b_[*place] == seed && tried < kMaxPlaces;
         ++place, ++tried)
      consider(*place);
    return best;
  }

  std::span<const uint64_t> a_, b_;
  const PassageRules& rules_;
  const uint32_t k_;
  std::vector<uint64_t> seeds_b_;
  std::vector<uint32_t> places_;  // in b, by their seeds
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
    if (run.length < k) continue;  // a seed that only collides
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
