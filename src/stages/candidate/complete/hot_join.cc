#include "candidate/complete/hot_join.h"

#include <algorithm>
#include <vector>

#include "base/stop.h"
#include "candidate/complete/meeting_rule.h"

namespace twinset {
namespace {

class HotJoin {
 public:
  HotJoin(const OverlapBounds& bounds, RunReader<PrefixPosting>* postings,
          uint64_t memory_bytes, const std::atomic<bool>* stop,
          const PairSink& sink)
      : rule_(bounds),
        postings_(postings),
        most_(std::max<uint64_t>(1, memory_bytes / sizeof(PrefixPosting))),
        stop_(stop),
        sink_(sink) {}

  Status Do() {
    TWINSET_ASSIGN(bool more, Next());
    while (more) {
      TWINSET_ASSIGN(more, JoinBlock());
    }
    return {};
  }

 private:
  Result<bool> Next() {
    TWINSET_TRY(CheckStop(stop_));
    TWINSET_ASSIGN(const bool more, postings_->Next(&next_));
    read_ += more;
    return more;
  }

  // As many indexed postings of the next element as memory holds, against each
  // other and all that follow. Whether there are more.
  Result<bool> JoinBlock() {
    block_.clear();
    const uint64_t fold = next_.fold();
    bool more = true;
    while (more && next_.fold() == fold && block_.size() < most_) {
      TWINSET_TRY(MeetBlock(next_));
      if (next_.indexed()) block_.push_back(next_);
      TWINSET_ASSIGN(more, Next());
    }
    const uint64_t behind_block = read_;
    bool is_of_fold = more && next_.fold() == fold;
    if (!is_of_fold) return more;
    const uint64_t largest = block_.back().size();
    while (is_of_fold && rule_.LeastPartner(next_.size()) <= largest) {
      TWINSET_TRY(MeetBlock(next_));
      TWINSET_ASSIGN(more, Next());
      is_of_fold = more && next_.fold() == fold;
    }
    // Back to the first behind the block.
    TWINSET_TRY(postings_->Seek(behind_block - 1));
    read_ = behind_block - 1;
    return Next();
  }

  // The block comes by size, and `large` is behind it.
  Status MeetBlock(const PrefixPosting& large) {
    Status status;
    rule_.ForEachMet(block_, large, [&](const PrefixPosting& small) {
      if (status)
        status = sink_(CandidatePair::Of(small.document(), large.document()));
    });
    return status;
  }

  const MeetingRule rule_;
  RunReader<PrefixPosting>* const postings_;
  const size_t most_;
  const std::atomic<bool>* const stop_;
  const PairSink& sink_;
  PrefixPosting next_;
  uint64_t read_ = 0;  // postings, next_ among them
  std::vector<PrefixPosting> block_;
};

}  // namespace

Status JoinHot(const OverlapBounds& bounds, RunReader<PrefixPosting>* postings,
               uint64_t memory_bytes, const std::atomic<bool>* stop,
               const PairSink& sink) {
  return HotJoin(bounds, postings, memory_bytes, stop, sink).Do();
}

}  // namespace twinset
