// How far a pass of a study is.
#ifndef TWINSET_SRC_DEDUP_DOCUMENTS_PASS_PROGRESS_H_
#define TWINSET_SRC_DEDUP_DOCUMENTS_PASS_PROGRESS_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "twinset/progress.h"

namespace twinset {

class CutOffs;

// Who hears how far a pass is, who may stop it, and who takes where inputs end
// too early; all may be nobody.
struct PassWatch {
  ProgressSink on_progress = {};
  const std::atomic<bool>* stop = nullptr;
  CutOffs* cut_offs = nullptr;
};

// Counts what a pass does and tells it now and then. One thread at a time.
class PassProgress {
 public:
  // `sink` may be none, and outlives the pass. `unit`: a literal. `total`: of
  // all, 0 when it is not known.
  PassProgress(const ProgressSink& sink, std::string stage, std::string step,
               std::string_view unit, uint64_t total = 0)
      : sink_(sink) {
    progress_.stage = std::move(stage);
    progress_.step = std::move(step);
    progress_.unit = unit;
    progress_.total = total;
    Tell();
  }

  void Add(uint64_t more = 1) {
    const uint64_t before = progress_.done;
    progress_.done += more;
    if (before / kEvery != progress_.done / kEvery) Tell();
  }

 private:
  static constexpr uint64_t kEvery = 256;

  void Tell() {
    if (!sink_) return;
    if (progress_.total > 0)
      progress_.share = static_cast<double>(progress_.done) /
                        static_cast<double>(progress_.total);
    sink_(progress_);
  }

  const ProgressSink& sink_;
  Progress progress_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_DOCUMENTS_PASS_PROGRESS_H_
