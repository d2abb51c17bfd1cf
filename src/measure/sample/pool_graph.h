// Queries of a pool and the pages they find, as the bipartite graph on which
// pool-based samplers work (Bar-Yossef and Gurevich, WWW 2006;
// docs/methods/engine-sampling.md).
//
// A query is valid when it has results and no more than the limit. A page and a
// valid query are joined when the page is among the query's results and its
// text matches the query. degree(page) = number of valid queries joined to it.
#ifndef TWINSET_SRC_MEASURE_SAMPLE_POOL_GRAPH_H_
#define TWINSET_SRC_MEASURE_SAMPLE_POOL_GRAPH_H_

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "sample/query_pool.h"
#include "sample/questioner.h"

namespace twinset {

struct PoolGraphOptions {
  uint32_t limit = 100;  // more results than this overflow
  uint64_t seed = 1;     // of the pages shown by overflowing queries
};

// Answers and degrees are asked for once and kept: 4 bytes a result of a valid
// query and the address of each page seen. Not thread-safe.
class PoolGraph {
 public:
  PoolGraph(const QueryPool* pool, Questioner* questioner,
            const PoolGraphOptions& options);

  // The results of a pool query as page numbers; empty when it is not valid
  // or got no answer.
  Result<const std::vector<uint32_t>*> ResultsOf(uint32_t query);

  struct PageDegree {
    std::vector<uint32_t> queries;  // joined to the page, ascending
    double degree = 0;
    bool fetched = false;  // else the page could not be had
    uint64_t words = 0;
  };
  // Fetches the page and asks what its degree needs.
  Result<const PageDegree*> DegreeOf(uint32_t page);
  // The same with a degree such that 1 / degree is 1 / (the exact one) on
  // average, for a page that is joined to the query `joined`: of the m pool
  // queries that its text matches, the others are asked in random order until
  // one is joined too, the n-th; then 1 / degree is n / m, and 1 where none is
  // (the first of K marked among N drawn without replacement comes (N + 1) /
  // (K + 1)-th on average). `queries` stays empty. Without a `joined` query
  // (kNoQuery) the degree is above 0 or not, no more. Every call draws anew;
  // answers are kept.
  Result<const PageDegree*> ProbeDegree(uint32_t page, uint32_t joined,
                                        SplitMix64* random);
  static constexpr uint32_t kNoQuery = UINT32_MAX;
  // The page's text matches the query (of pages that were fetched).
  bool Matches(uint32_t page, uint32_t query) const;

  const std::string& UrlOf(uint32_t page) const { return urls_[page]; }
  uint32_t pages() const { return static_cast<uint32_t>(urls_.size()); }
  // The most results a valid query has; below options.limit when the engine
  // itself shows no more.
  uint32_t limit() const { return limit_; }
  const QueryPool& pool() const { return *pool_; }
  Questioner* questioner() { return questioner_; }

  // The number of a page by its address, normalised.
  uint32_t NumberOf(const std::string& url);

  // Queries asked so far, and the valid ones of them.
  uint32_t asked() const { return asked_; }
  uint32_t valid() const { return valid_; }
  // One of the first results of each overflowing query so far, drawn: pages
  // that the pool shows and perhaps does not reach.
  const std::vector<uint32_t>& shown_by_overflowing() const { return shown_; }

 private:
  struct QueryState {
    bool asked = false;
    std::vector<uint32_t> pages;
  };
  struct PageState {
    bool read = false, known = false;
    std::vector<uint32_t> matching;  // pool queries that the text matches
    PageDegree degree;
  };
  Status Read(uint32_t page);
  Status FindDegree(uint32_t page);
  Result<bool> IsJoined(uint32_t page, uint32_t query);

  const QueryPool* pool_;
  Questioner* questioner_;
  PoolGraphOptions options_;
  uint32_t limit_;
  uint32_t asked_ = 0, valid_ = 0;
  std::vector<QueryState> queries_;
  std::vector<uint32_t> shown_;
  std::vector<std::string> urls_;
  std::deque<PageState> states_;  // keeps its elements in place
  std::unordered_map<std::string, uint32_t> numbers_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_SAMPLE_POOL_GRAPH_H_
