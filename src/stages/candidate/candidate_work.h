// How much work it is to find candidates, where that is no small matter for
// each document.
#ifndef TWINSET_SRC_STAGES_CANDIDATE_CANDIDATE_WORK_H_
#define TWINSET_SRC_STAGES_CANDIDATE_CANDIDATE_WORK_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "candidate/tables.h"

namespace twinset {

struct CandidateWork {
  // Steps for so many documents that look for partners among `others`; one
  // collection among itself: both are the same number and `two_collections` is
  // false. Empty: near-linear, a few steps a document.
  std::function<double(double asking, double others, bool two_collections)>
      steps;
  std::string_view unit;    // what a step is, in the plural
  double step_seconds = 0;  // of one thread of a common machine, about
  bool uses_threads = false;
  std::string remedy;  // flags that cost less, in words
};

// Probabilistic matching (psm.h): every set of flips is looked up for each
// document, or the first `probes` of them.
CandidateWork PsmWork(int bits, int distance, uint64_t probes);

// The Hamming join: pairs that agree in one of distance + 1 blocks are
// compared. As for uniform fingerprints: a lower bound.
CandidateWork HammingJoinWork(int bits, int distance);

// Keys of tables: pairs that share a key, in buckets of at most
// `bucket_limit` (0: any size). As for uniform fingerprints: a lower bound.
CandidateWork TableWork(const TableDesign& design, uint64_t bucket_limit);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_CANDIDATE_WORK_H_
