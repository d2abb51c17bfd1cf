// Walks as commands ask for them (include/twinset/measure/walk.h).
#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "base/file.h"
#include "base/stop.h"
#include "documents/result_places.h"
#include "net/url.h"
#include "sample/sample_rows.h"
#include "twinset/json.h"
#include "web/graph_input.h"
#include "web/graph_source.h"
#include "web/live_web.h"
#include "web/pagerank.h"
#include "web/walk_chains.h"
#include "web/walk_report.h"

namespace twinset {

namespace {

constexpr uint64_t kVisitBytes = 128;  // with what is computed of the visits
constexpr uint32_t kMostChains = 1000;

Status CheckOptions(const WalkOptions& options) {
  if (options.out.empty())
    return Fail(ErrorCode::kUsage, "no folder for the results is given", {},
                "add --out DIR");
  if (options.moves == 0) return Fail(ErrorCode::kUsage, "a walk of 0 moves");
  if (!(options.burn_in >= 0 && options.burn_in < 1))
    return Fail(ErrorCode::kUsage, "the burn-in is not a share below 1");
  for (const double share : {options.index_pages, options.index_links}) {
    if (!(share >= 0 && share <= 1))
      return Fail(ErrorCode::kUsage,
                  "what the index knows is not a share within 0 and 1");
  }
  if (options.chains > kMostChains)
    return Fail(ErrorCode::kUsage, "more than 1000 chains");
  const uint64_t bytes = kVisitBytes * std::max(options.chains, kGraphChains);
  if (options.graph.memory_bytes != 0 &&
      options.moves > options.graph.memory_bytes / bytes) {
    return Fail(ErrorCode::kMemory,
                "walks of " + std::to_string(options.moves) + " moves need " +
                    std::to_string((options.moves >> 20) * bytes + 1) + "M",
                {}, "raise --memory or take fewer --moves");
  }
  return {};
}

Result<ResultFolder> OpenOut(const WalkOptions& options) {
  std::vector<std::string> inputs = options.graph.input.inputs;
  inputs.push_back(options.graph.nodes);
  inputs.push_back(options.back_links);
  if (!options.record.empty()) {
    TWINSET_TRY(CheckResultFile(
        {.path = options.record, .flag = "--record", .append = true}, inputs));
    inputs.push_back(options.record);
  }
  return OpenResultFolder(OutRequest("walk", options), inputs);
}

// What is known of a page without asking anybody.
void AddFields(const NamedGraph* graph, NodeId page, uint32_t degree,
               SampleRow* row) {
  row->fields.emplace_back("degree", std::to_string(degree));
  row->fields.emplace_back("host", Json(UrlHost(row->url)).dump());
  row->fields.emplace_back("depth", std::to_string(UrlDepth(row->url)));
  if (graph == nullptr) return;
  const auto node = static_cast<uint32_t>(page);
  row->fields.emplace_back("in_degree",
                           std::to_string(graph->graph.In(node).size()));
  row->fields.emplace_back("out_degree",
                           std::to_string(graph->graph.Out(node).size()));
}

struct Web {
  ResultFolder* folder = nullptr;
  LinkSource* links = nullptr;
  const NamedGraph* graph = nullptr;  // of webs that are known whole
  const GraphSource* source = nullptr;
  std::function<std::string(NodeId)> name;
};

Status WriteSample(const Web& web, const WalkOptions& options,
                   FinishedWalk* walk) {
  TWINSET_ASSIGN(OutputFile file,
                 OutputFile::Create(options.out + "/sample.jsonl"));
  SampleHeader header;
  header.sampler = ChoiceName(options.sampler);
  header.engine = walk->web;
  header.seed = options.seed;
  header.chain = true;
  // Every visit with its time: draws by time would be uniform.
  const bool by_visit = options.size == 0 && walk->trace.weights == "uniform";
  header.weights = by_visit ? "exact" : walk->trace.weights;
  header.no_interval = walk->analysis.no_interval;
  TWINSET_TRY(file.Write(SampleHeaderLine(header)));
  const std::vector<VisitRange> chains = ChainsOf(walk->trace, 0);
  for (size_t k = 0; k < chains.size(); ++k) {
    WalkTrace chain;
    chain.weights = walk->trace.weights;
    chain.visits.assign(walk->trace.visits.begin() + chains[k].begin,
                        walk->trace.visits.begin() + chains[k].end);
    const uint64_t size = options.size * (k + 1) / chains.size() -
                          options.size * k / chains.size();
    if (size == 0 && options.size != 0) continue;  // 0 would be all visits
    for (const WalkDraw& draw : DrawFromWalk(chain, options.burn_in, size)) {
      SampleRow row;
      row.url = web.name(draw.page);
      row.weight = draw.weight;
      row.draw = walk->rows++;
      if (chains.size() > 1)
        row.fields.emplace_back("chain", std::to_string(k));
      AddFields(web.graph, draw.page, chain.visits[draw.visit].degree, &row);
      TWINSET_TRY(file.Write(SampleRowLine(row)));
    }
  }
  return file.Commit();
}

// Far beyond what as many independent draws would show.
bool NotMixed(const GraphComparison& comparison) {
  return comparison.total_variation >
         0.25 + comparison.total_variation_floor * 0.9;
}

// The summary last: when it is there, the walk is done.
Result<WalkSummary> Conclude(const Web& web, const WalkOptions& options,
                             const WalkBudget& budget, FinishedWalk walk) {
  if (walk.trace.visits.empty())
    return Fail(ErrorCode::kUnavailable,
                "the walk came to no page: " + walk.trace.stopped);
  const bool index =
      options.sampler == WalkSampler::kUndirected ||
      (options.sampler == WalkSampler::kWebWalker && options.in_links > 0);
  std::vector<NodeId> starts;
  for (const VisitRange& chain : ChainsOf(walk.trace, 0))
    starts.push_back(walk.trace.visits[chain.first].page);
  if (options.sampler == WalkSampler::kDirected) starts = budget.starts;
  walk.analysis =
      AnalyseWalk(*web.links, walk.trace, options.burn_in,
                  index ? WalkWays::kLinksAndIndex : WalkWays::kLinks, starts,
                  web.graph, web.source);
  const WeightTrust trust =
      TrustOf(options, web.source != nullptr && web.source->index_complete());
  walk.analysis.no_interval = WhyNoInterval(walk.trace, walk.analysis.discovery,
                                            trust, walk.analysis.r_hat);
  if (walk.analysis.compared && NotMixed(walk.analysis.comparison)) {
    walk.trace.warnings.push_back(
        "the sample is far from uniform: the walk has not got round the pages "
        "it can reach, and its effective size counts only where it was; take "
        "more --steps or another --start");
  }
  // After the walk, so that one that fails takes nothing away.
  std::vector<std::string> files = {"sample.jsonl", "summary.json",
                                    KeptPage::kFileName};
  if (options.report) files.push_back("report.html");
  TWINSET_TRY(web.folder->Begin(files));
  TWINSET_TRY(WriteSample(web, options, &walk));
  WalkSummary summary;
  summary.json = WalkJson(walk);
  summary.page = ResultPage(WalkPage(walk));
  TWINSET_TRY(WriteKeptPage(*summary.page.kept(), options.out,
                            options.report ? "report.html" : ""));
  TWINSET_TRY(WriteWholeFile(options.out + "/summary.json",
                             summary.json.dump() + "\n"));
  summary.facts = walk.facts;
  summary.visits = walk.trace.visits.size();
  summary.distinct = walk.analysis.distinct;
  summary.pages_asked = walk.trace.pages_asked;
  summary.rows = walk.rows;
  summary.steps = walk.trace.steps;
  for (const ChainCheck& check : walk.analysis.checks) {
    if (!check.known) continue;
    if (summary.effective_size == 0 ||
        check.effective_size < summary.effective_size)
      summary.effective_size = check.effective_size;
  }
  if (walk.analysis.compared) {
    const GraphComparison& comparison = walk.analysis.comparison;
    summary.reachable = comparison.reachable;
    summary.total_variation = comparison.total_variation;
    summary.total_variation_floor = comparison.total_variation_floor;
    summary.ks_in_degree = comparison.ks_in_degree;
  }
  summary.chains = static_cast<uint32_t>(walk.trace.chains.size() + 1);
  summary.good_turing = walk.analysis.discovery.good_turing;
  summary.unseen = walk.analysis.discovery.unseen;
  summary.r_hat = walk.analysis.r_hat;
  summary.no_interval = walk.analysis.no_interval;
  summary.stopped = walk.trace.stopped;
  summary.warnings = walk.trace.warnings;
  return summary;
}

WalkBudget BudgetOf(const WalkOptions& options) {
  WalkBudget budget;
  budget.moves = options.moves;
  budget.steps = options.steps;
  budget.seed = options.seed;
  budget.stop = options.stop;
  return budget;
}

// The nodes with the highest PageRank, best first; equal ranks in input order.
Result<std::vector<uint32_t>> BestNodes(const Graph& graph, uint32_t number) {
  TWINSET_ASSIGN(const PageRanks ranks, ComputePageRank(graph, {}));
  std::vector<uint32_t> nodes(graph.nodes());
  std::iota(nodes.begin(), nodes.end(), 0u);
  std::stable_sort(nodes.begin(), nodes.end(), [&](uint32_t a, uint32_t b) {
    return ranks.ranks[a] > ranks.ranks[b];
  });
  nodes.resize(std::min<size_t>(nodes.size(), number));
  return nodes;
}

Result<WalkSummary> WalkOnGraph(const WalkOptions& options,
                                ResultFolder* folder) {
  TWINSET_ASSIGN(const LoadedGraph loaded, LoadGraph(options.graph));
  const Graph& graph = loaded.named.graph;
  GraphSource source(&loaded.named,
                     {options.index_pages, options.index_links, options.seed});
  WalkBudget budget = BudgetOf(options);
  TWINSET_ASSIGN(const auto starts, options.best_starts > 0
                                        ? BestNodes(graph, options.best_starts)
                                        : FindNodes(loaded, options.starts));
  budget.starts.assign(starts.begin(), starts.end());
  for (uint32_t i = 0; budget.starts.empty() && i < graph.nodes(); ++i)
    if (!graph.Out(i).empty()) budget.starts.push_back(i);
  if (budget.starts.empty())
    return Fail(ErrorCode::kUsage, "no page of the graph has a link");
  FinishedWalk walk;
  walk.options = &options;
  for (const std::string& input : options.graph.input.inputs)
    walk.web += (walk.web.empty() ? "" : " ") + input;
  walk.facts = loaded.facts;
  const uint32_t chains = options.chains == 0 ? kGraphChains : options.chains;
  TWINSET_ASSIGN(walk.trace,
                 RunChains(&source, options, budget, chains, nullptr));
  const Web web{folder, &source, &loaded.named, &source, [&](NodeId node) {
                  return loaded.NameOf(static_cast<uint32_t>(node));
                }};
  return Conclude(web, options, budget, std::move(walk));
}

// Why nothing of a live web could be read.
tl::unexpected<Error> NoPage(const LiveWeb& live) {
  const NodeId start = live.starts.front();
  const auto links = live.source->OutLinks(start);  // known: not asked again
  if (!links && IsOutsideNetworks(links.error()))
    return tl::unexpected<Error>(links.error());
  return Fail(ErrorCode::kUnavailable,
              "the start is no page that could be read" +
                  (links ? std::string() : ": " + links.error().message),
              live.source->Url(start), "look at it with a browser");
}

Result<WalkSummary> WalkLive(const WalkOptions& options, ResultFolder* folder) {
  TWINSET_ASSIGN(const LiveWeb live, OpenLiveWeb(options));
  WalkBudget budget = BudgetOf(options);
  budget.starts = live.starts;
  FinishedWalk walk;
  walk.options = &options;
  walk.web = options.graph.input.inputs.front();
  const uint32_t chains = options.chains == 0
                              ? static_cast<uint32_t>(live.starts.size())
                              : options.chains;
  // Each may ask for as many new pages as the others.
  auto trace = RunChains(
      live.source.get(), options, budget, chains, [&](uint32_t chain) {
        live.source->Allow(options.max_pages * (chain + 1) / chains);
      });
  const LiveCounts& counts = live.source->counts();
  if (counts.requests > 0 && counts.pages == 0) return NoPage(live);
  if (!trace) return tl::unexpected<Error>(std::move(trace).error());
  walk.trace = std::move(*trace);
  walk.facts.kind = GraphKind::kLive;
  walk.facts.nodes = live.source->nodes();
  walk.facts.documents = counts.pages;
  walk.facts.links = counts.links.links;
  walk.facts.nofollow = counts.links.nofollow;
  walk.facts.hidden = counts.links.hidden;
  walk.facts.unresolved = counts.links.unresolved;
  walk.live = LiveJson(counts);
  const Web web{folder, live.source.get(), nullptr, nullptr,
                [&](NodeId node) { return live.source->Url(node); }};
  return Conclude(web, options, budget, std::move(walk));
}

}  // namespace

Result<WalkSummary> v1::WalkWeb(const WalkOptions& options) try {
  TWINSET_TRY(CheckOptions(options));
  TWINSET_ASSIGN(ResultFolder folder, OpenOut(options));
  const auto& inputs = options.graph.input.inputs;
  const auto live =
      std::count_if(inputs.begin(), inputs.end(),
                    [](const std::string& input) { return IsHttpUrl(input); });
  if (live == 0) return WalkOnGraph(options, &folder);
  if (inputs.size() > 1) {
    return Fail(ErrorCode::kUsage, "one live web is walked on at a time", {},
                "name further starts in --start");
  }
  if (options.best_starts > 0) {
    return Fail(ErrorCode::kUsage, "the ranks of a live web are not known", {},
                "name starts in --start");
  }
  return WalkLive(options, &folder);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
