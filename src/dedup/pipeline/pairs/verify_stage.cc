// The verify stage: every candidate pair is measured exactly.
// See docs/methods/verification.md.
#include <algorithm>
#include <atomic>
#include <optional>
#include <string_view>
#include <vector>

#include "base/parallel.h"
#include "options/parameters.h"
#include "pipeline/pairs/identical_pairs.h"
#include "pipeline/pairs/many_pairs.h"
#include "pipeline/pairs/pair_batch.h"
#include "pipeline/pairs/sketch_pass.h"
#include "pipeline/pairs/stage_costs.h"
#include "pipeline/read/kept_documents.h"
#include "pipeline/read/stored_sketches.h"
#include "pipeline/read/text_check.h"
#include "pipeline/run/run.h"

namespace twinset {

namespace {

// Asks for the beginning of a blob that is soon compared; the CPU sees that the
// rest follows.
[[gnu::always_inline]] inline void Prefetch(std::string_view blob) {
  constexpr size_t kLine = 64, kMost = 8 * kLine;
  for (size_t at = 0; at < std::min(blob.size(), kMost); at += kLine)
    __builtin_prefetch(blob.data() + at);
}

}  // namespace

Status VerifyPairs(Run* run, uint64_t pairs_of_step,
                   const std::function<Result<bool>(CandidatePair*)>& next,
                   const std::function<Status(const CandidatePair&,
                                              const Verifier::Verdict&)>& body,
                   bool only_accepted) {
  TWINSET_ASSIGN(auto reader, OpenBlob(*run, run->features_file));
  const Reservation tables = run->budget.ReserveUpTo(
      kMostBatchPairs * (sizeof(CandidatePair) + sizeof(Verifier::Verdict)),
      1 << 20);
  const size_t max_pairs =
      tables.bytes() / (sizeof(CandidatePair) + sizeof(Verifier::Verdict));
  std::vector<Verifier::Verdict> verdicts;
  uint64_t done = 0;
  std::optional<TextCheck> texts;
  if (run->plan.checks_texts()) {
    TWINSET_ASSIGN(texts, TextCheck::Open(*run));
  }
  std::atomic<uint64_t> corrected{0};
  std::vector<Status> read;
  const Verifier& verifier = *run->parts.verifier;
  ManyPairs many(verifier, run->Share(8), &run->budget,
                 run->plan.machine.threads);
  const auto verify = [&](std::span<const CandidatePair> pairs,
                          const BlobBatch& batch) -> Status {
    verdicts.resize(pairs.size());
    if (texts) read.assign(pairs.size(), Status());
    const bool are_many = many.Prepare(pairs, batch);
    const auto compare = [&](size_t i, std::string_view a, std::string_view b) {
      if (are_many) return many.Compare(i, /*fully=*/!only_accepted);
      return only_accepted ? verifier.Compare(a, b)
                           : verifier.CompareFully(a, b);
    };
    ParallelFor(pairs.size(), 64, run->plan.machine.threads,
                [&](size_t begin, size_t end) {
                  constexpr size_t kAhead = 3;
                  for (size_t i = begin; i < end; ++i) {
                    if (i + kAhead < end && !are_many) {
                      Prefetch(batch.Get(pairs[i + kAhead].a));
                      Prefetch(batch.Get(pairs[i + kAhead].b));
                    }
                    const std::string_view a = batch.Get(pairs[i].a);
                    const std::string_view b = batch.Get(pairs[i].b);
                    verdicts[i] = compare(i, a, b);
                    if (!texts || !(verdicts[i].accepted || !only_accepted))
                      continue;
                    const auto of_texts = texts->Compare(pairs[i], a, b);
                    if (!of_texts) {
                      read[i] = tl::unexpected(of_texts.error());
                    } else if (*of_texts) {
                      corrected += (*of_texts)->score != verdicts[i].score;
                      verdicts[i] = **of_texts;
                    }
                  }
                });
    for (const Status& status : read) TWINSET_TRY(status);
    for (size_t i = 0; i < pairs.size(); ++i)
      TWINSET_TRY(body(pairs[i], verdicts[i]));
    done += pairs.size();
    run->compared_pairs += pairs.size();
    if (pairs_of_step > 0) run->Report("pairs", done, pairs_of_step);
    return {};
  };
  // Memory that is touched for the first time costs more than reading some
  // documents once more.
  constexpr uint64_t kBatchBytes = 64 << 20;
  TWINSET_TRY(ForEachPairBatch<CandidatePair>(
      run, reader, std::min(run->Share(2), kBatchBytes), max_pairs, next,
      verify));
  if (texts && only_accepted) run->counts.verify.corrected = corrected.load();
  return {};
}

namespace {

// --verify none: the sketches' estimates instead.
Status EstimatePairs(Run* run, RunReader<CandidatePair>* candidates,
                     const std::function<Status(const VerifiedPair&)>& accept) {
  const Sketcher& sketcher = *run->parts.sketchers[0];
  TWINSET_ASSIGN(auto identical, IdenticalPairs::Open(*run));
  Meter meter(*run, "pairs", candidates->count());
  const auto passed = [](const CandidatePair&) { return Status(); };
  return ForEachSketchPair(
      run, [&](CandidatePair* pair) { return candidates->Next(pair); },
      [&](const CandidatePair& pair, std::span<const SketchView> a,
          std::span<const SketchView> b) -> Status {
        meter.Add();
        // Sketches need not see what tells equal documents.
        TWINSET_ASSIGN(const bool equal, identical.Contains(pair, passed));
        const double score = equal ? 1 : sketcher.Estimate(a[0], b[0]);
        // A method that decides by itself has decided.
        const bool decided = run->parts.filter != nullptr;
        if (!decided && score < run->plan.options.method.threshold) return {};
        return accept({pair.a, pair.b, score});
      });
}

}  // namespace

Status VerifyStage(Run* run) {
  if (run->plan.options.on_notice) {
    TWINSET_ASSIGN(const auto cost, VerifyCost(run));
    TellCost(*run, cost);
  }
  TWINSET_ASSIGN(auto candidates,
                 OpenRun<CandidatePair>(*run, "candidates.run"));
  TWINSET_ASSIGN(auto writer, CreateRun<VerifiedPair>(*run, "verified.run"));
  TWINSET_ASSIGN(auto kept, KeptPairs::Open(run));
  const KeptPairs::Sink append = [&](const VerifiedPair& pair) {
    return writer.Append(pair);
  };
  const auto accept = [&](const VerifiedPair& pair) -> Status {
    TWINSET_TRY(kept.Before(CandidatePair::Of(pair.a, pair.b), append));
    return append(pair);
  };
  std::string warning;
  if (run->plan.options.method.verify) {
    TWINSET_TRY(VerifyPairs(
        run, candidates.count(),
        [&](CandidatePair* pair) { return candidates.Next(pair); },
        [&](const CandidatePair& pair, const Verifier::Verdict& verdict) {
          return verdict.accepted
                     ? accept({pair.a, pair.b, verdict.score, verdict.shared})
                     : Status();
        },
        /*only_accepted=*/true));
  } else {
    const PlanOptions& options = run->plan.options;
    if (run->parts.ignores_threshold && IsGiven(options.method, "threshold"))
      warning =
          "--threshold has no effect: with --verify none the sketches "
          "of " +
          run->plan.features.method->info.name + " decide alone";
    TWINSET_TRY(EstimatePairs(run, &candidates, accept));
  }
  TWINSET_TRY(kept.Finish(append));
  TWINSET_TRY(writer.Finish());
  run->counts.verify.compared = candidates.count();
  run->counts.verify.accepted = writer.count();
  Json state = FieldsToJson(run->counts.verify);
  if (!warning.empty()) {
    run->warnings.push_back(warning);
    state[Run::kStageWarnings].push_back(warning);
  }
  return run->journal.FinishStage("verify", {"verified.run"}, state.dump());
}

}  // namespace twinset
