#include "evaluate/evaluate_run.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "base/file.h"
#include "base/json_text.h"
#include "documents/document_pass.h"
#include "evaluate/class_expansion.h"
#include "options/parameters.h"
#include "pipeline/run_control.h"

namespace twinset::inline v1 {

namespace {

constexpr char kTrueRun[] = "truth.run";

using Clock = std::chrono::steady_clock;
// The most memory that was resident since ResetPeak, where it is asked for and
// the system tells; else 0. Both are of the whole process.
void ResetPeak(const EvaluateOptions& options) {
  if (!options.measure_memory) return;
#ifdef __GLIBC__
  ::malloc_trim(0);  // what earlier methods left to the allocator
#endif
  std::ofstream("/proc/self/clear_refs") << "5";
}
uint64_t PeakResident(const EvaluateOptions& options) {
  if (!options.measure_memory) return 0;
  std::ifstream status("/proc/self/status");
  std::string key;
  for (std::string line; std::getline(status, line);) {
    std::istringstream words(line);
    uint64_t kilobytes = 0;
    if (words >> key >> kilobytes && key == "VmHWM:") return kilobytes << 10;
  }
  return 0;
}

double SecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Exact scores of whatever is compared.
class FullVerifier : public Verifier {
 public:
  explicit FullVerifier(std::unique_ptr<Verifier> verifier)
      : verifier_(std::move(verifier)) {}
  Verdict Compare(std::string_view a, std::string_view b) const override {
    return verifier_->CompareFully(a, b);
  }
  bool CanReach(uint64_t, uint64_t) const override { return true; }

 private:
  std::unique_ptr<Verifier> verifier_;
};

// Keeps the exact sizes of documents from a method: they are no part of what it
// says itself.
class SizeBlindVerifier : public Verifier {
 public:
  explicit SizeBlindVerifier(std::unique_ptr<Verifier> verifier)
      : verifier_(std::move(verifier)) {}
  Verdict Compare(std::string_view a, std::string_view b) const override {
    return verifier_->Compare(a, b);
  }
  bool CanReach(uint64_t, uint64_t) const override { return true; }

 private:
  std::unique_ptr<Verifier> verifier_;
};

// What decides the stored features of a document. Who stores these views and
// more has a key that begins with this one.
std::string GroupKey(const Plan& plan) {
  const FeatureOptions& f = plan.options.features;
  std::string key;
  for (const std::string_view part :
       {ChoiceName(f.tokens), std::string_view(f.shingle),
        ChoiceName(f.content), ChoiceName(f.parser),
        ChoiceName(f.template_blocks)})
    AppendJsonString(&key, part);
  for (const FeatureView& view : plan.views) {
    key += std::to_string(static_cast<int>(view.form));
    AppendJsonString(&key, view.shingle);
    AppendJsonString(&key, ChoiceName(view.hash));
    key += view.secret ? '1' : '0';
  }
  return key;
}

// Every file of `from` but its journal, also in `to`.
Status LinkFiles(const std::string& from, const std::string& to) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(from, error)) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_regular_file() || name == Journal::kFileName ||
        name.ends_with(".tmp")) {
      continue;
    }
    std::error_code failed;
    std::filesystem::create_hard_link(entry.path(), to + "/" + name, failed);
    if (failed) {
      std::filesystem::create_symlink(std::filesystem::absolute(entry.path()),
                                      to + "/" + name, failed);
    }
    if (failed) {
      return Fail(ErrorCode::kIo, "cannot link: " + failed.message(),
                  to + "/" + name);
    }
  }
  if (error) return Fail(ErrorCode::kIo, error.message(), from);
  return {};
}

// Runs `stage` and adds its time under `name`.
Status Timed(Run* run, const std::string& name, Status (*stage)(Run*)) {
  const auto begin = Clock::now();
  run->stage = name;
  run->step.clear();
  TWINSET_TRY(stage(run));
  run->stage_seconds[name] += SecondsSince(begin);
  return run->CheckStop();
}

}  // namespace

struct EvaluationRuns::ReadGroup {
  std::string key;
  std::unique_ptr<Run> run;
  std::optional<PagedArray<uint64_t>> to_base;  // number + 1; base: none
  uint64_t peak_bytes = 0;                      // resident while reading
};

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

Result<Plan> EvaluationRuns::PlanOf(const EvaluateMethod& method,
                                    double threshold) const {
  PlanOptions options = OptionsOf(method.features, method.method);
  options.method.threshold = threshold;
  // Copies are copies by any measure.
  const auto row = FindMethod(options.method.name);
  if (row && !Reads((*row)->info, "measure"))
    options.method.measure = MethodOptions().measure;
  auto plan = MakePlan(options);
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
  TWINSET_TRY(RefuseStandardInput(options.input.inputs));
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
  TWINSET_ASSIGN(Plan plan, MakePlan(runs->OptionsOf(options.features, truth)));
  JobFiles job = {"evaluate",
                  {"evaluation.csv", "evaluation.html", "evaluation.json"},
                  "evaluation.json"};
  if (!options.judged.empty()) {
    TWINSET_TRY(RefuseDevice(options.judged));
    job.inputs.push_back(options.judged);
  }
  for (const EvaluateMethod& method : options.methods)
    job.inputs.push_back(method.method.lexicon);
  TWINSET_ASSIGN(RunFolders opened, RunFolders::Open(plan, std::move(job)));
  folders->emplace(std::move(opened));
  TWINSET_TRY(BeginJournal(plan, &**folders));
  TWINSET_ASSIGN(plan.views, runs->SharedViews(plan));
  TWINSET_ASSIGN(ReadGroup * group, runs->GroupOf(plan));
  runs->base_ = group->run.get();
  TWINSET_TRY(PrepareStage(runs->base_));
  return runs;
}

Result<std::vector<FeatureView>> EvaluationRuns::SharedViews(
    const Plan& truth) const {
  for (const EvaluateMethod& method : options_.methods) {
    TWINSET_ASSIGN(Plan plan, PlanOf(method, options_.thresholds.front()));
    if (plan.views.size() > truth.views.size() &&
        GroupKey(plan).starts_with(GroupKey(truth)))
      return plan.views;
  }
  return truth.views;
}

Result<EvaluationRuns::ReadGroup*> EvaluationRuns::GroupOf(const Plan& like) {
  const std::string key = GroupKey(like);
  for (const auto& group : groups_) {
    if (group->key.starts_with(key)) return group.get();
  }
  auto group = std::make_unique<ReadGroup>();
  group->key = key;
  TWINSET_ASSIGN(Plan plan, MakePlan(like.options));
  plan.views = like.views;
  TWINSET_TRY(SetKey(plan.key, &plan));
  plan.work += "/" + std::to_string(runs_++);
  TWINSET_TRY(MakeDirectories(plan.work));
  TWINSET_ASSIGN(Journal journal, Journal::Create(plan.work, "{}"));
  group->run = std::make_unique<Run>(std::move(plan), std::move(journal));
  Run* run = group->run.get();
  CountInputBytes(run);
  ResetPeak(options_);
  TWINSET_TRY(Timed(run, "read", ReadStage));
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
  const auto begin = Clock::now();
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

Result<MethodPairs> EvaluationRuns::RunMethod(const EvaluateMethod& method,
                                              double threshold,
                                              const std::string& file) {
  TWINSET_ASSIGN(Plan plan, PlanOf(method, threshold));
  TWINSET_ASSIGN(ReadGroup * group, GroupOf(plan));
  const Run& read = *group->run;
  plan.work += "/" + std::to_string(runs_++);
  plan.hashes = read.plan.hashes;
  TWINSET_TRY(MakeDirectories(plan.work));
  TWINSET_TRY(LinkFiles(read.plan.work, plan.work));
  TWINSET_ASSIGN(Journal journal, Journal::Create(plan.work, "{}"));
  Run run(std::move(plan), std::move(journal));
  run.counts = read.counts;
  run.documents_file = read.documents_file;
  run.features_file = read.features_file;
  run.views_file = read.views_file;
  run.texts_file = read.texts_file;
  run.input_bytes = read.input_bytes;
  ResetPeak(options_);
  TWINSET_TRY(Timed(&run, "prepare", PrepareStage));
  run.parts.verifier =
      std::make_unique<SizeBlindVerifier>(std::move(run.parts.verifier));
  TWINSET_TRY(Timed(&run, "candidate", CandidateStage));
  MethodPairs pairs;
  pairs.file = file;
  if (run.parts.complete) {
    // What a complete join looks at depends on memory and on the secret; what
    // it finds does not.
    TWINSET_TRY(Timed(&run, "verify", VerifyStage));
    pairs.candidates = pairs.proposed = run.counts.verify.accepted;
  } else {
    pairs.candidates = run.counts.candidate.pairs;
    pairs.proposed = run.counts.candidate.proposed;
  }
  pairs.bands = run.parts.bands;
  pairs.rows = run.parts.rows;
  pairs.expected_recall = run.parts.expected_recall;
  pairs.seconds = run.stage_seconds;
  for (const char* stage : {"read", "order"})
    pairs.seconds[stage] = read.stage_seconds.at(stage);
  pairs.peak_bytes = std::max(PeakResident(options_), group->peak_bytes);
  TWINSET_TRY(ScorePairs(&run, group, &pairs));
  TWINSET_TRY(RemoveTree(run.plan.work));
  return pairs;
}

// Candidates of `run` to pairs of all documents, by their base numbers, with
// the scores of the base.
Status EvaluationRuns::ScorePairs(Run* run, ReadGroup* group,
                                  MethodPairs* pairs) {
  ExternalSortOptions sort = base_->SortOptions("expanded", 4);
  sort.unique = true;
  ExternalSorter<CandidatePair> expanded(sort, &base_->budget);
  TWINSET_ASSIGN(auto candidates,
                 OpenRun<CandidatePair>(*run, "candidates.run"));
  std::optional<RunReader<VerifiedPair>> verified;
  if (run->parts.complete) {
    TWINSET_ASSIGN(verified, OpenRun<VerifiedPair>(*run, "verified.run"));
  }
  TWINSET_TRY(ExpandClasses(
      run,
      [&](VerifiedPair* pair) -> Result<bool> {
        if (verified) return verified->Next(pair);
        CandidatePair candidate;
        TWINSET_ASSIGN(const bool more, candidates.Next(&candidate));
        *pair = {candidate.a, candidate.b, 0};
        return more;
      },
      [&](const VerifiedPair& pair) -> Status {
        uint64_t a = pair.a, b = pair.b;
        if (group->to_base) {
          TWINSET_ASSIGN(a, group->to_base->Get(a));
          TWINSET_ASSIGN(b, group->to_base->Get(b));
          if (a == 0 || b == 0) {
            ++pairs->outside;
            return {};
          }
          --a;
          --b;
        }
        return expanded.Add(CandidatePair::Of(a, b));
      }));
  TWINSET_TRY(expanded.Finish());
  TWINSET_ASSIGN(auto writer, CreateRun<VerifiedPair>(*base_, pairs->file));
  if (!scores_fully_) {
    base_->parts.verifier =
        std::make_unique<FullVerifier>(std::move(base_->parts.verifier));
    scores_fully_ = true;
  }
  TWINSET_TRY(VerifyPairs(
      base_, expanded.added(),
      [&](CandidatePair* pair) { return expanded.Next(pair); },
      [&](const CandidatePair& pair,
          const Verifier::Verdict& verdict) -> Status {
        if (verdict.overlap.a == 0 || verdict.overlap.b == 0) {
          ++pairs->outside;
          return {};
        }
        return writer.Append({pair.a, pair.b, verdict.score});
      }));
  TWINSET_TRY(writer.Finish());
  pairs->count = writer.count();
  return {};
}

Status EvaluationRuns::Finish() { return (*folders_)->RemoveWork(); }

}  // namespace twinset::inline v1
