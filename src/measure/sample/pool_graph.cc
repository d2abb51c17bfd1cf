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

Result<bool> PoolGraph::IsJoined(uint32_t page, uint32_t query) {
  TWINSET_ASSIGN(const auto* results, ResultsOf(query));
  return std::binary_search(results->begin(), results->end(), page);
}

Status PoolGraph::Read(uint32_t page) {
  if (states_[page].read) return {};
  TWINSET_ASSIGN(const auto fetched, questioner_->Fetch(urls_[page]));
  states_[page].read = true;
  if (!fetched) return {};
  states_[page].degree.fetched = true;
  states_[page].degree.words = fetched->tokens.size();
  states_[page].matching = pool_->Matching(SortedDistinct(fetched->tokens));
  return {};
}

Status PoolGraph::FindDegree(uint32_t page) {
  // By index: asking adds pages.
  for (size_t i = 0; i < states_[page].matching.size(); ++i) {
    const uint32_t query = states_[page].matching[i];
    TWINSET_ASSIGN(const bool joined, IsJoined(page, query));
    if (joined) states_[page].degree.queries.push_back(query);
  }
  states_[page].degree.degree =
      static_cast<double>(states_[page].degree.queries.size());
  return {};
}

Result<const PoolGraph::PageDegree*> PoolGraph::DegreeOf(uint32_t page) {
  if (states_[page].known) return &states_[page].degree;
  TWINSET_TRY(Read(page));
  TWINSET_TRY(FindDegree(page));
  states_[page].known = true;
  // From here on only joined queries are asked about.
  states_[page].matching = states_[page].degree.queries;
  return &states_[page].degree;
}

Result<const PoolGraph::PageDegree*> PoolGraph::ProbeDegree(
    uint32_t page, uint32_t joined, SplitMix64* random) {
  TWINSET_TRY(Read(page));
  if (joined != kNoQuery && !Matches(page, joined))
    return &states_[page].degree;
  std::vector<uint32_t> others = states_[page].matching;
  const auto matching = static_cast<double>(others.size());
  std::erase(others, joined);
  double inverse = joined == kNoQuery ? 0 : 1;
  for (size_t i = 0; i < others.size(); ++i) {
    std::swap(others[i], others[i + random->Below(others.size() - i)]);
    TWINSET_ASSIGN(const bool found, IsJoined(page, others[i]));
    if (!found) continue;
    inverse = static_cast<double>(i + 1) / matching;
    break;
  }
  states_[page].degree.degree = inverse > 0 ? 1 / inverse : 0;
  return &states_[page].degree;
}

bool PoolGraph::Matches(uint32_t page, uint32_t query) const {
  const std::vector<uint32_t>& matching = states_[page].matching;
  return std::binary_search(matching.begin(), matching.end(), query);
}

}  // namespace twinset
