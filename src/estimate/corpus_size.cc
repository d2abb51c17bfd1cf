#include "estimate/corpus_size.h"

#include <string>

namespace twinset {
namespace {

// Per query the sum of 1 / degree, of all results or of those in the other
// pool.
Result<std::vector<double>> Sums(std::span<const PoolQuery> queries,
                                 uint64_t pool, bool only_other) {
  if (queries.size() < 2)
    return Fail(ErrorCode::kUsage,
                "an estimate with its error needs two queries");
  std::vector<double> sums;
  for (size_t q = 0; q < queries.size(); ++q) {
    const PoolQuery& query = queries[q];
    if (only_other && query.in_other.size() != query.degrees.size())
      return Fail(ErrorCode::kUsage,
                  "query " + std::to_string(q + 1) +
                      " does not say which results match the other pool");
    double sum = 0;
    for (size_t i = 0; i < query.degrees.size(); ++i) {
      const uint64_t degree = query.degrees[i];
      if (degree == 0 || degree > pool)
        return Fail(ErrorCode::kUsage,
                    "query " + std::to_string(q + 1) +
                        " has a result of degree " + std::to_string(degree) +
                        "; the pool has " + std::to_string(pool) + " queries");
      if (!only_other || query.in_other[i])
        sum += 1 / static_cast<double>(degree);
    }
    sums.push_back(sum);
  }
  return sums;
}

double Variance(std::span<const double> values) {
  return FindMoments(values).variance / static_cast<double>(values.size());
}

CorpusSize OfSums(const std::vector<double>& sums, uint64_t pool,
                  const BootstrapOptions& options) {
  const double size = static_cast<double>(pool);
  CorpusSize result;
  result.queries = sums.size();
  result.estimate = NormalEstimate(size * FindMoments(sums).mean,
                                   size * size * Variance(sums));
  result.bootstrap = BootstrapInterval(
      sums.size(), options, [&](std::span<const uint32_t> picks) {
        double sum = 0;
        for (const uint32_t pick : picks) sum += sums[pick];
        return size * sum / static_cast<double>(picks.size());
      });
  return result;
}

Status Need(const CorpusSize& size, const char* what) {
  if (size.estimate.value > 0) return {};
  return Fail(ErrorCode::kUsage,
              std::string("no result of the queries ") + what, "",
              "draw more queries, or take a pool that matches more");
}

}  // namespace

Result<CorpusSize> PoolCoveredSize(std::span<const PoolQuery> queries,
                                   uint64_t pool,
                                   const BootstrapOptions& options) {
  TWINSET_ASSIGN(const std::vector<double> sums, Sums(queries, pool, false));
  return OfSums(sums, pool, options);
}

Result<CorpusSize> SizeByUniformSample(std::span<const PoolQuery> queries,
                                       uint64_t pool, const Found& matched,
                                       const BootstrapOptions& options) {
  TWINSET_ASSIGN(const std::vector<double> sums, Sums(queries, pool, false));
  const CorpusSize covered = OfSums(sums, pool, {options.seed, 0, 1});
  TWINSET_TRY(Need(covered, "is a document"));
  if (matched.found == 0 || matched.found > matched.looked) {
    return Fail(ErrorCode::kUsage,
                std::to_string(matched.found) + " of " +
                    std::to_string(matched.looked) +
                    " sampled documents match the pool: the size is undefined",
                "", "take a larger sample or a pool that matches more");
  }
  const double n = static_cast<double>(matched.looked);
  const double share = static_cast<double>(matched.found) / n;
  const double relative =
      covered.estimate.standard_error / covered.estimate.value;
  CorpusSize result;
  result.queries = queries.size();
  result.estimate =
      LogEstimate(covered.estimate.value / share,
                  relative * relative + (1 - share) / (n * share));
  return result;
}

Result<TwoPools> SizeByTwoPools(std::span<const PoolQuery> a, uint64_t pool_a,
                                std::span<const PoolQuery> b, uint64_t pool_b,
                                const BootstrapOptions& options) {
  TWINSET_ASSIGN(const std::vector<double> sums_a, Sums(a, pool_a, false));
  TWINSET_ASSIGN(const std::vector<double> sums_ab, Sums(a, pool_a, true));
  TWINSET_ASSIGN(const std::vector<double> sums_b, Sums(b, pool_b, false));
  TwoPools result;
  result.a = OfSums(sums_a, pool_a, options);
  result.b = OfSums(sums_b, pool_b, options);
  result.both = OfSums(sums_ab, pool_a, options);
  TWINSET_TRY(Need(result.b, "of the second pool is a document"));
  TWINSET_TRY(Need(result.both, "of the first pool matches the second too"));
  const double size_a = result.a.estimate.value,
               size_b = result.b.estimate.value;
  const double both = result.both.estimate.value;
  // ln |D| = ln A + ln B - ln AB; A and AB are of the same queries.
  std::vector<double> terms;
  const double scale = static_cast<double>(pool_a);
  for (size_t i = 0; i < sums_a.size(); ++i)
    terms.push_back(scale * (sums_a[i] / size_a - sums_ab[i] / both));
  const double relative_b = result.b.estimate.standard_error / size_b;
  result.all.queries = a.size() + b.size();
  result.all.estimate = LogEstimate(size_a * size_b / both,
                                    Variance(terms) + relative_b * relative_b);
  return result;
}

}  // namespace twinset
