#include "transfer/study_steps.h"

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "documents/result_places.h"
#include "read/reader.h"
#include "transfer/study_files.h"
#include "twinset/json.h"
#include "twinset/plain_words.h"
#include "twinset/version.h"

namespace twinset {
namespace {

double SecondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

// Names and sizes of what is read: a study of other inputs is another study.
Result<Json> DescribeInputs(const std::vector<std::string>& inputs) {
  Json described = Json::array();
  TWINSET_TRY(ForEachInputFile(inputs, [&](const std::string& path) -> Status {
    if (std::error_code error; std::filesystem::is_directory(path, error))
      return {};
    const auto size = FileSize(path);
    described.push_back({NameText(path), size ? Json(*size) : Json()});
    return {};
  }));
  return described;
}

size_t StepCount(const StudyPlan& plan) {
  return 2 + SearchesOf(plan).size() +
         plan.content.size() * (3 + (plan.assessment.wanted ? 1 : 0) +
                                (plan.retrieval.topics.empty() ? 0 : 1));
}

// The journal of the study that began with `begin`.
Result<Journal> Reopen(const std::string& folder, const std::string& begin) {
  if (FileExists(folder + "/" + kStudySummary))
    return Fail(ErrorCode::kUsage,
                "there is nothing to resume: the study is finished", folder);
  auto journal = Journal::Open(folder);
  if (!journal) {
    if (journal.error().code != ErrorCode::kIo)
      return tl::unexpected<Error>(journal.error());
    return Fail(ErrorCode::kUsage, "there is nothing to resume", folder,
                "run the command without --resume");
  }
  if (journal->begin() != begin)
    return Fail(ErrorCode::kUsage,
                "cannot resume: the configuration or its inputs are others",
                folder, "start anew with --overwrite");
  return journal;
}

}  // namespace

StudyParameters ParametersOf(const StudyPlan& plan) {
  const auto& candidates = plan.candidates;
  const auto& retrieval = plan.retrieval;
  return {.seed = plan.seed,
          .threshold = plan.threshold,
          .measure = plan.measure,
          .tokens = plan.tokens,
          .content = plan.content,
          .segment_pattern = plan.segment_pattern,
          .mixes = candidates.mixes,
          .bits = candidates.bits,
          .distance = candidates.distance,
          .tables = candidates.tables,
          .feature_hash = candidates.feature_hash,
          .bucket_limit = candidates.bucket_limit,
          .complete = candidates.complete,
          .fit = plan.extrapolation.fit,
          .draws_of_fits = plan.extrapolation.draws,
          .to = plan.extrapolation.to,
          .pairs = retrieval.pairs,
          .conflict = retrieval.conflict,
          .results = retrieval.results,
          .relevance_level = retrieval.relevance_level,
          .permutations = retrieval.permutations,
          .draws_of_shares = retrieval.draws,
          .shares = retrieval.shares,
          .pairs_to_assess = plan.assessment.wanted
                                 ? std::optional(plan.assessment.pairs)
                                 : std::nullopt,
          .least_grade = plan.assessment.least_grade};
}

std::vector<std::string> InputsOf(const StudyPlan& plan,
                                  const std::string& config) {
  std::vector<std::string> inputs = {config};
  for (const auto* more :
       {&plan.a.inputs, &plan.b.inputs, &plan.control.inputs, &plan.qrels,
        &plan.retrieval.topics, &plan.assessment.labels})
    inputs.insert(inputs.end(), more->begin(), more->end());
  return inputs;
}

Result<StudySteps> StudySteps::Open(const StudyOptions& options,
                                    const StudyPlan& plan) {
  TWINSET_ASSIGN(const Json inputs,
                 DescribeInputs(InputsOf(plan, options.config)));
  const std::string begin =
      Json({{"version", kVersion},
            {"parameters", FieldsToJson(ParametersOf(plan))},
            {"inputs", inputs}})
          .dump();
  TWINSET_ASSIGN(Journal journal, options.resume
                                      ? Reopen(options.out, begin)
                                      : Journal::Create(options.out, begin));
  return StudySteps(options, plan, std::move(journal));
}

bool StudySteps::AreThere(const std::vector<std::string>& files) const {
  return std::all_of(files.begin(), files.end(), [&](const std::string& file) {
    return FileExists(options_->out + "/" + file);
  });
}

// Searches take most of the time, about as much each: what is left of them is
// forecast from those that were taken.
void StudySteps::Tell(const std::string& name) {
  const bool is_search = IsSearch(name);
  if (is_search) ++searches_begun_;
  if (!options_->on_step) return;
  StudyStep step;
  step.name = name;
  step.number = names_.size();
  step.of = StepCount(*plan_);
  step.seconds = SecondsSince(begin_);
  if (is_search && searches_taken_ > 0)
    step.search_seconds_left =
        search_seconds_ / static_cast<double>(searches_taken_) *
        static_cast<double>(SearchesOf(*plan_).size() + 1 - searches_begun_);
  options_->on_step(step);
}

void StudySteps::Taken(const std::string& name, Clock::time_point begin) {
  if (!IsSearch(name)) return;
  search_seconds_ += SecondsSince(begin);
  ++searches_taken_;
}

void StudySteps::Warn(const std::string& warning) {
  if (std::find(warnings_.begin(), warnings_.end(), warning) == warnings_.end())
    warnings_.push_back(warning);
}

Error StudySteps::NotAsWritten(const std::string& name) const {
  return {ErrorCode::kCorrupt,
          "what the step '" + name + "' found is not as it was written",
          options_->out + "/" + Journal::kFileName,
          "start anew with --overwrite"};
}

}  // namespace twinset
