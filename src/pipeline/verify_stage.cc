// The verify stage: every candidate pair is measured exactly.
// See docs/methods/verification.md.
#include <vector>

#include "base/parallel.h"
#include "pipeline/run.h"

namespace twinset {

namespace {
constexpr size_t kMaxBatchPairs = 1 << 17;
}

Status VerifyPairs(
    Run* run, const std::string& tag,
    const std::function<Result<bool>(CandidatePair*)>& next,
    const std::function<Status(const CandidatePair&, const Verifier::Verdict&)>&
        body) {
  TWINSET_ASSIGN(auto reader, BlobReader::Open(run->Path(run->features_file),
                                               run->plan.parameters_hash));
  const Reservation tables = run->budget.ReserveUpTo(
      kMaxBatchPairs * (sizeof(CandidatePair) + sizeof(Verifier::Verdict)),
      1 << 20);
  const size_t max_pairs =
      tables.bytes() / (sizeof(CandidatePair) + sizeof(Verifier::Verdict));
  BlobBatch batch(&reader, run->Share(2), &run->budget);
  std::vector<CandidatePair> pairs;
  std::vector<Verifier::Verdict> verdicts;
  CandidatePair pair;
  TWINSET_ASSIGN(bool more, next(&pair));
  for (uint64_t done = 0; more;) {
    TWINSET_TRY(run->CheckStop());
    batch.Clear();
    pairs.clear();
    while (more && pairs.size() < max_pairs) {
      TWINSET_ASSIGN(bool fits, batch.Request(pair.a));
      if (fits) {
        TWINSET_ASSIGN(fits, batch.Request(pair.b));
      }
      if (!fits) break;
      pairs.push_back(pair);
      TWINSET_ASSIGN(more, next(&pair));
    }
    TWINSET_TRY(batch.Load(run->plan.threads));
    verdicts.resize(pairs.size());
    ParallelFor(pairs.size(), 64, run->plan.threads,
                [&](size_t begin, size_t end) {
                  for (size_t i = begin; i < end; ++i) {
                    verdicts[i] = run->parts.verifier->Compare(
                        batch.Get(pairs[i].a), batch.Get(pairs[i].b));
                  }
                });
    for (size_t i = 0; i < pairs.size(); ++i)
      TWINSET_TRY(body(pairs[i], verdicts[i]));
    done += pairs.size();
    run->Report(tag, done, 0);
  }
  return {};
}

namespace {

// --verify none: the sketches' estimates instead.
Status EstimatePairs(Run* run, RunReader<CandidatePair>* candidates,
                     const std::function<Status(const VerifiedPair&)>& accept) {
  TWINSET_ASSIGN(auto sketches, BlobReader::Open(run->Path("sketches.blob"),
                                                 run->plan.parameters_hash));
  std::string a, b;
  const auto view = [](const std::string& bytes) {
    return SketchView(reinterpret_cast<const uint32_t*>(bytes.data()),
                      bytes.size() / sizeof(uint32_t));
  };
  CandidatePair pair;
  uint64_t last_a = ~uint64_t{0};
  for (;;) {
    TWINSET_ASSIGN(const bool more, candidates->Next(&pair));
    if (!more) return {};
    if (pair.a != last_a) TWINSET_TRY(sketches.ReadOne(pair.a, &a));
    last_a = pair.a;
    TWINSET_TRY(sketches.ReadOne(pair.b, &b));
    const double score = run->parts.sketchers[0]->Estimate(view(a), view(b));
    if (score >= run->plan.options.method.threshold) {
      TWINSET_TRY(accept({pair.a, pair.b, score}));
    }
  }
}

}  // namespace

Status VerifyStage(Run* run) {
  const uint64_t hash = run->plan.parameters_hash;
  TWINSET_ASSIGN(auto candidates, RunReader<CandidatePair>::Open(
                                      run->Path("candidates.run"), hash));
  TWINSET_ASSIGN(auto writer, RunWriter<VerifiedPair>::Create(
                                  run->Path("verified.run"), hash));
  if (run->plan.options.method.verify) {
    TWINSET_TRY(VerifyPairs(
        run, "verify",
        [&](CandidatePair* pair) { return candidates.Next(pair); },
        [&](const CandidatePair& pair, const Verifier::Verdict& verdict) {
          return verdict.accepted
                     ? writer.Append({pair.a, pair.b, verdict.score})
                     : Status();
        }));
  } else {
    TWINSET_TRY(EstimatePairs(run, &candidates, [&](const VerifiedPair& pair) {
      return writer.Append(pair);
    }));
  }
  TWINSET_TRY(writer.Finish());
  run->counts["verify"]["compared"] = candidates.count();
  run->counts["verify"]["accepted"] = writer.count();
  return run->journal.FinishStage("verify", {"verified.run"},
                                  run->counts["verify"].dump());
}

}  // namespace twinset
