// The steps of a study, kept in a journal: a call that resumes has what the
// finished ones found.
#ifndef TWINSET_SRC_CORPORA_TRANSFER_STUDY_STEPS_H_
#define TWINSET_SRC_CORPORA_TRANSFER_STUDY_STEPS_H_

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/stop.h"
#include "core/field_list.h"
#include "store/journal.h"
#include "transfer/study_plan.h"
#include "twinset/corpora/study.h"
#include "twinset/error.h"

namespace twinset {

StudyParameters ParametersOf(const StudyPlan& plan);
// Everything that a study reads, for protection and for resuming.
std::vector<std::string> InputsOf(const StudyPlan& plan,
                                  const std::string& config);

class StudySteps {
 public:
  // The journal begins, or goes on where that is asked for. Options and plan
  // outlive the steps. kUsage when there is nothing to resume, and when it
  // would be another study.
  static Result<StudySteps> Open(const StudyOptions& options,
                                 const StudyPlan& plan);

  // What `body` finds, which leaves `files`, or what an earlier call found. A
  // step that is not as it was written is kCorrupt.
  template <typename Found, typename Body>
  Result<Found> Take(const std::string& name,
                     const std::vector<std::string>& files, const Body& body);

  // Once each; a body adds those of its step to `step_warnings`.
  void Warn(const std::string& warning);
  std::vector<std::string>* step_warnings() { return &step_warnings_; }
  const std::vector<std::string>& warnings() const { return warnings_; }

  const std::vector<std::string>& names() const { return names_; }
  uint64_t kept() const { return kept_; }  // found by an earlier call
  // Returns true iff a step is finished, so that there is something to resume.
  bool any() const { return any_; }

 private:
  // A step as the journal keeps it.
  template <typename Found>
  struct State {
    Found numbers;
    std::vector<std::string> warnings;

    static void Fields(auto& state, auto& field) {
      field("numbers", state.numbers);
      field("warnings", state.warnings);
    }
  };
  using Clock = std::chrono::steady_clock;

  StudySteps(const StudyOptions& options, const StudyPlan& plan,
             Journal journal)
      : options_(&options), plan_(&plan), journal_(std::move(journal)) {}

  template <typename Found>
  Result<Found> Known(const std::string& name);
  bool AreThere(const std::vector<std::string>& files) const;
  // What is being done and how far it is.
  void Tell(const std::string& name);
  void Taken(const std::string& name, Clock::time_point begin);
  Error NotAsWritten(const std::string& name) const;

  const StudyOptions* options_;
  const StudyPlan* plan_;
  Journal journal_;
  std::vector<std::string> names_, warnings_, step_warnings_;
  Clock::time_point begin_ = Clock::now();
  size_t searches_begun_ = 0, searches_taken_ = 0;
  double search_seconds_ = 0;
  uint64_t kept_ = 0;
  bool any_ = false;
};

template <typename Found, typename Body>
Result<Found> StudySteps::Take(const std::string& name,
                               const std::vector<std::string>& files,
                               const Body& body) {
  TWINSET_TRY(CheckStop(options_->stop));
  names_.push_back(name);
  if (AreThere(files) && journal_.IsDone(name)) return Known<Found>(name);
  Tell(name);
  step_warnings_.clear();
  const auto begin = Clock::now();
  TWINSET_ASSIGN(Found found, body());
  Taken(name, begin);
  const State<Found> state = {std::move(found), step_warnings_};
  TWINSET_TRY(journal_.FinishStage(name, files, FieldsToJson(state).dump()));
  any_ = true;
  for (const std::string& warning : step_warnings_) Warn(warning);
  return state.numbers;
}

template <typename Found>
Result<Found> StudySteps::Known(const std::string& name) {
  TWINSET_TRY(journal_.Verify(name));
  TWINSET_ASSIGN(const std::string text, journal_.StageState(name));
  State<Found> state;
  if (!FieldsFromJson(Json::Parse(text), 0, &state))
    return tl::unexpected<Error>(NotAsWritten(name));
  ++kept_;
  any_ = true;
  for (const std::string& warning : state.warnings) Warn(warning);
  return std::move(state.numbers);
}

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_TRANSFER_STUDY_STEPS_H_
