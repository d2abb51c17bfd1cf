// Which ads fit a query or a page. All by normalised tokens
// (docs/methods/auction.md).
#ifndef TWINSET_SRC_MEASURE_ADS_AD_MATCH_H_
#define TWINSET_SRC_MEASURE_ADS_AD_MATCH_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ads/bids.h"

namespace twinset::ads {

using Terms = std::vector<std::string>;  // tokens in order

// Returns true iff `part` stands in `whole`, side by side and in order. Never
// an empty one.
bool HoldsPhrase(const Terms& whole, const Terms& part);

// How a keyword matches a query, by the strictest match that holds; nullopt if
// not even broadly (every token of the keyword somewhere in the query, as often
// as in the keyword).
std::optional<Match> MatchKeyword(const Terms& keyword, const Terms& query);

// Weights of terms: rare among the ads means specific. Integers, in 1/65536.
class AdTerms {
 public:
  // The tokens of each ad, in any order.
  explicit AdTerms(const std::vector<Terms>& ads);

  // 65536 + log2((ads + 1) / ads with the term); 0 for a term of no ad.
  uint64_t Weight(const std::string& term) const;
  // The terms of ads that are on a page, with (1 + floor(log2 tf)) * weight,
  // heaviest first, equal ones by bytes; at most `most`.
  std::vector<AuctionTerm> PageTerms(const Terms& page, size_t most) const;
  // Share of the weights of the ad's distinct terms that are among the page's,
  // in thousandths, rounded down. 0 for an ad without terms.
  uint32_t Relevance(const Terms& ad,
                     const std::vector<AuctionTerm>& page_terms) const;

 private:
  uint64_t ads_ = 0;
  std::map<std::string, uint64_t> ads_with_;
};

// log2(num / den) in 1/65536, rounded down; num at least den, den above 0.
uint64_t FixedLog2(uint64_t num, uint64_t den);

}  // namespace twinset::ads

#endif  // TWINSET_SRC_MEASURE_ADS_AD_MATCH_H_
