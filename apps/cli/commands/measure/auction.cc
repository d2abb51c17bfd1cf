// twinset auction: an auction, the long tail of a log, a search page.
#include "twinset/measure/auction.h"

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/commands/steps.h"
#include "cli/flags/flag_setters.h"
#include "cli/nouns.h"
#include "cli/output.h"
#include "cli/values.h"
#include "twinset/json.h"
#include "twinset/nearest.h"
#include "twinset/plain_words.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kAuctionName = "auction";

std::string OneLine(const Json& row) { return row.dump(); }

// ---- An auction ----

Json AdRow(const AuctionAd& ad) {
  Json row = {{"advertiser", ad.advertiser}, {"line", ad.line}};
  row["bid"] = MoneyText(ad.bid_cents);
  row["ctr"] = ad.rate;
  row["quality"] = ad.quality;
  row["relevance"] = ad.relevance;
  row["ad_rank"] = ad.score;
  row["rank"] = ad.rank > 0 ? Json(ad.rank) : Json();
  row["outcome"] = ad.outcome;
  row["price"] = ad.outcome == AdOutcome::kShown
                     ? Json(MoneyText(ad.price_cents))
                     : Json();
  if (ad.vcg_cents >= 0) row["vcg_price"] = MoneyText(ad.vcg_cents);
  if (ad.match) row["match"] = *ad.match;
  if (ad.by_content) row["match"] = "content";
  if (!ad.keyword.empty()) row["keyword"] = ad.keyword;
  if (!ad.trademark.empty()) row["trademark"] = ad.trademark;
  if (!ad.title.empty()) row["title"] = ad.title;
  if (!ad.text.empty()) row["text"] = ad.text;
  if (!ad.landing.empty()) row["landing"] = ad.landing;
  if (ad.earned_cents >= 0) {
    row["earned_cents"] = ad.earned_cents;
    row["arbitrage"] = ad.arbitrage;
  }
  return row;
}

Json ResultRow(const AuctionOptions& options, const AuctionResult& result) {
  Json row = {{"mechanism", options.mechanism},
              {"rows", result.rows},
              {"reserve", MoneyText(options.reserve_cents)},
              {"refused_keywords", result.refused_keywords}};
  Json& bad = row["bad_rows"] = Json::array();
  for (const BadBid& one : result.bad)
    bad.push_back({{"line", one.line}, {"reason", one.reason}});
  Json& ads = row["ads"] = Json::array();
  for (const AuctionAd& ad : result.ads) ads.push_back(AdRow(ad));
  if (!result.page_terms.empty()) {
    Json& terms = row["page_terms"] = Json::array();
    for (const auto& [term, weight] : result.page_terms)
      terms.push_back({{"term", term}, {"weight", weight}});
  }
  return row;
}

// At most `width` bytes of a name, cut between characters.
std::string Fitted(const std::string& name, size_t width) {
  std::string shown = Printable(name);
  if (shown.size() <= width) return shown;
  size_t end = width - 3;
  while (end > 0 && (static_cast<unsigned char>(shown[end]) & 0xc0) == 0x80)
    --end;
  return shown.substr(0, end) + "...";
}

std::string AdLine(const AuctionAd& ad) {
  std::string line = fmt::format(
      "{:>4} {:>10} {:>10} {:>9.6g} {:>10.6g}  {}",
      ad.rank > 0 ? std::to_string(ad.rank) : "-",
      ad.outcome == AdOutcome::kShown ? MoneyText(ad.price_cents) : "-",
      MoneyText(ad.bid_cents), ad.rate * ad.quality * ad.relevance, ad.score,
      Fitted(ad.advertiser, 40));
  std::string notes;
  const auto note = [&](const std::string& text) {
    notes += (notes.empty() ? "" : "; ") + text;
  };
  if (ad.outcome != AdOutcome::kShown)
    note(std::string(ChoiceName(ad.outcome)));
  if (ad.match)
    note(fmt::format("{} '{}'", ChoiceName(*ad.match), Fitted(ad.keyword, 40)));
  if (!ad.trademark.empty())
    note("'" + Fitted(ad.trademark, 40) + "' is another's trademark");
  if (ad.vcg_cents >= 0) note("VCG " + MoneyText(ad.vcg_cents));
  if (ad.arbitrage)
    note(fmt::format("arbitrage: its landing page earns {:.2f} a visit",
                     ad.earned_cents / 100));
  return notes.empty() ? line : line + "  (" + notes + ")";
}

int Hold(AuctionOptions options, const std::string& bids,
         const Request& request) {
  options.bids = bids;
  options.memory_bytes = request.options.resources.memory_bytes;
  options.features = request.options.features;
  if (request.steps && request.json)
    return TellError(kAuctionName,
                     {ErrorCode::kUsage,
                      "--steps prints text, --json does not go with it",
                      {},
                      "leave out one of them"});
  const auto result = HoldAuction(options);
  if (!result) return TellError(kAuctionName, result.error());
  Output out;
  if (request.json) {
    out.Line(OneLine(ResultRow(options, *result)));
    return out.Finish(kAuctionName);
  }
  if (request.steps) {
    WriteSteps(request, AuctionSteps(options, *result), &out);
  } else {
    out.Line(fmt::format("{:>4} {:>10} {:>10} {:>9} {:>10}  {}", "rank",
                         "price", "bid", "weight", "ad rank", "advertiser"));
    for (const AuctionAd& ad : result->ads)
      if (!out.Line(AdLine(ad))) break;
  }
  for (const BadBid& bad : result->bad)
    Tell(kAuctionName,
         fmt::format("{} line {}: {}; left out", bids, bad.line, bad.reason));
  return out.Finish(kAuctionName);
}

// ---- The long tail of a log ----

Json ChanceRow(const ShareAgainstChance& share) {
  return {{"observed", share.observed},
          {"expected", share.expected},
          {"low", share.low},
          {"high", share.high}};
}

double Part(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0
                    : static_cast<double>(part) / static_cast<double>(whole);
}

Json UsersRow(const TailUsers& users) {
  Json row = {{"users", users.users},
              {"pairs", users.pairs},
              {"rare_pairs", users.rare_pairs},
              {"verdict", users.verdict},
              {"ratio", users.ratio}};
  Json& rows = row["users_above"] = Json::array();
  for (const TailUsers::Row& one : users.rows) {
    Json share = {{"above", one.above}};
    share.update(ChanceRow(one.share));
    rows.push_back(share);
  }
  row["top_tenth"] = ChanceRow(users.top_tenth);
  return row;
}

Json LogRow(const QueryLogOptions& options, const QueryLogResult& log) {
  Json row = {{"rows", log.rows},
              {"empty", log.empty},
              {"queries", log.queries},
              {"types", log.types},
              {"tail", options.tail},
              {"rare_types", log.rare_types},
              {"rare_types_share", Part(log.rare_types, log.types)},
              {"rare_queries", log.rare_queries},
              {"rare_queries_share", Part(log.rare_queries, log.queries)},
              {"types_by_frequency", log.types_by_frequency}};
  Json& deciles = row["deciles"] = Json::array();
  for (const auto& [types, queries] : log.deciles)
    deciles.push_back({{"types", types},
                       {"queries", queries},
                       {"share", Part(queries, log.queries)}});
  Json& head = row["head"] = Json::array();
  for (const auto& [query, count] : log.head)
    head.push_back({{"query", query}, {"count", count}});
  row["users"] = log.has_users ? UsersRow(log.users) : Json();
  return row;
}

std::string Chance(const ShareAgainstChance& share) {
  return fmt::format("{:6.2f} %   by chance {:6.2f} % ({:.2f} to {:.2f})",
                     100 * share.observed, 100 * share.expected,
                     100 * share.low, 100 * share.high);
}

std::string LogText(const QueryLogOptions& options, const QueryLogResult& log) {
  std::string text = fmt::format(
      "{} queries, {} different\n"
      "asked at most {} times: {:.2f} % of the different ones, {:.2f} % of the "
      "traffic\n",
      NumberText(log.queries), NumberText(log.types), options.tail,
      100 * Part(log.rare_types, log.types),
      100 * Part(log.rare_queries, log.queries));
  text += "traffic by tenth of the different queries, most frequent first\n";
  for (size_t i = 0; i < log.deciles.size(); ++i)
    text += fmt::format("{:>4} {:>8.2f} %\n", i + 1,
                        100 * Part(log.deciles[i].second, log.queries));
  if (!log.has_users) return text;
  text += fmt::format("{} users; those whose share of rare queries is above\n",
                      NumberText(log.users.users));
  for (const TailUsers::Row& row : log.users.rows)
    text += fmt::format("{:>4.0f} %: {}\n", 100 * row.above, Chance(row.share));
  text += fmt::format("rare queries of a tenth of the users: {}\n",
                      Chance(log.users.top_tenth));
  text += fmt::format(
      "{} (users with a rare query: {:.2f} of what chance "
      "gives)\n",
      ChoiceName(log.users.verdict), log.users.ratio);
  return text;
}

int Log(const Request& request) {
  if (request.operands.size() != 2)
    return TellError(kAuctionName, {ErrorCode::kUsage,
                                    "one log is measured at a time",
                                    {},
                                    "twinset auction log FILE"});
  QueryLogOptions options = request.Of<QueryLogOptions>();
  options.log = request.operands[1];
  options.seed = request.options.method.seed;
  options.memory_bytes = request.options.resources.memory_bytes;
  options.features = request.options.features;
  const auto log = MeasureQueryLog(options);
  if (!log) return TellError(kAuctionName, log.error());
  Output out;
  if (request.json) {
    out.Line(OneLine(LogRow(options, *log)));
  } else {
    out.Write(LogText(options, *log));
  }
  return out.Finish(kAuctionName);
}

// ---- A search page ----

int Page(const Request& request) {
  if (request.operands.size() != 2)
    return TellError(
        kAuctionName,
        {ErrorCode::kUsage,
         "one file of bids is taken at a time",
         {},
         "twinset auction page BIDS --engine ENGINE --query Q --out FILE"});
  SearchPageOptions options = request.Of<SearchPageOptions>();
  options.auction.bids = request.operands[1];
  options.auction.features = request.options.features;
  options.out = request.options.out;
  options.overwrite = request.options.overwrite;
  const auto info = WriteSearchPage(options);
  if (!info) return TellError(kAuctionName, info.error());
  Output out;
  if (request.json) {
    Json row = {{"results", info->results},
                {"shown", info->shown},
                {"collapsed", info->collapsed},
                {"unread", info->unread},
                {"ads", info->ads}};
    row["hits"] = info->hits_known ? Json(info->hits) : Json();
    out.Line(OneLine(row));
  } else if (!request.quiet) {
    out.Line(fmt::format("{} of {} results, {} collapsed; {} ads; {}",
                         info->shown, info->results, info->collapsed, info->ads,
                         options.out));
  }
  return out.Finish(kAuctionName);
}

int RunAuction(const Request& request) {
  const auto& operands = request.operands;
  // A file may have the name of a verb: verbs come before an operand.
  if (operands.size() > 1 && operands.front() == "log") return Log(request);
  if (operands.size() > 1 && operands.front() == "page") return Page(request);
  if (operands.size() == 2 && operands.front() == "run")
    return Hold(request.Of<SearchPageOptions>().auction, operands[1], request);
  if (operands.size() == 1)
    return Hold(request.Of<SearchPageOptions>().auction, operands[0], request);
  const std::string meant =
      operands.empty()
          ? ""
          : DidYouMean(operands.front(), NounsOf(*FindCommand(kAuctionName)));
  return TellError(
      kAuctionName,
      {ErrorCode::kUsage,
       operands.empty() ? "no bids are given"
                        : "one file of bids is auctioned at a time",
       {},
       meant.empty() ? "twinset auction BIDS --mechanism gsp" : meant});
}

template <auto... Path>
Status Money(const Values& values, Request* request) {
  TWINSET_ASSIGN(At<Path...>(*request), ParseMoney(values.back()));
  return {};
}

std::vector<Flag> AuctionFlags() {
  return {
      {.name = "--mechanism",
       .value = "NAME",
       .help = "{}",
       .long_help =
           "gsp: rank by bid, click-through rate and quality; a click costs "
           "what keeps the place, plus a cent. goto: rank by bid, pay the bid.",
       .default_text = "gsp",
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<AuctionMechanism>(),
       .set = SetPick<&SearchPageOptions::auction, &AuctionOptions::mechanism>},
      {.name = "--query",
       .value = "TEXT",
       .help = "ads whose keywords match this query take part",
       .long_help = "Without the column keywords the file is the auction of "
                    "just this query.",
       .default_text = "(all ads)",
       .set = SetText<&SearchPageOptions::auction, &AuctionOptions::query>},
      {.name = "--page",
       .value = "FILE",
       .help = "ads that match the content of this page take part",
       .long_help = "HTML or text. How well an ad matches multiplies its rank.",
       .default_text = "(all ads)",
       .kind = ValueKind::kFile,
       .set = SetText<&SearchPageOptions::auction, &AuctionOptions::page>},
      {.name = "--match",
       .value = "HOW",
       .help = "the loosest match of a keyword: {}",
       .long_help =
           "exact: the query is the keyword. phrase: it holds the keyword's "
           "words side by side. broad: it holds them anywhere. A column match "
           "in the file may ask for a stricter one.",
       .default_text = "broad",
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<KeywordMatch>(),
       .set = SetPick<&SearchPageOptions::auction, &AuctionOptions::match>},
      {.name = "--least-match",
       .value = "SHARE",
       .help = "with --page, least share of an ad's words on the page",
       .long_help = "Weighted: rare words count more.",
       .default_text = "0.5",
       .needs = "--page",
       .set =
           SetShare<&SearchPageOptions::auction, &AuctionOptions::least_match>},
      {.name = "--page-terms",
       .value = "N",
       .help = "with --page, how many of its words stand for it",
       .default_text = "50",
       .needs = "--page",
       .set = SetInt<1, 100000, &SearchPageOptions::auction,
                     &AuctionOptions::page_terms>},
      {.name = "--reserve",
       .value = "AMOUNT",
       .help = "lower bids do not take part; the last one shown pays it",
       .default_text = "0.01",
       .set =
           Money<&SearchPageOptions::auction, &AuctionOptions::reserve_cents>},
      {.name = "--increment",
       .value = "AMOUNT",
       .help = "gsp: added to the price that keeps a place",
       .default_text = "0.01",
       .set = Money<&SearchPageOptions::auction,
                    &AuctionOptions::increment_cents>},
      {.name = "--rounding",
       .value = "HOW",
       .help = "gsp: to the cent before the increment: {}",
       .default_text = "nearest",
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<PriceRounding>(),
       .set = SetPick<&SearchPageOptions::auction, &AuctionOptions::rounding>},
      {.name = "--steps",
       .help = "derive weights, order and prices instead, step by step",
       .long_help =
           "How each price comes about, as on a board: the ad rank behind it "
           "by the own weight, the increment, and what bounds it.",
       .group = FlagGroup::kOutput,
       .set = SetSwitch<&Request::steps>},
      {.name = "--slots",
       .value = "N",
       .help = "places for ads; 0: one for each",
       .default_text = "0",
       .set = SetInt<0, 1000000, &SearchPageOptions::auction,
                     &AuctionOptions::slots>},
      {.name = "--prior-clicks",
       .value = "N",
       .help = "clicks added to those of the file",
       .default_text = "1",
       .is_laboratory = true,
       .set = SetCount<&SearchPageOptions::auction,
                       &AuctionOptions::prior_clicks>},
      {.name = "--prior-impressions",
       .value = "N",
       .help = "impressions added to those of the file",
       .long_help = "Few impressions say little: with these the rate begins at "
                    "1 in 100. 0 for both takes rates as counted.",
       .default_text = "100",
       .is_laboratory = true,
       .set = SetCount<&SearchPageOptions::auction,
                       &AuctionOptions::prior_impressions>},
      {.name = "--factors",
       .value = "FILE",
       .help =
           "CSV of quality factors by place, hour, load time and landing page",
       .default_text = "(none)",
       .kind = ValueKind::kFile,
       .set = SetText<&SearchPageOptions::auction, &AuctionOptions::factors>},
      {.name = "--place",
       .value = "NAME",
       .help = "where the user is, for --factors",
       .default_text = "(unknown)",
       .set = SetText<&SearchPageOptions::auction, &AuctionOptions::place>},
      {.name = "--hour",
       .value = "H",
       .help = "hour of the user's day, 0 to 23, for --factors",
       .default_text = "(unknown)",
       .set =
           SetInt<0, 23, &SearchPageOptions::auction, &AuctionOptions::hour>},
      {.name = "--trademarks",
       .value = "FILE",
       .help = "CSV of terms that only their owners may bid on",
       .default_text = "(none)",
       .kind = ValueKind::kFile,
       .set =
           SetText<&SearchPageOptions::auction, &AuctionOptions::trademarks>},
      {.name = "--landings",
       .value = "FILE",
       .help = "CSV of what ads on landing pages earn, to find arbitrage",
       .default_text = "(none)",
       .kind = ValueKind::kFile,
       .set = SetText<&SearchPageOptions::auction, &AuctionOptions::landings>},
      {.name = "--views",
       .value = "SHARE,...",
       .help = "how often each place is seen, as 1,0.5: adds VCG prices",
       .long_help = "The prices of Vickrey, Clarke and Groves, under which a "
                    "truthful bid is best, as a contrast. gsp only.",
       .default_text = "(no contrast)",
       .list = true,
       .set = SetTextList<&SearchPageOptions::auction, &AuctionOptions::views>},
      {.name = "--skip-bad",
       .help = "leave bad rows out and list them instead of refusing the file",
       .long_help = "A row that is missing changes the prices of others: by "
                    "default nothing is computed then.",
       .set =
           SetSwitch<&SearchPageOptions::auction, &AuctionOptions::skip_bad>},
      {.name = "--tail",
       .value = "N",
       .help = "auction log: queries asked at most so often are rare",
       .default_text = "5",
       .set = SetInt<1, 1000, &QueryLogOptions::tail>},
      {.name = "--replications",
       .value = "N",
       .help = "auction log: of the comparison with chance; 0: none",
       .default_text = "200",
       .is_laboratory = true,
       .set = SetInt<0, 100000, &QueryLogOptions::replications>},
      {.name = "--engine",
       .value = "ENGINE",
       .help = "auction page: whose results stand beside the ads",
       .long_help = "As 'twinset engine query' takes it.",
       .kind = ValueKind::kFile,
       .set = SetText<&SearchPageOptions::engine>},
      {.name = "--results",
       .value = "N",
       .help = "auction page: results asked for",
       .default_text = "10",
       .set = SetInt<1, 1000, &SearchPageOptions::results>},
      {.name = "--same",
       .value = "T",
       .help = "auction page: resemblance from which results are collapsed",
       .default_text = "0.9",
       .set = SetShare<&SearchPageOptions::same>}};
}

Command AuctionCommand() {
  return {
      .name = "auction",
      .group = CommandGroup::kStudies,
      .operands = "[run] BIDS | log FILE | page BIDS",
      .help = "sponsored search: who is shown, in which order, for what price",
      .long_help =
          "Holds one auction over the bids of a CSV file: advertiser, bid, ctr "
          "(or impressions and clicks), and what else docs/methods/auction.md "
          "lists. Ranks and prices are computed in whole cents and exact "
          "fractions.\n\nWith --query or --page only ads that match take part. "
          "A bad row is refused with its line, unless --skip-bad is "
          "given.\n\nauction log measures the long tail of a query log: a "
          "query a line, or a table with a column query (and user, count). "
          "auction page writes a search page: results of an engine, "
          "near-duplicates collapsed, and apart from them the ads.",
      .nouns = {"run", "log", "page"},
      .is_noun_optional = true,
      .examples =
          {{"twinset auction bids.csv --mechanism gsp", "ranks and prices"},
           {"twinset auction bids.csv --query 'car insurance' --slots 3 --json",
            "the ads beside the results of a query"},
           {"twinset auction log queries.tsv --tail 5",
            "the long tail of a log"},
           {"twinset auction page bids.csv --engine e --query tea --out "
            "tea.html",
            "a search page"}},
      .everyday = {"--mechanism", "--query", "--page", "--match", "--slots",
                   "--reserve", "--increment", "--views", "--steps",
                   "--skip-bad", "--tail", "--engine", "--out", "--json",
                   "--overwrite", "--quiet"},
      .parameters = {.also = {"seed", "tokens", "content"}},
      .shared = {"--out", "--overwrite", "--json", "--markdown", "--memory",
                 "--progress", "--config"},
      .texts =
          {{.name = "--seed",
            .help = "log: of the comparison with chance",
            .long_help = ""},
           {.name = "--out",
            .help = "page: file of the search page",
            .long_help =
                "A file that exists is refused unless --overwrite is given."},
           {.name = "--overwrite",
            .help = "replace a file that exists",
            .long_help = ""},
           {.name = "--json", .help = "print JSON, one object a line"},
           {.name = "--memory", .help = "memory budget, as 8G"}},
      .flags = AuctionFlags(),
      .refusals = {{{"--threads"}, "it computes on one thread"},
                   {{"--tmp"}, "it makes no work files"},
                   {{"--resume"}, "it begins anew; give --overwrite"},
                   {{"--strict"}, "it refuses bad rows"},
                   {{"--format"}, "it prints text, or JSON with --json"}},
      .run = RunAuction};
}

}  // namespace

const Registration kAuction(AuctionCommand);

}  // namespace twinset::cli
