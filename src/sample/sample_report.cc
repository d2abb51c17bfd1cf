// report.html of a sample.
#include <algorithm>
#include <map>

#include "report/html_report.h"
#include "sample/sample_run.h"

namespace twinset::inline v1 {

namespace {

using html::Cell;

constexpr size_t kMostHosts = 20;

// Pages by number of words, in powers of two.
html::Histogram LengthHistogram(const std::vector<uint64_t>& lengths) {
  html::Histogram histogram;
  histogram.title = "Length of the pages drawn";
  histogram.description = "Number of pages by number of words.";
  histogram.x_label = "words";
  histogram.y_label = "pages";
  uint64_t longest = 0;
  for (const uint64_t length : lengths) longest = std::max(longest, length);
  uint64_t low = 0, high = 16;
  do {
    html::Bin bin{static_cast<double>(low), static_cast<double>(high), 0};
    for (const uint64_t length : lengths)
      bin.count += length >= low && length < high;
    histogram.bins.push_back(bin);
    low = high;
    high *= 2;
  } while (low <= longest);
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
  table.caption = "Hosts, the most frequent of " +
                  std::to_string(sorted.size()) + " (unweighted)";
  table.columns = {{"host"}, {"pages", true}, {"share", true}};
  for (size_t i = 0; i < std::min(sorted.size(), kMostHosts); ++i) {
    table.rows.push_back(
        {Cell::Text(sorted[i].first.empty() ? "(none)" : sorted[i].first),
         Cell::Count(sorted[i].second),
         Cell::Percent(sorted[i].second, hosts.size())});
  }
  return table;
}

html::Table EngineTable(const SampleRun& run) {
  html::Table table;
  table.caption = "What was asked and what came of it";
  table.columns = {{"engine"},           {"pages drawn", true},
                   {"queries", true},    {"failed", true},
                   {"empty", true},      {"overflowing", true},
                   {"fetched", true},    {"not fetched", true},
                   {"unverified", true}, {"rejected", true}};
  for (const RunEngine& engine : run.engines) {
    const SampleCounts& counts = engine.sampling->counts();
    table.rows.push_back(
        {Cell::Text(engine.info.name), Cell::Count(engine.rows),
         Cell::Count(counts.asked), Cell::Count(counts.failed),
         Cell::Count(counts.empty), Cell::Count(counts.overflowing),
         Cell::Count(counts.fetched), Cell::Count(counts.fetch_failed),
         Cell::Count(counts.unverified), Cell::Count(counts.rejected)});
  }
  return table;
}

html::Table PoolTable(const SampleRun& run) {
  html::Table table;
  table.caption = "Degrees: valid queries of the pool that find a page";
  table.columns = {{"engine"},       {"queries asked", true}, {"valid", true},
                   {"lowest", true}, {"mean", true},          {"highest", true},
                   {"probed", true}, {"of degree 0", true}};
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
      {"drawn from"},     {"looked up in"},    {"share", true},
      {"checked", true},  {"unchecked", true}, {"by address", true},
      {"redirect", true}, {"content", true},   {"short", true}};
  for (const PageOverlap& overlap : run.overlaps) {
    if (overlap.checked + overlap.unchecked == 0) continue;
    table.rows.push_back(
        {Cell::Text(overlap.x), Cell::Text(overlap.y),
         Cell::Fixed(overlap.Fraction(), 4), Cell::Count(overlap.checked),
         Cell::Count(overlap.unchecked), Cell::Count(overlap.by_url),
         Cell::Count(overlap.by_redirect), Cell::Count(overlap.by_content),
         Cell::Count(overlap.short_pages)});
  }
  return table;
}

}  // namespace

std::string SampleReport(const SampleRun& run) {
  HtmlReport report("Sample of " + std::to_string(run.drawn) + " pages");
  report.Add(html::Paragraph{"Sampler " + run.sampler->info.name + ": " +
                             run.sampler->info.summary + ". Seed " +
                             std::to_string(run.options->sampler.seed) + "."});
  for (const std::string& warning : run.warnings)
    report.Add(html::Warning{warning});
  report.Add(EngineTable(run));
  if (run.sampler->pool) report.Add(PoolTable(run));
  if (run.options->checking.check ||
      (run.sampler->together && run.engines.size() > 1)) {
    report.Add(OverlapTable(run));
  }
  if (run.drawn > 0) {
    report.Add(LengthHistogram(run.lengths));
    report.Add(HostsTable(run.hosts));
  }
  return std::move(report).Finish();
}

}  // namespace twinset::inline v1
