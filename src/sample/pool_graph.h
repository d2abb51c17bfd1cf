// Queries of a pool and the pages they find, as the bipartite graph on which
// pool-based samplers work (Bar-Yossef and Gurevich, WWW 2006;
// docs/methods/pool-sampling.md).
//
// A query is valid when it has results and no more than the limit. A page and a
// valid query are joined when the page is among the query's results and its
// text matches the query. degree(page) = number of valid queries joined to it.
#ifndef TWINSET_SRC_SAMPLE_POOL_GRAPH_H_
#define TWINSET_SRC_SAMPLE_POOL_GRAPH_H_

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "sample/query_pool.h"
#include "sample/questioner.h"

namespace twinset {

struct PoolGraphOptions {
  uint32_t limit = 100;  // more results than this overflow
  // 0: every pool query that the page's text matches is asked to learn the
  // degree. Else that many of them, drawn, and the degree is estimated from
  // their share of valid ones: cheaper, and biased (1 / estimate).
  uint32_t degree_probes = 0;
  uint64_t seed = 1;  // of the probes
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
    // Of the exact degree: the valid queries joined to the page, ascending; of
    // an estimated one: the valid ones of the probes.
    std::vector<uint32_t> queries;
    double degree = 0;
    bool fetched = false;  // else the page could not be had
    uint64_t words = 0;
  };
  // Fetches the page and asks what its degree needs.
  Result<const PageDegree*> DegreeOf(uint32_t page);
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
    bool known = false;
    std::vector<uint32_t> matching;  // pool queries that the text matches
    PageDegree degree;
  };
  Status FindDegree(uint32_t page);
  Status EstimateDegree(uint32_t page);

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

#endif  // TWINSET_SRC_SAMPLE_POOL_GRAPH_H_
