// The page of a sample.
#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>

#include "sample/sample_run.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

using html::Cell;

constexpr size_t kMostHosts = 20;
constexpr size_t kMostLeadBytes = 300;

// Pages by number of words, in powers of two.
html::Histogram LengthHistogram(const std::vector<uint64_t>& lengths) {
  html::Histogram histogram;
  histogram.title = "Length of the pages drawn";
  histogram.description = "Number of pages by number of words.";
  histogram.x_label = "words";
  histogram.y_label = "pages";
  histogram.log = true;
  std::map<int, uint64_t> counts;  // by the number of binary digits
  uint64_t empty = 0;
  for (const uint64_t length : lengths)
    ++(length == 0 ? empty : counts[static_cast<int>(std::bit_width(length))]);
  for (const auto& [digits, count] : counts)
    histogram.bins.push_back(
        {std::ldexp(1, digits - 1), std::ldexp(1, digits), count});
  if (empty > 0) {
    histogram.note =
        CountText(empty, "page has no words", "pages have no words") +
        " and are not drawn.";
  }
  return histogram;
}

html::Table HostsTable(const std::vector<std::string>& hosts) {
  std::map<std::string, uint64_t> counts;
  for (const std::string& host : hosts) ++counts[host];
  std::vector<std::pair<std::string, uint64_t>> sorted(counts.begin(),
                                                       counts.end());
  std::stable_sort(
      sorted.begin(), sorted.end(),
      [](const auto& a, const auto& b) { return a.second > b.second; });
  html::Table table;
  table.caption =
      sorted.size() > kMostHosts
          ? "The most frequent of " + CountText(sorted.size(), "host")
          : "Hosts of the pages drawn";
  table.columns = {{"host"}, {"pages", true}, {"share, unweighted", true}};
  for (size_t i = 0; i < std::min(sorted.size(), kMostHosts); ++i) {
    table.rows.push_back(
        {Cell::Text(sorted[i].first.empty() ? "(no host)" : sorted[i].first),
         Cell::Count(sorted[i].second),
         Cell::Percent(sorted[i].second, hosts.size())});
  }
  return table;
}

html::Table EngineTable(const SampleRun& run) {
  html::Table table;
  table.caption = "What was asked and what came of it";
  table.columns = {{"engine"},
                   {"pages drawn", true},
                   {"queries asked", true},
                   {"without result", true},
                   {"with too many", true},
                   {"failed", true},
                   {"pages fetched", true},
                   {"could not be fetched", true},
                   {"did not hold the query", true},
                   {"rejected by the draw", true}};
  for (const RunEngine& engine : run.engines) {
    const SampleCounts& counts = engine.sampling->counts();
    table.rows.push_back(
        {Cell::Text(engine.info.name), Cell::Count(engine.rows),
         Cell::Count(counts.asked), Cell::Count(counts.empty),
         Cell::Count(counts.overflowing), Cell::Count(counts.failed),
         Cell::Count(counts.fetched), Cell::Count(counts.fetch_failed),
         Cell::Count(counts.unverified), Cell::Count(counts.rejected)});
  }
  return table;
}

// What the look-ups found: how much of one engine another one has. Empty where
// nothing was looked up.
std::string FindingOf(const SampleRun& run) {
  std::string text;
  for (const PageOverlap& overlap : run.overlaps) {
    if (overlap.checked == 0) continue;
    if (text.size() > kMostLeadBytes) return text + ", and so on.";
    text += (text.empty() ? "About " : ", and ") +
            PercentText(std::round(overlap.Fraction() * 1e3) / 1e3) +
            " of the pages of " + overlap.x + " are in " + overlap.y;
  }
  return text.empty() ? text : text + ".";
}

html::Lead LeadOf(const SampleRun& run) {
  if (run.drawn == 0) {
    return {"No page was drawn.", "The table says what the engines answered."};
  }
  std::string text;
  for (const RunEngine& engine : run.engines) {
    const SampleCounts& counts = engine.sampling->counts();
    text += (text.empty() ? "" : " ") + engine.info.name + " gave " +
            CountText(engine.rows, "page") + " for " +
            CountText(counts.asked, "query", "queries") + " and " +
            CountText(counts.fetched, "fetch", "fetches") + ".";
    if (text.size() > kMostLeadBytes) break;
  }
  const std::string drawn =
      CountText(run.drawn, "page") +
      (run.drawn == 1 ? " was drawn at random." : " were drawn at random.");
  const std::string found = FindingOf(run);
  if (found.empty()) return {drawn, text};
  return {found, drawn + " " + text};
}

html::Facts FactsOf(const SampleRun& run) {
  uint64_t asked = 0, fetched = 0;
  for (const RunEngine& engine : run.engines) {
    asked += engine.sampling->counts().asked;
    fetched += engine.sampling->counts().fetched;
  }
  const std::set<std::string> hosts(run.hosts.begin(), run.hosts.end());
  return {{{"pages drawn", NumberText(run.drawn),
            "of " + CountText(run.engines.size(), "engine")},
           {"hosts", NumberText(hosts.size()), ""},
           {"queries", NumberText(asked),
            Cell::Rounded(static_cast<double>(asked) /
                          static_cast<double>(run.drawn))
                    .text +
                " a page drawn"},
           {"pages fetched", NumberText(fetched), ""}}};
}

html::Table PoolTable(const SampleRun& run) {
  html::Table table;
  table.caption = "How many queries of the pool find a page";
  table.columns = {{"engine"},
                   {"queries asked", true},
                   {"with a right answer", true},
                   {"fewest for a page", true},
                   {"on average", true},
                   {"most", true},
                   {"pages probed", true},
                   {"found by none", true}};
  for (const RunEngine& engine : run.engines) {
    if (!engine.has_reach) continue;
    const PoolReach& reach = engine.reach;
    table.rows.push_back(
        {Cell::Text(engine.info.name), Cell::Count(engine.pool_asked),
         Cell::Count(engine.pool_valid), Cell::Fixed(reach.lowest_degree, 0),
         Cell::Fixed(reach.mean_degree, 1),
         Cell::Fixed(reach.highest_degree, 0), Cell::Count(reach.probed),
         Cell::Count(reach.unreachable)});
  }
  return table;
}

html::Table OverlapTable(const SampleRun& run) {
  html::Table table;
  table.caption = "Pages of one engine that are in another";
  table.columns = {
      {"drawn from"},        {"looked up in"},      {"share found", true},
      {"looked up", true},   {"no answer", true},   {"by address", true},
      {"by redirect", true}, {"only a copy", true}, {"too short", true}};
  for (const PageOverlap& overlap : run.overlaps) {
    if (overlap.checked + overlap.unchecked == 0) continue;
    table.rows.push_back(
        {Cell::Text(overlap.x), Cell::Text(overlap.y),
         Cell{PercentText(overlap.Fraction()), true},
         Cell::Count(overlap.checked), Cell::Count(overlap.unchecked),
         Cell::Count(overlap.by_url), Cell::Count(overlap.by_redirect),
         Cell::Count(overlap.by_content), Cell::Count(overlap.short_pages)});
  }
  return table;
}

}  // namespace

KeptPage SamplePage(const SampleRun& run) {
  KeptPage report("sample", "Sample of " + CountText(run.drawn, "page"));
  report.Add(LeadOf(run));
  for (const std::string& warning : run.warnings)
    report.Add(html::Warning{warning});
  if (run.drawn > 0) report.Add(FactsOf(run));
  const bool together = run.sampler->together && run.engines.size() > 1;
  if (run.options->checking.check || together) {
    const html::Table overlaps = OverlapTable(run);
    if (!overlaps.rows.empty()) {
      report.Add(html::Heading{"What one engine has of another"});
      report.Add(overlaps);
    }
  }
  if (run.drawn > 0) {
    report.Add(html::Heading{"The pages"});
    report.Add(LengthHistogram(run.lengths));
    report.Add(HostsTable(run.hosts));
  }
  report.Add(html::Heading{"What it took"});
  report.Add(EngineTable(run));
  if (run.sampler->pool) report.Add(PoolTable(run));
  report.BeginFolded("Method");
  report.Add(html::Paragraph{"Sampler " + run.sampler->info.name + ": " +
                             run.sampler->info.summary + ". Seed " +
                             std::to_string(run.options->sampler.seed) + "."});
  report.EndFolded();
  return report;
}

}  // namespace twinset
