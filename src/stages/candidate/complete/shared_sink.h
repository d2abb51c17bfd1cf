// What the threads of a complete join find, handed on together.
#ifndef TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_SHARED_SINK_H_
#define TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_SHARED_SINK_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "base/stop.h"
#include "candidate/collection_join.h"
#include "candidate/join.h"
#include "twinset/error.h"

namespace twinset {

// Pairs of several threads for one sink, and hot postings for another.
// Thread-safe.
class SharedSink {
 public:
  SharedSink(const PairSink& sink, const HotSink& hot,
             const std::atomic<bool>* stop)
      : sink_(sink), hot_(hot), stop_(stop) {}

  // Empties `pairs`.
  void Take(std::vector<CandidatePair>* pairs) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const CandidatePair& pair : *pairs) {
      if (!status_) break;
      status_ = sink_(pair);
    }
    pairs->clear();
  }
  void TakeHot(std::span<const PrefixPosting> postings) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (status_) status_ = hot_(postings);
  }
  // For progress: a thread has done with so many postings more.
  void Pass(uint64_t postings,
            const std::function<void(uint64_t passed)>& told) {
    const std::lock_guard<std::mutex> lock(mutex_);
    told(passed_ += postings);
  }
  // The first error of anyone ends the join.
  void Note(const Status& status) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (status_ && !status) status_ = status;
  }
  Status status() {
    Note(CheckStop(stop_));
    const std::lock_guard<std::mutex> lock(mutex_);
    return status_;
  }

 private:
  const PairSink& sink_;
  const HotSink& hot_;
  const std::atomic<bool>* const stop_;
  std::mutex mutex_;
  Status status_;        // guarded by mutex_
  uint64_t passed_ = 0;  // guarded by mutex_
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_SHARED_SINK_H_
