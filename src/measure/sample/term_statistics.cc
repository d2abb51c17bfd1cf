#include "sample/term_statistics.h"

#include <algorithm>

#include "base/math/pinned_math.h"
#include "twinset/lexicon.h"

namespace twinset {

std::vector<TermCount> CountTerms(const std::vector<std::string>& tokens) {
  std::vector<std::string_view> sorted(tokens.begin(), tokens.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<TermCount> counts;
  for (const std::string_view token : sorted) {
    if (counts.empty() || counts.back().term != token)
      counts.push_back({std::string(token), 0});
    ++counts.back().count;
  }
  return counts;
}

Result<TermStatistics> TermStatistics::Read(const std::string& path) {
  TermStatistics statistics;
  TWINSET_ASSIGN(const LexiconInfo info,
                 ShowLexicon(path, [&](const LexiconRow& row) {
                   statistics.frequencies_.emplace(row.term, row.frequency);
                   return true;
                 }));
  statistics.documents_ = info.documents;
  statistics.lacks_common_ = info.first_rank > 0;
  return statistics;
}

TermStatistics::TermStatistics(
    uint64_t documents,
    const std::vector<std::pair<std::string, uint64_t>>& frequencies)
    : documents_(documents),
      frequencies_(frequencies.begin(), frequencies.end()) {}

uint64_t TermStatistics::Frequency(std::string_view term) const {
  const auto found = frequencies_.find(std::string(term));
  return found == frequencies_.end() ? 0 : found->second;
}

double TermStatistics::Idf(std::string_view term) const {
  const uint64_t frequency = std::max<uint64_t>(Frequency(term), 1);
  if (frequency >= documents_) return 0;
  return PinnedLog(static_cast<double>(documents_) /
                   static_cast<double>(frequency));
}

}  // namespace twinset
