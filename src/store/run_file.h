// A run: fixed-size records in checksummed blocks, written once and read front to back
// (docs/formats/run.md).
#ifndef TWINSET_SRC_STORE_RUN_FILE_H_
#define TWINSET_SRC_STORE_RUN_FILE_H_

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "base/file.h"
#include "base/memory_budget.h"
#include "store/file_header.h"
#include "twinset/error.h"

namespace twinset {

inline constexpr size_t kRunBlockBytes = 64 << 10;

// Untyped writer; RunWriter<T> is the typed face.
class RawRunWriter {
 public:
  static Result<RawRunWriter> Create(const std::string& path, uint32_t element_bytes,
                                     uint64_t parameters_hash);
  Status Append(const void* record);  // element_bytes of them
  // Writes the last block and the footer (record count, checksum of block checksums), fsyncs.
  Status Finish();
  uint64_t count() const { return count_; }

 private:
  Status FlushBlock();
  File file_;
  std::string block_;
  uint32_t element_bytes_ = 0;
  uint64_t count_ = 0;
  uint64_t chain_ = 0;  // running checksum of the block checksums
};

// Untyped reader. Open checks header and footer; each block's checksum is checked when it is
// read, so that damage is an error before any record of the block is seen.
class RawRunReader {
 public:
  static Result<RawRunReader> Open(const std::string& path, uint32_t element_bytes,
                                   uint64_t parameters_hash);
  // The next record, valid until the following call; null at the end.
  Result<const void*> Next();
  uint64_t count() const { return count_; }
  // Positions at record `index` (reads one block). index <= count().
  Status Seek(uint64_t index);

 private:
  Status LoadBlock(uint64_t block);
  File file_;
  std::string block_;
  uint32_t element_bytes_ = 0;
  uint64_t count_ = 0;
  uint64_t next_ = 0;         // index of the next record
  uint64_t loaded_block_ = ~uint64_t{0};
};

template <typename T>
class RunWriter {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  static Result<RunWriter> Create(const std::string& path, uint64_t parameters_hash) {
    TWINSET_ASSIGN(RawRunWriter raw, RawRunWriter::Create(path, sizeof(T), parameters_hash));
    return RunWriter(std::move(raw));
  }
  Status Append(const T& record) { return raw_.Append(&record); }
  Status Finish() { return raw_.Finish(); }
  uint64_t count() const { return raw_.count(); }

 private:
  explicit RunWriter(RawRunWriter raw) : raw_(std::move(raw)) {}
  RawRunWriter raw_;
};

template <typename T>
class RunReader {
 public:
  static Result<RunReader> Open(const std::string& path, uint64_t parameters_hash) {
    TWINSET_ASSIGN(RawRunReader raw, RawRunReader::Open(path, sizeof(T), parameters_hash));
    return RunReader(std::move(raw));
  }
  // Copies the next record; false at the end.
  Result<bool> Next(T* record) {
    TWINSET_ASSIGN(const void* bytes, raw_.Next());
    if (bytes == nullptr) return false;
    std::memcpy(record, bytes, sizeof(T));
    return true;
  }
  Status Seek(uint64_t index) { return raw_.Seek(index); }
  uint64_t count() const { return raw_.count(); }

 private:
  explicit RunReader(RawRunReader raw) : raw_(std::move(raw)) {}
  RawRunReader raw_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STORE_RUN_FILE_H_
