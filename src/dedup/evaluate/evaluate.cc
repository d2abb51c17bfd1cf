// The evaluation in order: truth, methods, counts, a closer look at samples,
// files.
#include "twinset/evaluate.h"

#include <algorithm>
#include <chrono>

#include "base/file.h"
#include "base/stop.h"
#include "evaluate/evaluate_documents.h"
#include "evaluate/evaluate_result.h"
#include "pipeline/pairs/pair_kinds.h"
#include "pipeline/results/summary.h"

namespace twinset {

namespace {

// Returns true iff the number of true pairs is estimated from what the methods
// find.
bool Estimated(const EvaluateOptions& options) {
  return options.judged.empty() && options.truth == TruthKind::kNone;
}

constexpr char kTruthFile[] = "truth.run";

// Thresholds ascending and distinct, the floor at or below them.
Result<EvaluateOptions> CheckedOptions(EvaluateOptions options) {
  if (options.methods.empty()) {
    return Fail(ErrorCode::kUsage, "no method to evaluate", "",
                "--methods NAME,NAME");
  }
  if (options.thresholds.empty())
    return Fail(ErrorCode::kUsage, "no threshold to evaluate at");
  std::sort(options.thresholds.begin(), options.thresholds.end());
  options.thresholds.erase(
      std::unique(options.thresholds.begin(), options.thresholds.end()),
      options.thresholds.end());
  const double least = options.thresholds.front();
  if (!(least > 0 && options.thresholds.back() <= 1)) {
    return Fail(ErrorCode::kUsage, "thresholds must be above 0 and at most 1");
  }
  if (options.floor == 0) options.floor = least;
  if (!(options.floor > 0 && options.floor <= least)) {
    return Fail(ErrorCode::kUsage,
                "--floor must be above 0 and at most the least threshold");
  }
  if (Estimated(options) && options.methods.size() < 2) {
    return Fail(ErrorCode::kUsage,
                "without truth, recall needs two methods to compare", "",
                "name another method, or leave --truth out");
  }
  return options;
}

class Evaluating {
 public:
  Evaluating(const EvaluateOptions& options, std::optional<RunFolders>* folders)
      : folders_(folders) {
    evaluation_.options = options;
  }

  Result<Evaluation> Do() {
    const EvaluateOptions& options = evaluation_.options;
    TWINSET_ASSIGN(runs_, EvaluationRuns::Open(options, folders_));
    TWINSET_TRY(
        CheckAnyDocument(base()->counts.read.sides[0].outcome, "the input"));
    if (!options.against.empty()) {
      TWINSET_TRY(CheckAnyDocument(base()->counts.read.sides[1].outcome,
                                   "the second input"));
    }
    TWINSET_TRY(OpenTruth());
    for (size_t m = 0; m < options.methods.size(); ++m) {
      for (size_t t = 0; t < options.thresholds.size(); ++t)
        TWINSET_TRY(RunOne(m, t));
    }
    TWINSET_TRY(CountAll());
    TWINSET_TRY(LookAtKinds());
    TWINSET_TRY(NameExamples());
    TakeCounts();
    TWINSET_TRY(runs_->Finish());
    return std::move(evaluation_);
  }

 private:
  Run* base() { return runs_->base(); }

  Status OpenTruth() {
    const EvaluateOptions& options = evaluation_.options;
    truth_.relevant = options.relevant;
    if (!options.judged.empty()) {
      TWINSET_ASSIGN(evaluation_.judged,
                     ReadJudgedPairs(*base(), options.judged));
      truth_.judged = &*evaluation_.judged;
      return {};
    }
    truth_.file = kTruthFile;
    return options.truth == TruthKind::kComplete ? runs_->FindTruth()
                                                 : Status();
  }

  Status RunOne(size_t method, size_t threshold) {
    const EvaluateOptions& options = evaluation_.options;
    EvaluationEntry entry;
    entry.method = method;
    entry.threshold = threshold;
    TWINSET_ASSIGN(entry.pairs,
                   runs_->RunMethod(
                       options.methods[method], options.thresholds[threshold],
                       "pairs-" + std::to_string(evaluation_.entries.size())));
    evaluation_.entries.push_back(std::move(entry));
    return {};
  }

  // Without truth, what any method found stands for it, and its size is
  // estimated.
  Status Recaptured() {
    const EvaluateOptions& options = evaluation_.options;
    for (size_t t = 0; t < options.thresholds.size(); ++t) {
      std::vector<std::string> files;
      for (const EvaluationEntry& entry : evaluation_.entries) {
        if (entry.threshold == t) files.push_back(entry.pairs.file());
      }
      // The least threshold is the first, and its methods find the most.
      TWINSET_ASSIGN(
          const Recapture recapture,
          MergeCaptures(base(), files, options.floor, options.thresholds[t],
                        t == 0 ? kTruthFile : "merged.run"));
      RecaptureResult result;
      result.seen = recapture.seen;
      for (const auto& strata : recapture.against_others) {
        TWINSET_ASSIGN(const SizeEstimate size,
                       StratifiedChapman(JoinSmallStrata(strata)));
        if (!result.by_method.empty() &&
            size.size > result.by_method[result.largest].size) {
          result.largest = result.by_method.size();
        }
        result.by_method.push_back(size);
      }
      for (const auto& strata : recapture.of_two) {
        TWINSET_ASSIGN(const SizeEstimate size,
                       StratifiedChapman(JoinSmallStrata(strata)));
        result.of_two.push_back(size);
      }
      evaluation_.recapture.push_back(std::move(result));
    }
    return {};
  }

  // Pairs of one group were caught together: sizes are less sure than of as
  // many that were caught one by one.
  Status GroupRecaptured() {
    for (size_t t = 0; t < evaluation_.recapture.size(); ++t) {
      TWINSET_ASSIGN(
          const GroupedTrials seen,
          GroupTruth(base(), truth_, evaluation_.options.thresholds[t]));
      RecaptureResult& result = evaluation_.recapture[t];
      result.groups = seen.worth();
      if (!(result.groups > 0)) continue;
      const double pairs = static_cast<double>(seen.trials());
      for (auto* sizes : {&result.by_method, &result.of_two}) {
        for (SizeEstimate& size : *sizes)
          size = CaughtTogether(size, pairs, result.groups);
      }
    }
    return {};
  }

  // The figures of each set; those of the set that is named are counted.
  Status CountSets(double threshold, BestTruth* best,
                   PagedArray<uint64_t>* hosts, EvaluationEntry* entry) {
    const MethodPairs& pairs = entry->pairs;
    for (size_t i = 0; i < kPairSets; ++i) {
      SetFigures& figures = entry->sets[i];
      if (pairs.files[i] == pairs.file()) {
        figures = {entry->counts.all, entry->groups.all, {}};
      } else {
        TWINSET_ASSIGN(
            const MethodCounts counts,
            CountMethod(base(), truth_, evaluation_.truth[entry->threshold],
                        pairs.files[i], threshold, 0, hosts));
        TWINSET_ASSIGN(
            const MethodGroups groups,
            GroupMethod(base(), truth_, {}, pairs.files[i], threshold, hosts));
        figures = {counts.all, groups.all, {}};
      }
      TWINSET_ASSIGN(figures.documents, best->Reach(pairs.files[i]));
    }
    return {};
  }

  Status CountAll() {
    const EvaluateOptions& options = evaluation_.options;
    if (Estimated(options)) {
      TWINSET_TRY(Recaptured());
      TWINSET_TRY(GroupRecaptured());
    }
    TWINSET_ASSIGN(auto hosts, LoadHosts(base()));
    TWINSET_ASSIGN(evaluation_.truth,
                   CountTruth(base(), truth_, options.thresholds,
                              options.sample, &hosts, &evaluation_.bins));
    for (EvaluationEntry& entry : evaluation_.entries) {
      const double threshold = options.thresholds[entry.threshold];
      TWINSET_ASSIGN(
          entry.counts,
          CountMethod(base(), truth_, evaluation_.truth[entry.threshold],
                      entry.pairs.file(), threshold, options.sample / 4,
                      &hosts));
      TWINSET_ASSIGN(
          entry.groups,
          GroupMethod(base(), truth_, evaluation_.truth[entry.threshold].sample,
                      entry.pairs.file(), threshold, &hosts));
      TWINSET_ASSIGN(BestTruth best,
                     BestTruth::Load(base(), truth_, threshold));
      TWINSET_TRY(CountSets(threshold, &best, &hosts, &entry));
      TWINSET_ASSIGN(entry.spread, SpreadOf(base(), entry.pairs.files[0],
                                            &entry.hub_documents));
      TWINSET_TRY(base()->CheckStop());
    }
    return {};
  }

  // Every sampled pair once.
  std::vector<CandidatePair> SampledPairs() const {
    std::vector<CandidatePair> pairs;
    const auto add = [&](const std::vector<SampledPair>& sample) {
      for (const SampledPair& pair : sample) pairs.push_back({pair.a, pair.b});
    };
    for (const TruthCounts& truth : evaluation_.truth) add(truth.sample);
    for (const EvaluationEntry& entry : evaluation_.entries)
      add(entry.counts.wrong);
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
  }

  Status LookAtKinds() {
    if (evaluation_.options.sample == 0) return {};
    const std::vector<CandidatePair> pairs = SampledPairs();
    TWINSET_ASSIGN(const auto kinds, KindsOfPairs(base(), pairs));
    const auto kind_of = [&](const SampledPair& pair) {
      const auto place = std::lower_bound(pairs.begin(), pairs.end(),
                                          CandidatePair{pair.a, pair.b});
      return static_cast<size_t>(
          kinds[static_cast<size_t>(place - pairs.begin())]);
    };
    for (EvaluationEntry& entry : evaluation_.entries) {
      const auto& sample = evaluation_.truth[entry.threshold].sample;
      // Sampled pairs of a kind and group, and how many of them were found.
      std::map<std::pair<size_t, uint64_t>, std::pair<uint64_t, uint64_t>>
          groups;
      for (size_t i = 0; i < sample.size(); ++i) {
        const size_t kind = kind_of(sample[i]);
        const bool found = entry.counts.sample_found[i];
        auto& group = groups[{kind, entry.groups.of_sample[i]}];
        ++group.first;
        group.second += found;
        ++entry.kinds[kind].real;
        entry.kinds[kind].found += found;
        if (!found && !entry.missed[kind])
          entry.missed[kind] = CandidatePair{sample[i].a, sample[i].b};
      }
      for (const auto& [of, counts] : groups)
        entry.kinds[of.first].recall.Add(counts.first, counts.second);
      for (const SampledPair& pair : entry.counts.wrong) {
        const size_t kind = kind_of(pair);
        ++entry.kinds[kind].wrong;
        if (!entry.wrong[kind])
          entry.wrong[kind] = CandidatePair{pair.a, pair.b};
      }
    }
    return {};
  }

  Status NameExamples() {
    for (const EvaluationEntry& entry : evaluation_.entries) {
      for (const auto* examples : {&entry.missed, &entry.wrong}) {
        for (const auto& pair : *examples) {
          if (!pair) continue;
          evaluation_.ids[pair->a];
          evaluation_.ids[pair->b];
        }
      }
      for (const uint64_t hub : entry.hub_documents) evaluation_.ids[hub];
    }
    TWINSET_ASSIGN(const auto ids, OpenBlob(*base(), "ids.blob"));
    for (auto& [document, id] : evaluation_.ids)
      TWINSET_TRY(ids.ReadOne(document, &id));
    return {};
  }

  void TakeCounts() {
    const ReadCounts& read = base()->counts.read;
    evaluation_.token_filter = base()->plan.features.token_filter;
    evaluation_.documents = base()->documents();
    evaluation_.counted = CountedDocuments(*base());
    evaluation_.empty = read.empty;
    evaluation_.copies = base()->counts.order.copies;
    evaluation_.incomplete = read.incomplete;
    evaluation_.complete = evaluation_.incomplete.empty();
    evaluation_.field_warnings = ReadWarnings(*base());
    for (const std::string& warning : base()->warnings)
      evaluation_.field_warnings.push_back(warning);
    evaluation_.truth_seconds = runs_->truth_seconds();
    evaluation_.truth_peak_bytes = runs_->truth_peak_bytes();
  }

  Evaluation evaluation_;
  std::optional<RunFolders>* folders_;
  std::unique_ptr<EvaluationRuns> runs_;
  TruthSource truth_;
};

}  // namespace

std::vector<std::string> EvaluationWarnings(const Evaluation& evaluation) {
  std::vector<std::string> warnings = evaluation.field_warnings;
  for (const std::string& source : evaluation.incomplete)
    warnings.push_back(source + " could not be read to its end");
  if (!evaluation.judged) return warnings;
  const JudgedPairs& judged = *evaluation.judged;
  if (judged.unknown > 0) {
    std::string text = std::to_string(judged.unknown) +
                       " judged pairs name documents that are not in the "
                       "inputs, as";
    for (const std::string& id : judged.missing) text += " " + id;
    warnings.push_back(text);
  }
  if (judged.undecided > 0) {
    warnings.push_back(std::to_string(judged.undecided) +
                       " judged pairs have a label that is no number");
  }
  return warnings;
}

Result<Evaluation> RunEvaluation(const EvaluateOptions& options,
                                 std::optional<RunFolders>* folders) {
  const auto begin = std::chrono::steady_clock::now();
  TWINSET_ASSIGN(const EvaluateOptions checked, CheckedOptions(options));
  TWINSET_ASSIGN(Evaluation evaluation, Evaluating(checked, folders).Do());
  evaluation.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count();
  return evaluation;
}

Result<EvaluationSummary> v1::Evaluate(const EvaluateOptions& options) try {
  std::optional<RunFolders> folders;
  TWINSET_ASSIGN(const Evaluation evaluation, RunEvaluation(options, &folders));
  EvaluationSummary summary;
  summary.documents = evaluation.documents;
  for (const EvaluationEntry& entry : evaluation.entries)
    summary.rows.push_back(RowOf(evaluation, entry));
  summary.warnings = EvaluationWarnings(evaluation);
  summary.json = EvaluationJson(evaluation);
  const std::string out = evaluation.options.out + "/evaluation";
  TWINSET_TRY(WriteWholeFile(out + ".csv", EvaluationCsv(evaluation)));
  summary.page = ResultPage(EvaluationPage(evaluation));
  TWINSET_TRY(WriteKeptPage(*summary.page.kept(), evaluation.options.out,
                            summary.kPageFile));
  TWINSET_TRY(WriteWholeFile(out + ".json", summary.json.dump(2) + "\n"));
  return summary;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
