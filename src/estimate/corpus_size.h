// The size of a corpus from queries of a pool (Broder et al., CIKM 2006;
// docs/methods/corpus-size.md).
#ifndef TWINSET_SRC_ESTIMATE_CORPUS_SIZE_H_
#define TWINSET_SRC_ESTIMATE_CORPUS_SIZE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "estimate/bootstrap.h"
#include "estimate/relative_size.h"
#include "twinset/error.h"

namespace twinset {

// The results of one query drawn uniformly from a pool. The degree of a
// document is the number of the pool's queries that it matches, at least 1.
struct PoolQuery {
  std::vector<uint64_t> degrees;
  // Whether each also matches a query of the other pool; empty: not asked.
  std::vector<bool> in_other;
};

struct CorpusSize {
  Estimate estimate;
  Interval bootstrap;  // of the queries drawn again; {0, 0} when not made
  uint64_t queries = 0;
};

// |D_P| = |P| times the mean over queries of the sum of 1 / degree: documents
// that match at least one query of the pool. kUsage for fewer than two queries,
// a degree of 0, or a pool that is smaller than a degree.
Result<CorpusSize> PoolCoveredSize(std::span<const PoolQuery> queries,
                                   uint64_t pool,
                                   const BootstrapOptions& options = {});

// |D| = |D_P| / share of a uniform sample that matches the pool. kUsage when
// none does.
Result<CorpusSize> SizeByUniformSample(std::span<const PoolQuery> queries,
                                       uint64_t pool, const Found& matched,
                                       const BootstrapOptions& options = {});

// |D| = |D_A| |D_B| / |D_AB| for pools that match independently of one another.
// |D_AB| is from the queries of A, whose results say in_other. Positive
// correlation makes it too small. kUsage when no document is in both.
struct TwoPools {
  CorpusSize a, b, both, all;
};
Result<TwoPools> SizeByTwoPools(std::span<const PoolQuery> a, uint64_t pool_a,
                                std::span<const PoolQuery> b, uint64_t pool_b,
                                const BootstrapOptions& options = {});

}  // namespace twinset

#endif  // TWINSET_SRC_ESTIMATE_CORPUS_SIZE_H_
