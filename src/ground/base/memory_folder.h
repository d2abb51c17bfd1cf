// A folder whose files live in memory: for the work files of runs that are
// small enough never to touch a disk.
#ifndef TWINSET_SRC_GROUND_BASE_MEMORY_FOLDER_H_
#define TWINSET_SRC_GROUND_BASE_MEMORY_FOLDER_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/error.h"

namespace twinset {

// The content of one such file. Thread-safe. Its bytes count in the folder
// until the last File that has it open is closed.
class MemoryFile {
 public:
  // What the files of one folder hold together.
  struct Account {
    explicit Account(uint64_t most) : most_bytes(most) {}
    const uint64_t most_bytes;
    std::atomic<uint64_t> used_bytes{0};
  };
  explicit MemoryFile(std::shared_ptr<Account> account)
      : account_(std::move(account)) {}
  MemoryFile(const MemoryFile&) = delete;
  ~MemoryFile();

  // Reads up to `size` bytes at `offset`; 0 at the end. What was never written
  // is zero.
  size_t ReadAt(uint64_t offset, char* to, size_t size) const;
  // False when the folder is full: then nothing was written.
  bool WriteAt(uint64_t offset, std::string_view bytes);
  void Truncate(uint64_t size);
  uint64_t size() const;

 private:
  static constexpr uint64_t kChunkBytes = 64 << 10;
  using Chunk = std::unique_ptr<char[]>;

  const std::shared_ptr<Account> account_;
  mutable std::shared_mutex mutex_;
  std::vector<Chunk> chunks_;  // null: zeros
  uint64_t size_ = 0;
};

// File and its kin (base/file.h) take paths below path() for files of this
// folder. Its files are gone with it, but for those that are open. Thread-safe.
// The process knows its open folders by their names, which no file system path
// has and nobody can guess.
class MemoryFolder {
 public:
  // All files together may have `most_bytes`; a write beyond them is kMemory.
  static Result<std::unique_ptr<MemoryFolder>> Create(uint64_t most_bytes);
  MemoryFolder(const MemoryFolder&) = delete;
  ~MemoryFolder();

  const std::string& path() const { return path_; }
  // What the files take, in chunks, and their sizes.
  uint64_t used_bytes() const { return account_->used_bytes; }
  uint64_t file_bytes();

  // ---- for base/file.cc ----
  // Is `path` below a folder of this kind, open or not?
  static bool Names(std::string_view path);
  // The file; null when there is none.
  static std::shared_ptr<MemoryFile> Find(std::string_view path);
  // A new file in place of any other; null when the folder is gone.
  static std::shared_ptr<MemoryFile> Make(std::string_view path);
  static bool Remove(std::string_view path);
  static bool Rename(std::string_view from, std::string_view to);

 private:
  explicit MemoryFolder(std::string path, uint64_t most_bytes)
      : path_(std::move(path)),
        account_(std::make_shared<MemoryFile::Account>(most_bytes)) {}

  const std::string path_;
  const std::shared_ptr<MemoryFile::Account> account_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<MemoryFile>, std::less<>>
      files_;  // by name; guarded by mutex_
};

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_MEMORY_FOLDER_H_
