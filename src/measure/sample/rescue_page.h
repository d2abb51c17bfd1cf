// One dead page: signature, queries, candidates, verdict
// (docs/methods/rescue.md).
#ifndef TWINSET_SRC_MEASURE_SAMPLE_RESCUE_PAGE_H_
#define TWINSET_SRC_MEASURE_SAMPLE_RESCUE_PAGE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sample/old_pages.h"
#include "sample/questioner.h"
#include "sample/term_statistics.h"
#include "twinset/error.h"
#include "twinset/measure/rescue.h"

namespace twinset {

struct RescueRules {
  uint32_t terms = 5, least_terms = 2, results = 10;
  double threshold = 0.8;
};

// The queries of a signature in the order they are asked: all terms, then for
// each smaller size down to `least` the runs of neighbours, rarest first. m (m
// + 1) / 2 of them, m = terms - least + 1.
std::vector<std::vector<std::string>> ShorterQueries(
    const std::vector<std::string>& signature, uint32_t least);

// The words of highest tf * idf, and the address with them, which finds the
// page again by itself (a robust hyperlink, Phelps and Wilensky, 2000):
// http://a/b?lexical-signature=w1+w2. Status "signature", or "too-short" for
// fewer than rules.least_terms words.
RescuedPage SignPage(const std::string& url,
                     const std::vector<std::string>& tokens,
                     const TermStatistics& statistics,
                     const RescueRules& rules);

// Looks for the page of `url` whose copy has this text. The first query that
// shows a near-duplicate decides; of several the most alike is taken, then one
// of the same host, then the better rank. Candidates at `url` itself are what
// an engine remembers of the dead page and do not count, nor do sisters by
// `old`, which may be null. Errors as Questioner::Ask.
Result<RescuedPage> RescuePage(const std::string& url, const std::string& text,
                               const TermStatistics& statistics,
                               const RescueRules& rules, Questioner* engine,
                               const OldPages* old = nullptr);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_SAMPLE_RESCUE_PAGE_H_
