// Counts how many near-duplicates stay so over snapshots
// (docs/methods/change.md).
#ifndef TWINSET_SRC_CORPORA_CHANGE_PAIR_STABILITY_H_
#define TWINSET_SRC_CORPORA_CHANGE_PAIR_STABILITY_H_

#include <bitset>
#include <cstdint>
#include <tuple>

#include "base/hash.h"
#include "change/page_history.h"
#include "store/external_sort.h"
#include "twinset/corpora/change.h"

namespace twinset {

// Two pages of a snapshot are a pair when two of their super-shingles are
// equal. Of the pages that share one, each is paired with the first kMostFirst
// in order of the hashes of addresses, which is the same at all snapshots;
// pairs of others are left out, and counted. Everything is sorted on disk.
class PairStability {
 public:
  static constexpr size_t kMostFirst = 64;

  // Makes five sorts, each with `sort.memory_bytes` of memory.
  PairStability(const ExternalSortOptions& sort, MemoryBudget* budget);
  // Call with ascending hashes of addresses.
  Status See(const PageHistory& page);
  // Behind the last page.
  Result<ChangeStability> Finish(size_t snapshots);

 private:
  using Snapshots = std::bitset<kMostSnapshots>;
  struct Shared {  // a super-shingle of a page
    uint64_t value = 0;
    uint32_t snapshot = 0;
    Hash128Value page;
    friend bool operator<(const Shared& x, const Shared& y) {
      return std::tie(x.value, x.snapshot, x.page.high, x.page.low) <
             std::tie(y.value, y.snapshot, y.page.high, y.page.low);
    }
  };
  struct Hit {  // a super-shingle that two pages have; a before b
    Hash128Value a, b;
    uint32_t snapshot = 0;
    friend bool operator<(const Hit& x, const Hit& y) {
      return std::tie(x.a.high, x.a.low, x.b.high, x.b.low, x.snapshot) <
             std::tie(y.a.high, y.a.low, y.b.high, y.b.low, y.snapshot);
    }
  };
  struct There {  // when a page is there
    Hash128Value page;
    Snapshots snapshots;
    friend bool operator<(const There& x, const There& y) {
      return std::tie(x.page.high, x.page.low) <
             std::tie(y.page.high, y.page.low);
    }
  };
  struct Pair {
    Hash128Value b, a;
    Snapshots near, a_there;
    friend bool operator<(const Pair& x, const Pair& y) {
      return std::tie(x.b.high, x.b.low, x.a.high, x.a.low) <
             std::tie(y.b.high, y.b.low, y.a.high, y.a.low);
    }
  };
  // A list of There beside a list that ascends by page and has no other ones.
  class Walk;

  Status FindHits(ChangeStability* result);
  Status FindPairs(ChangeStability* result);
  Status CountPairs(size_t snapshots, ChangeStability* result);

  ExternalSorter<Shared> shared_;
  ExternalSorter<Hit> hits_;
  ExternalSorter<There> there_a_, there_b_;
  ExternalSorter<Pair> pairs_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_CHANGE_PAIR_STABILITY_H_
