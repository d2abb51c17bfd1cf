// Features of the documents that later stages compare, where the read stage has
// left them out (--late-features): made in a second reading of the inputs.
// See docs/methods/external-memory.md.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_READ_LATE_FEATURES_H_
#define TWINSET_SRC_DEDUP_PIPELINE_READ_LATE_FEATURES_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "base/memory_budget.h"
#include "pipeline/run/run.h"
#include "twinset/error.h"

namespace twinset {

inline constexpr char kLateFeatures[] = "features-late.blob";

class LateFeatures {
 public:
  // Wants copies and those whom they are copies of.
  static Result<LateFeatures> Create(Run* run);
  void Want(uint64_t document) { wanted_[document] = true; }
  // Writes kLateFeatures: the features of wanted documents, for others nothing.
  // Those of pages, which the template stage has stored, are taken from there.
  // Checks that copies are equal. kIo where an input was changed meanwhile.
  Status Read();

 private:
  LateFeatures(Run* run, Reservation memory, uint64_t documents)
      : run_(run), memory_(std::move(memory)), wanted_(documents) {}
  Run* run_;
  Reservation memory_;
  std::vector<bool> wanted_;
};

// Later stages compare these.
inline void UseLateFeatures(Run* run) {
  run->features_file = run->unpruned_file = kLateFeatures;
}

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_READ_LATE_FEATURES_H_
