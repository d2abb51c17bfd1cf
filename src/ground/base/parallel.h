// The only door to threads. A thread that the system does not let start (a
// limit of processes or of memory) is done without: the caller always works
// itself. What a function that is handed over throws (memory that is not there)
// ends the work of the others too, and is thrown in the caller when they have
// come to an end.
#ifndef TWINSET_SRC_GROUND_BASE_PARALLEL_H_
#define TWINSET_SRC_GROUND_BASE_PARALLEL_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "twinset/error.h"

namespace twinset {

// More threads than this are not started, whatever is asked for.
inline constexpr int kMostThreads = 256;

// Calls body(begin, end) over disjoint ranges that cover [0, count), on up to
// `threads` threads, ranges of about `grain` elements. With threads == 1 it
// runs in the caller.
void ParallelFor(size_t count, size_t grain, int threads,
                 const std::function<void(size_t, size_t)>& body);

// Runs the jobs beside each other, begun in their order; the first error of the
// list, if any. A job that follows one that failed may have run or not.
Status RunBeside(int threads, const std::vector<std::function<Status()>>& jobs);

// Three-step pipeline: `source` and `sink` are called by one thread at a time
// and in order, `transform` in parallel; at most `tokens` items are in flight.
// source returns null at the end. The sink sees items in the order the source
// made them, whatever the threads did. `sink` returns false to stop early:
// items in flight are then dropped and source is not called again. With threads
// == 1 everything runs in the caller, one item after another. `source` may wait
// for what the sink gives back.
using PipelineItem = std::shared_ptr<void>;
void OrderedPipeline(int threads, size_t tokens,
                     const std::function<PipelineItem()>& source,
                     const std::function<void(void*)>& transform,
                     const std::function<bool(void*)>& sink);

// Runs `work` beside the caller; the destructor waits until it returns. If the
// system lets no thread start, it is not run, and what it throws only ends it:
// only for what can be left out.
class SideThread {
 public:
  explicit SideThread(std::function<void()> work);
  ~SideThread();
  SideThread(const SideThread&) = delete;
  SideThread& operator=(const SideThread&) = delete;

 private:
  class Helper;
  const std::function<void()> work_;
  std::unique_ptr<Helper> helper_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_PARALLEL_H_
