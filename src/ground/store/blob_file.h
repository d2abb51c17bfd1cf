// Numbered byte strings, appended once, then read in order or at random
// (src/ground/store/FORMAT.md): PATH holds the bytes, PATH.idx where each ends.
#ifndef TWINSET_SRC_GROUND_STORE_BLOB_FILE_H_
#define TWINSET_SRC_GROUND_STORE_BLOB_FILE_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/memory_budget.h"
#include "store/blob_splice.h"
#include "store/file_header.h"
#include "store/lazy_buffer.h"
#include "twinset/error.h"

namespace twinset {

// How far a blob file is known to be good: a resume cuts it back to here.
// BlobMark{} is the empty file.
struct BlobMark {
  uint64_t count = 0;
  uint64_t data_bytes = 0;  // of the frames, without the file header
};

// Each blob is framed by its number, length and a checksum of the three, so a
// wrong index entry or a flipped bit is an error, never a wrong answer. Write
// buffers: 64 KB and a page of index. After an error every call fails; what the
// last Checkpoint returned is still good.
class BlobWriter {
 public:
  static Result<BlobWriter> Create(const std::string& path,
                                   uint64_t parameters_hash);
  // Opens an unfinished file, checks the headers and cuts both files back to
  // `mark`. Reads at most one page of the index and the heads of the frames
  // behind it.
  static Result<BlobWriter> Resume(const std::string& path,
                                   uint64_t parameters_hash,
                                   const BlobMark& mark);
  // Makes a finished file of a data file that somebody else wrote, `data`, open
  // for writing: the header and the frames, which end at `ends`. Writes the
  // index and both footers.
  static Status Seal(File data, uint64_t parameters_hash,
                     std::span<const uint64_t> ends);
  Status Append(std::string_view bytes);  // at most 4 GB - 1
  // Flushes and fsyncs; everything before the returned mark survives a crash.
  Result<BlobMark> Checkpoint();
  Status Finish();  // Checkpoint plus footer; no Append afterwards
  uint64_t count() const { return mark_.count; }

 private:
  BlobWriter() = default;
  Status RecoverPage();
  Status AppendFrame(std::string_view bytes);
  Status AppendIndex();
  Status FlushData();
  Status FlushPage();
  Status WriteFooters();
  Result<BlobMark> Checked(Status status);
  File data_;  // both closed after Finish and after an error
  File index_;
  std::string data_buffer_;
  std::string page_;    // the unfinished page of the index, without checksum
  uint64_t pages_ = 0;  // finished ones
  BlobMark mark_;
};

// A finished blob file, checked and open. Immutable, so that readers on any
// thread may share it.
struct BlobFile {
  static Result<std::shared_ptr<const BlobFile>> Open(const std::string& path,
                                                      uint64_t parameters_hash);
  File data, index;
  uint64_t count = 0;
  uint64_t data_end = 0;  // offset of the footer
};

// Where a blob stands.
struct BlobPlace {
  uint64_t offset = 0;  // of the frame in the file
  uint32_t length = 0;  // of the blob
  uint32_t file = 0;    // of a splice
};

// Reads a finished blob file, or a splice of several, which differ in nothing
// but that an error names the file of the blob. Next and Seek: one thread.
// ReadOne, Length and BlobBatch use positioned reads and may run in several
// threads at once. Buffer: 64 KB, or a large blob met by Next (given back at
// the next small one).
class BlobReader {
 public:
  BlobReader() = default;  // of nothing
  static Result<BlobReader> Open(const std::string& path,
                                 uint64_t parameters_hash);
  explicit BlobReader(std::shared_ptr<const BlobSplice> splice);

  uint64_t count() const { return count_; }
  // The bytes of the file, or of all files of the splice, with their headers.
  uint64_t BytesOfData() const;
  // The next blob in order, valid until the following call; false at the end.
  Result<bool> Next(std::string_view* bytes);
  // The same behind what *bytes holds. A large blob is in no buffer then.
  Result<bool> AppendNext(std::string* bytes);
  // The length of what Next gives next; 0 at the end.
  Result<uint32_t> NextLength();
  // As Next, but of the blob only the head is read.
  Result<bool> Skip();
  Status Seek(uint64_t index);
  // Blob `index` (< count()) into *bytes. Two positioned reads.
  Status ReadOne(uint64_t index, std::string* bytes) const;
  // Length of blob `index` without reading it. One positioned read of 4 KB.
  Result<uint32_t> Length(uint64_t index) const;

 private:
  friend class BlobBatch;
  struct IndexPage {  // the page read last, or none
    const BlobFile* file = nullptr;
    uint64_t number = 0;
    char bytes[4096];
  };
  // A blob by its number in a file.
  struct InFile {
    uint32_t file = 0;
    uint64_t number = 0;
  };
  InFile WhereIs(uint64_t index) const;
  const BlobFile& FileAt(uint32_t file) const {
    return splice_ == nullptr ? *file_ : *splice_->files[file];
  }
  static Status LoadPage(const BlobFile& file, uint64_t number,
                         IndexPage* page);
  Result<BlobPlace> Find(uint64_t index, IndexPage* page) const;
  Status EnterPiece(size_t piece, uint64_t next);
  Result<bool> HasNext();
  Status Fill(uint64_t bytes);
  static Status AppendFrame(const BlobFile& file, uint64_t number,
                            const BlobPlace& place, std::string* bytes);
  std::shared_ptr<const BlobSplice> splice_;  // null: of one file
  uint64_t count_ = 0;
  size_t piece_ = 0;                      // that of next_
  std::shared_ptr<const BlobFile> file_;  // of the piece
  uint64_t next_ = 0, end_ = 0;  // numbers in the file; end_: of the piece
  uint64_t next_offset_ = 0;     // of the frame of blob next_
  uint64_t buffer_offset_ = 0;   // of buffer_ within the file
  std::string buffer_;
};

// A bounded set of blobs in memory. Usage: Request every index of interest,
// Load, then Get from any thread; then Request more, which are loaded beside
// those that are there, and when one does not fit any more, Clear.
class BlobBatch {
 public:
  // `bytes`: room for blobs and the tables over them, reserved from `budget`
  // (at least 64 KB), with pages of the index as far as they are met, at most a
  // 32nd of it and 64 MB. Besides it: 64 KB per thread while Load runs, and 16
  // KB of such pages.
  BlobBatch(const BlobReader* reader, uint64_t bytes, MemoryBudget* budget);
  // Adds blob `index` to the batch unless it is there; false when the room does
  // not allow it (a batch that was cleared always takes two blobs, so any pair
  // can be loaded: then what is missing is taken from the budget, beyond its
  // limit if need be, until Clear).
  Result<bool> Request(uint64_t index);
  // Reads the blobs requested since the last call in file order, in parallel.
  Status Load(int threads);
  // Loads every blob of the file, if they fit, and keeps them: each Request is
  // true from then on, and Clear does nothing. Only for a cleared batch.
  Status LoadAll(int threads);
  // A loaded blob, valid until Clear. The data is 8-byte aligned. Empty, with
  // null data, if the blob was not requested or loaded.
  std::string_view Get(uint64_t index) const;
  void Clear();
  size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    uint64_t index = 0;
    uint64_t offset = 0;    // of the frame in the file
    uint64_t position = 0;  // of the blob in arena_, 8-byte aligned
    uint32_t length = 0;
    uint32_t file = 0;  // as in BlobPlace
  };
  struct Stretch {
    size_t next = 0;            // the first entry behind it
    uint64_t from = 0, to = 0;  // offsets in the file
  };
  size_t SlotOf(uint64_t index) const;
  uint64_t Room() const;
  bool GrowTables(uint64_t arena_bytes);
  void Rehash(size_t slots);
  Status MapArena();
  Stretch StretchFrom(std::span<const uint32_t> numbers, size_t first) const;
  Status LoadRange(std::span<const uint32_t> numbers);
  Status Verify(const Entry& entry) const;

  const BlobReader* reader_;
  MemoryBudget* budget_;
  Reservation reservation_;
  Reservation extra_;           // of a pair larger than the room
  std::vector<Entry> entries_;  // in the order of the requests
  std::vector<uint32_t>
      slots_;  // open-addressing set of entry numbers + 1, at most half full
  LazyBuffer arena_;
  uint64_t arena_bytes_ = 0;   // of this batch
  uint64_t loaded_bytes_ = 0;  // of them loaded
  uint64_t arena_touched_ =
      0;  // resident in arena_: the most of any batch since it was mapped
  size_t loaded_ = 0;     // entries, from the front
  bool has_all_ = false;  // entry i is blob i
  // A direct-mapped cache; those that were met.
  std::vector<std::unique_ptr<BlobReader::IndexPage>> pages_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_STORE_BLOB_FILE_H_
