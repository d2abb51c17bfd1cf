#include "sample/pool_graph.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"

namespace twinset {

namespace {

// An engine that shows m results at most cannot show that a query has more: one
// with m may have.
uint32_t LimitOf(uint32_t wanted, uint32_t engine_shows) {
  if (engine_shows == 0 || wanted < engine_shows) return wanted;
  return engine_shows - 1;
}

}  // namespace

PoolGraph::PoolGraph(const QueryPool* pool, Questioner* questioner,
                     const PoolGraphOptions& options)
    : pool_(pool),
      questioner_(questioner),
      options_(options),
      limit_(LimitOf(options.limit, questioner->Info().max_results)),
      queries_(pool->size()) {}

uint32_t PoolGraph::NumberOf(const std::string& url) {
  const auto [at, is_new] =
      numbers_.emplace(url, static_cast<uint32_t>(urls_.size()));
  if (is_new) {
    urls_.push_back(url);
    states_.emplace_back();
  }
  return at->second;
}

Result<const std::vector<uint32_t>*> PoolGraph::ResultsOf(uint32_t query) {
  QueryState& state = queries_[query];
  if (state.asked) return &state.pages;
  TWINSET_ASSIGN(
      const auto answer,
      questioner_->Ask(pool_->Terms(query), pool_->conjunctive(), limit_ + 1));
  state.asked = true;
  ++asked_;
  if (!answer) return &state.pages;
  if (answer->urls.size() > limit_) {
    ++questioner_->counts().overflowing;
    SplitMix64 random(Hash64(pool_->Text(query), options_.seed));
    shown_.push_back(NumberOf(answer->urls[random.Below(answer->urls.size())]));
    return &state.pages;
  }
  for (const std::string& url : answer->urls)
    state.pages.push_back(NumberOf(url));
  std::sort(state.pages.begin(), state.pages.end());
  valid_ += !state.pages.empty();
  return &state.pages;
}

Status PoolGraph::FindDegree(uint32_t page) {
  // By index: asking adds pages.
  for (size_t i = 0; i < states_[page].matching.size(); ++i) {
    const uint32_t query = states_[page].matching[i];
    TWINSET_ASSIGN(const auto* results, ResultsOf(query));
    if (std::binary_search(results->begin(), results->end(), page))
      states_[page].degree.queries.push_back(query);
  }
  states_[page].degree.degree =
      static_cast<double>(states_[page].degree.queries.size());
  return {};
}

Status PoolGraph::EstimateDegree(uint32_t page) {
  std::vector<uint32_t> left = states_[page].matching;
  SplitMix64 random(Hash64(urls_[page], options_.seed));
  const size_t probes = std::min<size_t>(options_.degree_probes, left.size());
  std::vector<uint32_t> joined;
  for (size_t i = 0; i < probes; ++i) {
    std::swap(left[i], left[i + random.Below(left.size() - i)]);
    TWINSET_ASSIGN(const auto* results, ResultsOf(left[i]));
    if (std::binary_search(results->begin(), results->end(), page))
      joined.push_back(left[i]);
  }
  std::sort(joined.begin(), joined.end());
  PageDegree& degree = states_[page].degree;
  degree.degree = probes == 0 ? 0
                              : static_cast<double>(joined.size()) *
                                    static_cast<double>(left.size()) /
                                    static_cast<double>(probes);
  degree.queries = std::move(joined);
  return {};
}

Result<const PoolGraph::PageDegree*> PoolGraph::DegreeOf(uint32_t page) {
  if (states_[page].known) return &states_[page].degree;
  TWINSET_ASSIGN(const auto fetched, questioner_->Fetch(urls_[page]));
  if (fetched) {
    states_[page].degree.fetched = true;
    states_[page].degree.words = fetched->tokens.size();
    states_[page].matching = pool_->Matching(SortedDistinct(fetched->tokens));
    if (options_.degree_probes == 0) {
      TWINSET_TRY(FindDegree(page));
    } else {
      TWINSET_TRY(EstimateDegree(page));
    }
  }
  states_[page].known = true;
  if (options_.degree_probes == 0) {
    // From here on only joined queries are asked about.
    states_[page].matching = states_[page].degree.queries;
  }
  return &states_[page].degree;
}

bool PoolGraph::Matches(uint32_t page, uint32_t query) const {
  const std::vector<uint32_t>& matching = states_[page].matching;
  return std::binary_search(matching.begin(), matching.end(), query);
}

}  // namespace twinset
