// twinset dedup
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include "cli/commands.h"
#include "cli/forecast_text.h"
#include "cli/job.h"
#include "cli/summary.h"
#include "twinset/cut.h"
#include "twinset/dedup.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kDedupName = "dedup";

// Returns true iff a flag is about documents that are alike: it says nothing to
// a run over units.
bool IsOfDocuments(const Flag& flag) {
  constexpr std::string_view kNames[] = {
      "--shingle", "--ignore",     "--max-df", "--near",  "--template",
      "--site",    "--stop-words", "--stem",   "--kinds", "--stats-by"};
  return flag.group == FlagGroup::kMethod ||
         flag.group == FlagGroup::kClusters ||
         flag.group == FlagGroup::kScope ||
         std::find(std::begin(kNames), std::end(kNames), flag.name) !=
             std::end(kNames);
}

Status CheckUnitFlags(const Request& request) {
  const bool units = request.options.cuts_units;
  for (const auto& [name, value] : request.given) {
    for (const Flag& flag : Flags()) {
      if (flag.name != name) continue;
      if (units && IsOfDocuments(flag))
        return Fail(ErrorCode::kUsage,
                    fmt::format("{} does not go with --unit", name), {},
                    "it is about documents that are alike");
      if (!units && flag.group == FlagGroup::kUnits)
        return Fail(ErrorCode::kUsage, fmt::format("{} needs --unit", name), {},
                    "--unit paragraph, line or sentence");
    }
  }
  if (units && !request.options.save.empty()) {
    return Fail(ErrorCode::kUsage,
                "--save does not go with --unit: it keeps documents, and units "
                "are not compared with those of another run");
  }
  if (units && !request.options.add.empty()) {
    return Fail(ErrorCode::kUsage,
                "--add does not go with --unit: a saved run keeps documents");
  }
  return {};
}

Status CheckRequest(const Request& request) {
  TWINSET_TRY(CheckJob(request));
  return CheckUnitFlags(request);
}

// `job`: Dedup or Cut.
template <typename Options, typename Summary>
int RunWith(const Request& request, Options options,
            Result<Summary> (*job)(const Options&)) {
  return RunJob(
      kDedupName, request, std::move(options), job,
      [&](const Summary& summary, uint64_t bytes) {
        return SummaryText(request, summary, bytes);
      },
      [&](const Summary& summary) { return IncompleteText(request, summary); });
}

DedupOptions DedupOptionsOf(const Request& request) {
  auto options = RunOptionsOf<DedupOptions>(request);
  CopyParts<SavedRunOptions>(request.options, &options);
  return options;
}

CutOptions CutOptionsOf(const Request& request) {
  auto options = RunOptionsOf<CutOptions>(request);
  const FeatureOptions& features = request.options.features;
  options.tokens = features.tokens;
  options.content = features.content;
  options.parser = features.parser;
  return options;
}

}  // namespace

int RunDedup(const Request& request) {
  if (const Status status = CheckRequest(request); !status)
    return TellError(kDedupName, status.error());
  if (request.dry_run) {
    return request.options.cuts_units
               ? TellForecast(kDedupName, request, CutOptionsOf(request),
                              ForecastCut)
               : TellForecast(kDedupName, request, DedupOptionsOf(request),
                              ForecastDedup);
  }
  return request.options.cuts_units
             ? RunWith(request, CutOptionsOf(request), Cut)
             : RunWith(request, DedupOptionsOf(request), Dedup);
}

}  // namespace twinset::cli
