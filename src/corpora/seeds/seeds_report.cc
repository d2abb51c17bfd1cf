#include "seeds/seeds_report.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/json_text.h"
#include "core/field_list.h"
#include "report/field_rows.h"
#include "twinset/json.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

using html::Cell;

constexpr size_t kShownQuestions = 3;
constexpr size_t kShownHosts = 20;
constexpr size_t kShownSeeds = 20;
constexpr size_t kShownName = 80;  // bytes

html::Table CountsTable(const SeedsResult& result) {
  html::Table table;
  table.caption = "What became of the addresses that were looked at";
  table.columns = {{"became"}, {"addresses", true}};
  const auto add = [&](const std::string& name, uint64_t count) {
    if (count == 0) return;
    table.rows.push_back({Cell::Text(name), Cell::Count(count)});
  };
  const char* const kSources[] = {"seeds from given lists",
                                  "seeds from answers", "seeds from ranks"};
  const char* const kRefusals[] = {
      "left out: no address", "left out: on the blacklist", "left out: spam",
      "left out: their host has its seeds"};
  for (size_t i = 0; i < kSeedSources; ++i)
    add(kSources[i], result.by_source[i]);
  for (size_t i = 0; i < kSeedRefusals; ++i)
    add(kRefusals[i], result.refused[i]);
  return table;
}

html::Table HostsTable(const std::unordered_map<std::string, uint64_t>& hosts,
                       uint64_t seeds) {
  std::vector<std::pair<std::string, uint64_t>> order(hosts.begin(),
                                                      hosts.end());
  std::sort(order.begin(), order.end(), [](const auto& x, const auto& y) {
    return x.second != y.second ? x.second > y.second : x.first < y.first;
  });
  if (order.size() > kShownHosts) order.resize(kShownHosts);
  html::Table table;
  table.caption = "Hosts with most seeds";
  table.columns = {{"host"}, {"seeds", true}, {"of all", true}};
  for (const auto& [host, count] : order)
    table.rows.push_back({Cell::Text(Shortened(host, kShownName)),
                          Cell::Count(count), Cell::Percent(count, seeds)});
  return table;
}

html::Table DepthsTable(const CrawlOverlapResult& result) {
  html::Table table = TableOf("Pages that the crawls have read, by depth",
                              {{"depth"},
                               {"first", "first crawl"},
                               {"second", "second crawl"},
                               {"both"},
                               {"jaccard", "Jaccard"},
                               {"first_in_second", "of the first"},
                               {"second_in_first", "of the second"}},
                              result.depths);
  constexpr size_t kJaccard = 4;
  for (size_t i = 0; i < table.rows.size(); ++i)
    table.rows[i][kJaccard] = Cell::Fixed(result.depths[i].jaccard(), 4);
  return table;
}

html::Chart DepthsChart(const CrawlOverlapResult& result) {
  html::Chart chart;
  chart.title = "Overlap of the crawls";
  chart.description =
      "How much the two crawls have in common after each depth: the Jaccard "
      "index of their pages.";
  chart.x.label = "depth";
  chart.y.label = "Jaccard";
  chart.y.low = 0;
  chart.y.high = 1;
  html::Series series{"Jaccard", {}};
  for (const CrawlDepth& row : result.depths)
    series.points.push_back(
        {static_cast<double>(row.depth), row.jaccard(), 0, 0, ""});
  chart.series.push_back(std::move(series));
  return chart;
}

}  // namespace

std::string SeedRow(const SeedVerdict& verdict, const SeedProposals& proposals,
                    RankMethod method, uint64_t number) {
  JsonRow row;
  row.Text("url", verdict.address);
  if (verdict.refusal) {
    row.Text("why", ChoiceName(*verdict.refusal));
    if (verdict.entry != nullptr)
      row.Text("entry", verdict.entry->name)
          .Text("line", NameText(verdict.entry->source));
  } else {
    row.Integer("seed", number);
  }
  row.Text("source", ChoiceName(verdict.source));
  if (verdict.node) {
    row.Integer("rank", verdict.place);
    row.Number(ChoiceName(method), proposals.ranks[*verdict.node]);
  }
  if (verdict.returned != nullptr) {
    row.Integer("queries", verdict.returned->queries)
        .Integer("best", verdict.returned->best)
        .Value("some_queries", Json(proposals.answers->QuestionsOf(
                                        *verdict.returned, kShownQuestions))
                                   .dump());
  }
  return row.Take() + "\n";
}

html::Table FirstSeeds() {
  html::Table table;
  table.caption = "The first seeds";
  table.columns = {{"address"}, {"why"}};
  return table;
}

void AddFirstSeed(const SeedVerdict& verdict, const SeedProposals& proposals,
                  RankMethod method, html::Table* table) {
  if (table->rows.size() == kShownSeeds) return;
  std::string why;
  switch (verdict.source) {
    case SeedSource::kGiven:
      why = "given";
      break;
    case SeedSource::kRanks:
      why = "place " + NumberText(verdict.place) + " by " +
            std::string(ChoiceName(method)) + ", " +
            Cell::Rounded(proposals.ranks[*verdict.node]).text;
      break;
    case SeedSource::kAnswers:
      why = CountText(verdict.returned->queries, "query", "queries") +
            ", best place " + NumberText(verdict.returned->best);
  }
  table->rows.push_back(
      {Cell::Text(Shortened(verdict.address, kShownName)), Cell::Text(why)});
}

Json v1::SummaryJson(const SeedsResult& result) { return FieldsToJson(result); }

KeptPage SeedsPage(const SeedsOptions& options, const SeedsResult& result,
                   html::Table first_seeds,
                   const std::unordered_map<std::string, uint64_t>& hosts) {
  KeptPage page("seeds", "Seeds for a crawl");
  uint64_t refused = 0;
  for (const uint64_t count : result.refused) refused += count;
  page.Add(html::Lead{
      CountText(result.seeds, "seed") + " on " +
          CountText(result.hosts, "host") + ".",
      refused == 0 ? "Nothing that came before the last was left out."
                   : CountText(refused, "address", "addresses") +
                         " that came before the last of them " +
                         (refused == 1 ? "was" : "were") + " left out."});
  for (const std::string& warning : result.warnings)
    page.Add(html::Warning{warning + "."});
  if (!first_seeds.rows.empty()) page.Add(std::move(first_seeds));
  page.Add(CountsTable(result));
  page.Add(HostsTable(hosts, result.seeds));
  html::KeyValues asked{"What was asked for", {}};
  asked.rows = {{"seeds", Cell::Count(options.size)},
                {"seeds of a host", options.per_host == 0
                                        ? Cell::Text("no limit")
                                        : Cell::Count(options.per_host)}};
  if (result.ranks)
    asked.rows.emplace_back("rank",
                            Cell::Text(ChoiceName(result.ranks->method)));
  page.Add(std::move(asked));
  return page;
}

Json v1::SummaryJson(const CrawlOverlapResult& result) {
  return FieldsToJson(result);
}

KeptPage CrawlsPage(const CrawlOverlapOptions& options,
                    const CrawlOverlapResult& result) {
  KeptPage page("seeds", "Overlap of two crawls");
  const CrawlDepth last =
      result.depths.empty() ? CrawlDepth() : result.depths.back();
  page.Add(html::Lead{
      ShareInWords(last.both, last.either()) +
          " of the pages that the crawls read are in both.",
      "From " + CountText(result.first.seeds, "seed") + " and from " +
          CountText(result.second.seeds, "seed") + ", breadth first" +
          (options.per_host == 0
               ? std::string()
               : ", with " + CountText(options.per_host, "page") +
                     " of a host at most") +
          "."});
  for (const std::string& warning : result.warnings)
    page.Add(html::Warning{warning + "."});
  page.Add(DepthsTable(result));
  if (result.depths.size() > 1) page.Add(DepthsChart(result));
  return page;
}

}  // namespace twinset
