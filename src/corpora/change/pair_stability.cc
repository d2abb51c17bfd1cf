#include "change/pair_stability.h"

#include <string>
#include <utility>
#include <vector>

#include "base/for_each.h"

namespace twinset {
namespace {

// How many of six must be equal, as in Fetterly, Manasse and Najork (2003).
constexpr int kEqualSuperShingles = 2;

ExternalSortOptions PairSort(ExternalSortOptions sort, std::string name) {
  sort.name = std::move(name);
  // A page may have a super-shingle twice, which counts once.
  sort.unique = sort.name == "shared";
  return sort;
}

}  // namespace

class PairStability::Walk {
 public:
  explicit Walk(ExternalSorter<There>* sorter) : sorter_(sorter) {}
  Result<Snapshots> Of(const Hash128Value& page) {
    while (there_.page != page || !begun_) {
      TWINSET_ASSIGN(const bool more, sorter_->Next(&there_));
      begun_ = true;
      if (!more) return Snapshots();
    }
    return there_.snapshots;
  }

 private:
  ExternalSorter<There>* sorter_;
  There there_;
  bool begun_ = false;
};

PairStability::PairStability(const ExternalSortOptions& sort,
                             MemoryBudget* budget)
    : shared_(PairSort(sort, "shared"), budget),
      hits_(PairSort(sort, "hits"), budget),
      there_a_(PairSort(sort, "there-a"), budget),
      there_b_(PairSort(sort, "there-b"), budget),
      pairs_(PairSort(sort, "pairs"), budget) {}

Status PairStability::See(const PageHistory& page) {
  There there;
  there.page = page.captures[0].address;
  for (const PageCapture& capture : page.captures) {
    there.snapshots.set(capture.snapshot);
    if (capture.shingles == 0) continue;
    for (const uint64_t value : capture.super_shingles)
      TWINSET_TRY(shared_.Add({value, capture.snapshot, capture.address}));
  }
  TWINSET_TRY(there_a_.Add(there));
  return there_b_.Add(there);
}

Result<ChangeStability> PairStability::Finish(size_t snapshots) {
  ChangeStability result;
  TWINSET_TRY(there_a_.Finish());
  TWINSET_TRY(there_b_.Finish());
  TWINSET_TRY(FindHits(&result));
  TWINSET_TRY(FindPairs(&result));
  TWINSET_TRY(CountPairs(snapshots, &result));
  return result;
}

Status PairStability::FindHits(ChangeStability* result) {
  TWINSET_TRY(shared_.Finish());
  std::vector<Hash128Value> first;  // of those that share what `before` has
  uint64_t others = 0;
  Shared before;
  TWINSET_TRY(ForEach<Shared>(&shared_, [&](const Shared& next) -> Status {
    if (next.value != before.value || next.snapshot != before.snapshot) {
      first.clear();
      others = 0;
    }
    before = next;
    for (const Hash128Value& page : first)
      TWINSET_TRY(hits_.Add({page, next.page, next.snapshot}));
    if (first.size() < kMostFirst)
      first.push_back(next.page);
    else
      result->left_out += others++;
    return {};
  }));
  return hits_.Finish();
}

// Hits to pairs, with the snapshots where they are near-duplicates.
Status PairStability::FindPairs(ChangeStability* result) {
  Walk walk(&there_a_);
  Pair pair;
  Hit before;
  int equal = 0;
  const auto close = [&]() -> Status {
    if (pair.near.none()) return {};
    ++result->pairs;
    TWINSET_ASSIGN(pair.a_there, walk.Of(pair.a));
    return pairs_.Add(pair);
  };
  TWINSET_TRY(ForEach<Hit>(&hits_, [&](const Hit& next) -> Status {
    const bool same_pair =
        equal > 0 && next.a == before.a && next.b == before.b;
    if (!same_pair) {
      TWINSET_TRY(close());
      pair = Pair{next.b, next.a, {}, {}};
    }
    equal = same_pair && next.snapshot == before.snapshot ? equal + 1 : 1;
    if (equal >= kEqualSuperShingles) pair.near.set(next.snapshot);
    before = next;
    return {};
  }));
  TWINSET_TRY(close());
  return pairs_.Finish();
}

Status PairStability::CountPairs(size_t snapshots, ChangeStability* result) {
  result->later.resize(snapshots - 1);
  for (size_t k = 1; k < snapshots; ++k) result->later[k - 1].snapshots = k;
  Walk walk(&there_b_);
  return ForEach<Pair>(&pairs_, [&](const Pair& pair) -> Status {
    TWINSET_ASSIGN(const Snapshots b_there, walk.Of(pair.b));
    const Snapshots both = pair.a_there & b_there;
    for (size_t k = 1; k < snapshots; ++k) {
      ChangeStability::Later& later = result->later[k - 1];
      // Those that have a snapshot k behind them.
      const Snapshots from = pair.near << (kMostSnapshots - snapshots + k) >>
                             (kMostSnapshots - snapshots + k);
      const uint64_t still = (from & pair.near >> k).count();
      const uint64_t there = (from & both >> k).count();
      later.still += still;
      later.apart += there - still;
      later.gone += from.count() - there;
    }
    return {};
  });
}

}  // namespace twinset
