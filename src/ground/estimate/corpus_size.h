// The size of a corpus from queries of a pool (Broder et al., CIKM 2006;
// docs/methods/relative-size.md).
#ifndef TWINSET_SRC_GROUND_ESTIMATE_CORPUS_SIZE_H_
#define TWINSET_SRC_GROUND_ESTIMATE_CORPUS_SIZE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "estimate/bootstrap.h"
#include "estimate/relative_size.h"
#include "twinset/error.h"

namespace twinset {

// One query drawn uniformly from a pool. The degree of a document is the number
// of the pool's queries that it matches.
struct PoolQuery {
  double sum = 0;    // over its results, of 1 / degree
  double both = -1;  // over those that match the other pool too; -1: not known
};

// From the degrees of its results; `in_other` says of each whether the other
// pool matches it too, or is empty. kUsage for a degree of 0 and for lengths
// that differ.
Result<PoolQuery> SumDegrees(std::span<const uint64_t> degrees,
                             const std::vector<bool>& in_other);

struct CorpusSize {
  // The interval is normal on the logarithm, with Student's quantile of the
  // queries that bring anything, and above as if the largest sum had been drawn
  // twice more; [0, infinity] when none brings anything.
  Estimated estimate;
  Interval bootstrap;  // of the queries drawn again; {0, 0} when not made
  uint64_t queries = 0;
  uint64_t non_empty = 0;  // of them with a sum above 0
};

// |D_P| = |P| times the mean of the sums: documents that match at least one
// query of the pool. kUsage for fewer than two queries, and sums below 0 or not
// finite.
Result<CorpusSize> PoolCoveredSize(std::span<const PoolQuery> queries,
                                   uint64_t pool,
                                   const BootstrapOptions& options = {});

// |D| = |D_P| / share of a uniform sample that matches the pool. kUsage when
// none does.
Result<CorpusSize> SizeByUniformSample(std::span<const PoolQuery> queries,
                                       uint64_t pool, const Found& matched);

// |D| = |D_A| |D_B| / |D_AB| for pools that match independently of one another.
// |D_AB| is from the queries of A, which say `both`. Positive correlation makes
// it too small. kUsage when no document is in both.
struct TwoPools {
  CorpusSize a, b, both, all;
};
Result<TwoPools> SizeByTwoPools(std::span<const PoolQuery> a, uint64_t pool_a,
                                std::span<const PoolQuery> b, uint64_t pool_b,
                                const BootstrapOptions& options = {});

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_ESTIMATE_CORPUS_SIZE_H_
