// Two corpora: the stages of dedup with the side as scope, then what each
// document of the first finds in the second.
#include <algorithm>
#include <chrono>
#include <numeric>
#include <span>
#include <string_view>

#include "base/hash.h"
#include "base/stop.h"
#include "documents/side_check.h"
#include "methods/method_rows.h"
#include "pipeline/forecast_run.h"
#include "pipeline/match_each.h"
#include "pipeline/match_stages.h"
#include "pipeline/pairs/ask_stage.h"
#include "pipeline/read/read_against.h"
#include "pipeline/results/renamed_ids.h"
#include "pipeline/results/summary.h"
#include "pipeline/results/value_stats.h"
#include "pipeline/run_control.h"
#include "pipeline/saved/join_saved.h"
#include "twinset/dedup.h"
#include "twinset/plain_words.h"
#include "twinset/version.h"

namespace twinset {

namespace {

Status TakeUpAsked(Run* run) {
  return run->counts.asked ? UseAsked(run) : Status();
}
bool Asks(const Plan& plan) { return plan.inputs.asked() != nullptr; }
bool FindsPassages(const Plan& plan) {
  return plan.features.form != FeatureForm::kShingles ||
         plan.options.method.measure == Measure::kContainment;
}
bool Never(const Plan&) { return false; }

const Stage kMatchStages[] = {
    kReadStage,
    // A check rather than a stage: no forecast names it.
    {.name = "sides", .run = CheckSides, .is_brief = true, .is_wanted = Never},
    kTemplateStage,
    kPruneStage,
    kPrepareStage,
    {.name = "ask", .run = AskStage, .take_up = TakeUpAsked, .is_wanted = Asks},
    kOrderStage,
    kCandidateStage,
    kVerifyStage,
    {.name = "best", .run = BestStage, .growth = StageGrowth::kPairs},
    {.name = "result",
     .run = MatchResultStage,
     .growth = StageGrowth::kPairs,
     .repeats = true},
    {.name = "passages",
     .run = PassageStage,
     .growth = StageGrowth::kPairs,
     .is_wanted = FindsPassages},
    kAttributesStage,
    kWriteStage};

Status CheckOptions(const MatchOptions& options) {
  if (options.against.empty()) {
    return Fail(ErrorCode::kUsage, "there is nothing to match against", "",
                "add --against INPUT");
  }
  if (options.action == Action::kDropAll) {
    return Fail(ErrorCode::kUsage,
                "--action drop-all does not go with match: only documents of "
                "the first corpus are dropped",
                "", "use drop, annotate or report");
  }
  if (options.passage_tokens < 1 || options.passage_gap < 0) {
    return Fail(ErrorCode::kUsage,
                "--passage-tokens must be at least 1 and --passage-gap at "
                "least 0");
  }
  return {};
}

// The folder of the saved run that is B; empty: B is read.
Result<std::string> SavedSide(const MatchOptions& options) {
  const auto saved = std::find_if(options.against.begin(),
                                  options.against.end(), SavedRun::StandsIn);
  if (saved == options.against.end()) return std::string();
  if (options.against.size() > 1) {
    return Fail(
        ErrorCode::kUsage,
        "saved runs are asked one after the other: files that are read "
        "cannot be given with them, nor can it be foretold what several "
        "cost",
        NameText(*saved), "give saved runs alone, or the inputs of them all");
  }
  if (options.method.measure == Measure::kContainment) {
    return Fail(ErrorCode::kUsage,
                "--measure containment does not go with a saved run, which "
                "has not kept where its shingles stand",
                NameText(*saved), "give its inputs instead of it");
  }
  if (!AgainstJson(options.against_input).empty()) {
    return Fail(ErrorCode::kUsage,
                "a saved run has been read: nothing can be said of how",
                NameText(*saved), "leave out --against-format and the like");
  }
  return *saved;
}

Result<Plan> MakeMatchPlan(const MatchOptions& options) {
  TWINSET_TRY(CheckOptions(options));
  TWINSET_ASSIGN(const std::string saved, SavedSide(options));
  PlanOptions both(options);
  const size_t first_words = both.input.inputs.size();
  if (!saved.empty()) both.add = {saved};
  if (saved.empty()) {
    both.input.inputs.insert(both.input.inputs.end(), options.against.begin(),
                             options.against.end());
    both.first_words = first_words;
  }
  const bool containment = both.method.measure == Measure::kContainment;
  const Method* search = nullptr;
  if (containment) {
    TWINSET_ASSIGN(search, ContainmentSearch(both.method));
  }
  if (containment && !both.input.features_field.empty()) {
    return Fail(ErrorCode::kUsage,
                "--measure containment quotes passages of texts, and "
                "--features-field reads none",
                "", "use another measure of sets");
  }
  if (containment && both.method.name.empty() && !both.method.verify) {
    return Fail(
        ErrorCode::kUsage,
        "--verify none does not go with --measure containment: it has "
        "no sketches to estimate from",
        "", "name a method that has: " + MethodsWith([&](const Method& method) {
              return method.directed != nullptr &&
                     method.directed->make(both.method, nullptr).has_value();
            }));
  }
  TWINSET_ASSIGN(Plan plan, MakePlan(both, search));
  // Passages need the tokens beside what is sketched.
  if (!containment) TWINSET_TRY(MakeSketching(plan.options, &plan.features));
  plan.inputs.first_side = plan.inputs.files.FilesOf(first_words);
  if (saved.empty()) {
    TWINSET_ASSIGN(
        plan.inputs.read_against,
        ReadAgainst(options.input, options.against_input, plan.inputs.read));
  } else {
    TWINSET_TRY(JoinSaved(StoredPlace::kSecondSide, &plan));
  }
  plan.scope.across.kind = ScopeField::kSide;
  plan.scope.across.name = "side";
  if (containment) {
    plan.features.views.push_back(
        {FeatureForm::kPassages, "", FeatureHash::kSpec});
    plan.features.extractors.push_back(nullptr);
    plan.features.passages.min_tokens =
        static_cast<uint32_t>(options.passage_tokens);
    plan.features.passages.max_gap = static_cast<uint32_t>(options.passage_gap);
  }
  Json parameters = Json::Parse(plan.parameters_json);
  for (const char* name : {"cluster", "pairs", "within", "across"})
    parameters.erase(name);
  parameters["passage_tokens"] = options.passage_tokens;
  parameters["passage_gap"] = options.passage_gap;
  parameters["inputs_of_a"] = plan.inputs.first_side;
  const Json against = AgainstJson(options.against_input);
  if (!against.empty()) parameters["against"] = against;
  plan.parameters_json = parameters.dump();
  SetHashes(&plan);
  return plan;
}

JobFiles MatchFilesOf(const Plan& plan) {
  const std::string format(ChoiceName(plan.options.output_format));
  JobFiles job = {"match",
                  {"pairs." + format, "best." + format, "passages.jsonl",
                   "keep.txt", "drop.txt", "empty.txt", "revisits.jsonl",
                   "quarantine.jsonl", "sources.jsonl", kRenamedIds}};
  AddStatsFile(plan, &job);
  if (plan.options.report) job.files.push_back("report.html");
  job.files.push_back(job.done);
  return job;
}

uint64_t Sum(const std::vector<uint64_t>& by_source, size_t begin, size_t end) {
  return std::accumulate(by_source.begin() + static_cast<ptrdiff_t>(begin),
                         by_source.begin() + static_cast<ptrdiff_t>(end),
                         uint64_t{0});
}

MatchSummary SummariseMatch(Run* run, double seconds) {
  const RunCounts& counts = run->counts;
  const MatchResultCounts& result = counts.match_result;
  const RunSummary base = BeginSummary(*run, seconds);
  const size_t sides = run->plan.inputs.first_side,
               all = run->plan.inputs.files.size();
  MatchSummary summary;
  summary.skipped = base.skipped;
  summary.quarantined = base.quarantined;
  summary.complete = base.complete;
  summary.warnings = base.warnings;
  const std::vector<std::string> fields = ReadWarnings(*run);
  summary.warnings.insert(summary.warnings.end(), fields.begin(), fields.end());
  summary.seconds = seconds;
  summary.dropped = Sum(result.dropped_by_source, 0, sides);
  summary.documents_a = summary.dropped + Sum(result.kept_by_source, 0, sides);
  summary.documents_b = Sum(result.kept_by_source, sides, all);
  summary.pairs = result.pairs;
  summary.matched = counts.best.matched;
  if (counts.passages) summary.passages = counts.passages->count;
  Json json = SummaryHead(*run, result.revisit);
  json["documents"] = {{"a", summary.documents_a},
                       {"b", summary.documents_b},
                       {"matched", summary.matched},
                       {"dropped", summary.dropped},
                       {"empty", base.empty}};
  for (const size_t side : {0, 1})
    summary.sides.push_back(
        SideOf(side == 0 ? "A" : "B", "", counts.read.sides[side].outcome));
  json["sides"] = SidesJson(summary.sides);
  json["repeated_ids"] = counts.order.repeated_ids;
  json["expected_recall"] = ExpectedRecall(*run);
  AddFlagged(counts.candidate, &json);
  json["hot_buckets"] = FieldsToJson(counts.candidate.hot_buckets);
  json["pairs"] = summary.pairs;
  if (result.contained) json["contained"] = FieldsToJson(*result.contained);
  AddCorrections(*run, &json);
  if (const auto& judged = result.judged) {
    summary.judgements = *judged;
    json["judgements"] = JudgementsJson(*judged);
  }
  AddPages(counts.read, &json);
  AddTemplate(*run, &json);
  AddValueStats(*run, result.stats_by, &json);
  json["warnings"] = fields;
  json["passages"] = summary.passages;
  if (counts.write) json["written"] = FieldsToJson(counts.write);
  json["run"] = RunObject(*run, seconds);
  summary.json = std::move(json);
  return summary;
}

}  // namespace

Status CheckMatch(const MatchOptions& options) {
  if (!AreSavedRuns(options.against)) {
    TWINSET_TRY(MakeMatchPlan(options));
    return {};
  }
  TWINSET_TRY(CheckMatchEach(options));
  for (const std::string& run : options.against)
    TWINSET_TRY(MakeMatchPlan(MatchOfRun(options, run, options.out)));
  return {};
}

Result<MatchSummary> MatchNamed(const MatchOptions& options,
                                std::span<const std::string> names,
                                std::chrono::steady_clock::time_point begin) {
  if (AreSavedRuns(options.against)) {
    // What cannot be asked is refused before anything is done.
    TWINSET_TRY(CheckMatch(options));
    return MatchEach(options, names, begin);
  }
  TWINSET_ASSIGN(Plan plan, MakeMatchPlan(options));
  for (StoredInputs& stored : plan.inputs.stored) stored.name = names[0];
  JobFiles job = MatchFilesOf(plan);
  return RunJob<MatchSummary>(std::move(plan), std::move(job), kMatchStages,
                              begin, SummariseMatch);
}

Result<MatchSummary> v1::Match(const MatchOptions& options) try {
  return MatchNamed(options, options.against, std::chrono::steady_clock::now());
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<RunForecast> v1::ForecastMatch(const MatchOptions& options) try {
  ForecastJob job;
  // Documents of a saved run are taken to cost what those of A would.
  const bool is_saved = std::any_of(options.against.begin(),
                                    options.against.end(), SavedRun::StandsIn);
  if (is_saved) {
    DedupOptions first;
    CopyParts<RunOptions, ComparisonOptions, CorpusOptions, PriorityOptions>(
        options, &first);
    job = DedupForecastJob(first);
  } else {
    job.plan_of_sample = [options](const std::string& out) {
      return MakeMatchPlan(ForSample(options, out));
    };
    job.sample_stages = BeforeWriting(kMatchStages);
  }
  job.command = "match";
  job.files = MatchFilesOf;
  job.out = options.out;
  job.plan = [options = WithAnyOut(options)] { return MakeMatchPlan(options); };
  job.stages = kMatchStages;
  job.arguments = options.input.inputs;
  if (!is_saved)
    job.arguments.insert(job.arguments.end(), options.against.begin(),
                         options.against.end());
  return ForecastRun(job);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
