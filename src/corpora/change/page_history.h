// The captures of one address, in order of time, joined from all snapshots
// (docs/methods/change.md).
#ifndef TWINSET_SRC_CORPORA_CHANGE_PAGE_HISTORY_H_
#define TWINSET_SRC_CORPORA_CHANGE_PAGE_HISTORY_H_

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/hash.h"
#include "store/external_sort.h"
#include "twinset/error.h"

namespace twinset {

// What a page is counted by is made for each pair of its captures.
inline constexpr size_t kMostSnapshots = 400;
inline constexpr size_t kSuperShingles = 6;

// One page of one snapshot. `number` counts captures in the order of reading.
struct PageCapture {
  Hash128Value address, content;  // content: of the ascending shingles
  uint64_t number = 0;
  uint64_t simhash = 0;
  std::array<uint64_t, kSuperShingles> super_shingles = {};
  int64_t date = 0;  // of its record, else of the snapshot, which is not known
                     // before all of it is read: then kNoDate
  uint32_t snapshot = 0;
  uint32_t shingles = 0;
  // A revisit record: the page is as it was, in the capture of `refers_date`
  // where that is known, else in the one before. Of a page that is handed on,
  // such a capture has what that one has, its number too.
  int64_t refers_date = 0;
  uint64_t is_revisit = 0;

  std::array<uint64_t, 2> SortWords() const {
    return {address.high, address.low};
  }
  friend bool operator<(const PageCapture& x, const PageCapture& y) {
    return std::tie(x.address.high, x.address.low, x.number) <
           std::tie(y.address.high, y.address.low, y.number);
  }
};

// A shingle or a link that stands in a capture.
struct Fragment {
  Hash128Value address;
  uint64_t value = 0, number = 0;

  std::array<uint64_t, 3> SortWords() const {
    return {address.high, address.low, value};
  }
  friend bool operator<(const Fragment& x, const Fragment& y) {
    return std::tie(x.address.high, x.address.low, x.value, x.number) <
           std::tie(y.address.high, y.address.low, y.value, y.number);
  }
};

// What a page and its capture before have in common, and what is new in it.
struct CaptureChange {
  uint64_t common = 0;  // shingles also in the capture before
  uint64_t links_added = 0, links_removed = 0;
};

// All of one address. At most one capture a snapshot: of several the last.
struct PageHistory {
  std::vector<PageCapture> captures;
  std::vector<CaptureChange> changes;  // [i]: of captures[i] to [i - 1]
  // Shingles that came in capture `born`, not the first, and stayed up to
  // capture `last`: how many, at [born * captures + last].
  std::vector<uint64_t> lives;

  uint64_t lives_of(size_t born, size_t last) const {
    return lives[born * captures.size() + last];
  }
  // The similarity of capture i >= 1 to the one before; two without text are
  // the same.
  double jaccard(size_t i) const {
    const uint64_t common = changes[i].common;
    const uint64_t all =
        uint64_t{captures[i - 1].shingles} + captures[i].shingles - common;
    return all == 0 ? 1
                    : static_cast<double>(common) / static_cast<double>(all);
  }
};

// By what pages are joined: that of MirrorAddress. In the order of its high
// half nothing is secret (EqualityHash::Ordered).
Hash128Value AddressKey(std::string_view url, std::string_view id);

struct HistoryCounts {
  uint64_t repeated = 0;  // captures that another of the snapshot replaces
  // Revisits that refer to no capture that was read: passed over.
  uint64_t unknown_revisits = 0;
};

// Joins the three, all finished, address by address in order of the hashes.
// Memory: what one address has in all snapshots is counted, not held.
Status ForEachPage(ExternalSorter<PageCapture>* captures,
                   ExternalSorter<Fragment>* shingles,
                   ExternalSorter<Fragment>* links, HistoryCounts* counts,
                   const std::function<Status(const PageHistory&)>& body);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_CHANGE_PAGE_HISTORY_H_
