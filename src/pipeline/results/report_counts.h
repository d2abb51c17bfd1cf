// What the result stage counts for report.html while it writes rows.
#ifndef TWINSET_SRC_PIPELINE_RESULTS_REPORT_COUNTS_H_
#define TWINSET_SRC_PIPELINE_RESULTS_REPORT_COUNTS_H_

#include <array>
#include <cstdint>
#include <map>

#include "twinset/json.h"

namespace twinset {

// A few KB whatever the corpus.
class ReportCounts {
 public:
  void AddPair(double similarity);
  void AddCluster(uint64_t size);
  // {"equal":n,"similarities":[n of each hundredth],"sizes":[[low,high,n],...]}
  Json ToJson() const;

 private:
  uint64_t equal_ = 0;                      // of similarity 1
  std::array<uint64_t, 100> hundredths_{};  // [n/100, (n+1)/100)
  std::map<uint64_t, uint64_t> sizes_;      // by the least size of the class
};

// Sizes are counted one by one up to 32 and beyond in eight classes between
// powers of two: the smallest and largest size of the class of `size`.
uint64_t SizeClassLow(uint64_t size);
uint64_t SizeClassHigh(uint64_t size);

}  // namespace twinset

#endif  // TWINSET_SRC_PIPELINE_RESULTS_REPORT_COUNTS_H_
