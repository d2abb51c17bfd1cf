// The files of an auction (docs/methods/auction.md).
#ifndef TWINSET_SRC_MEASURE_ADS_BIDS_H_
#define TWINSET_SRC_MEASURE_ADS_BIDS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ads/csv_table.h"
#include "ads/money.h"
#include "twinset/error.h"
#include "twinset/measure/auction.h"

namespace twinset::ads {

using Match = KeywordMatch;

// One row of the bids.
struct Bid {
  uint64_t line = 0;
  std::string advertiser, title, text, landing;
  int64_t cents = 0;
  Ratio rate;                    // clicks a view, after smoothing
  Ratio quality = Ratio::One();  // columns quality times landing_quality
  int64_t load_ms = -1;          // of the landing page; -1: unknown
  std::vector<std::string> keywords;
  Match match = Match::kBroad;
};

struct BidFile {
  std::vector<Bid> bids;  // in order
  bool has_keywords = false;
  uint64_t rows = 0;  // bad ones included
};

struct CtrPrior {
  uint64_t clicks = 1, impressions = 100;
};

// (clicks + prior.clicks) / (impressions + prior.impressions); 0 for 0 / 0.
// nullopt for more clicks than impressions or numbers beyond 10^12.
std::optional<Ratio> SmoothedRate(uint64_t clicks, uint64_t impressions,
                                  const CtrPrior& prior);

// Without on_bad the first bad row is the error.
using OnBadRow = std::function<void(uint64_t line, const std::string& reason)>;
Result<BidFile> ReadBids(const CsvTable& table, const CtrPrior& prior,
                         const OnBadRow& on_bad);
const std::vector<std::string>& BidColumns();

// Quality factors: advertiser (or *), factor, value, times.
struct Factor {
  enum Kind { kPlace, kHour, kLoad, kLanding } kind = kPlace;
  std::string advertiser;  // "*": every one
  std::string value;       // kPlace: the place; kLanding: front of the address
  int first_hour = 0, last_hour = 0;  // kHour, both included; may wrap
  int64_t least_ms = 0;               // kLoad: from here on
  Ratio times = Ratio::One();
};
Result<std::vector<Factor>> ReadFactors(const CsvTable& table);
const std::vector<std::string>& FactorColumns();

struct UserContext {
  std::string place;
  int hour = -1;
};
// The product of what applies; of the loads and of the landings of one
// advertiser entry only the most specific (slowest, longest). nullopt when it
// does not fit.
std::optional<Ratio> QualityOf(const Bid& bid,
                               const std::vector<Factor>& factors,
                               const UserContext& user);

// Terms that only their owners may bid on: term, owner (several with |).
struct Trademark {
  std::string term;
  std::vector<std::string> owners;
};
Result<std::vector<Trademark>> ReadTrademarks(const CsvTable& table);
const std::vector<std::string>& TrademarkColumns();

// What the ads on a landing page earned in so many visits.
struct Landing {
  std::string address;
  uint64_t visits = 0;
  int64_t revenue_cents = 0;
};
Result<std::vector<Landing>> ReadLandings(const CsvTable& table);
const std::vector<std::string>& LandingColumns();

// Returns true iff a click at this price costs less than a visit earns
// (docs/methods/auction.md).
bool IsArbitrage(int64_t price_cents, const Landing& landing);

}  // namespace twinset::ads

#endif  // TWINSET_SRC_MEASURE_ADS_BIDS_H_
