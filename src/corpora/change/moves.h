// Texts that left one address and came to another between two snapshots
// (docs/methods/change.md).
#ifndef TWINSET_SRC_CORPORA_CHANGE_MOVES_H_
#define TWINSET_SRC_CORPORA_CHANGE_MOVES_H_

#include <cstdint>
#include <tuple>
#include <vector>

#include "change/change_rows.h"
#include "change/page_history.h"
#include "store/blob_file.h"
#include "store/external_sort.h"
#include "twinset/corpora/change.h"

namespace twinset {

// Jaccard of two captures, whose shingles are the blobs of their numbers,
// ascending; 1 of two without text.
Result<double> JaccardOf(const BlobReader& shingles, uint64_t a, uint64_t b);

class MoveFinder {
 public:
  // If many pages share a shingle, this many on either side are compared.
  static constexpr size_t kMostCompared = 64;

  // Makes three sorts: one with `sort.memory_bytes`, two with half of that
  // each.
  MoveFinder(const ExternalSortOptions& sort, MemoryBudget* budget);

  // A capture that the snapshot `to` does not have any more, or has and the one
  // before it did not. One without text cannot have moved.
  Status Left(const PageCapture& capture, uint32_t to) {
    return Add(capture, to, 0);
  }
  Status Came(const PageCapture& capture, uint32_t to) {
    return Add(capture, to, 1);
  }

  // Adds what moved to `moves` and, with the state it has instead of gone, to
  // `steps`. A text moved to the first capture with an equal set of shingles,
  // else to the most similar one of at least `near`, of equal ones the first.
  // All of these are found, but for captures counted in *left_out. `shingles`
  // are compared; by those of `marks`, the public ones, it is chosen what is.
  Status Find(const BlobReader& shingles, const BlobReader& marks, double near,
              std::vector<ChangeStep>* steps, ExternalSorter<Move>* moves,
              uint64_t* left_out);

 private:
  struct End {
    Hash128Value content;
    uint32_t to = 0, came = 0;
    uint64_t number = 0;
    friend bool operator<(const End& x, const End& y) {
      return std::tie(x.content, x.to, y.came, x.number) <
             std::tie(y.content, y.to, x.came, y.number);
    }
  };
  // One of the first shingles of an end.
  struct Mark {
    uint64_t value = 0, number = 0;
    uint32_t to = 0, came = 0, shingles = 0;
    friend bool operator<(const Mark& x, const Mark& y) {
      return std::tie(x.to, x.value, y.came, x.number) <
             std::tie(y.to, y.value, x.came, y.number);
    }
  };
  // `left` alone does not name an end: revisits share the number of a capture.
  // Behind all others of `left` and `to`: kMore, where not every capture that
  // came was a candidate.
  static constexpr uint64_t kMore = UINT64_MAX;
  struct Candidate {
    uint64_t left = 0, came = 0;
    uint32_t to = 0;
    friend bool operator<(const Candidate& x, const Candidate& y) {
      return std::tie(x.left, x.to, x.came) < std::tie(y.left, y.to, y.came);
    }
  };
  class Group;

  Status Add(const PageCapture& capture, uint32_t to, uint32_t came);
  Status FindEqual(const BlobReader& marks, double near,
                   std::vector<ChangeStep>* steps, ExternalSorter<Move>* moves);
  Status MarkFirst(const BlobReader& marks, double near, const End& end);
  Status Pair(double near);
  Status Verify(const BlobReader& shingles, double near,
                std::vector<ChangeStep>* steps, ExternalSorter<Move>* moves,
                uint64_t* left_out);

  ExternalSorter<End> ends_;
  ExternalSorter<Mark> marks_;
  ExternalSorter<Candidate> candidates_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_CHANGE_MOVES_H_
