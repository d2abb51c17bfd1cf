#include "candidate/complete/prefix_join.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <span>

#include "base/parallel.h"
#include "candidate/complete/fold_index.h"
#include "candidate/complete/folded_sets.h"
#include "candidate/complete/shared_sink.h"
#include "candidate/complete/sliced_join.h"
#include "kernels/kernels.h"

namespace twinset::inline v1 {
namespace {

class PrefixJoin : public CollectionJoin {
 public:
  PrefixJoin(const OverlapBounds& bounds, const CollectionJoinContext& context)
      : bounds_(bounds),
        context_(context),
        is_bag_(bounds.measure() == JoinMeasure::kCosineTf),
        probes_all_(bounds.measure() == JoinMeasure::kContainment) {}

  // False when the members do not fit into memory.
  Result<bool> Begin() {
    constexpr uint64_t kLeast = 1 << 20;
    memory_ = context_.budget->ReserveUpTo(context_.memory_bytes, kLeast);
    uint64_t sets = 0, folds = 0;
    TWINSET_TRY(context_.sizes([&](uint64_t size) {
      ++sets;
      folds += size;
      if (is_bag_) {
        most_prefix_ += size;
        most_postings_ += size;
      } else {
        most_prefix_ += std::min(size, ProbeLength(size));
        most_postings_ += std::min(size, IndexLength(size));
      }
    }));
    if (BytesFor(sets, folds) > memory_.bytes() || sets >= kMostDocuments)
      return false;
    sets_.reserve(sets);
    TWINSET_TRY(folds_.Map(folds));
    if (is_bag_) TWINSET_TRY(weights_.Map(folds));
    return true;
  }

  bool reads_sketches() const override { return false; }

  Status Add(const JoinMember& member) override {
    FoldedSet set;
    set.document = member.document;
    set.stored = member.stored;
    const uint64_t size = member.features.size() / sizeof(uint64_t);
    if (size == 0) return {};
    JoinElements(bounds_.measure(), member.features, &elements_,
                 &element_weights_);
    new_folds_.clear();
    new_weights_.clear();
    FoldElements(elements_,
                 is_bag_ ? std::span<const uint32_t>(element_weights_)
                         : std::span<const uint32_t>(),
                 &set, &new_folds_, &new_weights_);
    set.size = static_cast<uint32_t>(size);
    set.begin = folds_.size();
    folds_.Append(new_folds_);
    weights_.Append(new_weights_);
    sets_.push_back(set);
    return {};
  }

  Status Join(const PairSink& sink) override {
    if (sets_.empty()) return {};
    TWINSET_TRY(
        counters_.Count({folds_.data(), folds_.size()}, context_.threads));
    std::sort(sets_.begin(), sets_.end(),
              [](const FoldedSet& x, const FoldedSet& y) {
                return x.size != y.size ? x.size < y.size : x.begin < y.begin;
              });
    TWINSET_TRY(ChoosePrefixes());
    TWINSET_TRY(index_.Build(
        static_cast<uint32_t>(sets_.size()),
        [this](uint32_t place) { return IndexedOf(sets_[place]); },
        context_.threads));
    return ProbeAll(sink);
  }

 private:
  static constexpr uint64_t kMostDocuments = uint64_t{1} << 31;
  static constexpr uint64_t kAhead = 32;  // of prefetched counters
  struct PrefixScratch {
    std::vector<uint64_t> keys;  // occurrences << 32 | fold
    std::vector<uint32_t> weights;
  };
  struct ProbeScratch {
    std::vector<uint32_t> seen;  // by place: the last place it was met from,
                                 // plus one
    std::vector<uint32_t> partners;
    std::vector<CandidatePair> pairs;
  };

  // Elements by which a document is found by larger ones, and finds smaller
  // ones.
  uint64_t IndexLength(uint64_t size) const {
    return LengthOfPrefix(size, bounds_.RequiredAsSmaller(size));
  }
  uint64_t IndexLength(const FoldedSet& set) const {
    return std::min<uint64_t>(set.folds, IndexLength(set.size));
  }
  uint64_t ProbeLength(uint64_t size) const {
    return probes_all_ ? IndexLength(size)
                       : LengthOfPrefix(size, bounds_.RequiredAsLarger(size));
  }
  uint64_t ProbeLength(const FoldedSet& set) const {
    return std::min<uint64_t>(set.folds, ProbeLength(set.size));
  }

  // At most what the join takes.
  uint64_t BytesFor(uint64_t sets, uint64_t folds) const {
    const uint64_t threads = static_cast<uint64_t>(context_.threads);
    return folds * (is_bag_ ? 8 : 4) + sets * sizeof(FoldedSet) +
           FoldCounters::BytesFor(folds) + most_prefix_ * sizeof(uint32_t) +
           FoldIndex::BytesFor(most_postings_) +
           threads * (sets * sizeof(uint32_t) + (1 << 20));
  }

  std::span<const uint32_t> FoldsOf(const FoldedSet& set) const {
    return {folds_.data() + set.begin, set.folds};
  }
  std::span<const uint32_t> PrefixOf(const FoldedSet& set) const {
    return {prefixes_.data() + set.prefix_begin, set.prefix};
  }

  FoldIndex::Indexed IndexedOf(const FoldedSet& set) const {
    const uint64_t length = is_bag_ ? set.folds : IndexLength(set);
    const uint64_t shared = length > set.singles ? length - set.singles : 0;
    return {PrefixOf(set).first(std::min<uint64_t>(shared, set.prefix)),
            set.singles};
  }

  // ---- prefixes ----

  Status ChoosePrefixes() {
    TWINSET_TRY(prefixes_.Map(most_prefix_));
    uint64_t begin = 0;
    for (FoldedSet& set : sets_) {
      set.prefix_begin = begin;
      begin += is_bag_ ? set.folds : ProbeLength(set);
    }
    ParallelFor(sets_.size(), 1024, context_.threads,
                [this](size_t first, size_t last) {
                  PrefixScratch scratch;
                  for (size_t i = first; i < last; ++i) {
                    if (is_bag_) {
                      ChooseByWeight(&sets_[i], &scratch);
                    } else {
                      ChooseByNumber(&sets_[i], &scratch);
                    }
                  }
                });
    return {};
  }

  // The rarest folds. Those that occur nowhere else come first and need not be
  // kept: their number is enough.
  void ChooseByNumber(FoldedSet* set, PrefixScratch* scratch) {
    std::vector<uint64_t>& keys = scratch->keys;
    keys.clear();
    const uint64_t length = ProbeLength(*set);
    // Past the end of a document stand the folds of the next.
    const uint32_t* const folds = folds_.data() + set->begin;
    const uint64_t ahead =
        std::min<uint64_t>(kAhead, folds_.size() - set->begin - set->folds);
    for (uint32_t i = 0; i < set->folds; ++i) {
      if (i + kAhead < set->folds + ahead)
        counters_.Prefetch(folds[i + kAhead]);
      const uint32_t count = counters_[folds[i]];
      if (count > 1) {
        keys.push_back(uint64_t{count} << 32 | folds[i]);
      } else if (++set->singles == length) {
        return;
      }
    }
    set->prefix = static_cast<uint32_t>(length - set->singles);
    const auto end = keys.begin() + static_cast<ptrdiff_t>(set->prefix);
    if (end != keys.end()) std::nth_element(keys.begin(), end, keys.end());
    std::sort(keys.begin(), end);
    std::transform(keys.begin(), end, prefixes_.data() + set->prefix_begin,
                   [](uint64_t key) { return static_cast<uint32_t>(key); });
  }

  // The rarest folds until the norm of the rest is below the threshold: with
  // that rest alone no cosine reaches it.
  void ChooseByWeight(FoldedSet* set, PrefixScratch* scratch) {
    const auto folds = FoldsOf(*set);
    std::vector<uint64_t>& keys = scratch->keys;
    keys.resize(folds.size());
    for (size_t i = 0; i < folds.size(); ++i)
      keys[i] = uint64_t{counters_[folds[i]]} << 32 | i;
    std::sort(keys.begin(), keys.end());
    const double t = bounds_.threshold();
    double rest = 0;
    size_t length = keys.size();
    while (length > 0) {
      const double weight =
          weights_.data()[set->begin + (keys[length - 1] & UINT32_MAX)];
      rest += weight * weight;
      if (rest >= t * t * set->square * OverlapBounds::kSafely) break;
      --length;
    }
    for (size_t i = 0; i < length; ++i) {
      if (keys[i] >> 32 <= 1) {
        ++set->singles;
      } else {
        prefixes_.data()[set->prefix_begin + set->prefix++] =
            folds[keys[i] & UINT32_MAX];
      }
    }
  }

  // ---- probes ----

  Status ProbeAll(const PairSink& sink) {
    constexpr uint64_t kChunk = 512;
    constexpr size_t kBatch = 1 << 15;
    std::atomic<uint64_t> next{0};
    SharedSink shared(sink, context_.stop);
    const auto work = [&](size_t, size_t) {
      ProbeScratch scratch;
      scratch.seen.assign(sets_.size(), 0);
      for (;;) {
        const uint64_t first = next.fetch_add(kChunk);
        const uint64_t last = std::min<uint64_t>(first + kChunk, sets_.size());
        if (first >= sets_.size() || !shared.status()) break;
        for (uint64_t place = first; place < last; ++place) {
          Probe(static_cast<uint32_t>(place), &scratch);
          if (scratch.pairs.size() >= kBatch) shared.Take(&scratch.pairs);
        }
      }
      shared.Take(&scratch.pairs);
    };
    const auto threads = static_cast<size_t>(std::max(1, context_.threads));
    ParallelFor(threads, 1, context_.threads, work);
    return shared.status();
  }

  // The pairs of one document with smaller ones (before it in the order).
  void Probe(uint32_t place, ProbeScratch* scratch) const {
    constexpr size_t kFar = 8, kNear = 4;
    const FoldedSet& set = sets_[place];
    const auto folds = probes_all_ ? FoldsOf(set) : PrefixOf(set);
    const uint32_t from = FirstPartner(set);
    scratch->partners.clear();
    for (size_t i = 0; i < std::min(kFar, folds.size()); ++i)
      index_.PrefetchBegin(folds[i]);
    for (size_t i = 0; i < folds.size(); ++i) {
      if (i + kFar < folds.size()) index_.PrefetchBegin(folds[i + kFar]);
      if (i + kNear < folds.size()) index_.PrefetchBucket(folds[i + kNear]);
      const uint32_t position =
          set.singles + static_cast<uint32_t>(i);  // when it counts
      Meet(place, from, folds[i], position, scratch);
    }
    for (size_t i = 0; i < scratch->partners.size(); ++i) {
      PrefetchFolds(scratch->partners, i + 3);
      const FoldedSet& other = sets_[scratch->partners[i]];
      if (IsCandidate(other, set))
        scratch->pairs.push_back(
            CandidatePair::Of(set.document, other.document));
    }
  }

  uint32_t FirstPartner(const FoldedSet& set) const {
    const uint64_t least = bounds_.SmallestPartner(set.size);
    return static_cast<uint32_t>(
        std::partition_point(
            sets_.begin(), sets_.end(),
            [&](const FoldedSet& other) { return other.size < least; }) -
        sets_.begin());
  }

  // Partners at places [from, place) that have `fold`, unless met before. Where
  // prefixes are in one order, the first fold in which two documents meet is
  // the first they have in common: what stands behind it bounds what they
  // share.
  void Meet(uint32_t place, uint32_t from, uint32_t fold, uint32_t position,
            ProbeScratch* scratch) const {
    constexpr ptrdiff_t kLong = 32;
    const auto bucket = index_.Bucket(fold);
    auto at = bucket.begin();
    if (bucket.end() - at > kLong) {
      at = std::partition_point(
          at, bucket.end(),
          [&](const FoldPosting& posting) { return posting.place < from; });
    }
    for (; at != bucket.end() && at->place < place; ++at) {
      if (at->low != static_cast<uint16_t>(fold) || at->place < from ||
          scratch->seen[at->place] == place + 1) {
        continue;
      }
      scratch->seen[at->place] = place + 1;
      const FoldedSet& set = sets_[place];
      const FoldedSet& other = sets_[at->place];
      if (context_.two_collections && other.stored == set.stored) continue;
      if (!probes_all_ && !is_bag_) {
        const uint64_t behind =
            std::min<uint64_t>(other.size - at->position, set.size - position);
        if (behind < bounds_.Required(other.size, set.size)) continue;
      }
      scratch->partners.push_back(at->place);
    }
  }

  void PrefetchFolds(const std::vector<uint32_t>& places, size_t i) const {
    if (i >= places.size()) return;
    const FoldedSet& set = sets_[places[i]];
    const auto* folds =
        reinterpret_cast<const char*>(folds_.data() + set.begin);
    constexpr size_t kLine = 64, kMost = 16;
    const size_t lines =
        std::min<size_t>(kMost, set.folds * sizeof(uint32_t) / kLine + 1);
    for (size_t line = 0; line < lines; ++line)
      __builtin_prefetch(folds + line * kLine);
  }

  // Do the folds agree as much as a pair needs? Folding may have merged some
  // that are common, at most as many as it merged in either.
  bool IsCandidate(const FoldedSet& small, const FoldedSet& large) const {
    if (is_bag_) return DotReaches(small, large);
    const uint64_t lost =
        std::min(small.size - small.folds, large.size - large.folds);
    const uint64_t required = bounds_.Required(small.size, large.size);
    return kernels::IntersectionAtLeast(FoldsOf(small), FoldsOf(large),
                                        required > lost ? required - lost : 1) >
           0;
  }

  bool DotReaches(const FoldedSet& x, const FoldedSet& y) const {
    const auto a = FoldsOf(x), b = FoldsOf(y);
    const uint32_t* in_a = weights_.data() + x.begin;
    const uint32_t* in_b = weights_.data() + y.begin;
    double dot = 0;
    for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
      const uint32_t p = a[i], q = b[j];
      if (p == q) dot += static_cast<double>(in_a[i]) * in_b[j];
      i += p <= q;
      j += q <= p;
    }
    return dot > 0 && dot >= bounds_.threshold() *
                                 std::sqrt(x.square * y.square) *
                                 OverlapBounds::kSafely;
  }

  const OverlapBounds bounds_;
  const CollectionJoinContext context_;
  const bool is_bag_;
  // Is the overlap bounded by the smaller document alone? Then all elements of
  // the larger look for it.
  const bool probes_all_;

  Reservation memory_;
  std::vector<FoldedSet> sets_;
  Arena<uint32_t> folds_, weights_, prefixes_;
  uint64_t most_prefix_ = 0, most_postings_ = 0;
  FoldCounters counters_;
  FoldIndex index_;
  // Of one Add.
  std::vector<uint64_t> elements_;
  std::vector<uint32_t> element_weights_, new_folds_, new_weights_;
};

}  // namespace

CollectionJoinFactory MakePrefixJoinFactory(JoinMeasure measure,
                                            double threshold) {
  const OverlapBounds bounds(measure, threshold);
  return [bounds](const CollectionJoinContext& context)
             -> Result<std::unique_ptr<CollectionJoin>> {
    auto join = std::make_unique<PrefixJoin>(bounds, context);
    TWINSET_ASSIGN(const bool fits, join->Begin());
    if (fits) return join;
    join.reset();
    return MakeSlicedJoin(bounds, context);
  };
}

void PrefixKeys(const OverlapBounds& bounds, std::string_view features,
                std::vector<uint64_t>* keys) {
  std::vector<uint32_t> weights;
  JoinElements(bounds.measure(), features, keys, &weights);
  const uint64_t size = features.size() / sizeof(uint64_t);
  if (size == 0 || bounds.measure() == JoinMeasure::kContainment) return;
  if (bounds.measure() != JoinMeasure::kCosineTf) {
    keys->resize(std::min<uint64_t>(
        keys->size(), LengthOfPrefix(size, bounds.RequiredAsLarger(size))));
    return;
  }
  double square = 0, rest = 0;
  for (const double weight : weights) square += weight * weight;
  size_t length = keys->size();
  while (length > 1) {
    const double weight = weights[length - 1];
    rest += weight * weight;
    const double t = bounds.threshold();
    if (rest >= t * t * square * OverlapBounds::kSafely) break;
    --length;
  }
  keys->resize(length);
}

}  // namespace twinset::inline v1
