// twinset/corpora/crawls.h: two crawls of one graph.
#include <algorithm>
#include <optional>
#include <utility>

#include "base/file.h"
#include "base/machine.h"
#include "base/stop.h"
#include "documents/result_places.h"
#include "documents/side_check.h"
#include "report/field_rows.h"
#include "seeds/seeds_report.h"
#include "twinset/corpora/crawls.h"
#include "twinset/plain_words.h"
#include "web/crawl.h"
#include "web/graph_input.h"

namespace twinset {
namespace {

constexpr char kTable[] = "overlap.csv";
constexpr char kSummary[] = "summary.json";
constexpr char kReport[] = "report.html";

// `side`: which of the lists it is.
Result<std::vector<uint32_t>> ReadSeeds(const char* side,
                                        const std::string& path,
                                        const NodeIndex& index,
                                        const LoadedGraph& graph,
                                        CrawlSeeds* counts,
                                        std::vector<SideRead>* sides) {
  SideRead read{side, path, "address"};
  const uint64_t nodes = graph.named.graph.nodes();
  std::string first;
  std::vector<uint32_t> seeds;
  std::vector<bool> taken(nodes);
  TWINSET_TRY(ForEachPageLine({path}, [&](const PageLine& line) -> Status {
    ++counts->lines;
    ++read.records;
    if (!line.problem.empty()) {
      ++counts->bad;
      if (read.quarantined++ == 0)
        read.problem = line.where + ": " + line.problem;
      return {};
    }
    ++read.used;
    if (first.empty()) first = line.name;
    const auto node = index.Find(line.name);
    if (!node) {
      ++counts->unknown;
    } else if (!taken[*node]) {
      taken[*node] = true;
      seeds.push_back(*node);
    }
    return {};
  }));
  counts->seeds = seeds.size();
  sides->push_back(read);
  TWINSET_TRY(CheckSide(read));
  if (!seeds.empty()) return seeds;
  return NothingInCommon(read.name(), first, "the graph",
                         nodes == 0 ? "" : graph.NameOf(0));
}

// Pages read so far, by depth.
std::vector<CrawlDepth> DepthsOf(const std::vector<uint32_t>& first,
                                 const std::vector<uint32_t>& second) {
  std::vector<CrawlDepth> depths;
  const auto at = [&](uint32_t depth) -> CrawlDepth& {
    if (depth >= depths.size()) depths.resize(size_t{depth} + 1);
    return depths[depth];
  };
  for (size_t node = 0; node < first.size(); ++node) {
    if (first[node] != kNotCrawled) ++at(first[node]).first;
    if (second[node] != kNotCrawled) ++at(second[node]).second;
    const uint32_t later = std::max(first[node], second[node]);
    if (later != kNotCrawled) ++at(later).both;
  }
  for (size_t i = 0; i < depths.size(); ++i) {
    depths[i].depth = static_cast<uint32_t>(i);
    if (i == 0) continue;
    depths[i].first += depths[i - 1].first;
    depths[i].second += depths[i - 1].second;
    depths[i].both += depths[i - 1].both;
  }
  return depths;
}

void WarnOfSeeds(const char* which, const CrawlSeeds& seeds,
                 std::vector<std::string>* warnings) {
  if (seeds.bad + seeds.unknown == 0) return;
  warnings->push_back(std::to_string(seeds.bad + seeds.unknown) + " of " +
                      std::to_string(seeds.lines) + " lines of the " + which +
                      " list are no page of the graph");
}

Status Crawl(const CrawlOverlapOptions& options, CrawlOverlapResult* result) {
  GraphOptions of_graph = options.graph;
  // The other half: index, hosts, depths and queues.
  of_graph.memory_bytes = MemoryOr(options.graph.memory_bytes) / 2;
  of_graph.on_progress = options.on_progress;
  TWINSET_ASSIGN(const LoadedGraph loaded, LoadGraph(of_graph));
  const Graph& graph = loaded.named.graph;
  result->graph = loaded.facts;
  result->warnings = loaded.facts.warnings;
  SideRead read{"graph", "", "page"};
  read.records = read.used = graph.nodes();
  result->sides.push_back(read);
  TWINSET_TRY(CheckSide(read));
  std::vector<uint32_t> hosts;
  if (options.per_host > 0) {
    TWINSET_ASSIGN(hosts, NumberHosts(loaded));
  }
  std::vector<uint32_t> first, second;
  {
    const NodeIndex index(loaded);
    TWINSET_ASSIGN(first, ReadSeeds("first list", options.first, index, loaded,
                                    &result->first, &result->sides));
    TWINSET_ASSIGN(second, ReadSeeds("second list", options.second, index,
                                     loaded, &result->second, &result->sides));
  }
  const CrawlLimits limits{options.depth, options.per_host, options.max_pages};
  result->depths = DepthsOf(SimulateCrawl(graph, hosts, first, limits),
                            SimulateCrawl(graph, hosts, second, limits));
  if (loaded.facts.garbage > 0)
    result->warnings.push_back(std::to_string(loaded.facts.garbage) +
                               " lines of the graph without an arc");
  WarnOfSeeds("first", result->first, &result->warnings);
  WarnOfSeeds("second", result->second, &result->warnings);
  result->page = ResultPage(CrawlsPage(options, *result));
  return {};
}

Status WriteCrawls(const CrawlOverlapOptions& options,
                   const CrawlOverlapResult& result) {
  const std::string out = options.out + "/";
  TWINSET_TRY(WriteWholeFile(out + kTable, CsvOf(result.depths)));
  TWINSET_TRY(WriteKeptPage(*result.page.kept(), options.out,
                            options.report ? kReport : ""));
  return WriteWholeFile(out + kSummary, SummaryJson(result).dump(2) + "\n");
}

}  // namespace

Result<CrawlOverlapResult> v1::CompareCrawls(
    const CrawlOverlapOptions& options) try {
  if (options.graph.input.inputs.empty())
    return Fail(ErrorCode::kUsage, "no graph is given", {},
                "twinset seeds overlap FIRST SECOND GRAPH...");
  if (options.report && options.out.empty())
    return Fail(ErrorCode::kUsage, "a report needs a folder", {},
                "add --out DIR");
  std::optional<ResultFolder> folder;
  if (!options.out.empty()) {
    std::vector<std::string> inputs = options.graph.input.inputs;
    if (!options.graph.nodes.empty()) inputs.push_back(options.graph.nodes);
    inputs.push_back(options.first);
    inputs.push_back(options.second);
    TWINSET_ASSIGN(ResultFolder open,
                   OpenResultFolder(OutRequest("seeds", options), inputs));
    folder.emplace(std::move(open));
  }
  CrawlOverlapResult result;
  result.parameters = {options.depth, options.per_host, options.max_pages};
  result.lists = {NameText(options.first), NameText(options.second)};
  TWINSET_TRY(Crawl(options, &result));
  if (!folder) return result;
  std::vector<std::string> files = {kTable, kSummary, KeptPage::kFileName};
  if (options.report) files.push_back(kReport);
  TWINSET_TRY(folder->Begin(files));
  TWINSET_TRY(RemoveUnless(WriteCrawls(options, result), &*folder));
  return result;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
