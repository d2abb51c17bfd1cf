// A run: fixed-size records in checksummed blocks, written once and read front
// to back (src/ground/store/FORMAT.md).
#ifndef TWINSET_SRC_GROUND_STORE_RUN_FILE_H_
#define TWINSET_SRC_GROUND_STORE_RUN_FILE_H_

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/file.h"
#include "base/memory_budget.h"
#include "store/file_header.h"
#include "twinset/error.h"

namespace twinset {

// A block on disk, its 8-byte checksum included; also the buffer of a writer
// and of a reader.
inline constexpr size_t kRunBlockBytes = 64 << 10;
inline constexpr size_t kRunMaxElementBytes = kRunBlockBytes - 8;

// Untyped writer; RunWriter<T> is the typed face. After an error every call
// fails.
class RawRunWriter {
 public:
  static Result<RawRunWriter> Create(const std::string& path,
                                     uint32_t element_bytes,
                                     uint64_t parameters_hash);
  Status Append(const void* record) { return AppendMany(record, 1); }
  // `count` records that stand behind each other.
  Status AppendMany(const void* records, size_t count);
  // Writes the last block and the footer (record count, checksum of block
  // checksums), fsyncs unless `sync` is false (for a file that a crash makes
  // worthless anyway).
  Status Finish(bool sync = true);
  uint64_t count() const { return count_; }

 private:
  Status Write(std::string_view bytes);
  Status FlushBlock();
  File file_;  // closed after Finish and after an error
  std::string block_;
  size_t payload_bytes_ = 0;  // of a full block
  uint32_t element_bytes_ = 0;
  uint64_t blocks_ = 0;
  uint64_t count_ = 0;
  uint64_t chain_ = 0;  // running checksum of the block checksums
};

// Untyped reader. Open checks header and footer; each block's checksum is
// checked when it is read, so that damage is an error before any record of the
// block is seen.
class RawRunReader {
 public:
  static Result<RawRunReader> Open(const std::string& path,
                                   uint32_t element_bytes,
                                   uint64_t parameters_hash);
  // The next record, valid until the following call; null at the end.
  Result<const void*> Next() {
    if (position_ == end_) {
      TWINSET_ASSIGN(const bool more, ReadBlock());
      if (!more) return nullptr;
    }
    const char* record = block_.data() + position_;
    position_ += element_bytes_;
    return record;
  }
  uint64_t count() const { return count_; }
  // What is left of the block that Next reads, or all of the next one; null at
  // the end. `*bytes` becomes its length. Valid until the following call.
  Result<const void*> NextBlock(size_t* bytes);
  // Positions at record `index` (reads one block). index <= count().
  Status Seek(uint64_t index);

 private:
  Result<bool> ReadBlock();
  Status LoadBlock(uint64_t block);
  uint64_t PayloadBytes(uint64_t block) const;
  File file_;
  std::string block_;
  uint32_t element_bytes_ = 0;
  uint64_t count_ = 0;
  uint64_t per_block_ = 0;  // records in a full block
  uint64_t blocks_ = 0;
  uint64_t next_block_ = 0;  // the one after the loaded block
  size_t position_ = 0;      // of the next record in block_
  size_t end_ = 0;           // of the records in block_
  // The checksum of block checksums can be compared only by a reader that saw
  // every block.
  uint64_t footer_chain_ = 0;
  uint64_t chain_ = 0;
  uint64_t chained_blocks_ = 0;
};

template <typename T>
class RunWriter {
  static_assert(std::is_trivially_copyable_v<T> &&
                sizeof(T) <= kRunMaxElementBytes);

 public:
  static Result<RunWriter> Create(const std::string& path,
                                  uint64_t parameters_hash) {
    TWINSET_ASSIGN(RawRunWriter raw,
                   RawRunWriter::Create(path, sizeof(T), parameters_hash));
    return RunWriter(std::move(raw));
  }
  Status Append(const T& record) { return raw_.Append(&record); }
  Status Append(std::span<const T> records) {
    return raw_.AppendMany(records.data(), records.size());
  }
  Status Finish(bool sync = true) { return raw_.Finish(sync); }
  uint64_t count() const { return raw_.count(); }

 private:
  explicit RunWriter(RawRunWriter raw) : raw_(std::move(raw)) {}
  RawRunWriter raw_;
};

template <typename T>
class RunReader {
 public:
  static Result<RunReader> Open(const std::string& path,
                                uint64_t parameters_hash) {
    TWINSET_ASSIGN(RawRunReader raw,
                   RawRunReader::Open(path, sizeof(T), parameters_hash));
    return RunReader(std::move(raw));
  }
  // Copies the next record; false at the end.
  Result<bool> Next(T* record) {
    TWINSET_ASSIGN(const void* bytes, raw_.Next());
    if (bytes == nullptr) return false;
    std::memcpy(record, bytes, sizeof(T));
    return true;
  }
  // The records up to the end of a block, at least one; none at the end. Valid
  // until the following call.
  Result<std::span<const T>> NextBlock() {
    size_t bytes = 0;
    TWINSET_ASSIGN(const void* records, raw_.NextBlock(&bytes));
    return std::span<const T>(static_cast<const T*>(records),
                              bytes / sizeof(T));
  }
  Status Seek(uint64_t index) { return raw_.Seek(index); }
  // Goes to the first record that `before` is not true of; it is true of none
  // behind that. Reads as many blocks as the count has bits, at most.
  template <typename Before>
  Status SeekFirst(const Before& before) {
    uint64_t low = 0, high = count();
    while (low < high) {
      const uint64_t middle = low + (high - low) / 2;
      TWINSET_TRY(Seek(middle));
      T record;
      TWINSET_ASSIGN([[maybe_unused]] const bool more, Next(&record));
      if (before(record)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return Seek(low);
  }
  uint64_t count() const { return raw_.count(); }

 private:
  explicit RunReader(RawRunReader raw) : raw_(std::move(raw)) {}
  RawRunReader raw_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_STORE_RUN_FILE_H_
