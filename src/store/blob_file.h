// Numbered byte strings, appended once, then read in order or at random
// (docs/formats/blob.md): PATH holds the bytes, PATH.idx where each ends.
#ifndef TWINSET_SRC_STORE_BLOB_FILE_H_
#define TWINSET_SRC_STORE_BLOB_FILE_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/memory_budget.h"
#include "store/file_header.h"
#include "twinset/error.h"

namespace twinset {

// How far a blob file is known to be good: a resume cuts it back to here.
struct BlobMark {
  uint64_t count = 0;
  uint64_t data_bytes = 0;
};

// Each blob is framed by its number, length and a checksum of the three, so a wrong index entry
// or a flipped bit is an error, never a wrong answer. Write buffers: 2 x 64 KB.
class BlobWriter {
 public:
  static Result<BlobWriter> Create(const std::string& path, uint64_t parameters_hash);
  // Opens an unfinished file, checks the headers and cuts both files back to `mark`.
  static Result<BlobWriter> Resume(const std::string& path, uint64_t parameters_hash,
                                   const BlobMark& mark);
  Status Append(std::string_view bytes);  // at most 4 GB - 1
  // Flushes and fsyncs; everything before the returned mark survives a crash.
  Result<BlobMark> Checkpoint();
  Status Finish();  // Checkpoint plus footer; no Append afterwards
  uint64_t count() const { return mark_.count; }

 private:
  Status Flush();
  File data_;
  File index_;
  std::string data_buffer_;
  std::string index_buffer_;
  BlobMark mark_;
};

// Reads a finished blob file. Next and Seek: one thread. ReadOne and Gather use positioned reads
// and may be called by several threads at once.
class BlobReader {
 public:
  static Result<BlobReader> Open(const std::string& path, uint64_t parameters_hash);

  uint64_t count() const { return count_; }
  // The next blob in order, valid until the following call; false at the end.
  Result<bool> Next(std::string_view* bytes);
  Status Seek(uint64_t index);
  // Blob `index` (< count()) into *bytes.
  Status ReadOne(uint64_t index, std::string* bytes) const;
  // Length of blob `index` without reading it.
  Result<uint32_t> Length(uint64_t index) const;

 private:
  struct Place {
    uint64_t offset = 0;  // of the frame
    uint32_t length = 0;  // of the blob
  };
  Result<Place> Find(uint64_t index) const;
  File data_;
  File index_;
  uint64_t count_ = 0;
  uint64_t next_ = 0;
  uint64_t next_offset_ = 0;    // of the frame of blob next_
  uint64_t buffer_offset_ = 0;  // of buffer_ within the file
  std::string buffer_;
};

// A bounded set of blobs in memory. Usage per batch: Request every index of interest, Load,
// then Get from any thread; Clear for the next batch.
class BlobBatch {
 public:
  // `bytes`: room for blobs, reserved from `budget` (at least 64 KB).
  BlobBatch(const BlobReader* reader, uint64_t bytes, MemoryBudget* budget);
  // Adds blob `index` to the batch unless it is there; false when the room does not allow it
  // (an empty batch always takes two blobs, so any pair can be loaded).
  Result<bool> Request(uint64_t index);
  // Reads all requested blobs in file order, in parallel.
  Status Load(int threads);
  // A requested blob, valid until Clear. The data is 8-byte aligned.
  std::string_view Get(uint64_t index) const;
  void Clear();

 private:
  struct Entry {
    uint64_t index = 0;
    uint64_t position = 0;  // in arena_, 8-byte aligned
    uint32_t length = 0;
  };
  const BlobReader* reader_;
  MemoryBudget* budget_;
  Reservation reservation_;
  std::vector<Entry> entries_;   // sorted by index after Load
  std::vector<uint64_t> slots_;  // open-addressing set of requested indices
  std::vector<uint64_t> arena_;
  uint64_t arena_bytes_ = 0;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STORE_BLOB_FILE_H_
