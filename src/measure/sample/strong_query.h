// Strong queries: conjunctions of the rarest words of a page, which few other
// pages have all of (Bharat and Broder, 1998; docs/methods/engine-sampling.md).
#ifndef TWINSET_SRC_MEASURE_SAMPLE_STRONG_QUERY_H_
#define TWINSET_SRC_MEASURE_SAMPLE_STRONG_QUERY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sample/term_statistics.h"

namespace twinset {

struct StrongQueryOptions {
  // One query of 8 words, or 5 of 6 words, in which the page must be found in
  // one at least.
  uint32_t queries = 1, words = 8;
  uint32_t max_terms = 0;  // the engine cuts longer queries; 0: it does not
};

struct StrongQueries {
  std::vector<std::vector<std::string>> queries;  // rarest word first
  bool short_page = false;  // fewer distinct words than one query wants
  bool cut = false;         // max_terms made the queries weaker
};

// Words that the lexicon does not have are the rarest; of words as rare as each
// other the longer come first, then by bytes. Query i of several takes the
// i-th, (i + queries)-th, ... rarest, so that all are about as strong; a page
// that has too few words for that gives queries that share words. No queries
// for a page without words.
StrongQueries MakeStrongQueries(const std::vector<std::string>& tokens,
                                const TermStatistics& statistics,
                                const StrongQueryOptions& options);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_SAMPLE_STRONG_QUERY_H_
