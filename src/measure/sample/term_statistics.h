// Document frequencies of terms, from a lexicon: how rare a word is.
#ifndef TWINSET_SRC_MEASURE_SAMPLE_TERM_STATISTICS_H_
#define TWINSET_SRC_MEASURE_SAMPLE_TERM_STATISTICS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "twinset/error.h"

namespace twinset {

// A term of a page and how often it stands there.
struct TermCount {
  std::string term;
  uint64_t count = 0;
};
// The distinct tokens with their counts, by bytes.
std::vector<TermCount> CountTerms(const std::vector<std::string>& tokens);

class TermStatistics {
 public:
  TermStatistics() = default;
  // A file of `twinset lexicon build`. Errors as ShowLexicon.
  static Result<TermStatistics> Read(const std::string& path);
  // `frequencies`: term and number of documents.
  TermStatistics(
      uint64_t documents,
      const std::vector<std::pair<std::string, uint64_t>>& frequencies);

  uint64_t documents() const { return documents_; }
  uint64_t terms() const { return frequencies_.size(); }
  // The lexicon left its most common terms out, so that a word it does not have
  // may be common as well as rare.
  bool lacks_common() const { return lacks_common_; }
  // 0: not in the lexicon.
  uint64_t Frequency(std::string_view term) const;
  // ln(documents / frequency), at least 0; of a term that is not in the
  // lexicon, as if one document had it.
  double Idf(std::string_view term) const;

 private:
  uint64_t documents_ = 0;
  bool lacks_common_ = false;
  std::unordered_map<std::string, uint64_t> frequencies_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_SAMPLE_TERM_STATISTICS_H_
