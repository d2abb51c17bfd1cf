#include "sample/strong_query.h"

#include <algorithm>
#include <utility>

namespace twinset {

namespace {

struct RareWord {
  std::string word;
  uint64_t frequency = 0;
};

// The distinct words, rarest first.
std::vector<RareWord> RarestFirst(const std::vector<std::string>& tokens,
                                  const TermStatistics& statistics) {
  std::vector<RareWord> words;
  for (TermCount& term : CountTerms(tokens)) {
    const uint64_t frequency = statistics.Frequency(term.term);
    words.push_back({std::move(term.term), frequency});
  }
  std::stable_sort(words.begin(), words.end(),
                   [](const RareWord& a, const RareWord& b) {
                     if (a.frequency != b.frequency)
                       return a.frequency < b.frequency;
                     return a.word.size() > b.word.size();
                   });
  return words;
}

}  // namespace

StrongQueries MakeStrongQueries(const std::vector<std::string>& tokens,
                                const TermStatistics& statistics,
                                const StrongQueryOptions& options) {
  StrongQueries made;
  const std::vector<RareWord> words = RarestFirst(tokens, statistics);
  size_t wanted = options.words;
  made.short_page = words.size() < wanted;
  if (options.max_terms > 0 && options.max_terms < wanted) {
    wanted = options.max_terms;
    made.cut = words.size() > wanted;
  }
  const size_t length = std::min(wanted, words.size());
  if (length == 0) return made;
  for (size_t i = 0; i < options.queries; ++i) {
    std::vector<size_t> places;
    if (words.size() >= options.queries * length) {
      for (size_t j = 0; j < length; ++j)
        places.push_back(i + j * options.queries);
    } else {
      // A window that moves through the words and wraps.
      for (size_t j = 0; j < length; ++j)
        places.push_back((i * length + j) % words.size());
      std::sort(places.begin(), places.end());
    }
    std::vector<std::string> query;
    query.reserve(places.size());
    for (const size_t place : places) query.push_back(words[place].word);
    if (std::find(made.queries.begin(), made.queries.end(), query) ==
        made.queries.end()) {
      made.queries.push_back(std::move(query));
    }
  }
  return made;
}

}  // namespace twinset
