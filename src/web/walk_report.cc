#include "web/walk_report.h"

#include <utility>

#include "report/html_report.h"
#include "web/graph_input.h"

namespace twinset::inline v1 {

namespace {

using html::Cell;

Json ParametersJson(const WalkOptions& options) {
  Json json = {{"sampler", options.sampler}, {"moves", options.moves},
               {"steps", options.steps},     {"size", options.size},
               {"burn_in", options.burn_in}, {"seed", options.seed}};
  if (options.sampler == WalkSampler::kWebWalker) {
    json["in_links"] = options.in_links;
    json["degree"] = options.degree;
    json["loops"] = options.loops;
    json["late_links"] = options.late_links;
  }
  if (options.sampler == WalkSampler::kPageRankWalk ||
      options.sampler == WalkSampler::kDirected)
    json["damping"] = options.damping;
  if (options.sampler == WalkSampler::kPageRankWalk) {
    json["jump"] = options.jump;
    json["weights"] = options.weights;
  }
  json["index_pages"] = options.index_pages;
  json["index_links"] = options.index_links;
  return json;
}

Json CheckJson(const ChainCheck& check) {
  if (!check.known) return {{"of", check.of}, {"known", false}};
  return {{"of", check.of},
          {"known", true},
          {"mean", check.mean},
          {"standard_error", check.standard_error},
          {"effective_size", check.effective_size},
          {"correlation_time", check.correlation_time},
          {"geweke_z", check.geweke_z},
          {"geweke_p", check.geweke_p},
          {"split_r_hat", check.split_r_hat}};
}

Json DiscoveryJson(const Discovery& discovery) {
  Json curve = Json::array();
  for (const DiscoveryPoint& point : discovery.curve)
    curve.push_back(Json::array({point.moves, point.pages}));
  return {{"good_turing", discovery.good_turing},
          {"unseen", discovery.unseen},
          {"curve", curve}};
}

Json BiasJson(const BiasTable& table) {
  Json rows = Json::array();
  for (const BiasRow& row : table.rows) {
    rows.push_back({{"class", row.name},
                    {"pages", row.pages},
                    {"share", row.share},
                    {"visited", row.visited},
                    {"weighted", row.weighted}});
  }
  return {{"by", table.by}, {"rows", rows}};
}

Json ComparisonJson(const GraphComparison& comparison) {
  Json parts = Json::array(), bias = Json::array();
  for (const PartRow& row : comparison.parts) {
    parts.push_back({{"part", row.part},
                     {"pages", row.pages},
                     {"reachable", row.reachable},
                     {"visited", row.visited},
                     {"weighted", row.weighted}});
  }
  for (const BiasTable& table : comparison.bias)
    bias.push_back(BiasJson(table));
  return {{"reachable", comparison.reachable},
          {"reach_is_bound", comparison.reach_is_bound},
          {"total_variation", comparison.total_variation},
          {"total_variation_all", comparison.total_variation_all},
          {"total_variation_floor", comparison.total_variation_floor},
          {"ks_in_degree", comparison.ks_in_degree},
          {"ks_in_degree_raw", comparison.ks_in_degree_raw},
          {"parts", parts},
          {"bias", bias}};
}

Json HostsJson(const WalkAnalysis& analysis) {
  Json hosts = Json::array();
  for (const HostRow& row : analysis.hosts) {
    hosts.push_back({{"host", row.host},
                     {"pages", row.pages},
                     {"visits", row.visits},
                     {"weighted", row.weighted}});
  }
  return hosts;
}

Cell Share(double share) { return Cell::Fixed(100 * share, 2); }

html::Table ChecksTable(const WalkAnalysis& analysis) {
  html::Table table{"What the walk is worth, by function of the pages",
                    {{"function"},
                     {"effective draws", true},
                     {"visits a draw", true},
                     {"Geweke z", true},
                     {"split R-hat", true}},
                    {}};
  for (const ChainCheck& check : analysis.checks) {
    if (!check.known) {
      table.rows.push_back({Cell::Text(check.of), Cell::Text("not known")});
      continue;
    }
    table.rows.push_back(
        {Cell::Text(check.of), Cell::Fixed(check.effective_size, 1),
         Cell::Fixed(check.correlation_time, 1), Cell::Fixed(check.geweke_z, 2),
         Cell::Fixed(check.split_r_hat, 3)});
  }
  return table;
}

html::Table DiscoveryTable(const Discovery& discovery) {
  html::Table table{"Different pages after so many moves",
                    {{"moves", true}, {"pages", true}},
                    {}};
  for (const DiscoveryPoint& point : discovery.curve)
    table.rows.push_back({Cell::Count(point.moves), Cell::Count(point.pages)});
  return table;
}

html::Table PartsTable(const GraphComparison& comparison) {
  html::Table table{"Parts of the graph and how far the walk can come",
                    {{"part"},
                     {"pages", true},
                     {"can be reached", true},
                     {"visited", true},
                     {"% of the sample", true}},
                    {}};
  for (const PartRow& row : comparison.parts) {
    table.rows.push_back({Cell::Text(row.part), Cell::Count(row.pages),
                          Cell::Count(row.reachable), Cell::Count(row.visited),
                          Share(row.weighted)});
  }
  return table;
}

html::Table BiasRows(const BiasTable& bias) {
  html::Table table{"Shares by " + bias.by,
                    {{bias.by},
                     {"pages", true},
                     {"% of pages", true},
                     {"% of visits", true},
                     {"% weighted", true}},
                    {}};
  for (const BiasRow& row : bias.rows) {
    table.rows.push_back({Cell::Text(row.name), Cell::Count(row.pages),
                          Share(row.share), Share(row.visited),
                          Share(row.weighted)});
  }
  return table;
}

html::Table HostsTable(const WalkAnalysis& analysis) {
  html::Table table{"Hosts of the sample",
                    {{"host"},
                     {"pages visited", true},
                     {"visits", true},
                     {"% of the sample", true}},
                    {}};
  for (const HostRow& row : analysis.hosts) {
    table.rows.push_back({Cell::Text(row.host), Cell::Count(row.pages),
                          Cell::Count(row.visits), Share(row.weighted)});
  }
  return table;
}

void AddComparison(const GraphComparison& comparison, HtmlReport* report) {
  report->Add(html::Heading{"Against the whole graph"});
  report->Add(html::KeyValues{
      "Distance from the uniform sample",
      {{comparison.reach_is_bound ? "pages reachable, at most"
                                  : "pages reachable",
        Cell::Count(comparison.reachable)},
       {"total variation", Cell::Fixed(comparison.total_variation, 4)},
       {"of as many uniform draws",
        Cell::Fixed(comparison.total_variation_floor, 4)},
       {"from uniform over all pages",
        Cell::Fixed(comparison.total_variation_all, 4)},
       {"KS of the in-degree, weighted",
        Cell::Fixed(comparison.ks_in_degree, 4)},
       {"KS of the in-degree, unweighted",
        Cell::Fixed(comparison.ks_in_degree_raw, 4)}}});
  report->Add(PartsTable(comparison));
  for (const BiasTable& table : comparison.bias) report->Add(BiasRows(table));
}

}  // namespace

Json WalkJson(const FinishedWalk& walk) {
  const WalkTrace& trace = walk.trace;
  const WalkAnalysis& analysis = walk.analysis;
  Json json = {{"magic", "twinset-walk"}, {"version", 1}};
  json["parameters"] = ParametersJson(*walk.options);
  json["graph"] = FactsJson(walk.facts);
  if (!walk.live.is_null()) json["live"] = walk.live;
  json["walk"] = {{"visits", trace.visits.size()},
                  {"chains", trace.chains.size() + 1},
                  {"steps", trace.steps},
                  {"distinct", analysis.distinct},
                  {"pages_asked", trace.pages_asked},
                  {"index_asked", trace.index_asked},
                  {"failures", trace.failures},
                  {"jumps", trace.jumps},
                  {"dropped_edges", trace.dropped_edges},
                  {"stopped", trace.stopped},
                  {"warnings", trace.warnings}};
  json["discovery"] = DiscoveryJson(analysis.discovery);
  Json checks = Json::array();
  for (const ChainCheck& check : analysis.checks)
    checks.push_back(CheckJson(check));
  json["sample"] = {
      {"rows", walk.rows},
      {"weights", trace.weights},
      {"visits", analysis.visits},
      {"no_interval",
       analysis.no_interval.empty() ? Json() : Json(analysis.no_interval)},
      {"r_hat", analysis.r_hat},
      {"kish_size", analysis.kish_size},
      {"cost_per_effective_draw", analysis.cost_per_effective},
      {"checks", checks}};
  json["hosts"] = HostsJson(analysis);
  json["all_hosts"] = analysis.all_hosts;
  json["comparison"] =
      analysis.compared ? ComparisonJson(analysis.comparison) : Json();
  return json;
}

std::string WalkHtml(const FinishedWalk& walk) {
  const WalkTrace& trace = walk.trace;
  HtmlReport report("Walk on " + walk.web);
  html::KeyValues parameters{"Parameters", {}};
  const Json given = ParametersJson(*walk.options);
  for (const auto& [name, value] : given.items()) {
    parameters.rows.emplace_back(
        name, Cell::Text(value.is_string() ? value.get<std::string>()
                                           : value.dump()));
  }
  report.Add(parameters);
  if (!trace.stopped.empty())
    report.Add(html::Warning{"The walk ended early: " + trace.stopped + "."});
  for (const std::string& warning : trace.warnings)
    report.Add(html::Warning{warning + "."});
  if (!walk.analysis.no_interval.empty())
    report.Add(html::Warning{"Draws of this walk bear no intervals: " +
                             walk.analysis.no_interval + "."});
  report.Add(html::KeyValues{
      "The walk",
      {{"visits", Cell::Count(trace.visits.size())},
       {"steps with self-loops", Cell::Fixed(trace.steps, 0)},
       {"distinct pages", Cell::Count(walk.analysis.distinct)},
       {"pages whose links were asked for", Cell::Count(trace.pages_asked)},
       {"questions to the index", Cell::Count(trace.index_asked)},
       {"pages that could not be read", Cell::Count(trace.failures)},
       {"moves that followed no link", Cell::Count(trace.jumps)},
       {"links between visited pages dropped",
        Cell::Count(trace.dropped_edges)},
       {"rows of the sample", Cell::Count(walk.rows)},
       {"pages asked for an effective draw",
        Cell::Fixed(walk.analysis.cost_per_effective, 1)},
       {"chains", Cell::Count(trace.chains.size() + 1)},
       {"highest R-hat", Cell::Fixed(walk.analysis.r_hat, 3)},
       {"% of the weight on pages visited once",
        Share(walk.analysis.discovery.good_turing)},
       {"% of the second half on pages new to it",
        Share(walk.analysis.discovery.unseen)}}});
  report.Add(DiscoveryTable(walk.analysis.discovery));
  report.Add(ChecksTable(walk.analysis));
  if (!walk.live.is_null()) {
    html::KeyValues live{"The live web", {}};
    for (const auto& [name, value] : walk.live.items()) {
      live.rows.emplace_back(
          name, Cell::Text(value.is_string() ? value.get<std::string>()
                                             : value.dump()));
    }
    report.Add(live);
  }
  if (walk.analysis.compared) AddComparison(walk.analysis.comparison, &report);
  report.Add(HostsTable(walk.analysis));
  return std::move(report).Finish();
}

}  // namespace twinset::inline v1
