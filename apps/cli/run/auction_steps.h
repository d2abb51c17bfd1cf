// An auction worked through as a lecture would on the board.
#ifndef TWINSET_APPS_CLI_RUN_AUCTION_STEPS_H_
#define TWINSET_APPS_CLI_RUN_AUCTION_STEPS_H_

#include <string>

#include "twinset/auction.h"

namespace twinset::cli {

// Markdown: the weight of each ad, the order, and how each price comes about.
std::string AuctionSteps(const AuctionOptions& options,
                         const AuctionResult& result);

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_RUN_AUCTION_STEPS_H_
