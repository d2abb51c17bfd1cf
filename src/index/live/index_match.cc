// Matches against indexes: of each a saved run of its documents is made, which
// is asked in its place.
#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/stop.h"
#include "documents/result_places.h"
#include "documents/side_check.h"
#include "live/index_save.h"
#include "pipeline/match_each.h"
#include "pipeline/saved/saved_options.h"
#include "store/saved_run.h"
#include "store/scratch_folder.h"
#include "twinset/index_files.h"

namespace twinset {

namespace {

// What is said of the saved run is said of the index.
template <typename T>
Result<T> SaidOf(const std::string& index, const std::string& run,
                 Result<T> result) {
  if (!result && result.error().where.starts_with(run))
    result.error().where.replace(0, run.size(), index);
  return result;
}

// The progress of a run that stands for the index, as steps of one stage.
ProgressSink AsSteps(const ProgressSink& sink) {
  if (!sink) return sink;
  return [&sink](Progress now) {
    if (now.stage != "index") {
      now.step = now.stage + (now.step.empty() ? "" : ", " + now.step);
      now.stage = "index";
    }
    now.kept = false;
    sink(now);
  };
}

// Saves the documents of the index, or with `none` set no document, into
// `folder`.
Status SaveSide(const MatchOptions& match, const std::string& side,
                const std::string& folder, bool none) {
  IndexOpenOptions opening;
  opening.read_only = true;
  opening.threads = match.resources.threads;
  opening.memory_bytes = match.resources.memory_bytes;
  TWINSET_ASSIGN(std::unique_ptr<Index> index, Index::Open(side, opening));
  if (index->Stats().documents == 0)
    TWINSET_TRY(CheckSide({.side = "B", .input = side}, {}));
  IndexSaveOptions saving;
  saving.folder = folder;
  saving.resources = match.resources;
  if (!none) saving.on_progress = AsSteps(match.on_progress);
  saving.stop = match.stop;
  TWINSET_ASSIGN(const ScratchFolder work, ScratchFolder::Make(folder));
  TWINSET_ASSIGN(const DedupOptions run,
                 BeginSaving(*index, saving, work, none));
  index.reset();  // the run has its memory
  TWINSET_TRY(Dedup(run));
  return {};
}

Status CheckSides(const MatchOptions& options) {
  for (const std::string& side : options.against) {
    if (!IsIndex(side) && !SavedRun::StandsIn(side)) {
      return Fail(ErrorCode::kUsage,
                  "indexes and saved runs are asked one after the other: files "
                  "that are read cannot be given with them",
                  NameText(side), "give these alone, or add them to an index");
    }
    TWINSET_TRY(CheckOutside(side,
                             IsIndex(side) ? "the index" : "the saved run",
                             {options.out, options.write, options.attributes,
                              options.resources.tmp}));
  }
  if (options.resume) {
    return Fail(ErrorCode::kUsage,
                "--resume does not go with an index, which others may have "
                "written to",
                {}, "start anew with --overwrite");
  }
  return {};
}

}  // namespace

Result<MatchSummary> v1::MatchIndexes(const MatchOptions& options) try {
  if (std::none_of(options.against.begin(), options.against.end(), IsIndex))
    return Match(options);
  const auto begin = std::chrono::steady_clock::now();
  TWINSET_TRY(CheckSides(options));
  std::vector<std::string> read = options.input.inputs;
  read.insert(read.end(), options.against.begin(), options.against.end());
  TWINSET_TRY(OpenResultFolder(OutRequest("match", options), read));
  TWINSET_ASSIGN(const ScratchFolder scratch,
                 ScratchFolder::Below(options.resources.tmp, "twinset-match-"));
  MatchOptions match = options;
  match.resources.tmp = scratch.path();  // its work files are not gone on with
  // What cannot be asked is refused before a text is written: a run of no
  // document has the parameters of the whole.
  for (const bool none : {true, false}) {
    for (size_t i = 0; i < options.against.size(); ++i) {
      const std::string& side = options.against[i];
      if (!IsIndex(side)) continue;
      std::string& run = match.against[i];
      run = scratch / (none ? "none-" : "run-") + std::to_string(i);
      TWINSET_TRY(SaidOf<void>(side, run, SaveSide(options, side, run, none)));
      if (!none) continue;
      TWINSET_TRY(SaidOf<void>(
          side, run, CheckMatch(MatchOfRun(match, run, options.out))));
    }
    if (none) TWINSET_TRY(CheckMatch(match));
  }
  return MatchNamed(match, options.against, begin);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
