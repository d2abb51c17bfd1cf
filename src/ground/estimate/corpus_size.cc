#include "estimate/corpus_size.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "estimate/skewed_total.h"

namespace twinset {
namespace {

// The sum of each query, or that of documents in both pools.
Result<std::vector<double>> Sums(std::span<const PoolQuery> queries,
                                 bool both) {
  if (queries.size() < 2)
    return Fail(ErrorCode::kUsage,
                "an estimate with its error needs two queries");
  std::vector<double> sums;
  for (size_t q = 0; q < queries.size(); ++q) {
    const double sum = both ? queries[q].both : queries[q].sum;
    if (!(sum >= 0) || !std::isfinite(sum) || sum > queries[q].sum) {
      return Fail(ErrorCode::kUsage,
                  "query " + std::to_string(q + 1) +
                      (both ? " does not say which results match the other "
                              "pool"
                            : " has a sum that cannot be"));
    }
    sums.push_back(sum);
  }
  return sums;
}

double Variance(std::span<const double> values) {
  return FindMoments(values).variance / static_cast<double>(values.size());
}

uint64_t NonEmpty(std::span<const double> sums) {
  return static_cast<uint64_t>(std::count_if(
      sums.begin(), sums.end(), [](double sum) { return sum > 0; }));
}

CorpusSize OfSums(const std::vector<double>& sums, uint64_t pool,
                  const BootstrapOptions& options) {
  const double size = static_cast<double>(pool);
  CorpusSize result;
  result.queries = sums.size();
  result.non_empty = NonEmpty(sums);
  result.estimate = SkewedTotal(size, sums, sums.size());
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

Result<PoolQuery> SumDegrees(std::span<const uint64_t> degrees,
                             const std::vector<bool>& in_other) {
  PoolQuery query;
  if (!in_other.empty()) {
    query.both = 0;
    if (in_other.size() != degrees.size())
      return Fail(ErrorCode::kUsage,
                  "degrees and membership of the other pool are not equally "
                  "many");
  } else if (degrees.empty()) {
    query.both = 0;  // no result is in both
  }
  for (size_t i = 0; i < degrees.size(); ++i) {
    if (degrees[i] == 0)
      return Fail(ErrorCode::kUsage,
                  "a result of degree 0 matches no query of the pool");
    query.sum += 1 / static_cast<double>(degrees[i]);
    if (!in_other.empty() && in_other[i])
      query.both += 1 / static_cast<double>(degrees[i]);
  }
  return query;
}

Result<CorpusSize> PoolCoveredSize(std::span<const PoolQuery> queries,
                                   uint64_t pool,
                                   const BootstrapOptions& options) {
  TWINSET_ASSIGN(const std::vector<double> sums, Sums(queries, false));
  return OfSums(sums, pool, options);
}

Result<CorpusSize> SizeByUniformSample(std::span<const PoolQuery> queries,
                                       uint64_t pool, const Found& matched) {
  TWINSET_ASSIGN(const std::vector<double> sums, Sums(queries, false));
  const CorpusSize covered = OfSums(sums, pool, {1, 0, 1});
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
  CorpusSize result;
  result.queries = queries.size();
  result.non_empty = covered.non_empty;
  result.estimate = SkewedTotal(static_cast<double>(pool) / share, sums,
                                sums.size(), (1 - share) / (n * share));
  return result;
}

Result<TwoPools> SizeByTwoPools(std::span<const PoolQuery> a, uint64_t pool_a,
                                std::span<const PoolQuery> b, uint64_t pool_b,
                                const BootstrapOptions& options) {
  TWINSET_ASSIGN(const std::vector<double> sums_a, Sums(a, false));
  TWINSET_ASSIGN(const std::vector<double> sums_ab, Sums(a, true));
  TWINSET_ASSIGN(const std::vector<double> sums_b, Sums(b, false));
  TwoPools result;
  result.a = OfSums(sums_a, pool_a, options);
  result.b = OfSums(sums_b, pool_b, options);
  result.both = OfSums(sums_ab, pool_a, options);
  TWINSET_TRY(Need(result.b, "of the second pool is a document"));
  TWINSET_TRY(Need(result.both, "of the first pool matches the second too"));
  const double size_a = result.a.estimate.value;
  const double both = result.both.estimate.value;
  // ln |D| = ln A + ln B - ln AB; A and AB are of the same queries.
  std::vector<double> terms;
  const double scale = static_cast<double>(pool_a);
  for (size_t i = 0; i < sums_a.size(); ++i)
    terms.push_back(scale * (sums_a[i] / size_a - sums_ab[i] / both));
  result.all.queries = a.size() + b.size();
  result.all.non_empty = std::min(result.both.non_empty, result.b.non_empty);
  result.all.estimate =
      SkewedTotalOfTerms(static_cast<double>(pool_b) * size_a / both, sums_b,
                         sums_b.size(), Variance(terms), result.all.non_empty);
  return result;
}

}  // namespace twinset
