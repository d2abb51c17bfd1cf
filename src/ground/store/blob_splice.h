// Blobs of several files read as if they stood in one.
#ifndef TWINSET_SRC_GROUND_STORE_BLOB_SPLICE_H_
#define TWINSET_SRC_GROUND_STORE_BLOB_SPLICE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "twinset/error.h"

namespace twinset {

// A finished blob file, checked and open. Immutable, so that readers on any
// thread may share it.
struct BlobFile {
  static Result<std::shared_ptr<const BlobFile>> Open(const std::string& path,
                                                      uint64_t parameters_hash);
  File data, index;
  uint64_t count = 0;
  uint64_t data_end = 0;  // offset of the footer
};

// Which blobs of which file follow each other. Memory: 24 bytes a piece.
class BlobPieces {
 public:
  struct Piece {
    uint64_t first = 0;  // number of its first blob among all
    uint64_t begin = 0;  // the same within its file
    uint32_t file = 0;
  };

  // The next `count` blobs of the file come behind all that were added.
  void Add(uint32_t file, uint64_t count);
  uint64_t count() const { return count_; }
  // How many blobs of the file were added.
  uint64_t CountOf(uint32_t file) const {
    return file < used_.size() ? used_[file] : 0;
  }
  size_t size() const { return pieces_.size(); }
  const Piece& operator[](size_t i) const { return pieces_[i]; }
  // The piece that holds blob `index` < count(). Cost: logarithmic.
  size_t PieceOf(uint64_t index) const;
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
