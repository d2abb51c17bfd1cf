// Blobs of several files read as if they stood in one.
#ifndef TWINSET_SRC_GROUND_STORE_BLOB_SPLICE_H_
#define TWINSET_SRC_GROUND_STORE_BLOB_SPLICE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace twinset {

struct BlobFile;  // blob_file.h

// Which blobs of which file follow each other. Memory: 24 bytes a piece.
class BlobPieces {
 public:
  struct Piece {
    uint64_t first = 0;  // number of its first blob among all
    uint64_t begin = 0;  // the same within its file
    uint32_t file = 0;
  };

  // The next `count` blobs of the file come behind all that were added.
  void Add(uint32_t file, uint64_t count) {
    if (count == 0) return;
    if (file >= used_.size()) used_.resize(file + 1);
    if (pieces_.empty() || pieces_.back().file != file)
      pieces_.push_back({count_, used_[file], file});
    used_[file] += count;
    count_ += count;
  }
  uint64_t count() const { return count_; }
  // How many blobs of the file were added.
  uint64_t CountOf(uint32_t file) const {
    return file < used_.size() ? used_[file] : 0;
  }
  size_t size() const { return pieces_.size(); }
  const Piece& operator[](size_t i) const { return pieces_[i]; }
  // The piece that holds blob `index` < count(). Cost: logarithmic.
  size_t PieceOf(uint64_t index) const {
    const auto behind = std::upper_bound(
        pieces_.begin(), pieces_.end(), index,
        [](uint64_t i, const Piece& piece) { return i < piece.first; });
    return static_cast<size_t>(behind - pieces_.begin()) - 1;
  }
  // The number behind the last blob of a piece.
  uint64_t EndOf(size_t piece) const {
    return piece + 1 < pieces_.size() ? pieces_[piece + 1].first : count_;
  }
  uint64_t bytes() const { return pieces_.capacity() * sizeof(Piece); }

 private:
  std::vector<Piece> pieces_;  // none is empty
  std::vector<uint64_t> used_;
  uint64_t count_ = 0;
};

// The files that the pieces number, each of at least as many blobs as they
// take. Immutable.
struct BlobSplice {
  std::vector<std::shared_ptr<const BlobFile>> files;
  std::shared_ptr<const BlobPieces> pieces;
};

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_STORE_BLOB_SPLICE_H_
