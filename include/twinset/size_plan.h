// What a corpus that is not there yet would take: time, memory, disk, what
// travels, what it costs, and what to use. The forecast of a run
// (ForecastDedup), over a sample or over made-up text, corrected by what runs
// of known sizes have taken (docs/scale.md).
#ifndef TWINSET_SIZE_PLAN_H_
#define TWINSET_SIZE_PLAN_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "twinset/dedup.h"
#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/progress.h"
#include "twinset/results.h"

namespace twinset {
inline namespace v1 {

struct SizePlanOptions {
  // Its inputs are what the corpus is like; none: text is made up, of which
  // half are near-copies.
  DedupOptions run;
  ForecastSize corpus;  // documents are needed; bytes 0: as in the inputs, or
                        // 1,400 a document
  std::string calibration;  // of Calibrate; empty: measured by the authors
  double price_per_core_hour = 0;
  double most_hours = 24;   // that one machine may take
  uint64_t disk_bytes = 0;  // for work files; 0: what is free below `tmp`
  ProgressSink on_progress;
  const std::atomic<bool>* stop = nullptr;
};

struct SizePlan {
  Json json;  // all of it
  std::vector<std::string> warnings;
  ResultPage page;
};
inline const Json& SummaryJson(const SizePlan& plan) { return plan.json; }

// Takes seconds: the forecast is made several times. Errors: those of
// ForecastDedup; kUsage without a number of documents; kCorrupt for a file that
// is no calibration.
Result<SizePlan> PlanSize(const SizePlanOptions& options);

// Runs options.run over made-up texts, 10,000 of them (or corpus.documents, if
// these are fewer) and ten times as many up to that (100,000 unless set), and
// writes what these took and what was forecast into the file
// options.calibration. The method that options.run names; if it names none, the
// default and the one by sketches that its forecast sets beside it. Texts and
// work files stand below run.resources.tmp meanwhile: 1.4 KB and 1.2 KB a
// document.
Result<SizePlan> Calibrate(const SizePlanOptions& options);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_SIZE_PLAN_H_
