// Candidates of a study that people judge, and what their labels say of them
// (docs/methods/transfer-study.md).
#ifndef TWINSET_SRC_CORPORA_TRANSFER_ASSESSED_PAIRS_H_
#define TWINSET_SRC_CORPORA_TRANSFER_ASSESSED_PAIRS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "transfer/study_plan.h"
#include "twinset/corpora/study_assessment.h"
#include "twinset/error.h"

namespace twinset {

struct FoundPair {
  std::string a, b;
  double similarity = 0;
  double grade = 0;  // 0 also where the run gives none

  static void Fields(auto& pair, auto& field) {
    field("a", pair.a);
    field("b", pair.b);
    field("similarity", pair.similarity);
    field("grade", pair.grade);
  }
};

// A simple random sample of pairs: those with the least hashes of both ids
// under the seed, so that neither their order nor the threads of a run matter,
// and samples of several mixes share as many pairs as they can.
class AssessSample {
 public:
  AssessSample(size_t most, uint64_t seed) : most_(most), seed_(seed) {}
  void Add(const FoundPair& pair);
  // A row with the fields of each, in the order of the draw.
  Status Write(const std::string& path) const;

 private:
  struct Drawn {
    uint64_t draw = 0;
    FoundPair pair;
    friend bool operator<(const Drawn& x, const Drawn& y) {
      return std::tie(x.draw, x.pair.a, x.pair.b) <
             std::tie(y.draw, y.pair.a, y.pair.b);
    }
  };
  size_t most_;
  uint64_t seed_;
  std::vector<Drawn> drawn_;  // a heap, the greatest draw first
};

struct AssessmentInput {
  const StudyPlan* plan = nullptr;
  // The samples of one content, by mix: its name and what Write wrote.
  std::vector<std::pair<std::string, std::string>> samples;
  std::string labelled;  // where pairs with labels go, with "label" 1 or 0
};

// kUsage, kIo or kCorrupt for labels that AssessPairs would not take: asked
// before hours of searches.
Status CheckLabels(const std::vector<std::string>& paths);

// How many pairs each sample has. With labels: of the pairs that people decide,
// by the majority of assessors, the share that they call duplicates, beside the
// shares that are near-duplicates by J and by grade and how often these agree
// with the people; and what a transfer along the labelled pairs brings under
// each of the three. Pairs are told by their ids. kCorrupt for bad labels.
Result<StudyAssessment> AssessPairs(const AssessmentInput& input,
                                    std::vector<std::string>* warnings);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_TRANSFER_ASSESSED_PAIRS_H_
