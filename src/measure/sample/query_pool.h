// Pools of queries: what samplers draw their questions from
// (docs/methods/engine-sampling.md).
#ifndef TWINSET_SRC_MEASURE_SAMPLE_QUERY_POOL_H_
#define TWINSET_SRC_MEASURE_SAMPLE_QUERY_POOL_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "documents/page_text.h"
#include "twinset/error.h"

namespace twinset {

// The terms of a lexicon whose document frequency is in [min_df, max_df];
// max_df 0: no limit.
struct TermRange {
  uint64_t min_df = 1, max_df = 0;
};
// In the order of the lexicon. kUsage when no term is left.
Result<std::vector<std::string>> ReadPoolTerms(const std::string& lexicon,
                                               const TermRange& range);

// A set of distinct queries, each a set of terms joined by AND, or each by OR.
// Immutable; the order is fixed by how it was made.
class QueryPool {
 public:
  // Every term by itself.
  static QueryPool OfTerms(const std::vector<std::string>& terms);
  // `size` distinct sets of `per_query` distinct terms, drawn by `seed`; fewer
  // where there are fewer (found out by drawing 20 times as often in vain).
  static QueryPool Drawn(const std::vector<std::string>& terms,
                         uint32_t per_query, bool conjunctive, uint64_t size,
                         uint64_t seed);
  // `queries`: terms in any order; repeated terms and queries, and empty
  // queries, are dropped.
  QueryPool(std::vector<std::vector<std::string>> queries, bool conjunctive);

  uint32_t size() const { return static_cast<uint32_t>(queries_.size()); }
  bool conjunctive() const { return conjunctive_; }
  std::vector<std::string> Terms(uint32_t query) const;
  std::string Text(uint32_t query) const;  // terms with spaces between

  // The queries that a page with these distinct tokens matches, ascending.
  // Time: linear in tokens and in the queries that hold one of them.
  std::vector<uint32_t> Matching(const std::vector<std::string>& tokens) const;

 private:
  std::vector<std::string> terms_;
  std::vector<std::vector<uint32_t>> queries_;  // of terms, ascending
  std::unordered_map<std::string, uint32_t> term_numbers_;
  std::vector<std::vector<uint32_t>> by_term_;  // queries that hold it
  bool conjunctive_ = true;
};

// Queries as people wrote them, one per line.
struct QueryLog {
  static constexpr uint64_t kMaxLineBytes = 4096;
  static constexpr uint64_t kMaxQueries = 1 << 22;
  static constexpr size_t kMaxTerms = 32;

  std::vector<std::vector<std::string>> queries;  // distinct, in file order
  uint64_t bad = 0;       // lines too long, no UTF-8, or of too many words
  uint64_t blank = 0;     // lines without a word
  uint64_t repeated = 0;  // lines with the words of an earlier one
};
// A line's words are its tokens in order, each once. Any bytes.
QueryLog ParseQueryLog(std::string_view text, const TextReader& reader);
// kUsage when the file has no query at all.
Result<QueryLog> ReadQueryLog(const std::string& path,
                              const TextReader& reader);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_SAMPLE_QUERY_POOL_H_
