// What a sampler and a look-up counted.
#ifndef TWINSET_MEASURE_SAMPLE_COUNTS_H_
#define TWINSET_MEASURE_SAMPLE_COUNTS_H_

#include <cstdint>
#include <optional>
#include <string>

namespace twinset {
inline namespace v1 {

// What happened between a sampler and its engine. Every question and every page
// is in one of these, so nothing is dropped unseen.
struct SampleCounts {
  uint64_t asked = 0;         // queries sent, each different one once or more
  uint64_t failed = 0;        // of them, those that got no answer
  uint64_t empty = 0;         // answers without a result
  uint64_t overflowing = 0;   // more results than the limit
  uint64_t duplicates = 0;    // addresses twice in one answer
  uint64_t surplus = 0;       // results beyond the number asked for
  uint64_t fetched = 0;       // pages asked for
  uint64_t fetch_failed = 0;  // of them, those that could not be had
  uint64_t unverified = 0;    // results that do not hold the query's words
  uint64_t rejected = 0;      // trials that the sampler's own rule refused
  uint64_t unreachable = 0;   // trials on pages of degree 0
  // Answers as long as the longest one that was cut: an engine that shows no
  // more than this makes overflowing queries look complete.
  uint64_t longest = 0, at_longest = 0;

  static void Fields(auto& counts, auto& field) {
    field("asked", counts.asked);
    field("failed", counts.failed);
    field("empty", counts.empty);
    field("overflowing", counts.overflowing);
    field("duplicates", counts.duplicates);
    field("surplus", counts.surplus);
    field("fetched", counts.fetched);
    field("fetch_failed", counts.fetch_failed);
    field("unverified", counts.unverified);
    field("rejected", counts.rejected);
    field("unreachable", counts.unreachable);
  }
};

// What a sampler learnt beside its draws.
struct PoolReach {
  uint64_t trials = 0;  // pages looked at
  uint64_t draws = 0;
  double lowest_degree = 0, highest_degree = 0, mean_degree = 0;  // of trials
  uint64_t below_least = 0;  // trials on pages with a degree below the least
  uint64_t above_most = 0;   // visits to pages with a degree above the bound
  double bound = 0;          // of the maximum-degree walk
  // Pages that overflowing queries show, one per query; and those of them that
  // have degree 0, which the sampler never draws.
  uint64_t probed = 0, unreachable = 0;

  static void Fields(auto& reach, auto& field) {
    const auto if_bound = [&](auto value) {
      return reach.bound > 0 ? std::optional(value) : std::nullopt;
    };
    field("trials", reach.trials);
    field("lowest_degree", reach.lowest_degree);
    field("mean_degree", reach.mean_degree);
    field("highest_degree", reach.highest_degree);
    field("below_least", reach.below_least);
    field.Derived("bound", if_bound(reach.bound));
    field.Derived("above_bound", if_bound(reach.above_most));
    field("probed", reach.probed);
    field("unreachable", reach.unreachable);
  }
};

// Queries of random-searches.
struct SearchTotals {
  uint64_t queries = 0;     // that count
  uint64_t too_many = 0;    // most_results or more, or an answer that was cut
  uint64_t unanswered = 0;  // an engine gave no answer
  uint64_t nothing = 0;     // that count, and no engine has a page

  static void Fields(auto& totals, auto& field) {
    field("queries", totals.queries);
    field("too_many", totals.too_many);
    field("unanswered", totals.unanswered);
    field("nothing", totals.nothing);
  }
};

struct SampledPool : PoolReach {
  uint64_t asked = 0, valid = 0;  // queries of the pool

  static void Fields(auto& pool, auto& field) {
    field("asked", pool.asked);
    field("valid", pool.valid);
    PoolReach::Fields(pool, field);
  }
};

// One engine as it was sampled.
struct SampledEngine {
  std::string name, type;
  uint64_t rows = 0;  // draws from it; random-searches: pages counted
  SampleCounts counts;
  std::optional<SampledPool> pool;       // of samplers with a pool
  std::optional<SampleCounts> checking;  // where pages were looked up

  static void Fields(auto& engine, auto& field) {
    field("engine", engine.name);
    field("type", engine.type);
    field("rows", engine.rows);
    field("sampling", engine.counts);
    field("pool", engine.pool);
    field("checking", engine.checking);
  }
};

// The share of the pages drawn from x that are also in y. Copies at other
// addresses count apart: with them an engine with three copies of a page of y
// would have three pages in y, and y but one in it.
struct SampledOverlap {
  std::string x, y;
  double fraction = 0;              // weighted, at their addresses
  double fraction_with_copies = 0;  // with the pages of which y has only a copy
  uint64_t n = 0;  // unweighted pages that tell as much (Kish), rounded down
  uint64_t checked = 0, unchecked = 0, found = 0;
  uint64_t by_url = 0, by_redirect = 0;
  uint64_t by_content = 0;  // y has only a near-duplicate at another address
  // Pages with fewer distinct words than a strong query wants; those for which
  // the engine takes fewer.
  uint64_t short_pages = 0, cut = 0;

  static void Fields(auto& overlap, auto& field) {
    field("x", overlap.x);
    field("y", overlap.y);
    field("fraction_of_x_in_y", overlap.fraction);
    field("fraction_with_copies", overlap.fraction_with_copies);
    field("n", overlap.n);
    field("checked", overlap.checked);
    field("unchecked", overlap.unchecked);
    field("found", overlap.found);
    field("by_url", overlap.by_url);
    field("by_redirect", overlap.by_redirect);
    field("by_content", overlap.by_content);
    field("short_pages", overlap.short_pages);
    field("cut", overlap.cut);
  }
};

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_MEASURE_SAMPLE_COUNTS_H_
