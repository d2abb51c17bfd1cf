// Rows of the lists of change, which are sorted before they are written. Pages
// and addresses are known by the number of a capture of them.
#ifndef TWINSET_SRC_CORPORA_CHANGE_CHANGE_ROWS_H_
#define TWINSET_SRC_CORPORA_CHANGE_CHANGE_ROWS_H_

#include <cstdint>
#include <tuple>

#include "base/hash.h"
#include "twinset/corpora/change.h"

namespace twinset {

inline constexpr uint64_t kNoCapture = UINT64_MAX;

// One line of changes.csv. `number` is the capture whose address it shows.
struct ChangeRow {
  uint32_t to = 0;  // snapshot
  PageState state = PageState::kExact;
  uint64_t number = 0;
  double jaccard = 0;
  uint64_t links_added = 0, links_removed = 0;
  uint64_t before = kNoCapture;  // what the capture is compared with
  friend bool operator<(const ChangeRow& x, const ChangeRow& y) {
    return std::tie(x.to, x.number) < std::tie(y.to, y.number);
  }
};

// Where a page is found that is not there any more.
struct Move {
  uint32_t to = 0;  // snapshot
  // For a page that is redirected: `to_number` is that of a redirect, not of a
  // capture.
  bool is_redirect = false;
  uint64_t from_number = 0, to_number = 0;
  double jaccard = -1;  // to what is there; below 0: nothing is
  // Where a redirect leads to: the capture there.
  uint64_t landed = kNoCapture;

  uint64_t there() const { return is_redirect ? landed : to_number; }
  friend bool operator<(const Move& x, const Move& y) {
    return std::tie(x.to, x.from_number) < std::tie(y.to, y.from_number);
  }
};

struct CaptureRow {
  uint64_t page = 0;   // number of its first capture
  uint64_t place = 0;  // among the captures of its page
  uint64_t simhash = 0;
  int64_t date = 0;
  friend bool operator<(const CaptureRow& x, const CaptureRow& y) {
    return std::tie(x.page, x.place) < std::tie(y.page, y.place);
  }
};

struct RecrawlRow {
  double value = 0;  // new shingles that lasted, a day
  uint64_t page = 0;
  uint32_t captures = 0, changes = 0;
  uint64_t lasting = 0, churn = 0;
  bool is_gone = false, is_short = false;
  bool has_late = false;  // new shingles of which nothing can be told yet
  friend bool operator<(const RecrawlRow& x, const RecrawlRow& y) {
    return x.value != y.value ? x.value > y.value : x.page < y.page;
  }
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_CHANGE_CHANGE_ROWS_H_
