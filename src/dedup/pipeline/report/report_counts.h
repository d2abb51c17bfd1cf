// What report.html counts of the rows of a result folder.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_REPORT_REPORT_COUNTS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_REPORT_REPORT_COUNTS_H_

#include <array>
#include <cstdint>
#include <vector>

namespace twinset {

// A few KB whatever the corpus.
struct ReportCounts {
  uint64_t equal = 0;                        // pairs of similarity 1
  std::array<uint64_t, 100> similarities{};  // of pairs in [n/100, (n+1)/100)
  // Least and largest size of a class of sizes, and how many clusters are of
  // it; ascending, without classes that have none.
  std::vector<std::array<uint64_t, 3>> sizes;

  void AddPair(double similarity);
  void AddCluster(uint64_t size);
};

// Sizes are counted one by one up to 32 and beyond in eight classes between
// powers of two: the smallest and largest size of the class of `size`.
uint64_t SizeClassLow(uint64_t size);
uint64_t SizeClassHigh(uint64_t size);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_REPORT_REPORT_COUNTS_H_
