#include "web/walk_report.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/field_list.h"
#include "net/url.h"
#include "twinset/plain_words.h"
#include "web/graph_input.h"

namespace twinset {

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

Cell Share(double share) { return {PercentText(share), true}; }

// "1,154" of 1154.2.
std::string WholeText(double value) {
  return NumberText(static_cast<uint64_t>(std::llround(value)));
}

html::Table ChecksTable(const WalkAnalysis& analysis) {
  html::Table table{"What the visits are worth",
                    {{"to measure"},
                     {"independent draws", true},
                     {"visits for each", true},
                     {"Geweke's z", true},
                     {"R-hat of the halves", true}},
                    {}};
  for (const ChainCheck& check : analysis.checks) {
    if (!check.known) {
      table.rows.push_back(
          {Cell::Text(WordsOf(check.of)), {"not known", true}});
      continue;
    }
    table.rows.push_back(
        {Cell::Text(WordsOf(check.of)),
         Cell{WholeText(check.effective_size), true},
         Cell::Fixed(
             static_cast<double>(analysis.visits) / check.effective_size, 1),
         Cell::Fixed(check.geweke_z, 2), Cell::Fixed(check.split_r_hat, 3)});
  }
  return table;
}

void AddChecks(const WalkAnalysis& analysis, KeptPage* page) {
  if (std::none_of(analysis.checks.begin(), analysis.checks.end(),
                   [](const ChainCheck& check) { return check.known; })) {
    page->Add(html::Note{
        "The visits are too few or too alike to say how many independent draws "
        "they are worth."});
    return;
  }
  page->Add(ChecksTable(analysis));
  page->Add(
      html::Note{"The chains agree when R-hat is near 1: the highest is " +
                 FixedText(analysis.r_hat, 3) + "."});
}

html::Chart DiscoveryChart(const Discovery& discovery) {
  html::Series series{"pages", {}};
  series.marks = false;
  for (const DiscoveryPoint& point : discovery.curve) {
    series.points.push_back({static_cast<double>(point.moves),
                             static_cast<double>(point.pages), 0, 0, ""});
  }
  html::Chart chart;
  chart.title = "Different pages seen so far";
  chart.description =
      "How many different pages the walk had seen after so many moves. While "
      "the line still climbs, most of the web is unseen.";
  chart.x.label = "moves";
  chart.y.label = "pages";
  chart.y.low = 0;
  chart.series.push_back(std::move(series));
  chart.note = "Pages that were visited only once bear " +
               PercentText(discovery.good_turing) +
               " of the weight: about so much is unseen.";
  return chart;
}

html::Table PartsTable(const GraphComparison& comparison) {
  html::Table table{"Parts of the graph, and how far the walk can come",
                    {{"part"},
                     {"pages", true},
                     {"can be reached", true},
                     {"visited", true},
                     {"of the sample", true}},
                    {}};
  for (const PartRow& row : comparison.parts) {
    if (row.pages == 0) continue;
    table.rows.push_back({Cell::Text(row.part == "scc" ? "core" : row.part),
                          Cell::Count(row.pages), Cell::Count(row.reachable),
                          Cell::Count(row.visited), Share(row.weighted)});
  }
  return table;
}

html::Table BiasRows(const BiasTable& bias) {
  html::Table table{"Shares by " + bias.by,
                    {{bias.by},
                     {"pages", true},
                     {"of all pages", true},
                     {"of the visits", true},
                     {"of the sample", true}},
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
                     {"of the sample", true}},
                    {}};
  for (const HostRow& row : analysis.hosts) {
    table.rows.push_back({Cell::Text(row.host.empty() ? "(no host)" : row.host),
                          Cell::Count(row.pages), Cell::Count(row.visits),
                          Share(row.weighted)});
  }
  return table;
}

void AddComparison(const GraphComparison& comparison, KeptPage* report) {
  report->Add(html::Heading{"Against the whole graph"});
  html::Table distance{"Distance of the sample from a uniform one, 0 to 1",
                       {{"measured by"}, {"distance", true}},
                       {}};
  const auto add = [&](const char* name, double value) {
    distance.rows.push_back({Cell::Text(name), Cell::Fixed(value, 4)});
  };
  add("total variation, over the pages that can be reached",
      comparison.total_variation);
  add("the same of as many uniform draws", comparison.total_variation_floor);
  add("total variation, over all pages", comparison.total_variation_all);
  add("in-degrees of the sample (Kolmogorov and Smirnov)",
      comparison.ks_in_degree);
  add("in-degrees of the visits, not weighted", comparison.ks_in_degree_raw);
  report->Add(distance);
  report->Add(html::Note{(comparison.reach_is_bound ? "At most " : "") +
                         CountText(comparison.reachable, "page") +
                         " can be reached."});
  report->Add(PartsTable(comparison));
  for (const BiasTable& table : comparison.bias) report->Add(BiasRows(table));
}

}  // namespace

Json WalkJson(const FinishedWalk& walk) {
  const WalkTrace& trace = walk.trace;
  const WalkAnalysis& analysis = walk.analysis;
  Json json = {{"magic", "twinset-walk"}, {"version", 1}};
  json["parameters"] = ParametersJson(*walk.options);
  json["graph"] = FieldsToJson(walk.facts);
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

namespace {

// The draws that the visits are worth by the function that mixes worst.
double LeastDraws(const WalkAnalysis& analysis) {
  double least = static_cast<double>(analysis.visits);
  for (const ChainCheck& check : analysis.checks)
    if (check.known) least = std::min(least, check.effective_size);
  return least;
}

constexpr size_t kNameBytes = 80;

// What was walked on, in a title: "edges.tsv", "a.org".
std::string WebName(const FinishedWalk& walk) {
  if (!walk.live.is_null()) return Shortened(UrlHost(walk.web), kNameBytes);
  const auto& inputs = walk.options->graph.input.inputs;
  std::string name = Shortened(FileName(inputs.front()), kNameBytes);
  if (inputs.size() > 1)
    name += " and " + CountText(inputs.size() - 1, "more file");
  return name;
}

// Where the walk went and how long: "It followed the links of ...".
std::string CourseText(const FinishedWalk& walk) {
  const std::string web =
      walk.live.is_null()
          ? "It followed the links of " + WebName(walk) + ", a graph of " +
                CountText(walk.facts.nodes, "page") + " and " +
                CountText(walk.facts.arcs, "link")
          : "It followed links from " + Shortened(walk.web, kNameBytes) +
                " and fetched " + CountText(walk.facts.documents, "page");
  return web + ". The sampler " +
         std::string(ChoiceName(walk.options->sampler)) + " made " +
         CountText(walk.trace.visits.size(), "visit") + ". ";
}

html::Lead LeadOf(const FinishedWalk& walk) {
  const WalkAnalysis& analysis = walk.analysis;
  std::string pages = CountText(analysis.distinct, "different page");
  if (analysis.compared && !analysis.comparison.reach_is_bound) {
    const std::string reachable =
        CountText(analysis.comparison.reachable, "page") + " that it can reach";
    pages = analysis.distinct == analysis.comparison.reachable
                ? "all " + reachable
                : NumberText(analysis.distinct) + " of the " + reachable;
  }
  if (walk.trace.visits.empty())
    return {"The walk saw no page.", "Nothing can be said of the web."};
  const std::string course = CourseText(walk);
  if (!analysis.no_interval.empty()) {
    return {"The walk saw " + pages + ".",
            course +
                "That is too little to measure the web by: its draws bear no "
                "intervals. The reason: " +
                analysis.no_interval + "."};
  }
  return {"The walk saw " + pages + ".",
          course + "To measure by, they are worth about " +
              WholeText(LeastDraws(analysis)) + " independent draws."};
}

// The members of an object as rows, texts as they are.
html::KeyValues ValuesOf(const Json& object) {
  html::KeyValues values;
  for (const auto& [name, value] : object.items()) {
    values.rows.emplace_back(
        WordsOf(name),
        value.is_number_unsigned() ? Cell::Count(value.get<uint64_t>())
        : value.is_number()        ? Cell::Rounded(value.get<double>())
        : value.is_boolean() ? Cell::Text(value.get<bool>() ? "yes" : "no")
        : value.is_string()  ? Cell::Text(value.get<std::string>())
                             : Cell::Text(value.dump()));
  }
  return values;
}

}  // namespace

KeptPage WalkPage(const FinishedWalk& walk) {
  const WalkTrace& trace = walk.trace;
  const WalkAnalysis& analysis = walk.analysis;
  KeptPage report("walk", "What a walk saw of " + WebName(walk));
  report.Add(LeadOf(walk));
  if (!trace.stopped.empty())
    report.Add(html::Warning{"The walk ended early: " + trace.stopped + "."});
  for (const std::string& warning : trace.warnings)
    report.Add(html::Warning{warning + "."});
  report.Add(
      html::Facts{{{"different pages", NumberText(analysis.distinct), ""},
                   {"visits", NumberText(trace.visits.size()),
                    "in " + CountText(trace.chains.size() + 1, "chain")},
                   {"rows of the sample", NumberText(walk.rows), ""},
                   {"new in the second half",
                    PercentText(analysis.discovery.unseen), "of its visits"}}});
  report.Add(DiscoveryChart(analysis.discovery));
  report.Add(html::Heading{"What the walk is worth"});
  AddChecks(analysis, &report);
  if (analysis.compared) AddComparison(analysis.comparison, &report);
  const bool named =
      std::any_of(analysis.hosts.begin(), analysis.hosts.end(),
                  [](const HostRow& row) { return !row.host.empty(); });
  if (named) {
    report.Add(html::Heading{"Hosts"});
    report.Add(HostsTable(analysis));
  }
  report.BeginFolded("What it took");
  html::KeyValues took{
      "",
      {{"pages asked for their links", Cell::Count(trace.pages_asked)},
       {"pages asked for an independent draw",
        Cell::Fixed(analysis.cost_per_effective, 1)},
       {"questions to an index", Cell::Count(trace.index_asked)},
       {"pages that could not be read", Cell::Count(trace.failures)},
       {"steps, with those that stayed", Cell::Fixed(trace.steps, 0)},
       {"moves that followed no link", Cell::Count(trace.jumps)},
       {"links dropped", Cell::Count(trace.dropped_edges)}}};
  report.Add(took);
  if (!walk.live.is_null()) report.Add(ValuesOf(walk.live));
  report.EndFolded();
  report.BeginFolded("Parameters");
  report.Add(ValuesOf(ParametersJson(*walk.options)));
  report.EndFolded();
  return report;
}

}  // namespace twinset
