// Finds duplicates inside a corpus: the main job.
#ifndef TWINSET_DEDUP_H_
#define TWINSET_DEDUP_H_

#include <cstdint>

#include "twinset/error.h"
#include "twinset/options.h"
#include "twinset/run_summary.h"

namespace twinset {
inline namespace v1 {

// What a finished run did. The files in `DedupOptions::out` hold the rest.
struct DedupSummary : RunSummary {
  uint64_t pairs = 0, clusters = 0, kept = 0, dropped = 0;
};

// Reads every input, finds and verifies the pairs, clusters them and writes the
// result files (docs/formats/results.md) into options.out, summary.json last.
// Errors: kUsage for bad options (nothing was written), kIo,
// kMemory, kInterrupted. After any of the last three the folder can be resumed
// with the same options plus resume = true. Memory:
// options.resources.memory_bytes + 64 MB. Thread-safe as long as `out` differs.
// A kernel target (resources.simd) belongs to the whole process: while one run
// holds a target, a run that asks for a different one is refused (kUsage), and
// a run that asks for none uses it too. A run changes nothing else in the
// process.
Result<DedupSummary> Dedup(const DedupOptions& options);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_DEDUP_H_
