// How often pages change, and what goes with it (docs/methods/change.md).
#ifndef TWINSET_SRC_CORPORA_CHANGE_CHANGE_RATES_H_
#define TWINSET_SRC_CORPORA_CHANGE_CHANGE_RATES_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "change/page_history.h"
#include "store/external_sort.h"
#include "twinset/corpora/change.h"

namespace twinset {

// Correlations over the first kMostPages pages with two captures or more: in
// order of hashes, which is a sample by chance. The hosts of all pages are
// counted, on disk.
class ChangeRates {
 public:
  static constexpr size_t kMostPages = 4000;  // they are compared by pairs

  ChangeRates(ExternalSortOptions sort, MemoryBudget* budget)
      : hosts_(std::move(sort), budget) {}
  // `visits`: nothing without a log.
  Status See(const PageHistory& page, std::string_view address,
             std::optional<uint64_t> visits);
  Result<std::vector<ChangeCorrelation>> Finish();

 private:
  struct Host {
    uint64_t hash = 0;
    friend bool operator<(const Host& x, const Host& y) {
      return x.hash < y.hash;
    }
  };
  struct Page {
    double rate = 0;    // share of captures that differ from the one before
    double amount = 0;  // mean 1 - Jaccard of those
    double depth = 0, visits = 0;
    uint64_t host = 0;
  };
  Result<std::vector<double>> CountHosts();

  ExternalSorter<Host> hosts_;
  std::vector<Page> pages_;
  bool has_visits_ = false;
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_CHANGE_CHANGE_RATES_H_
