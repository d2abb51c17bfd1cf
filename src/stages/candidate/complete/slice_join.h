// The pairs of postings in memory and in slices (docs/methods/complete.md).
#ifndef TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_SLICE_JOIN_H_
#define TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_SLICE_JOIN_H_

#include <cstdint>
#include <span>
#include <string>

#include "candidate/collection_join.h"
#include "candidate/complete/overlap_bounds.h"
#include "candidate/complete/posting_slices.h"
#include "candidate/complete/shared_sink.h"

namespace twinset {

// Compares the postings of each fold with each other, on all threads of its
// memory; a fold that is hot goes to the sink as it is.
class SliceJoin {
 public:
  // References must outlive it. `postings`: how many there are in all, which
  // the context is told.
  SliceJoin(const OverlapBounds& bounds, const CollectionJoinContext& context,
            const SliceMemory& memory, uint64_t postings, SharedSink* sink)
      : bounds_(bounds),
        context_(context),
        memory_(memory),
        postings_(postings),
        sink_(sink) {}

  // Both spans have the same size; the contents of both are used up.
  void JoinInMemory(std::span<PrefixPosting> postings,
                    std::span<PrefixPosting> room) const {
    JoinInMemory(postings, room, /*bits_done=*/0, memory_.threads());
  }
  // Finished files, each of which is removed when it is joined.
  void JoinFiles(PostingFiles* files) const;

 private:
  void JoinInMemory(std::span<PrefixPosting> postings,
                    std::span<PrefixPosting> room, int bits_done,
                    int threads) const;
  Status JoinFile(PostingFile file, int bits_done,
                  const std::string& number) const;
  Result<PostingFiles> Divide(PostingFile file, int bits_done,
                              const std::string& number) const;
  bool IsHot(uint64_t postings) const {
    return context_.hot && postings > context_.hot_limit;
  }
  Status TakeHot(const PostingFile& file, std::span<PrefixPosting> block) const;
  Status JoinLargeFold(const PostingFile& file) const;

  const OverlapBounds& bounds_;
  const CollectionJoinContext& context_;
  const SliceMemory& memory_;
  const uint64_t postings_;
  SharedSink* const sink_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_SLICE_JOIN_H_
