// Sponsored-search auctions: from files to rows (docs/methods/auction.md).
#include "twinset/measure/auction.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "ads/ad_match.h"
#include "ads/auction_page.h"
#include "ads/bids.h"
#include "ads/mechanism.h"
#include "base/file.h"
#include "base/stop.h"
#include "documents/page_text.h"
#include "net/url.h"

namespace twinset {
namespace ads {
namespace {

constexpr uint64_t kMostPageBytes = 8 << 20;

Status CheckOptions(const AuctionOptions& options) {
  const auto wrong = [](std::string message, std::string remedy = {}) {
    return Fail(ErrorCode::kUsage, std::move(message), {}, std::move(remedy));
  };
  if (options.bids.empty()) return wrong("no bids are given");
  if (!options.query.empty() && !options.page.empty())
    return wrong("ads match either a query or a page", "give one of them");
  if (options.prior_clicks > options.prior_impressions)
    return wrong("the prior has more clicks than impressions");
  if (options.hour < -1 || options.hour > 23)
    return wrong("the hour is not from 0 to 23");
  for (const int64_t cents : {options.reserve_cents, options.increment_cents})
    if (cents < 0 || cents > kMostCents)
      return wrong("an amount is not from 0 to " + CentsText(kMostCents));
  if (!(options.least_match >= 0 && options.least_match <= 1))
    return wrong("the least match is not from 0 to 1");
  if (options.page_terms == 0) return wrong("a page needs at least one term");
  if (!options.views.empty() && options.mechanism != Mechanism::kGsp)
    return wrong("views are for gsp only");
  return {};
}

Result<std::vector<Ratio>> ParseViews(const std::vector<std::string>& texts) {
  std::vector<Ratio> views;
  for (const std::string& text : texts) {
    const auto ratio = ParseExactDecimal(text);
    if (!ratio || ratio->num() > ratio->den() || ratio->den() > 1000 ||
        (!views.empty() && CompareProducts(1, *ratio, 1, views.back()) > 0))
      return Fail(ErrorCode::kUsage,
                  "views '" + text + "' are not from 1 down to 0", {},
                  "at most three decimals, as 1,0.5,0.25");
    views.push_back(*ratio);
  }
  return views;
}

// Everything an auction reads.
struct Material {
  BidFile bids;
  std::vector<Factor> factors;
  std::vector<Trademark> trademarks;
  std::map<std::string, Landing> landings;  // by normalised address
};

Result<Material> ReadMaterial(const AuctionOptions& options,
                              AuctionResult* result) {
  Material material;
  TWINSET_ASSIGN(const CsvTable bids, CsvTable::Read(options.bids, BidColumns(),
                                                     options.memory_bytes));
  OnBadRow on_bad;
  if (options.skip_bad)
    on_bad = [&](uint64_t line, const std::string& reason) {
      result->bad.push_back({line, reason});
    };
  TWINSET_ASSIGN(
      material.bids,
      ReadBids(bids, {options.prior_clicks, options.prior_impressions},
               on_bad));
  if (options.mechanism == Mechanism::kGsp && !bids.Has("ctr") &&
      !bids.Has("impressions"))
    return Fail(ErrorCode::kUsage,
                "gsp needs the column ctr, or impressions and clicks",
                options.bids, "add them, or use --mechanism goto");
  if (!options.factors.empty()) {
    TWINSET_ASSIGN(
        const CsvTable table,
        CsvTable::Read(options.factors, FactorColumns(), options.memory_bytes));
    TWINSET_ASSIGN(material.factors, ReadFactors(table));
  }
  if (!options.trademarks.empty()) {
    TWINSET_ASSIGN(const CsvTable table,
                   CsvTable::Read(options.trademarks, TrademarkColumns(),
                                  options.memory_bytes));
    TWINSET_ASSIGN(material.trademarks, ReadTrademarks(table));
  }
  if (!options.landings.empty()) {
    TWINSET_ASSIGN(const CsvTable table,
                   CsvTable::Read(options.landings, LandingColumns(),
                                  options.memory_bytes));
    TWINSET_ASSIGN(const std::vector<Landing> landings, ReadLandings(table));
    for (const Landing& landing : landings)
      material.landings[NormaliseUrl(landing.address)] = landing;
  }
  return material;
}

// An ad whose keywords were read as tokens, those that trademarks refuse left
// out.
struct Candidate {
  AuctionAd row;
  std::vector<std::pair<std::string, Terms>> keywords;
  Match loosest = Match::kBroad;
  Terms terms;  // of the keywords, or of title and text without any
  bool takes_part = true;

  void Leave(AdOutcome why) {
    row.outcome = why;
    takes_part = false;
  }
};

struct TrademarkTerms {
  Terms terms;
  const Trademark* trademark = nullptr;
};

class Auction {
 public:
  Auction(const AuctionOptions& options, const Material& material,
          const TextReader& reader, AuctionResult* result)
      : options_(options),
        material_(material),
        reader_(reader),
        result_(*result) {}

  Status Run() {
    for (const Trademark& trademark : material_.trademarks)
      trademarks_.push_back({reader_.Tokens(trademark.term), &trademark});
    for (const Bid& bid : material_.bids.bids)
      candidates_.push_back(MakeCandidate(bid));
    if (!options_.query.empty()) MatchQuery();
    if (!options_.page.empty()) TWINSET_TRY(MatchPage());
    TWINSET_TRY(Hold());
    for (Candidate& candidate : candidates_)
      result_.ads.push_back(std::move(candidate.row));
    std::stable_sort(result_.ads.begin(), result_.ads.end(),
                     [](const AuctionAd& a, const AuctionAd& b) {
                       // 0, not ranked, becomes the largest.
                       return a.rank - 1 < b.rank - 1;
                     });
    return {};
  }

 private:
  // The trademark in a keyword that is not the advertiser's own.
  const Trademark* Refusing(const Terms& keyword, const Bid& bid) const {
    for (const TrademarkTerms& mark : trademarks_) {
      const auto& owners = mark.trademark->owners;
      if (HoldsPhrase(keyword, mark.terms) &&
          std::find(owners.begin(), owners.end(), bid.advertiser) ==
              owners.end())
        return mark.trademark;
    }
    return nullptr;
  }

  Candidate MakeCandidate(const Bid& bid) {
    Candidate candidate;
    AuctionAd& row = candidate.row;
    row.line = bid.line;
    row.advertiser = bid.advertiser;
    row.title = bid.title;
    row.text = bid.text;
    row.landing = bid.landing;
    row.bid_cents = bid.cents;
    row.rate = bid.rate.AsDouble();
    candidate.loosest = std::min(bid.match, options_.match);
    for (const std::string& keyword : bid.keywords) {
      Terms terms = reader_.Tokens(keyword);
      if (const Trademark* mark = Refusing(terms, bid)) {
        row.trademark = mark->term;
        ++result_.refused_keywords;
        continue;
      }
      candidate.terms.insert(candidate.terms.end(), terms.begin(), terms.end());
      candidate.keywords.emplace_back(keyword, std::move(terms));
    }
    if (bid.keywords.empty())
      candidate.terms = reader_.Tokens(bid.title + "\n" + bid.text);
    if (!bid.keywords.empty() && candidate.keywords.empty())
      candidate.Leave(AdOutcome::kTrademark);
    return candidate;
  }

  // If several keywords match, the strictest match counts, then the first.
  void MatchQuery() {
    // Without the column, the file is the auction of this very query.
    if (!material_.bids.has_keywords) return;
    const Terms query = reader_.Tokens(options_.query);
    for (Candidate& candidate : candidates_) {
      AuctionAd& row = candidate.row;
      if (!candidate.takes_part) continue;
      std::optional<Match> best;
      for (const auto& [keyword, terms] : candidate.keywords) {
        const auto match = MatchKeyword(terms, query);
        if (!match || *match > candidate.loosest || (best && *match >= *best))
          continue;
        best = match;
        row.keyword = keyword;
        row.match = match;
      }
      if (!best) candidate.Leave(AdOutcome::kNoMatch);
    }
  }

  Status MatchPage() {
    TWINSET_ASSIGN(std::string body,
                   ReadWholeFile(options_.page, kMostPageBytes));
    FetchedPage page;
    page.url = options_.page;
    page.body = std::move(body);
    TWINSET_ASSIGN(const DocumentText text, reader_.Read(page, {}));
    const Terms tokens = reader_.Tokens(text.title + "\n" + text.text);
    std::vector<Terms> ads;
    for (const Candidate& candidate : candidates_)
      ads.push_back(candidate.terms);
    const AdTerms weights(ads);
    result_.page_terms = weights.PageTerms(tokens, options_.page_terms);
    for (Candidate& candidate : candidates_) {
      AuctionAd& row = candidate.row;
      if (!candidate.takes_part) continue;
      const uint32_t thousandths =
          weights.Relevance(candidate.terms, result_.page_terms);
      row.relevance = static_cast<double>(thousandths) / 1000;
      row.by_content = true;
      if (thousandths == 0 || row.relevance < options_.least_match)
        candidate.Leave(AdOutcome::kNoMatch);
    }
    return {};
  }

  Result<Ratio> WeightOf(const Bid& bid, AuctionAd* row) const {
    const auto quality =
        QualityOf(bid, material_.factors, {options_.place, options_.hour});
    auto weight = quality ? Times(bid.rate, *quality) : std::nullopt;
    if (weight && row->by_content) {
      // Thousandths, exactly as MatchPage set them.
      const auto relevance =
          Ratio::Of(static_cast<uint64_t>(row->relevance * 1000 + 0.5), 1000);
      weight = relevance ? Times(*weight, *relevance) : std::nullopt;
    }
    if (!weight)
      return Fail(ErrorCode::kUsage,
                  "the factors of this ad have too many digits",
                  options_.bids + " line " + std::to_string(bid.line),
                  "round the rate or the factors");
    row->quality = quality->AsDouble();
    return *weight;
  }

  Status Hold() {
    MechanismRules rules;
    rules.mechanism = options_.mechanism;
    rules.rounding = options_.rounding;
    rules.reserve_cents = options_.reserve_cents;
    rules.increment_cents = options_.increment_cents;
    rules.slots = options_.slots;
    std::vector<Bidder> bidders;
    std::vector<size_t> taking_part;
    for (size_t i = 0; i < candidates_.size(); ++i) {
      AuctionAd& row = candidates_[i].row;
      const Bid& bid = material_.bids.bids[i];
      TWINSET_ASSIGN(const Ratio weight, WeightOf(bid, &row));
      row.score = static_cast<double>(bid.cents) / 100;
      if (rules.mechanism == Mechanism::kGsp)
        row.score =
            static_cast<double>(static_cast<Wide>(bid.cents) * weight.num()) /
            (static_cast<double>(weight.den()) * 100);
      if (!candidates_[i].takes_part) continue;
      taking_part.push_back(i);
      bidders.push_back({bid.advertiser, bid.cents, weight});
    }
    const auto placements = HoldMechanism(bidders, rules);
    for (size_t at = 0; at < placements.size(); ++at)
      Fill(placements[at], &candidates_[taking_part[at]].row);
    return AddVcg(bidders, placements, taking_part);
  }

  void Fill(const Placement& placement, AuctionAd* row) const {
    row->outcome = placement.outcome;
    row->rank = placement.rank;
    row->price_cents = placement.price_cents;
    const auto landing = material_.landings.find(NormaliseUrl(row->landing));
    if (landing == material_.landings.end()) return;
    row->earned_cents = static_cast<double>(landing->second.revenue_cents) /
                        static_cast<double>(landing->second.visits);
    row->arbitrage = placement.outcome == AdOutcome::kShown &&
                     IsArbitrage(placement.price_cents, landing->second);
  }

  Status AddVcg(const std::vector<Bidder>& bidders,
                const std::vector<Placement>& placements,
                const std::vector<size_t>& taking_part) {
    if (options_.views.empty()) return {};
    TWINSET_ASSIGN(const std::vector<Ratio> views, ParseViews(options_.views));
    std::vector<size_t> order;
    for (size_t at = 0; at < placements.size(); ++at)
      if (placements[at].rank > 0) order.push_back(at);
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return placements[a].rank < placements[b].rank;
    });
    std::vector<Bidder> ranked;
    ranked.reserve(order.size());
    for (const size_t at : order) ranked.push_back(bidders[at]);
    const auto prices = VcgPrices(ranked, views, options_.reserve_cents);
    for (size_t i = 0; i < order.size(); ++i)
      if (prices[i])
        candidates_[taking_part[order[i]]].row.vcg_cents = *prices[i];
    return {};
  }

  const AuctionOptions& options_;
  const Material& material_;
  const TextReader& reader_;
  AuctionResult& result_;
  std::vector<TrademarkTerms> trademarks_;
  std::vector<Candidate> candidates_;
};

Result<AuctionResult> Hold(const AuctionOptions& options) {
  TWINSET_TRY(CheckOptions(options));
  AuctionResult result;
  TWINSET_ASSIGN(const Material material, ReadMaterial(options, &result));
  TWINSET_ASSIGN(const TextReader reader, TextReader::Make(options.features));
  result.rows = material.bids.rows;
  TWINSET_TRY(Auction(options, material, reader, &result).Run());
  result.mechanism = options.mechanism;
  result.reserve_cents = options.reserve_cents;
  for (const BadBid& bad : result.bad)
    result.warnings.push_back(options.bids + " line " +
                              std::to_string(bad.line) + ": " + bad.reason +
                              "; left out");
  result.page = ResultPage(AuctionPage(result));
  return result;
}

}  // namespace
}  // namespace ads

Result<int64_t> v1::ParseMoney(std::string_view text) try {
  if (const auto cents = ads::ParseCents(text)) return *cents;
  return Fail(ErrorCode::kUsage,
              "'" + std::string(text) + "' is not an amount of whole cents");
} catch (const std::bad_alloc&) {
  return NoMemory();
}

std::string v1::MoneyText(int64_t cents) { return ads::CentsText(cents); }

Result<AuctionResult> v1::HoldAuction(const AuctionOptions& options) try {
  return ads::Hold(options);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
