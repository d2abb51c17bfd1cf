#include "engine/memory_engine.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace twinset {

MemoryEngine::MemoryEngine(std::string name,
                           std::vector<EngineDocument> documents,
                           std::vector<double> static_ranks)
    : name_(std::move(name)) {
  for (size_t i = 0; i < documents.size(); ++i) {
    EngineDocument& document = documents[i];
    const auto number = static_cast<uint32_t>(pages_.size());
    if (!by_url_.emplace(document.page.url, number).second) continue;
    ranks_.push_back(i < static_ranks.size() ? static_ranks[i] : 0);
    for (const std::string& token : document.tokens) {
      std::vector<uint32_t>& list = postings_[token];
      if (list.empty() || list.back() != number) list.push_back(number);
    }
    pages_.push_back(std::move(document.page));
  }
}

EngineInfo MemoryEngine::Info() const {
  EngineInfo info;
  info.name = name_;
  info.type = "memory";
  info.documents = static_cast<int64_t>(pages_.size());
  return info;
}

Result<EngineAnswer> MemoryEngine::Query(const EngineQuery& query) {
  std::unordered_set<std::string> distinct(query.terms.begin(),
                                           query.terms.end());
  std::unordered_map<uint32_t, uint32_t> matched;  // document to terms
  for (const std::string& term : distinct) {
    const auto found = postings_.find(term);
    if (found == postings_.end()) continue;
    for (const uint32_t number : found->second) ++matched[number];
  }
  std::vector<std::pair<uint32_t, uint32_t>> results;  // terms, document
  for (const auto& [number, terms] : matched) {
    if (!query.conjunctive || terms == distinct.size())
      results.emplace_back(terms, number);
  }
  EngineAnswer answer;
  answer.hits = results.size();
  const auto shown = std::min<size_t>(query.limit, results.size());
  std::partial_sort(results.begin(),
                    results.begin() + static_cast<std::ptrdiff_t>(shown),
                    results.end(), [this](const auto& a, const auto& b) {
                      if (a.first != b.first) return a.first > b.first;
                      if (ranks_[a.second] != ranks_[b.second])
                        return ranks_[a.second] > ranks_[b.second];
                      return a.second < b.second;
                    });
  for (size_t i = 0; i < shown; ++i)
    answer.urls.push_back(pages_[results[i].second].url);
  return answer;
}

Result<EnginePage> MemoryEngine::Fetch(const std::string& url) {
  const auto found = by_url_.find(url);
  if (found == by_url_.end()) {
    return Fail(ErrorCode::kNotFound, "no page has this address", url);
  }
  return pages_[found->second];
}

}  // namespace twinset
