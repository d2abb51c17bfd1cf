// Is a page in an engine? Strong queries, then a match by address or through
// redirects; else, does the engine have a copy of it at another address?
// (docs/methods/engine-sampling.md)
#ifndef TWINSET_SRC_MEASURE_SAMPLE_CHECK_H_
#define TWINSET_SRC_MEASURE_SAMPLE_CHECK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sample/questioner.h"
#include "sample/strong_query.h"
#include "sample/term_statistics.h"
#include "twinset/measure/sample_counts.h"

namespace twinset {

struct CheckOptions {
  StrongQueryOptions query;  // max_terms: of the engine, where it is known
  uint32_t results = 100;    // of each query
  // Results that are fetched, to find the page behind another address or a
  // near-duplicate of it; 0: addresses alone decide.
  uint32_t fetches = 10;
  double content_threshold = 0.9;  // least resemblance of a near-duplicate
  // The page was drawn from this very engine: it is looked for at another
  // address, by content alone.
  bool elsewhere = false;
};

enum class PageMatch {
  kNone,
  kUrl,       // a result has the address
  kRedirect,  // a result leads to the address: redirect, meta refresh,
              // rel=canonical, or a frame
  kContent,   // no result is the page, but one has a near-duplicate of its text
};
std::string_view PageMatchName(PageMatch match);

struct CheckResult {
  bool checked = false;  // else: no words to ask for, or no answer
  PageMatch match = PageMatch::kNone;
  double resemblance = 0;   // of a match by content
  bool short_page = false;  // fewer distinct words than a strong query wants
  bool cut = false;         // the engine takes fewer words than that
};

// Looks the page up in the engine of `target`. `url` is the page's address as
// it was drawn; its own (after redirects) counts too. Errors as
// Questioner::Ask. Cost: options.query.queries questions and options.fetches
// pages at most.
Result<CheckResult> CheckPage(const Questioner::Page& page,
                              const std::string& url,
                              const TermStatistics& statistics,
                              const CheckOptions& options, Questioner* target);

// How many of the pages drawn from x are in y, as they are looked up.
struct PageOverlap : SampledOverlap {
  double weight = 0, weight_squared = 0, weight_found = 0, weight_copied = 0;

  void Add(const CheckResult& result, double row_weight);
  // Pages looked at elsewhere: `both` of `looked` have the same address in y.
  void AddCounts(uint64_t looked, uint64_t both);
  // Weighted share of the checked pages that were found; 0 without any.
  double Fraction() const { return weight > 0 ? weight_found / weight : 0; }
  // The same with the pages of which y has only a copy.
  double FractionWithCopies() const {
    return weight > 0 ? (weight_found + weight_copied) / weight : 0;
  }
  // The number of unweighted pages that tell as much (Kish): (sum w)^2 / sum
  // w^2, rounded down.
  uint64_t EffectiveSize() const;
  // With the shares of what was added so far.
  SampledOverlap Told() const;
};

// Returns true iff the copies are so many that sizes by address and with copies
// differ: more than one in 20 of all pages that were found either way.
bool AreManyCopies(double fraction, double fraction_with_copies);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_SAMPLE_CHECK_H_
