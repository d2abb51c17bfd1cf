#include "evaluate/evaluate_run.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "base/file.h"
#include "base/json_text.h"
#include "documents/document_pass.h"
#include "documents/side_check.h"
#include "evaluate/class_expansion.h"
#include "evaluate/evaluate_timing.h"
#include "options/parameters.h"
#include "pipeline/run_control.h"
#include "report/kept_page.h"

namespace twinset {

namespace {

constexpr char kTrueRun[] = "truth.run";

// What decides the stored features of a document. Who stores these views and
// more has a key that begins with this one.
std::string GroupKey(const Plan& plan) {
  const FeatureOptions& f = plan.options.features;
  std::string key;
  for (const std::string_view part :
       {ChoiceName(f.tokens), std::string_view(f.stop_words),
        std::string_view(f.stem), std::string_view(f.shingle),
        ChoiceName(f.content), ChoiceName(f.template_blocks)})
    AppendJsonString(&key, part);
  for (const FeatureView& view : plan.features.views) {
    key += std::to_string(static_cast<int>(view.form));
    AppendJsonString(&key, view.shingle);
    AppendJsonString(&key, ChoiceName(view.hash));
    key += view.secret ? '1' : '0';
  }
  return key;
}

// Only where there are two: one corpus without a pair is an answer.
Status CheckSidesOf(const Run& run) {
  if (run.plan.inputs.first_side == 0) return {};
  for (const size_t side : {0, 1})
    TWINSET_TRY(CheckSide(SideOf(side == 0 ? "the first side" : "--against", "",
                                 run.counts.read.sides[side].outcome),
                          "--text-field names the field of the text"));
  return {};
}

}  // namespace

EvaluationRuns::EvaluationRuns(const EvaluateOptions& options)
    : options_(options) {}
// The others hold memory of the first one's budget.
EvaluationRuns::~EvaluationRuns() {
  while (!groups_.empty()) groups_.pop_back();
}

PlanOptions EvaluationRuns::OptionsOf(const FeatureOptions& features,
                                      const MethodOptions& method) const {
  PlanOptions options;
  options.input = options_.input;
  options.input.inputs.insert(options.input.inputs.end(),
                              options_.against.begin(), options_.against.end());
  options.first_words = first_words_;
  options.features = features;
  options.method = method;
  options.method.measure = options_.measure;
  options.resources = options_.resources;
  options.out = options_.out;
  options.overwrite = options_.overwrite;
  options.on_progress = options_.on_progress;
  options.stop = options_.stop;
  return options;
}

Result<Plan> EvaluationRuns::Sided(Result<Plan> plan) const {
  if (!plan || first_words_ == 0) return plan;
  plan->inputs.first_side = plan->inputs.files.FilesOf(first_words_);
  plan->inputs.read_against = plan->inputs.read;
  plan->scope.across.kind = ScopeField::kSide;
  plan->scope.across.name = "side";
  return plan;
}

Result<Plan> EvaluationRuns::PlanOf(const EvaluateMethod& method,
                                    double threshold) const {
  PlanOptions options = OptionsOf(method.features, method.method);
  options.method.threshold = threshold;
  // Copies are copies by any measure.
  const auto row = FindMethod(options.method.name);
  if (row && !Reads((*row)->info, "measure"))
    options.method.measure = MethodOptions().measure;
  auto plan = Sided(MakePlan(options));
  if (!plan) {
    Error error = plan.error();
    error.message = method.label + ": " + error.message;
    return tl::unexpected<Error>(std::move(error));
  }
  return plan;
}

Result<std::unique_ptr<EvaluationRuns>> EvaluationRuns::Open(
    const EvaluateOptions& options, std::optional<RunFolders>* folders) {
  std::unique_ptr<EvaluationRuns> runs(new EvaluationRuns(options));
  runs->folders_ = folders;
  TWINSET_TRY(RefuseReadOnce(options.input.inputs));
  TWINSET_TRY(RefuseReadOnce(options.against));
  if (!options.against.empty())
    runs->first_words_ = options.input.inputs.size();
  std::set<std::string> labels;
  for (const EvaluateMethod& method : options.methods) {
    if (!labels.insert(method.label).second) {
      return Fail(ErrorCode::kUsage,
                  "method " + method.label + " is given twice");
    }
    for (const double threshold : options.thresholds)
      TWINSET_TRY(runs->PlanOf(method, threshold));
  }
  MethodOptions truth;
  truth.name = StandardMethod().info.name;
  truth.threshold = options.floor;
  TWINSET_ASSIGN(
      Plan plan,
      runs->Sided(MakePlan(runs->OptionsOf(options.features, truth))));
  JobFiles job = {"evaluate",
                  {"evaluation.csv", "evaluation.html", "evaluation.json",
                   KeptPage::kFileName},
                  "evaluation.json"};
  job.resumable = false;
  if (!options.judged.empty()) {
    TWINSET_TRY(RefuseDevice(options.judged));
    job.inputs.push_back(options.judged);
  }
  for (const EvaluateMethod& method : options.methods) {
    job.inputs.push_back(method.method.lexicon);
    job.inputs.push_back(method.method.short_lexicon);
    job.inputs.push_back(TokenFilter::FileOf(method.features.stop_words));
  }
  TWINSET_ASSIGN(RunFolders opened, RunFolders::Open(plan, std::move(job)));
  folders->emplace(std::move(opened));
  TWINSET_TRY(BeginJournal(plan, &**folders));
  TWINSET_ASSIGN(plan.features.views, runs->SharedViews(plan));
  TWINSET_ASSIGN(ReadGroup * group, runs->GroupOf(plan));
  runs->base_ = group->run.get();
  TWINSET_TRY(PrepareStage(runs->base_));
  return runs;
}

Result<std::vector<FeatureView>> EvaluationRuns::SharedViews(
    const Plan& truth) const {
  for (const EvaluateMethod& method : options_.methods) {
    TWINSET_ASSIGN(Plan plan, PlanOf(method, options_.thresholds.front()));
    if (plan.features.views.size() > truth.features.views.size() &&
        GroupKey(plan).starts_with(GroupKey(truth)))
      return plan.features.views;
  }
  return truth.features.views;
}

Result<EvaluationRuns::ReadGroup*> EvaluationRuns::GroupOf(const Plan& like) {
  const std::string key = GroupKey(like);
  for (const auto& group : groups_) {
    if (group->key.starts_with(key)) return group.get();
  }
  auto group = std::make_unique<ReadGroup>();
  group->key = key;
  TWINSET_ASSIGN(Plan plan, Sided(MakePlan(like.options)));
  plan.features.views = like.features.views;
  TWINSET_TRY(SetKey(plan.options, plan.features.key, &plan.features));
  plan.machine.work += "/" + std::to_string(runs_++);
  TWINSET_TRY(MakeDirectories(plan.machine.work));
  TWINSET_ASSIGN(Journal journal, Journal::Create(plan.machine.work, "{}"));
  group->run = std::make_unique<Run>(std::move(plan), std::move(journal));
  Run* run = group->run.get();
  CountInputBytes(run);
  ResetPeak(options_);
  TWINSET_TRY(Timed(run, "read", ReadStage));
  TWINSET_TRY(CheckSidesOf(*run));
  TWINSET_TRY(Timed(run, "read", TemplateStage));
  TWINSET_TRY(Timed(run, "order", OrderStage));
  group->peak_bytes = PeakResident(options_);
  if (!groups_.empty()) TWINSET_TRY(MapToBase(group.get()));
  groups_.push_back(std::move(group));
  return groups_.back().get();
}

// The same document stands at the same place of the inputs.
Status EvaluationRuns::MapToBase(ReadGroup* group) {
  Run* run = group->run.get();
  TWINSET_ASSIGN(group->to_base, PagedArray<uint64_t>::Create(
                                     run->Path("to-base.tmp"),
                                     std::max<uint64_t>(1, run->documents()),
                                     base_->Share(16), &base_->budget));
  TWINSET_ASSIGN(auto reader, OpenBlob(*base_, base_->documents_file));
  std::string_view bytes;
  uint64_t number = 0;
  DocumentInfo of_base;
  const auto advance = [&]() -> Result<bool> {
    TWINSET_ASSIGN(const bool more, reader.Next(&bytes));
    if (more) {
      TWINSET_ASSIGN(of_base, DecodeDocumentInfo(bytes));
    }
    return more;
  };
  TWINSET_ASSIGN(bool more, advance());
  return ForEachDocument(
      *run, [&](uint64_t document, const DocumentInfo& info) -> Status {
        const auto place = [](const DocumentInfo& i) {
          return std::pair(i.provenance.source, i.provenance.ordinal);
        };
        while (more && place(of_base) < place(info)) {
          TWINSET_ASSIGN(more, advance());
          ++number;
        }
        if (!more || place(of_base) != place(info)) return {};
        return group->to_base->Set(document, number + 1);
      });
}

Status EvaluationRuns::FindTruth() {
  Run* run = base_;
  const auto begin = EvaluationClock::now();
  ResetPeak(options_);
  TWINSET_TRY(Timed(run, "truth", CandidateStage));
  TWINSET_ASSIGN(auto candidates,
                 OpenRun<CandidatePair>(*run, "candidates.run"));
  TWINSET_ASSIGN(auto writer, CreateRun<VerifiedPair>(*run, "verified.run"));
  TWINSET_TRY(VerifyPairs(
      run, candidates.count(),
      [&](CandidatePair* pair) { return candidates.Next(pair); },
      [&](const CandidatePair& pair, const Verifier::Verdict& verdict) {
        return verdict.accepted ? writer.Append({pair.a, pair.b, verdict.score})
                                : Status();
      }));
  TWINSET_TRY(writer.Finish());
  ExternalSorter<VerifiedPair> pairs(run->SortOptions("truth", 3),
                                     &run->budget);
  TWINSET_ASSIGN(auto verified, OpenRun<VerifiedPair>(*run, "verified.run"));
  TWINSET_TRY(ExpandClasses(
      run, [&](VerifiedPair* pair) { return verified.Next(pair); },
      [&](const VerifiedPair& pair) { return pairs.Add(pair); }));
  TWINSET_TRY(WriteRun<VerifiedPair>(*run, kTrueRun, &pairs));
  truth_seconds_ = run->stage_seconds;
  truth_seconds_["truth"] = SecondsSince(begin);
  truth_peak_ = std::max(PeakResident(options_), groups_.front()->peak_bytes);
  return {};
}

Status EvaluationRuns::Finish() { return (*folders_)->RemoveWork(); }

}  // namespace twinset
