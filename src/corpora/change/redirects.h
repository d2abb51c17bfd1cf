// Addresses that lead to others, by snapshot (docs/methods/change.md).
#ifndef TWINSET_SRC_CORPORA_CHANGE_REDIRECTS_H_
#define TWINSET_SRC_CORPORA_CHANGE_REDIRECTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/hash.h"
#include "change/change_rows.h"
#include "change/page_history.h"
#include "store/blob_file.h"
#include "store/external_sort.h"
#include "twinset/corpora/change.h"

namespace twinset {

// One thread. Pages and addresses are in the order of the hashes, high half
// first, as ForEachPage gives them. Use: Add while snapshots are read;
// FinishReading; See and Left for each page, in ascending order of the hashes
// of their addresses; Land.
class Redirects {
 public:
  // So many times the chains are followed from where they lead to by then: 32
  // redirects in a row.
  static constexpr int kMostRounds = 5;

  // `path`: of the blobs of addresses. Of at most six sorts at a time, of
  // `sort.memory_bytes` each. `budget` outlives it.
  static Result<Redirects> Make(const std::string& path,
                                const ExternalSortOptions& sort,
                                MemoryBudget* budget);

  // What stands at `url` leads to `target`, which may be relative. Of several
  // of an address in one snapshot the last counts.
  Status Add(std::string_view url, std::string_view target, uint32_t snapshot);
  // Follows chains within each snapshot.
  Status FinishReading();

  // The redirects of a page; the page is looked for as the end of others.
  Status See(const PageHistory& page);
  // Returns true iff the page of the last See leads elsewhere in a snapshot
  // that does not have it any more; `number`: of its last capture.
  Result<bool> Left(uint32_t snapshot, uint64_t number);

  // Adds where they lead to to `moves`, and what is there to `steps`.
  Status Land(const BlobReader& shingles, double near,
              std::vector<ChangeStep>* steps, ExternalSorter<Move>* moves);

  // Behind FinishReading: the address at the end of redirect `number`.
  Result<std::string> TargetOf(uint64_t number) const;

 private:
  struct Redirect {
    Hash128Value address, target;
    uint64_t number = 0;         // in order of reading
    uint64_t target_number = 0;  // of the redirect that names the target
    uint32_t snapshot = 0;
    friend bool operator<(const Redirect& x, const Redirect& y) {
      return std::tie(x.address.high, x.address.low, x.snapshot, x.number) <
             std::tie(y.address.high, y.address.low, y.snapshot, y.number);
    }
  };
  struct ByTarget {
    Redirect redirect;
    friend bool operator<(const ByTarget& x, const ByTarget& y) {
      const Hash128Value &a = x.redirect.target, &b = y.redirect.target;
      return std::tie(a.high, a.low, x.redirect.snapshot, x.redirect.number) <
             std::tie(b.high, b.low, y.redirect.snapshot, y.redirect.number);
    }
  };
  // An address in a snapshot: of a capture that stands there, or that a page
  // leads to which was at capture `number`.
  struct Place {
    Hash128Value address;
    uint64_t number = 0, target_number = 0;
    uint32_t snapshot = 0;
    friend bool operator<(const Place& x, const Place& y) {
      return std::tie(x.address.high, x.address.low, x.snapshot, x.number) <
             std::tie(y.address.high, y.address.low, y.snapshot, y.number);
    }
  };

  Redirects(std::string path, BlobWriter writer, ExternalSortOptions sort,
            MemoryBudget* budget);
  template <typename T>
  ExternalSorter<T> Sorter(std::string name) const;
  Result<bool> FollowOnce(int round);

  std::string path_;
  BlobWriter writer_;
  std::optional<BlobReader> targets_;
  ExternalSortOptions sort_;
  MemoryBudget* budget_;
  std::optional<ExternalSorter<Redirect>> by_address_;
  std::optional<ExternalSorter<ByTarget>> by_target_;
  ExternalSorter<Place> captures_, ends_;
  uint64_t count_ = 0;
  Redirect next_;  // of by_address_, while pages are seen
  bool has_next_ = false;
  std::vector<Redirect> of_page_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_CHANGE_REDIRECTS_H_
