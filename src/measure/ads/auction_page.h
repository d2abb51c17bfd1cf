// What the `auction` commands say (docs/methods/auction.md).
#ifndef TWINSET_SRC_MEASURE_ADS_AUCTION_PAGE_H_
#define TWINSET_SRC_MEASURE_ADS_AUCTION_PAGE_H_

#include "report/kept_page.h"
#include "twinset/measure/auction.h"
#include "twinset/measure/query_log.h"

namespace twinset::ads {

KeptPage AuctionPage(const AuctionResult& result);
KeptPage QueryLogPage(const QueryLogResult& log);
KeptPage SearchPageTold(const SearchPageInfo& info);

}  // namespace twinset::ads

#endif  // TWINSET_SRC_MEASURE_ADS_AUCTION_PAGE_H_
