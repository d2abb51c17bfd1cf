// The layout that the writer, the reader and the batch of blob_file.h share
// (src/ground/store/FORMAT.md).
#ifndef TWINSET_SRC_GROUND_STORE_BLOB_FRAME_H_
#define TWINSET_SRC_GROUND_STORE_BLOB_FRAME_H_

#include <cstdint>
#include <string>

#include "store/file_header.h"
#include "twinset/error.h"

namespace twinset {

// Frame: number u64, length u32, the bytes, checksum u64 of all three.
inline constexpr uint64_t kBlobHeadBytes = 12;
inline constexpr uint64_t kBlobFrameBytes = kBlobHeadBytes + 8;

// Index page: the offset at which its first frame begins, then where each frame
// ends, checksum. Offsets count from the start of the data file.
inline constexpr uint64_t kBlobPageBytes = 4096;
inline constexpr uint64_t kBlobsPerPage = kBlobPageBytes / 8 - 2;

inline FileHeader BlobHeader(uint64_t parameters_hash) {
  return {"blob", 1, 0, parameters_hash};
}
inline FileHeader BlobIndexHeader(uint64_t parameters_hash) {
  return {"blobidx", 1, 8, parameters_hash};
}
inline std::string BlobIndexPath(const std::string& path) {
  return path + ".idx";
}

// The page number is the seed: a page in another's place is damage.
uint64_t BlobPageChecksum(const char* page, uint64_t bytes, uint64_t number);

// Checks the whole frame of blob `number` with `length` bytes that was read
// from `offset` of `path`.
Status CheckBlobFrame(const char* frame, uint64_t number, uint32_t length,
                      uint64_t offset, const std::string& path);

// kCorrupt about frame `number` at `offset`.
tl::unexpected<Error> BadBlobFrame(uint64_t number, const std::string& what,
                                   uint64_t offset, const std::string& path);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_STORE_BLOB_FRAME_H_
