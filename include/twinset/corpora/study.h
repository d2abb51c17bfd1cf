// Runs the whole pilot of a transfer study from one file. The study asks
// whether judgements of one collection serve another
// (docs/methods/transfer-study.md, docs/formats/study.md).
#ifndef TWINSET_CORPORA_STUDY_H_
#define TWINSET_CORPORA_STUDY_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/options.h"
#include "twinset/results.h"

namespace twinset {
inline namespace v1 {

// A step that is about to be taken.
struct StudyStep {
  std::string name;
  size_t number = 0, of = 0;  // from 1
  double seconds = 0;         // since the beginning
  // For a search that is not the first: how long this search and the following
  // ones may take.
  std::optional<double> search_seconds_left;
};

struct StudyOptions {
  std::string config;         // TOML; paths in it are relative to its folder
  ResourceOptions resources;  // tmp: where the work folders are
  std::string out;            // result folder
  bool overwrite = false, resume = false;
  // Called before each step.
  std::function<void(const StudyStep&)> on_step;
  const std::atomic<bool>* stop = nullptr;
};

struct StudyResult {
  std::vector<std::string> steps;  // in order
  uint64_t kept = 0;               // of them finished by an earlier call
  std::vector<SideRead> sides;     // judgements, A, B, the control
  std::vector<std::string> warnings;
  Json json;  // what study.json holds
  ResultPage page;
};

inline const Json& SummaryJson(const StudyResult& result) {
  return result.json;
}

// Takes the steps that the file asks for. Writes page.json, report.html,
// numbers.csv, the findings of each step and, last, study.json into `out`. With
// `resume` it keeps the steps that an earlier call finished, if configuration
// and inputs are the same. Errors: kUsage, with the line, for a file with
// unknown or senseless settings, and for a folder that exists; kMemory when the
// tables that docs/methods/transfer-study.md lists do not fit; the errors of
// the commands that it is made of.
Result<StudyResult> RunStudy(const StudyOptions& options);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_CORPORA_STUDY_H_
