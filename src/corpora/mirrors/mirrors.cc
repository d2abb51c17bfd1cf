// twinset/corpora/mirrors.h: clusters of a run, addresses of its inputs
// (docs/methods/mirrors.md).
#include "twinset/corpora/mirrors.h"

#include <optional>
#include <unordered_set>

#include "base/ascii.h"
#include "base/stop.h"
#include "documents/result_places.h"
#include "documents/side_check.h"
#include "documents/text_lines.h"
#include "mirrors/mirror_index.h"
#include "mirrors/mirror_report.h"
#include "mirrors/run_pages.h"
#include "net/url_rules.h"
#include "options/resources.h"
#include "twinset/json.h"

namespace twinset {
namespace {

Status CheckOptions(const MirrorsOptions& options) {
  if (options.run.empty())
    return Fail(ErrorCode::kUsage, "no run is given", {},
                "twinset mirrors RUN");
  if (options.report && options.out.empty())
    return Fail(ErrorCode::kUsage, "a report needs a folder", {},
                "add --out DIR");
  if (options.least_pages < 1)
    return Fail(ErrorCode::kUsage, "a mirror has one page at least");
  return {};
}

// Documents without a URL are named by their paths; empty for what is neither.
std::string DeadAddress(std::string_view text, MirrorIndex* index) {
  if (index->Find(text) != nullptr) return std::string(text);
  if (WhyNoAddress(text).empty()) return MirrorAddress(text, {});
  const bool is_path = text.find('/') != std::string_view::npos &&
                       text.find("://") == std::string_view::npos;
  return is_path ? std::string(text) : std::string();
}

Status ReadDead(const MirrorsOptions& options, Measure measure,
                MirrorIndex* index, MirrorsResult* result) {
  std::unordered_set<std::string> dead;
  SideRead read{"--dead", options.dead, "address"};
  DeadCounts& counts = result->dead_counts.emplace();
  TWINSET_TRY(ForEachTextLine(options.dead, [&](const TextLine& line) {
    const std::string_view url = Trim(line.text);
    if (url.empty() && line.problem.empty()) return true;
    const std::string address = DeadAddress(url, index);
    ++read.records;
    if (address.empty()) {
      ++counts.bad_lines;
      if (read.quarantined++ == 0)
        read.problem =
            options.dead + ":" + std::to_string(line.number) + " is no address";
    } else if (dead.insert(address).second) {
      result->dead.push_back({std::string(url), {}});
    }
    return true;
  }));
  counts.addresses = result->dead.size();
  read.used = read.records - read.quarantined;
  result->sides.push_back(read);
  TWINSET_TRY(CheckSide(read, "lines are addresses"));
  for (DeadPage& page : result->dead) {
    page.alternatives =
        AlternativesOf(DeadAddress(page.url, index), measure, result->mirrors,
                       index, [&dead](const MirrorPage& other) {
                         return dead.contains(other.address);
                       });
    counts.with_alternative += !page.alternatives.empty();
  }
  return {};
}

}  // namespace

Result<MirrorsResult> v1::FindMirrors(const MirrorsOptions& options) try {
  TWINSET_TRY(CheckOptions(options));
  TWINSET_ASSIGN(const Json summary, ReadRunSummary(options.run));
  const InputOptions input = RunInputs(options.input, summary);
  std::optional<ResultFolder> folder;
  if (!options.out.empty()) {
    std::vector<std::string> inputs = input.inputs;
    inputs.push_back(options.run);
    if (!options.dead.empty()) inputs.push_back(options.dead);
    TWINSET_ASSIGN(ResultFolder opened,
                   OpenResultFolder(OutRequest("mirrors", options), inputs));
    folder.emplace(std::move(opened));
  }
  MirrorsResult result;
  RunPages pages(MemoryBesideWindow(options.resources, options.input),
                 options.on_progress);
  TWINSET_TRY(pages.ReadClusters(options.run));
  result.clusters = pages.clusters();
  result.clustered = pages.size();
  TWINSET_TRY(pages.ReadInputs(input, options.stop, &result.warnings));
  result.documents = pages.size();
  SideRead of_run{"run", options.run};
  of_run.records = of_run.used = result.documents;
  result.sides.push_back(of_run);
  TWINSET_TRY(CheckSide(of_run));
  if (!options.input.inputs.empty()) {
    result.sides.push_back(pages.inputs());
    TWINSET_TRY(CheckSide(result.sides.back()));
    result.warnings.insert(result.warnings.end(), pages.empty_inputs().begin(),
                           pages.empty_inputs().end());
  }
  if (pages.strange()) {
    const auto [of_clusters, of_inputs] = *pages.strange();
    return NothingInCommon("the run", of_clusters, "the inputs", of_inputs);
  }
  TWINSET_TRY(pages.CheckPlaces(options.run));
  MirrorIndex index(pages.Take());
  TWINSET_ASSIGN(result.mirrors,
                 MirrorsOf(options, &index, &result.cut_clusters));
  for (const MirrorPage& page : index.pages())
    result.mirrored += page.degree > 0;
  if (!options.dead.empty()) {
    TWINSET_ASSIGN(const Measure measure, MeasureOfRun(summary));
    TWINSET_TRY(ReadDead(options, measure, &index, &result));
  }
  result.parameters = {options.least_pages, options.share, options.overlap};
  result.run = options.run;
  result.page = ResultPage(MirrorPageOf(result));
  if (folder)
    TWINSET_TRY(WriteMirrors(options, result, index.pages(), &*folder));
  return result;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
