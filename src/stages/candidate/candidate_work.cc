#include "candidate/candidate_work.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "candidate/psm.h"

namespace twinset {

namespace {

// Measured on 64-bit fingerprints of 20,000 to 1,000,000 documents: a look-up
// in the filter of psm, one with its step of the heap, a comparison of two
// fingerprints of a bucket, and a pair of a bucket that is written, sorted and
// compared.
constexpr double kLookUpSeconds = 8e-9, kProbeSeconds = 90e-9,
                 kComparisonSeconds = 1e-9, kBucketPairSeconds = 60e-9;

double Pairs(double asking, double others, bool two_collections) {
  return two_collections ? asking * others : asking * (others - 1) / 2;
}

}  // namespace

CandidateWork PsmWork(int bits, int distance, uint64_t probes) {
  const uint64_t sets = FlipSets(bits, distance);
  const bool all = probes == 0 || probes >= sets;
  const auto each = static_cast<double>(all ? sets : probes);
  CandidateWork work;
  work.steps = [each](double asking, double, bool) { return asking * each; };
  work.unit = "look-ups";
  work.step_seconds = all ? kLookUpSeconds : kProbeSeconds;
  work.uses_threads = true;
  work.remedy =
      "--generator hamming finds the same pairs sooner; --probes N looks up "
      "the likeliest N of " +
      std::to_string(sets) + " alone";
  return work;
}

CandidateWork HammingJoinWork(int bits, int distance) {
  const int blocks = distance + 1;
  const double agree = blocks * std::exp2(-static_cast<double>(bits) / blocks);
  CandidateWork work;
  work.steps = [agree](double asking, double others, bool two) {
    return std::min(1.0, agree) * Pairs(asking, others, two);
  };
  work.unit = "comparisons of fingerprints";
  work.step_seconds = kComparisonSeconds;
  work.uses_threads = true;
  work.remedy = "a smaller --distance, or more --bits, leaves fewer";
  return work;
}

CandidateWork TableWork(const TableDesign& design, uint64_t bucket_limit) {
  std::vector<double> shares;  // of the documents, with an equal key
  for (const PermutedTable& table : design.tables)
    shares.push_back(std::exp2(-table.key_bits));
  CandidateWork work;
  work.steps = [shares, bucket_limit](double asking, double others, bool two) {
    double steps = 0;
    for (const double share : shares) {
      double met = others * share;
      if (bucket_limit > 0)
        met = std::min(met, static_cast<double>(bucket_limit));
      steps += asking * met / (two ? 1 : 2);
    }
    return steps;
  };
  work.unit = "pairs of equal keys";
  work.step_seconds = kBucketPairSeconds;
  work.remedy =
      "--generator hamming needs no keys; a smaller --distance, or --tables "
      "with longer keys, leaves fewer";
  return work;
}

}  // namespace twinset
