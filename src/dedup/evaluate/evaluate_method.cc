// A method run for an evaluation: its pairs in the three sets.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/file.h"
#include "evaluate/class_expansion.h"
#include "evaluate/evaluate_run.h"
#include "evaluate/evaluate_timing.h"
#include "pipeline/pairs/identical_pairs.h"
#include "pipeline/pairs/sketch_pass.h"
#include "pipeline/read/stored_sketches.h"

namespace twinset {

namespace {

constexpr char kCandidatesRun[] = "candidates.run";
constexpr char kDecidedRun[] = "candidates-decided.run";
constexpr char kVerifiedRun[] = "verified.run";

// Keeps the exact sizes of documents from a method: they are no part of what it
// says itself. With `fully`, scores are exact, whatever is compared.
class SizeBlindVerifier : public Verifier {
 public:
  SizeBlindVerifier(std::unique_ptr<Verifier> verifier, bool fully)
      : verifier_(std::move(verifier)), fully_(fully) {}
  Verdict Compare(std::string_view a, std::string_view b) const override {
    return fully_ ? verifier_->CompareFully(a, b) : verifier_->Compare(a, b);
  }
  bool CanReach(uint64_t, uint64_t) const override { return true; }

 private:
  std::unique_ptr<Verifier> verifier_;
  const bool fully_;
};

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

// Returns true iff the method decides by sketches of its own, as --verify none
// lets it.
Result<bool> DecidesBySketches(const Plan& plan) {
  if (!IsHashed(plan.features.form)) return false;
  TWINSET_ASSIGN(const MethodParts parts,
                 plan.features.method->make(plan.options.method, nullptr));
  return !parts.sketchers.empty() && !parts.complete;
}

// decided.run: of the candidates those that pass the filter, or without one
// those whose estimate reaches the threshold; equal documents always do.
Result<uint64_t> Decide(Run* run, const PairFilter* filter) {
  TWINSET_ASSIGN(auto candidates, OpenRun<CandidatePair>(*run, kCandidatesRun));
  TWINSET_ASSIGN(auto writer, CreateRun<CandidatePair>(*run, kDecidedRun));
  TWINSET_ASSIGN(auto identical, IdenticalPairs::Open(*run));
  const auto passed = [](const CandidatePair&) { return Status(); };
  const Sketcher& sketcher = *run->parts.sketchers[0];
  const double threshold = run->plan.options.method.threshold;
  TWINSET_TRY(ForEachSketchPair(
      run, [&](CandidatePair* pair) { return candidates.Next(pair); },
      [&](const CandidatePair& pair, std::span<const SketchView> a,
          std::span<const SketchView> b) -> Status {
        TWINSET_ASSIGN(const bool equal, identical.Contains(pair, passed));
        const bool decided =
            equal ||
            (filter != nullptr ? filter->Passes(a, b)
                               : sketcher.Estimate(a[0], b[0]) >= threshold);
        return decided ? writer.Append(pair) : Status();
      }));
  TWINSET_TRY(writer.Finish());
  return writer.count();
}

// Mean bytes of the sketches, and keys, of documents that have a sketch.
Status MeasureSketches(const Run& run, MethodPairs* pairs) {
  TWINSET_ASSIGN(auto reader, OpenBlob(run, run.sketches_file()));
  uint64_t sketched = 0, bytes = 0;
  std::string_view blob;
  std::string aligned;
  std::vector<SketchView> sketches;
  for (;;) {
    TWINSET_ASSIGN(const bool more, reader.Next(&blob));
    if (!more) break;
    if (blob.empty()) continue;
    aligned = blob;
    TWINSET_TRY(DecodeSketches(aligned, run.parts.sketchers.size(), &sketches));
    ++sketched;
    for (const SketchView sketch : sketches)
      bytes += sketch.size() * sizeof(uint32_t);
  }
  if (sketched == 0) return {};
  const auto each = [&](uint64_t sum) {
    return static_cast<double>(sum) / static_cast<double>(sketched);
  };
  pairs->sketch_bytes = each(bytes);
  pairs->keys = each(run.counts.candidate.postings.value_or(0));
  return {};
}

}  // namespace

Result<MethodPairs> EvaluationRuns::RunMethod(const EvaluateMethod& method,
                                              double threshold,
                                              const std::string& name) {
  TWINSET_ASSIGN(Plan plan, PlanOf(method, threshold));
  TWINSET_ASSIGN(ReadGroup * group, GroupOf(plan));
  const Run& read = *group->run;
  plan.machine.work += "/" + std::to_string(runs_++);
  plan.hashes = read.plan.hashes;
  TWINSET_ASSIGN(const bool decides, DecidesBySketches(plan));
  if (decides) plan.options.method.verify = false;  // stores the sketches
  TWINSET_TRY(MakeDirectories(plan.machine.work));
  TWINSET_TRY(LinkFiles(read.plan.machine.work, plan.machine.work));
  TWINSET_ASSIGN(Journal journal, Journal::Create(plan.machine.work, "{}"));
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
      std::make_unique<SizeBlindVerifier>(std::move(run.parts.verifier), false);
  // Kept from the stage, whose pairs are then all that the method proposes.
  const std::unique_ptr<PairFilter> filter = std::move(run.parts.filter);
  TWINSET_TRY(Timed(&run, "candidate", CandidateStage));
  MethodPairs pairs;
  for (size_t i = 0; i < kPairSets; ++i)
    pairs.files[i] = name + "-" + std::to_string(i) + ".run";
  if (run.parts.complete) {
    // What a complete join looks at depends on memory and on the secret; what
    // it finds does not.
    TWINSET_TRY(Timed(&run, "verify", VerifyStage));
    pairs.candidates = pairs.proposed = run.counts.verify.accepted;
  } else {
    pairs.candidates = pairs.proposed = run.counts.candidate.pairs;
  }
  pairs.seconds = run.stage_seconds;
  if (decides) {
    const auto begin = EvaluationClock::now();
    TWINSET_ASSIGN(const uint64_t decided, Decide(&run, filter.get()));
    TWINSET_TRY(MeasureSketches(run, &pairs));
    if (filter != nullptr) {
      pairs.named = PairSet::kDecision;
      pairs.candidates = decided;
      pairs.seconds["decide"] = SecondsSince(begin);
    }
  } else {
    pairs.files[static_cast<size_t>(PairSet::kDecision)] = pairs.files[0];
  }
  pairs.bands = run.parts.bands;
  pairs.rows = run.parts.rows;
  pairs.expected_recall = run.parts.expected_recall;
  for (const char* stage : {"read", "order"})
    pairs.seconds[stage] = read.stage_seconds.at(stage);
  pairs.peak_bytes = std::max(PeakResident(options_), group->peak_bytes);
  TWINSET_TRY(ScoreCandidates(&run, group, &pairs));
  if (decides) TWINSET_TRY(KeepDecided(&run, group, &pairs));
  TWINSET_TRY(KeepVerified(threshold, &pairs));
  TWINSET_TRY(RemoveTree(run.plan.machine.work));
  return pairs;
}

// Pairs of leaders of `run` to pairs of all documents, by their base numbers.
Status EvaluationRuns::Expand(Run* run, ReadGroup* group,
                              const std::string& file,
                              ExternalSorter<CandidatePair>* expanded,
                              uint64_t* outside) {
  std::optional<RunReader<CandidatePair>> candidates;
  std::optional<RunReader<VerifiedPair>> verified;
  if (file == kVerifiedRun) {
    TWINSET_ASSIGN(verified, OpenRun<VerifiedPair>(*run, file));
  } else {
    TWINSET_ASSIGN(candidates, OpenRun<CandidatePair>(*run, file));
  }
  TWINSET_TRY(ExpandClasses(
      run,
      [&](VerifiedPair* pair) -> Result<bool> {
        if (verified) return verified->Next(pair);
        CandidatePair candidate;
        TWINSET_ASSIGN(const bool more, candidates->Next(&candidate));
        *pair = {candidate.a, candidate.b, 0};
        return more;
      },
      [&](const VerifiedPair& pair) -> Status {
        uint64_t a = pair.a, b = pair.b;
        if (group->to_base) {
          TWINSET_ASSIGN(a, group->to_base->Get(a));
          TWINSET_ASSIGN(b, group->to_base->Get(b));
          if (a == 0 || b == 0) {
            ++*outside;
            return {};
          }
          --a;
          --b;
        }
        return expanded->Add(CandidatePair::Of(a, b));
      }));
  return expanded->Finish();
}

Status EvaluationRuns::ScoreCandidates(Run* run, ReadGroup* group,
                                       MethodPairs* pairs) {
  ExternalSortOptions sort = base_->SortOptions("expanded", 4);
  sort.unique = true;
  ExternalSorter<CandidatePair> expanded(sort, &base_->budget);
  TWINSET_TRY(Expand(run, group,
                     run->parts.complete ? kVerifiedRun : kCandidatesRun,
                     &expanded, &pairs->outside));
  TWINSET_ASSIGN(auto writer, CreateRun<VerifiedPair>(*base_, pairs->files[0]));
  if (!scores_fully_) {
    base_->parts.verifier = std::make_unique<SizeBlindVerifier>(
        std::move(base_->parts.verifier), true);
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

// Keeps those of the scored candidates that the method decides on.
Status EvaluationRuns::KeepDecided(Run* run, ReadGroup* group,
                                   MethodPairs* pairs) {
  ExternalSortOptions sort = base_->SortOptions("decided", 4);
  sort.unique = true;
  ExternalSorter<CandidatePair> decided(sort, &base_->budget);
  uint64_t outside = 0;
  TWINSET_TRY(Expand(run, group, kDecidedRun, &decided, &outside));
  TWINSET_ASSIGN(
      auto writer,
      CreateRun<VerifiedPair>(
          *base_, pairs->files[static_cast<size_t>(PairSet::kDecision)]));
  CandidatePair next;
  TWINSET_ASSIGN(bool more, decided.Next(&next));
  TWINSET_TRY(ForEachRecord<VerifiedPair>(
      *base_, pairs->files[0], [&](const VerifiedPair& pair) -> Status {
        const CandidatePair scored{pair.a, pair.b};
        // Pairs without features here are among the decided alone.
        while (more && next < scored) {
          ++outside;
          TWINSET_ASSIGN(more, decided.Next(&next));
        }
        if (!more || scored < next) return {};
        TWINSET_ASSIGN(more, decided.Next(&next));
        return writer.Append(pair);
      }));
  for (; more; ++outside) {
    TWINSET_ASSIGN(more, decided.Next(&next));
  }
  TWINSET_TRY(writer.Finish());
  if (pairs->named == PairSet::kDecision) {
    pairs->count = writer.count();
    pairs->outside = outside;
  }
  return {};
}

// Keeps those of the pairs that dedup would verify which it would also keep. If
// people have judged pairs, these are measured, so that a method that compares
// by itself and one that hands on candidates are both judged by what a run
// would list.
Status EvaluationRuns::KeepVerified(double threshold, MethodPairs* pairs) {
  TWINSET_ASSIGN(
      auto writer,
      CreateRun<VerifiedPair>(
          *base_, pairs->files[static_cast<size_t>(PairSet::kVerified)]));
  TWINSET_TRY(ForEachRecord<VerifiedPair>(
      *base_, pairs->file(), [&](const VerifiedPair& pair) {
        return pair.score >= threshold ? writer.Append(pair) : Status();
      }));
  TWINSET_TRY(writer.Finish());
  if (!options_.judged.empty()) {
    pairs->named = PairSet::kVerified;
    pairs->count = writer.count();
  }
  return {};
}

}  // namespace twinset
