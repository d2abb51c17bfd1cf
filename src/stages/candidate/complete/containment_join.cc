#include "candidate/complete/containment_join.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <span>
#include <string>

#include "base/parallel.h"
#include "candidate/complete/fold_index.h"
#include "candidate/complete/folded_sets.h"
#include "candidate/complete/overlap_bounds.h"
#include "candidate/complete/rarity.h"
#include "kernels/kernels.h"

namespace twinset {
namespace {

constexpr uint64_t kMegabyte = 1 << 20;
// Sources are searched for together, at about so many folds.
constexpr uint64_t kBatchFolds = 1 << 18;

class ContainmentJoin : public CollectionJoin {
 public:
  ContainmentJoin(double threshold, const CollectionJoinContext& context)
      : bounds_(JoinMeasure::kContainment, threshold), context_(context) {}

  Status Begin() {
    memory_ = context_.budget->ReserveUpTo(context_.memory_bytes, kMegabyte);
    return folds_.Map(memory_.bytes() / sizeof(uint32_t));
  }

  Status Add(const JoinMember& member) override {
    const auto elements = AsValues(member.features);
    if (elements.empty()) return {};
    if (!member.stored && searching_) {
      return Fail(ErrorCode::kInternal, "a suspect came after a source");
    }
    if (member.stored && !searching_) TWINSET_TRY(BuildIndex());
    FoldedSet set;
    set.document = member.document;
    set.size = static_cast<uint32_t>(elements.size());
    if (member.stored) {
      set.begin = batch_folds_.size();
      MakeRoom(elements.size(), &batch_folds_);
      FoldElements(elements, &set, &batch_folds_);
      batch_.push_back(set);
      return batch_folds_.size() < kBatchFolds ? Status() : Search();
    }
    MakeRoom(elements.size(), &new_folds_);
    FoldElements(elements, &set, &new_folds_);
    set.begin = folds_.size();
    needed_folds_ += set.folds;
    needed_rare_ += RareLength(set);
    ++needed_sets_;
    most_folds_ = std::max<uint64_t>(most_folds_, set.folds);
    // What does not fit is only counted, to say what would.
    if (overflown_ || BytesNeeded() > memory_.bytes()) {
      overflown_ = true;
    } else {
      folds_.Append(new_folds_);
      suspects_.push_back(set);
    }
    Empty(&new_folds_);
    return {};
  }

  Status Join(const PairSink& sink) override {
    if (!searching_) TWINSET_TRY(BuildIndex());
    TWINSET_TRY(Search());
    for (const CandidatePair& pair : found_) TWINSET_TRY(sink(pair));
    return {};
  }

 private:
  struct Scratch {
    std::vector<uint32_t> seen;  // by suspect: the last source that met it, + 1
    std::vector<uint32_t> met;
    std::vector<CandidatePair> found;
  };

  // Room for folds of a batch, or for all of a large document at once, which is
  // not kept: the caller pays while it adds the document.
  static constexpr uint64_t kKeptFolds = 2 * kBatchFolds;
  static void MakeRoom(uint64_t more, std::vector<uint32_t>* folds) {
    const uint64_t most = folds->size() + more;
    if (most > folds->capacity()) folds->reserve(std::max(most, kKeptFolds));
  }
  static void Empty(std::vector<uint32_t>* folds) {
    folds->clear();
    if (folds->capacity() > kKeptFolds) std::vector<uint32_t>().swap(*folds);
  }

  // The rarest elements of a suspect: whoever has none of them lacks more than
  // a source may lack.
  uint64_t RareLength(const FoldedSet& set) const {
    const uint64_t required = bounds_.RequiredAsSmaller(set.size);
    return std::min<uint64_t>(
        set.folds, set.size - std::min<uint64_t>(required, set.size) + 1);
  }

  // With one thread: whether the suspects fit must not depend on threads.
  uint64_t BytesNeeded() const {
    return needed_folds_ * sizeof(uint32_t) +
           3 * needed_sets_ * sizeof(FoldedSet) +
           Rarity::BytesFor(needed_folds_) + needed_rare_ * sizeof(uint32_t) +
           FoldIndex::BytesFor(needed_rare_) + BytesOfThread() +
           4 * kBatchFolds * sizeof(uint32_t);
  }

  // The keys of a suspect while the index is built, then who was seen.
  uint64_t BytesOfThread() const {
    return std::max(most_folds_ * sizeof(uint64_t),
                    needed_sets_ * sizeof(uint32_t)) +
           kMegabyte;
  }
  // What is left is for pairs and, in equal parts, for more threads.
  uint64_t BytesLeft() const {
    return memory_.bytes() - std::min(memory_.bytes(), BytesNeeded());
  }
  int ThreadsThatFit() const {
    const uint64_t more = BytesLeft() / 2 / BytesOfThread();
    const auto asked = static_cast<uint64_t>(std::max(1, context_.threads));
    return static_cast<int>(std::min(asked, 1 + more));
  }

  Status TooSmall(const std::string& what, uint64_t bytes) const {
    // The join has a share of the whole budget.
    const double share =
        static_cast<double>(bytes) /
        static_cast<double>(std::max<uint64_t>(1, context_.memory_bytes));
    const auto whole = static_cast<uint64_t>(
        share * static_cast<double>(context_.budget->limit_bytes()) * 1.05);
    return Fail(ErrorCode::kMemory, what + " do not fit into memory", "",
                "give --memory " + std::to_string(whole / kMegabyte + 1) +
                    "M, or ask for fewer documents at a time");
  }

  Status BuildIndex() {
    searching_ = true;
    if (overflown_ || suspects_.size() >= UINT32_MAX) {
      return TooSmall("the " + std::to_string(needed_sets_) +
                          " documents that are looked for",
                      BytesNeeded());
    }
    Rarity rarity;
    Rarity::Options options;
    options.elements = folds_.size();
    options.memory_bytes = Rarity::BytesFor(folds_.size());
    options.threads = context_.threads;
    TWINSET_TRY(rarity.Map(options));
    ParallelFor(suspects_.size(), 1024, context_.threads,
                [&](size_t first, size_t last) {
                  for (size_t i = first; i < last; ++i)
                    Count(suspects_[i], &rarity);
                });
    TWINSET_TRY(rare_.Map(needed_rare_));
    uint64_t begin = 0;
    for (FoldedSet& set : suspects_) {
      set.prefix_begin = begin;
      begin += RareLength(set);
    }
    ParallelFor(suspects_.size(), 1024, ThreadsThatFit(),
                [&](size_t first, size_t last) {
                  std::vector<uint64_t> keys;
                  keys.reserve(most_folds_);
                  for (size_t i = first; i < last; ++i)
                    ChooseRare(rarity, &suspects_[i], &keys);
                });
    TWINSET_TRY(index_.Build(
        static_cast<uint32_t>(suspects_.size()),
        [this](uint32_t place) -> std::span<const uint32_t> {
          const FoldedSet& set = suspects_[place];
          return {rare_.data() + set.prefix_begin, set.prefix};
        },
        context_.threads));
    scratch_.resize(static_cast<size_t>(ThreadsThatFit()));
    for (Scratch& scratch : scratch_) scratch.seen.assign(suspects_.size(), 0);
    most_found_ = BytesLeft() / 2 / (2 * sizeof(CandidatePair)) +
                  kMegabyte / sizeof(CandidatePair);
    return {};
  }

  static uint64_t ElementOf(uint32_t fold) { return uint64_t{fold} << 32; }

  void Count(const FoldedSet& set, Rarity* rarity) const {
    constexpr size_t kAhead = 16;
    const auto folds = FoldsOf(set);
    for (size_t i = 0; i < folds.size(); ++i) {
      if (i + kAhead < folds.size())
        rarity->Prefetch(ElementOf(folds[i + kAhead]));
      rarity->Count(set.document, ElementOf(folds[i]), set.stored);
    }
  }

  void ChooseRare(const Rarity& rarity, FoldedSet* set,
                  std::vector<uint64_t>* keys) {
    keys->clear();
    for (const uint32_t fold : FoldsOf(*set))
      keys->push_back(uint64_t{rarity[ElementOf(fold)]} << 32 | fold);
    set->prefix = static_cast<uint32_t>(RareLength(*set));
    const auto end = keys->begin() + static_cast<ptrdiff_t>(set->prefix);
    if (end != keys->end()) std::nth_element(keys->begin(), end, keys->end());
    std::transform(keys->begin(), end, rare_.data() + set->prefix_begin,
                   [](uint64_t key) { return static_cast<uint32_t>(key); });
  }

  std::span<const uint32_t> FoldsOf(const FoldedSet& suspect) const {
    return {folds_.data() + suspect.begin, suspect.folds};
  }

  // The sources of the batch against all suspects.
  Status Search() {
    const size_t parts = scratch_.size();
    ParallelFor(parts, 1, static_cast<int>(parts),
                [&](size_t first, size_t last) {
                  for (size_t part = first; part < last; ++part) {
                    for (size_t i = part; i < batch_.size(); i += parts)
                      SearchFor(i, &scratch_[part]);
                    // The next batch counts from 1 again.
                    std::fill(scratch_[part].seen.begin(),
                              scratch_[part].seen.end(), 0);
                  }
                });
    for (Scratch& scratch : scratch_) {
      found_.insert(found_.end(), scratch.found.begin(), scratch.found.end());
      scratch.found.clear();
    }
    batch_.clear();
    Empty(&batch_folds_);
    if (found_.size() <= most_found_) return {};
    return TooSmall(std::to_string(found_.size()) + " or more pairs",
                    BytesNeeded() + 8 * found_.size() * sizeof(CandidatePair));
  }

  void SearchFor(size_t number, Scratch* scratch) const {
    constexpr size_t kFar = 12, kNear = 6;
    const FoldedSet& source = batch_[number];
    const std::span<const uint32_t> folds(batch_folds_.data() + source.begin,
                                          source.folds);
    const auto stamp = static_cast<uint32_t>(number + 1);
    scratch->met.clear();
    for (size_t i = 0; i < folds.size(); ++i) {
      if (i + kFar < folds.size()) index_.PrefetchBegin(folds[i + kFar]);
      if (i + kNear < folds.size()) index_.PrefetchBucket(folds[i + kNear]);
      for (const FoldPosting& posting : index_.Bucket(folds[i])) {
        if (posting.low != static_cast<uint16_t>(folds[i]) ||
            scratch->seen[posting.place] == stamp) {
          continue;
        }
        scratch->seen[posting.place] = stamp;
        scratch->met.push_back(posting.place);
      }
    }
    for (const uint32_t place : scratch->met) {
      const FoldedSet& suspect = suspects_[place];
      const uint64_t required = bounds_.RequiredAsSmaller(suspect.size);
      if (source.size < required) continue;
      const uint64_t lost =
          std::min(suspect.size - suspect.folds, source.size - source.folds);
      if (kernels::IntersectionAtLeast(FoldsOf(suspect), folds,
                                       required > lost ? required - lost : 1) >
          0) {
        scratch->found.push_back(
            CandidatePair::Of(suspect.document, source.document));
      }
    }
  }

  const OverlapBounds bounds_;
  const CollectionJoinContext context_;
  Reservation memory_;
  std::vector<FoldedSet> suspects_;
  Arena<uint32_t> folds_, rare_;
  FoldIndex index_;
  bool searching_ = false;  // the suspects are indexed
  bool overflown_ = false;  // they do not fit, and are only counted
  uint64_t needed_folds_ = 0, needed_rare_ = 0, needed_sets_ = 0;
  uint64_t most_folds_ = 0;  // of a suspect
  std::vector<FoldedSet> batch_;
  std::vector<uint32_t> batch_folds_;
  std::vector<Scratch> scratch_;
  std::vector<CandidatePair> found_;
  uint64_t most_found_ = 0;
  std::vector<uint32_t> new_folds_;  // of one Add
};

}  // namespace

CollectionJoinFactory MakeContainmentJoinFactory(double threshold) {
  return [threshold](const CollectionJoinContext& context)
             -> Result<std::unique_ptr<CollectionJoin>> {
    auto join = std::make_unique<ContainmentJoin>(threshold, context);
    TWINSET_TRY(join->Begin());
    return join;
  };
}

}  // namespace twinset
