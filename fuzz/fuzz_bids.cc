// Bids, factors, trademarks, landing pages and query logs of any bytes are
// refused or read; every auction over what was read keeps its promises.
#include "ads/bids.h"
#include "ads/mechanism.h"
#include "ads/query_log.h"
#include "scratch_file.h"
#include "target.h"

namespace {

using namespace twinset::ads;  // NOLINT: the target's subject
using twinset::Require;

void HoldBids(const std::string& text) {
  const auto table = CsvTable::Parse(text, "bids", BidColumns());
  if (!table) return;
  uint64_t bad = 0;
  const auto file =
      ReadBids(*table, {}, [&](uint64_t, const std::string&) { ++bad; });
  if (!file) return;
  Require(file->rows == file->bids.size() + bad);
  if (bad > 0) Require(!ReadBids(*table, {}, {}).has_value());
  std::vector<Bidder> bidders;
  for (const Bid& bid : file->bids) {
    const auto weight = Times(bid.rate, bid.quality);
    if (weight) bidders.push_back({bid.advertiser, bid.cents, *weight});
  }
  for (const Mechanism mechanism : {Mechanism::kGoto, Mechanism::kGsp}) {
    MechanismRules rules;
    rules.mechanism = mechanism;
    const auto placed = HoldMechanism(bidders, rules);
    for (size_t i = 0; i < placed.size(); ++i) {
      Require(placed[i].price_cents <= bidders[i].bid_cents);
      Require((placed[i].rank > 0) == (placed[i].outcome == Outcome::kShown));
    }
  }
}

void ReadLog(std::string_view text, size_t piece) {
  const auto rows = [&](size_t size) {
    LogParser parser("log");
    std::string all;
    const auto on_row = [&](const LogRow& row) -> twinset::Status {
      all += row.user;
      all += '\1';
      all += row.query;
      all += '\1' + std::to_string(row.count) + '\2';
      return {};
    };
    twinset::Status status;
    for (size_t at = 0; status && at < text.size(); at += size)
      status = parser.Add(text.substr(at, size), on_row);
    if (status) status = parser.Finish(on_row);
    return std::make_pair(status.has_value(), all);
  };
  // However the bytes come, the rows are the same.
  const auto whole = rows(text.size() + 1), pieces = rows(piece);
  Require(whole.first == pieces.first);
  if (whole.first) Require(whole.second == pieces.second);
}

}  // namespace

TWINSET_FUZZ_TARGET(bids) {
  twinset::FuzzInput input(data, size);
  const uint64_t mode = input.Number(1) % 5;
  const std::string text(input.Rest());
  if (mode == 0) HoldBids(text);
  if (mode == 1)
    if (const auto table = CsvTable::Parse(text, "factors", FactorColumns()))
      (void)ReadFactors(*table);
  if (mode == 2)
    if (const auto table = CsvTable::Parse(text, "marks", TrademarkColumns()))
      (void)ReadTrademarks(*table);
  if (mode == 3)
    if (const auto table = CsvTable::Parse(text, "pages", LandingColumns()))
      (void)ReadLandings(*table);
  if (mode == 4) ReadLog(text, 3);
  return 0;
}
