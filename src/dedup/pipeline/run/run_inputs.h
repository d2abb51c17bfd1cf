// What the files of a run were when it began: a line for each in a file of the
// work folder, so that a million of them need no memory
// (src/ground/store/FORMAT.md). And how many threads help to read them.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RUN_RUN_INPUTS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RUN_RUN_INPUTS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/memory_budget.h"
#include "pipeline/run/plan.h"
#include "twinset/error.h"

namespace twinset {

// Calls `body` for each input that the run itself reads, in order: none that
// saved runs or shards have read for it.
Status ForEachReadInput(const Plan& plan,
                        const std::function<Status(const InputFile&)>& body);

// Writes work file `kRunInputs`; its digest, for the journal.
inline constexpr char kRunInputs[] = "inputs.jsonl";
Result<std::string> RecordRunInputs(const Plan& plan);

// The first file that is not what it was, in words; empty if there is none.
// `digest`: as the journal has it; kCorrupt if the work file has another.
Result<std::string> CompareRunInputs(const Plan& plan,
                                     const std::string& digest);

// How many threads decode a compressed input ahead of its reader: for the
// inputs that a stage reads one after the other. What the threads take is held
// from the first such input on. One thread at a time.
class AheadThreads {
 public:
  AheadThreads(const Plan& plan, MemoryBudget* budget)
      : plan_(plan), budget_(budget) {}

  // `options` for `input`: with as many threads as the run has beside the
  // reader, fewer or none where they would take more than an eighth of its
  // memory.
  ReadOptions Of(const InputFile& input, ReadOptions options);

 private:
  static constexpr uint64_t kShare = 8;
  static constexpr uint64_t kLeastFile = 1 << 20;

  const Plan& plan_;
  MemoryBudget* const budget_;
  Reservation memory_;
  int threads_ = 0;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RUN_RUN_INPUTS_H_
