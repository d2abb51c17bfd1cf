#include "sample/random_searches.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_set>
#include <utility>

#include "engine/answer_json.h"

namespace twinset {

namespace {

// The pages of one query by their final address, with the engines that have
// each (as places, ascending).
using Found = std::map<std::string, std::vector<size_t>>;

enum class Outcome { kCounts, kTooMany, kUnanswered };

// All answers to one query, or why it does not count.
Result<Outcome> AskAll(const std::vector<std::string>& query,
                       const RandomSearchOptions& options,
                       const std::vector<Questioner*>& engines,
                       std::vector<std::vector<std::string>>* urls) {
  urls->clear();
  uint64_t total = 0;
  for (Questioner* engine : engines) {
    TWINSET_ASSIGN(auto answer, engine->Ask(query, options.conjunctive,
                                            options.most_results));
    if (!answer) return Outcome::kUnanswered;
    const uint32_t shown = engine->Info().max_results;
    total += answer->urls.size();
    if (total >= options.most_results ||
        (shown > 0 && answer->urls.size() >= shown)) {
      ++engine->counts().overflowing;
      return Outcome::kTooMany;
    }
    urls->push_back(std::move(answer->urls));
  }
  return Outcome::kCounts;
}

std::string EnginesJson(const std::vector<size_t>& places,
                        const std::vector<Questioner*>& engines) {
  std::string json = "[";
  for (const size_t place : places) {
    if (json.size() > 1) json += ",";
    json += JsonOf(engines[place]->Info().name);
  }
  return json + "]";
}

SearchCount CountOf(std::string query, const Found& found, size_t engines) {
  SearchCount count;
  count.query = std::move(query);
  count.counts.resize(engines);
  count.overlaps.resize(engines * (engines - 1) / 2);
  for (const auto& [url, places] : found) {
    ++count.in_any;
    count.in_all += places.size() == engines;
    for (size_t i = 0; i < places.size(); ++i) {
      const size_t x = places[i];
      ++count.counts[x];
      const size_t first = x * engines - x * (x + 1) / 2;  // pair (x, x + 1)
      for (size_t j = i + 1; j < places.size(); ++j)
        ++count.overlaps[first + places[j] - x - 1];
    }
  }
  return count;
}

}  // namespace

Status SearchAll(const std::vector<std::vector<std::string>>& queries,
                 const RandomSearchOptions& options,
                 const std::vector<Questioner*>& engines,
                 const std::function<Status(const SearchCount&)>& on_query,
                 const OnDraw& on_draw, SearchTotals* totals) {
  std::unordered_set<std::string> drawn;
  std::vector<std::vector<std::string>> urls;
  for (const std::vector<std::string>& query : queries) {
    if (options.size > 0 && totals->queries >= options.size) break;
    TWINSET_ASSIGN(const Outcome outcome,
                   AskAll(query, options, engines, &urls));
    totals->too_many += outcome == Outcome::kTooMany;
    totals->unanswered += outcome == Outcome::kUnanswered;
    if (outcome != Outcome::kCounts) continue;
    Found found;
    std::map<std::string, Questioner::Page> pages;
    for (size_t place = 0; place < engines.size(); ++place) {
      for (const std::string& url : urls[place]) {
        TWINSET_ASSIGN(auto page, engines[place]->Fetch(url));
        if (!page) continue;
        if (!Holds(SortedDistinct(page->tokens), query, options.conjunctive)) {
          ++engines[place]->counts().unverified;
          continue;
        }
        std::vector<size_t>& places = found[page->page.url];
        if (places.empty() || places.back() != place) places.push_back(place);
        std::string final_url = page->page.url;
        pages.emplace(std::move(final_url), std::move(*page));
      }
    }
    ++totals->queries;
    totals->nothing += found.empty();
    const std::string text = JoinedTerms(query);
    for (const auto& [url, places] : found) {
      if (!drawn.insert(url).second) continue;
      const Questioner::Page& page = pages.at(url);
      SampleRow row = RowOfPage(FactsOf(page, engines[0]->reader()));
      row.draw = drawn.size() - 1;
      row.fields.emplace_back("query", JsonOf(text));
      row.fields.emplace_back("engines", EnginesJson(places, engines));
      TWINSET_TRY(on_draw(page, std::move(row)));
    }
    TWINSET_TRY(on_query(CountOf(text, found, engines.size())));
  }
  if (drawn.empty()) {
    return tl::unexpected(
        Barren(engines[0]->Info().name,
               totals->queries + totals->too_many + totals->unanswered));
  }
  return {};
}

}  // namespace twinset
