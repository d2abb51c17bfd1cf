#include "pipeline/pairs/stage_costs.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "twinset/plain_words.h"

namespace twinset {

namespace {

// Fewer pairs are compared sooner than a sample of them says much.
constexpr uint64_t kFewPairs = 100'000;
constexpr double kSampleSeconds = .2;
constexpr uint64_t kSamplePairs = 4096;

// For more pairs than these, the last of some batches tells more: batches go
// faster once many pairs of the same documents have come.
constexpr uint64_t kBatchedPairs = 1 << 19;
constexpr double kBatchesSeconds = .4;

using Clock = std::chrono::steady_clock;

// What comparing a pair takes, by the first of the candidates.
Result<double> SecondsOneByOne(const Run& run) {
  TWINSET_ASSIGN(auto candidates,
                 OpenRun<CandidatePair>(run, "candidates.run"));
  TWINSET_ASSIGN(const auto features, OpenBlob(run, run.features_file));
  uint64_t compared = 0;
  double seconds = 0;
  CandidatePair pair;
  std::string a, b;
  while (compared < kSamplePairs && seconds < kSampleSeconds) {
    TWINSET_ASSIGN(const bool more, candidates.Next(&pair));
    if (!more) break;
    TWINSET_TRY(features.ReadOne(pair.a, &a));
    TWINSET_TRY(features.ReadOne(pair.b, &b));
    const auto begin = Clock::now();
    (void)run.parts.verifier->Compare(a, b);
    seconds += SecondsSince(begin);
    ++compared;
  }
  return seconds / static_cast<double>(std::max<uint64_t>(1, compared)) /
         run.plan.machine.threads;
}

Result<double> SecondsInBatches(Run* run) {
  TWINSET_ASSIGN(auto candidates,
                 OpenRun<CandidatePair>(*run, "candidates.run"));
  const uint64_t compared = run->compared_pairs;
  const auto begin = Clock::now();
  auto of_batch = begin;
  uint64_t given = 0, before = 0;
  bool is_new = false;
  TWINSET_TRY(VerifyPairs(
      run, 0,
      [&](CandidatePair* pair) -> Result<bool> {
        if (std::exchange(is_new, false)) {
          if (given >= kBatchedPairs || SecondsSince(begin) > kBatchesSeconds)
            return false;
          of_batch = Clock::now();
          before = given;
        }
        ++given;
        return candidates.Next(pair);
      },
      [&](const CandidatePair&, const Verifier::Verdict&) {
        is_new = true;
        return Status();
      },
      /*only_accepted=*/true));
  run->compared_pairs = compared;
  return SecondsSince(of_batch) /
         static_cast<double>(std::max<uint64_t>(1, given - before));
}

// Documents of which none equals another.
Seekers SeekersOf(const Run& run) {
  const RunCounts& counts = run.counts;
  const uint64_t documents = run.documents();
  const uint64_t without =
      std::min(documents, counts.read.empty + counts.order.copies);
  Seekers seekers;
  seekers.asking = seekers.others = static_cast<double>(documents - without);
  if (run.plan.inputs.first_side == 0 || documents == 0) return seekers;
  const double of_a =
      static_cast<double>(counts.read.sides[0].outcome.documents) /
      static_cast<double>(documents);
  seekers.others = seekers.asking * (1 - of_a);
  seekers.asking *= of_a;
  return seekers;
}

}  // namespace

std::optional<StageCost> CandidateCost(const CandidateWork& work,
                                       const Seekers& seekers,
                                       bool two_collections, int threads) {
  if (!work.steps) return {};
  StageCost cost;
  cost.stage = "candidate";
  cost.steps = work.steps(seekers.asking, seekers.others, two_collections);
  cost.unit = work.unit;
  cost.seconds =
      cost.steps * work.step_seconds / (work.uses_threads ? threads : 1);
  cost.remedy = work.remedy;
  return cost;
}

std::optional<StageCost> CandidateCost(const Run& run) {
  return CandidateCost(run.parts.work, SeekersOf(run),
                       run.plan.inputs.first_side != 0,
                       run.plan.machine.threads);
}

StageCost VerifyCost(const PlanOptions& options, double pairs, double seconds) {
  StageCost cost;
  cost.stage = "verify";
  cost.steps = pairs;
  cost.unit =
      "pairs compared by " + std::string(ChoiceName(options.method.measure));
  cost.seconds = seconds;
  cost.remedy =
      options.method.measure == Measure::kEdit ||
              options.method.measure == Measure::kEditChars
          ? "--measure jaccard compares in a fraction of the time; a --method "
            "with sketches proposes fewer pairs"
          : "a higher --threshold, or --max-df or --ignore for common text, "
            "leaves fewer";
  return cost;
}

Result<std::optional<StageCost>> VerifyCost(Run* run) {
  if (!run->plan.options.method.verify) return std::nullopt;
  TWINSET_ASSIGN(const auto candidates,
                 OpenRun<CandidatePair>(*run, "candidates.run"));
  const uint64_t pairs = candidates.count();
  if (pairs < kFewPairs) return std::nullopt;
  const bool in_batches = pairs > kBatchedPairs &&
                          run->parts.verifier->GoesByCommon() &&
                          !run->plan.checks_texts();
  TWINSET_ASSIGN(const double each,
                 in_batches ? SecondsInBatches(run) : SecondsOneByOne(*run));
  const auto all = static_cast<double>(pairs);
  return std::optional(VerifyCost(run->plan.options, all, each * all));
}

std::string CostText(const StageCost& cost) {
  constexpr double kMost = 1e18;
  const auto steps = static_cast<uint64_t>(std::min(kMost, cost.steps));
  std::string text(cost.stage);
  text += (cost.steps > kMost ? ": more than " : ": ") +
          CountText(steps, cost.unit, cost.unit) + ", about " +
          SecondsText(std::min(kMost, cost.seconds));
  return cost.remedy.empty() ? text : text + "; " + cost.remedy;
}

void TellCost(const Run& run, const std::optional<StageCost>& cost) {
  const PlanOptions& options = run.plan.options;
  if (options.on_notice && cost && cost->seconds >= options.notice_seconds)
    options.on_notice(CostText(*cost));
}

}  // namespace twinset
