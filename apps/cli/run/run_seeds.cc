// twinset seeds.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/line_counts.h"
#include "cli/nouns.h"
#include "cli/output.h"
#include "cli/studies.h"
#include "cli/values.h"
#include "twinset/seeds.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kSeedsName = "seeds";
constexpr size_t kShownProblems = 3;

GraphOptions GraphOf(const Request& request,
                     std::vector<std::string> operands) {
  GraphOptions graph = request.study->walk.graph;
  graph.input = request.options.input;
  graph.input.inputs = std::move(operands);
  graph.features = request.options.features;
  graph.memory_bytes = request.options.resources.memory_bytes;
  return graph;
}

void TellSeedProblems(const std::vector<std::string>& warnings,
                      const std::vector<std::string>& problems) {
  for (const std::string& warning : warnings) Tell(kSeedsName, warning);
  for (size_t i = 0; i < problems.size() && i < kShownProblems; ++i)
    Tell(kSeedsName, Printable(problems[i]));
}

void WriteCounts(const SeedsOptions& options, const SeedsResult& result,
                 Output* out) {
  out->Line(fmt::format("{} seed{} on {} host{} -> {}", Grouped(result.seeds),
                        result.seeds == 1 ? "" : "s", Grouped(result.hosts),
                        result.hosts == 1 ? "" : "s", Printable(options.out)));
  for (size_t i = 0; i < kSeedSources; ++i)
    if (result.by_source[i] > 0)
      out->Line(fmt::format("{:>10}  from {}", Grouped(result.by_source[i]),
                            ChoiceName(static_cast<SeedSource>(i))));
  for (size_t i = 0; i < kSeedRefusals; ++i)
    if (result.refused[i] > 0)
      out->Line(fmt::format("{:>10}  left out: {}", Grouped(result.refused[i]),
                            ChoiceName(static_cast<SeedRefusal>(i))));
  WriteSides(result.sides, out);
}

int PickThem(const Request& request) {
  SeedsOptions options = request.study->seeds;
  options.graph =
      GraphOf(request, {request.operands.begin() + 1, request.operands.end()});
  options.out = request.options.out;
  options.overwrite = request.options.overwrite;
  options.report = request.options.report;
  const StopOnSignal stop;
  options.stop = stop.flag();
  const auto result = PickSeeds(options);
  if (!result)
    return TellErrorOrStop(kSeedsName, result.error(), stop.signal());
  TellSeedProblems(result->warnings, result->problems);
  TellSeedProblems({}, result->trusted.problems);
  Output out;
  if (request.json)
    out.Write(result->summary_json);
  else if (!request.quiet)
    WriteCounts(options, *result, &out);
  return out.Finish(kSeedsName);
}

int Overlap(const Request& request) {
  constexpr size_t kLists = 3;  // the noun and two lists
  if (request.operands.size() <= kLists)
    return TellError(kSeedsName,
                     {ErrorCode::kUsage,
                      "overlap takes two lists of seeds and a graph",
                      {},
                      "twinset seeds overlap FIRST SECOND GRAPH..."});
  CrawlOverlapOptions options = request.study->crawls;
  options.first = request.operands[1];
  options.second = request.operands[2];
  options.graph = GraphOf(
      request, {request.operands.begin() + kLists, request.operands.end()});
  options.out = request.options.out;
  options.overwrite = request.options.overwrite;
  options.report = request.options.report;
  const auto result = CompareCrawls(options);
  if (!result) return TellError(kSeedsName, result.error());
  TellSeedProblems(result->warnings, {});
  Output out;
  if (request.json) {
    out.Write(result->summary_json);
    return out.Finish(kSeedsName);
  }
  out.Line(fmt::format("{:>5} {:>12} {:>12} {:>12} {:>8} {:>10} {:>10}",
                       "depth", "first", "second", "both", "Jaccard",
                       "of first", "of second"));
  for (const CrawlDepth& row : result->depths)
    out.Line(
        fmt::format("{:>5} {:>12} {:>12} {:>12} {:>8.4f} {:>8.1f} % "
                    "{:>8.1f} %",
                    row.depth, Grouped(row.first), Grouped(row.second),
                    Grouped(row.both), row.jaccard(),
                    100 * row.first_in_second(), 100 * row.second_in_first()));
  if (!request.quiet) WriteSides(result->sides, &out);
  return out.Finish(kSeedsName);
}

}  // namespace

int RunSeeds(const Request& request) {
  if (const Status noun = CheckNoun(kSeedsName, request); !noun)
    return TellError(kSeedsName, noun.error());
  return request.operands.front() == "overlap" ? Overlap(request)
                                               : PickThem(request);
}

}  // namespace twinset::cli
