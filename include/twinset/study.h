// The whole pilot of a transfer study, from one file: do judgements of one
// collection serve another (docs/methods/transfer-study.md,
// docs/formats/study.md)?
#ifndef TWINSET_STUDY_H_
#define TWINSET_STUDY_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "twinset/error.h"
#include "twinset/options.h"

namespace twinset::inline v1 {

// A step that is about to be taken.
struct StudyStep {
  std::string name;
  size_t number = 0, of = 0;  // from 1
  double seconds = 0;         // since the beginning
  // Of a search, when one was taken before: how long this one and those behind
  // it may take.
  std::optional<double> search_seconds_left;
};

struct StudyOptions {
  std::string config;         // TOML; paths in it are relative to its folder
  ResourceOptions resources;  // tmp: where the work folders are
  std::string out;            // result folder
  bool overwrite = false, resume = false;
  // Told of each step before it is taken.
  std::function<void(const StudyStep&)> on_step;
  const std::atomic<bool>* stop = nullptr;
};

struct StudyResult {
  std::vector<std::string> steps;  // in order
  uint64_t kept = 0;               // of them finished by an earlier call
  std::vector<std::string> warnings;
  std::string study_json;  // the content of study.json
};

// Takes the steps that the file asks for and writes into `out` a page.json and
// report.html, numbers.csv, what each step found, and study.json last. A step
// that an earlier call finished is kept with `resume`, if configuration and
// inputs are the same. Errors: kUsage for a file that says what is not known or
// makes no sense, with its line, and for a folder that exists; kMemory when
// what docs/methods/transfer-study.md says is held does not fit; those of the
// commands that it is made of.
Result<StudyResult> RunStudy(const StudyOptions& options);

// Whether the text is a configuration that RunStudy would take, on its own.
Status CheckStudyConfig(const std::string& text);

}  // namespace twinset::inline v1

#endif  // TWINSET_STUDY_H_
