#include "ads/ad_match.h"

#include <algorithm>
#include <bit>
#include <set>

namespace twinset::ads {

bool HoldsPhrase(const Terms& whole, const Terms& part) {
  return !part.empty() && std::search(whole.begin(), whole.end(), part.begin(),
                                      part.end()) != whole.end();
}

std::optional<Match> MatchKeyword(const Terms& keyword, const Terms& query) {
  if (keyword.empty()) return std::nullopt;
  if (keyword == query) return Match::kExact;
  if (HoldsPhrase(query, keyword)) return Match::kPhrase;
  Terms sorted_keyword = keyword, sorted_query = query;
  std::sort(sorted_keyword.begin(), sorted_keyword.end());
  std::sort(sorted_query.begin(), sorted_query.end());
  if (std::includes(sorted_query.begin(), sorted_query.end(),
                    sorted_keyword.begin(), sorted_keyword.end()))
    return Match::kBroad;
  return std::nullopt;
}

uint64_t FixedLog2(uint64_t num, uint64_t den) {
  if (den == 0 || num < den) return 0;
  // num / den in 32 fractional bits; squared again and again, each doubling
  // beyond 2 is a bit of the logarithm.
  Wide value = (static_cast<Wide>(num) << 32) / den;
  const Wide two = Wide{2} << 32;
  uint64_t log = 0;
  while (value >= two) {
    value >>= 1;
    log += 65536;
  }
  for (uint64_t bit = 32768; bit > 0; bit >>= 1) {
    value = (value * value) >> 32;
    if (value < two) continue;
    value >>= 1;
    log += bit;
  }
  return log;
}

AdTerms::AdTerms(const std::vector<Terms>& ads) : ads_(ads.size()) {
  for (const Terms& ad : ads)
    for (const std::string& term : std::set<std::string>(ad.begin(), ad.end()))
      ++ads_with_[term];
}

uint64_t AdTerms::Weight(const std::string& term) const {
  const auto at = ads_with_.find(term);
  return at == ads_with_.end() ? 0 : 65536 + FixedLog2(ads_ + 1, at->second);
}

std::vector<AuctionTerm> AdTerms::PageTerms(const Terms& page,
                                            size_t most) const {
  std::map<std::string, uint64_t> counts;
  for (const std::string& term : page)
    if (ads_with_.count(term) != 0) ++counts[term];
  std::vector<AuctionTerm> terms;
  terms.reserve(counts.size());
  for (const auto& [term, count] : counts)
    terms.push_back(
        {term, static_cast<uint64_t>(std::bit_width(count)) * Weight(term)});
  std::stable_sort(
      terms.begin(), terms.end(),
      [](const auto& a, const auto& b) { return a.weight > b.weight; });
  if (terms.size() > most) terms.resize(most);
  return terms;
}

uint32_t AdTerms::Relevance(const Terms& ad,
                            const std::vector<AuctionTerm>& page_terms) const {
  std::set<std::string> on_page;
  for (const auto& [term, weight] : page_terms) on_page.insert(term);
  uint64_t all = 0, common = 0;
  for (const std::string& term : std::set<std::string>(ad.begin(), ad.end())) {
    const uint64_t weight = Weight(term);
    all += weight;
    if (on_page.count(term) != 0) common += weight;
  }
  return all == 0
             ? 0
             : static_cast<uint32_t>(static_cast<Wide>(common) * 1000 / all);
}

}  // namespace twinset::ads
