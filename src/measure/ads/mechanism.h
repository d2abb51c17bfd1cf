// Who is shown, in which order, and what a click costs
// (docs/methods/auction.md). Pure arithmetic on integers.
#ifndef TWINSET_SRC_MEASURE_ADS_MECHANISM_H_
#define TWINSET_SRC_MEASURE_ADS_MECHANISM_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ads/money.h"
#include "twinset/measure/auction.h"

namespace twinset::ads {

struct Bidder {
  std::string name;
  int64_t bid_cents = 0;  // 0 to kMostCents
  Ratio weight;           // click-through rate times quality factors
};

using Mechanism = AuctionMechanism;
using Rounding = PriceRounding;  // before the increment is added

struct MechanismRules {
  Mechanism mechanism = Mechanism::kGsp;
  Rounding rounding = Rounding::kNearest;
  int64_t reserve_cents = 1;    // lower bids, and bids of 0, stay out
  int64_t increment_cents = 1;  // what GSP adds to the price that keeps a place
  size_t slots = 0;             // places shown; 0: as many as there are
};

using Outcome = AdOutcome;

struct Placement {
  Outcome outcome = Outcome::kNoClicks;
  uint32_t rank = 0;        // from 1; 0 for those that do not take part
  int64_t price_cents = 0;  // of a click, for those shown
};

// One placement a bidder, in the order of `bidders`. A name is ranked once,
// with its best ad. Equal ranks are told apart by weight (GSP only, higher
// first), then by name (bytes), then by order. O(n log n).
//
// GSP: price = bid' * weight' / weight of the next in rank, shown or not, as
// whole cents, plus the increment, at least the reserve, at most the own bid;
// the last in rank pays the reserve. Goto: rank by bid, price = bid.
std::vector<Placement> HoldMechanism(const std::vector<Bidder>& bidders,
                                     const MechanismRules& rules);

// Prices of Vickrey, Clarke and Groves for bidders in descending order of
// score, `views` being how often each slot is looked at against the first
// (descending, e.g. 1, 1/2, 1/4): a click pays the clicks' worth that the
// others lose by this bidder's presence, rounded up to the cent, at least the
// reserve. Beyond the last slot nobody is seen. nullopt where the exact value
// does not fit in 128 bits.
std::vector<std::optional<int64_t>> VcgPrices(const std::vector<Bidder>& ranked,
                                              const std::vector<Ratio>& views,
                                              int64_t reserve_cents);

}  // namespace twinset::ads

#endif  // TWINSET_SRC_MEASURE_ADS_MECHANISM_H_
