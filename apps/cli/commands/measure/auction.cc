// twinset auction: an auction, the long tail of a log, a search page.
#include "twinset/measure/auction.h"

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/commands/steps.h"
#include "cli/flags/flag_setters.h"
#include "cli/job.h"
#include "cli/nouns.h"
#include "cli/output.h"
#include "cli/values.h"
#include "twinset/measure/query_log.h"
#include "twinset/plain_words.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kAuctionName = "auction";

int Hold(AuctionOptions options, const std::string& bids,
         const Request& request) {
  options.bids = bids;
  options.memory_bytes = request.options.resources.memory_bytes;
  options.features = request.options.features;
  if (!request.steps)
    return RunToResult(kAuctionName, request, options, HoldAuction);
  if (request.json)
    return TellError(kAuctionName,
                     {ErrorCode::kUsage,
                      "--steps prints text, --json does not go with it",
                      {},
                      "leave out one of them"});
  return RunShown(kAuctionName, request, options, {}, HoldAuction,
                  [&](const AuctionResult& result, uint64_t, Output* out) {
                    WriteSteps(request, AuctionSteps(options, result), out);
                    return std::string();
                  });
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
  return RunToResult(kAuctionName, request, options, MeasureQueryLog);
}

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
  return RunToResult(kAuctionName, request, options, WriteSearchPage);
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
      .prints_rows = true,
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
           kJsonLines,
           kMemoryOfAll},
      .flags = AuctionFlags(),
      .refusals = {kComputesOnOneThread,
                   kNoWorkFiles,
                   kBeginsAnew,
                   {{"--strict"}, "it refuses bad rows"},
                   kPrintsText},
      .run = RunAuction};
}

}  // namespace

const Registration kAuction(AuctionCommand);

}  // namespace twinset::cli
