#include "retrieval/engine_runs.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "base/ascii.h"

namespace twinset {

namespace {

using Terms = std::vector<std::string>;
using Pages = std::vector<std::string>;

constexpr std::string_view kNames[kConfigurations] = {
    "all",         "any",        "all-then-any", "first-two",
    "longest-two", "long-words", "votes",        "fused"};
// The constant of reciprocal rank fusion, as in its paper.
constexpr double kFusion = 60;
constexpr size_t kLongWord = 4;  // characters

size_t Characters(const std::string& term) {
  return static_cast<size_t>(std::count_if(
      term.begin(), term.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// First seen stays first.
Pages Joined(const Pages& first, const Pages& second, size_t depth) {
  Pages all;
  std::unordered_set<std::string> seen;
  for (const Pages* pages : {&first, &second})
    for (const std::string& page : *pages)
      if (all.size() < depth && seen.insert(page).second) all.push_back(page);
  return all;
}

// Reciprocal rank fusion: by the sum of 1 / (60 + rank), equal sums by the
// order in which pages come.
Pages Fused(const std::vector<const Pages*>& lists, size_t depth) {
  std::vector<std::pair<double, const std::string*>> scored;
  std::unordered_map<std::string_view, size_t> places;
  for (const Pages* list : lists) {
    for (size_t rank = 0; rank < list->size(); ++rank) {
      const auto [place, is_new] = places.emplace((*list)[rank], scored.size());
      if (is_new) scored.emplace_back(0, &(*list)[rank]);
      scored[place->second].first +=
          1 / (kFusion + static_cast<double>(rank + 1));
    }
  }
  std::stable_sort(
      scored.begin(), scored.end(),
      [](const auto& x, const auto& y) { return x.first > y.first; });
  Pages pages;
  for (size_t i = 0; i < std::min(depth, scored.size()); ++i)
    pages.push_back(*scored[i].second);
  return pages;
}

Terms FirstOf(const Terms& terms, size_t count) {
  return Terms(terms.begin(),
               terms.begin() +
                   static_cast<std::ptrdiff_t>(std::min(count, terms.size())));
}

Terms LongestOf(Terms terms, size_t count) {
  std::stable_sort(terms.begin(), terms.end(),
                   [](const std::string& x, const std::string& y) {
                     return Characters(x) > Characters(y);
                   });
  return FirstOf(terms, count);
}

Terms LongOf(const Terms& terms) {
  Terms chosen;
  std::copy_if(
      terms.begin(), terms.end(), std::back_inserter(chosen),
      [](const std::string& term) { return Characters(term) >= kLongWord; });
  return chosen.empty() ? terms : chosen;
}

}  // namespace

std::string_view ConfigurationName(size_t configuration) {
  return kNames[configuration];
}

Status ReadTopics(const std::string& path, const LineReadOptions& lines,
                  LineCounts* counts, std::vector<StudyTopic>* topics) {
  LineLog log(counts, lines, "topic");
  std::unordered_set<std::string> seen;
  for (const StudyTopic& topic : *topics) seen.insert(topic.id);
  return ForEachStudyLine(
      path, &log, [&](std::string_view line, uint64_t number) -> Status {
        const auto leave_out = [&](const std::string& reason,
                                   const std::string& what) {
          return log.LeaveOut(reason, LineLog::Where(path, number), what);
        };
        const size_t end = line.find_first_of("\t:");
        if (end == line.npos)
          return leave_out("missing-columns", "no 'ID:QUERY'");
        const std::string_view id = Trim(line.substr(0, end)),
                               query = Trim(line.substr(end + 1));
        if (id.empty() || query.empty() ||
            id.find_first_of(kAsciiSpaces) != id.npos)
          return leave_out("missing-columns", "no id or no query");
        if (!seen.emplace(id).second)
          return leave_out("repeated-id",
                           "topic " + std::string(id) + " came before");
        ++counts->used;
        topics->push_back({std::string(id), std::string(query)});
        return {};
      });
}

Result<std::vector<std::vector<std::string>>> RankConfigurations(
    const std::vector<std::string>& terms, size_t depth, const AskEngine& ask) {
  std::map<std::pair<bool, Terms>, Pages> asked;
  const auto answer = [&](const Terms& query,
                          bool conjunctive) -> Result<const Pages*> {
    const auto [place, is_new] =
        asked.emplace(std::pair(conjunctive, query), Pages());
    if (is_new) {
      TWINSET_ASSIGN(place->second, ask(query, conjunctive));
    }
    return &place->second;
  };
  TWINSET_ASSIGN(const Pages* all, answer(terms, true));
  TWINSET_ASSIGN(const Pages* any, answer(terms, false));
  TWINSET_ASSIGN(const Pages* first, answer(FirstOf(terms, 2), false));
  TWINSET_ASSIGN(const Pages* longest, answer(LongestOf(terms, 2), false));
  TWINSET_ASSIGN(const Pages* long_words, answer(LongOf(terms), false));
  std::vector<const Pages*> words;
  for (const std::string& term : terms) {
    TWINSET_ASSIGN(const Pages* pages, answer({term}, true));
    words.push_back(pages);
  }
  const Pages votes = Fused(words, depth);
  const Pages none;
  std::vector<Pages> ranked = {Joined(*all, none, depth),
                               Joined(*any, none, depth),
                               Joined(*all, *any, depth),
                               Joined(*first, none, depth),
                               Joined(*longest, none, depth),
                               Joined(*long_words, none, depth),
                               votes,
                               Fused({all, any, &votes}, depth)};
  return ranked;
}

}  // namespace twinset
