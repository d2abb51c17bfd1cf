#include "base/memory_folder.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

#include "base/keyed_hash.h"

namespace twinset {

namespace {

// No path of a file system begins so by chance, and what follows is secret.
constexpr std::string_view kScheme = "\x01twinset-memory/";
constexpr size_t kNameDigits = 32;

// The folders of the process that are open, by path.
struct OpenFolders {
  std::mutex mutex;
  std::map<std::string, MemoryFolder*, std::less<>> by_path;
};

OpenFolders& Folders() {
  static OpenFolders* const folders = new OpenFolders();
  return *folders;
}

// The path of the folder that `path` is below.
std::string_view FolderOf(std::string_view path) {
  return path.substr(0, kScheme.size() + kNameDigits);
}

std::string_view NameOf(std::string_view path) {
  path.remove_prefix(std::min(path.size(), kScheme.size() + kNameDigits));
  while (path.starts_with('/')) path.remove_prefix(1);
  return path;
}

// Calls `body` with the folder that `path` is below while it cannot go away.
template <typename Body>
auto WithFolder(std::string_view path, const Body& body)
    -> decltype(body(nullptr)) {
  OpenFolders& folders = Folders();
  const std::lock_guard<std::mutex> lock(folders.mutex);
  const auto found = folders.by_path.find(FolderOf(path));
  if (found == folders.by_path.end()) return {};
  return body(found->second);
}

}  // namespace

MemoryFile::~MemoryFile() { Truncate(0); }

size_t MemoryFile::ReadAt(uint64_t offset, char* to, size_t size) const {
  const std::shared_lock<std::shared_mutex> lock(mutex_);
  if (offset >= size_) return 0;
  size = std::min<uint64_t>(size, size_ - offset);
  for (size_t done = 0; done < size;) {
    const uint64_t at = offset + done;
    const size_t step =
        std::min<uint64_t>(size - done, kChunkBytes - at % kChunkBytes);
    const Chunk& chunk = chunks_[at / kChunkBytes];
    if (chunk != nullptr) {
      std::memcpy(to + done, chunk.get() + at % kChunkBytes, step);
    } else {
      std::memset(to + done, 0, step);
    }
    done += step;
  }
  return size;
}

bool MemoryFile::WriteAt(uint64_t offset, std::string_view bytes) {
  if (bytes.empty()) return true;
  const std::unique_lock<std::shared_mutex> lock(mutex_);
  const uint64_t end = offset + bytes.size();
  const uint64_t first = offset / kChunkBytes,
                 last = (end - 1) / kChunkBytes + 1;
  uint64_t missing = 0;
  for (uint64_t i = first; i < last; ++i)
    missing += i >= chunks_.size() || chunks_[i] == nullptr;
  const uint64_t before = account_->used_bytes.fetch_add(missing * kChunkBytes);
  if (before + missing * kChunkBytes > account_->most_bytes) {
    account_->used_bytes -= missing * kChunkBytes;
    return false;
  }
  if (chunks_.size() < last) chunks_.resize(last);
  for (uint64_t i = first; i < last; ++i)
    if (chunks_[i] == nullptr)
      chunks_[i] = std::make_unique<char[]>(kChunkBytes);
  while (!bytes.empty()) {
    const size_t step =
        std::min<uint64_t>(bytes.size(), kChunkBytes - offset % kChunkBytes);
    std::memcpy(chunks_[offset / kChunkBytes].get() + offset % kChunkBytes,
                bytes.data(), step);
    offset += step;
    bytes.remove_prefix(step);
  }
  size_ = std::max(size_, end);
  return true;
}

void MemoryFile::Truncate(uint64_t size) {
  const std::unique_lock<std::shared_mutex> lock(mutex_);
  const uint64_t chunks = (size + kChunkBytes - 1) / kChunkBytes;
  uint64_t freed = 0;
  for (uint64_t i = chunks; i < chunks_.size(); ++i)
    freed += chunks_[i] != nullptr;
  account_->used_bytes -= freed * kChunkBytes;
  chunks_.resize(chunks);
  // What is cut off is zero when the file grows again.
  if (size < size_ && size % kChunkBytes != 0 && chunks_.back() != nullptr) {
    std::memset(chunks_.back().get() + size % kChunkBytes, 0,
                kChunkBytes - size % kChunkBytes);
  }
  size_ = size;
}

uint64_t MemoryFile::size() const {
  const std::shared_lock<std::shared_mutex> lock(mutex_);
  return size_;
}

Result<std::unique_ptr<MemoryFolder>> MemoryFolder::Create(
    uint64_t most_bytes) {
  TWINSET_ASSIGN(const HashKey secret, DrawHashKey());
  std::string path = std::string(kScheme) + WriteHashKey(secret);
  std::unique_ptr<MemoryFolder> folder(
      new MemoryFolder(std::move(path), most_bytes));
  OpenFolders& folders = Folders();
  const std::lock_guard<std::mutex> lock(folders.mutex);
  folders.by_path.emplace(folder->path_, folder.get());
  return folder;
}

MemoryFolder::~MemoryFolder() {
  OpenFolders& folders = Folders();
  const std::lock_guard<std::mutex> lock(folders.mutex);
  folders.by_path.erase(path_);
}

uint64_t MemoryFolder::file_bytes() {
  const std::lock_guard<std::mutex> lock(mutex_);
  uint64_t bytes = 0;
  for (const auto& [name, file] : files_) bytes += file->size();
  return bytes;
}

bool MemoryFolder::Names(std::string_view path) {
  return path.starts_with(kScheme);
}

std::shared_ptr<MemoryFile> MemoryFolder::Find(std::string_view path) {
  return WithFolder(path, [&](MemoryFolder* folder) {
    const std::lock_guard<std::mutex> lock(folder->mutex_);
    const auto found = folder->files_.find(NameOf(path));
    return found == folder->files_.end() ? nullptr : found->second;
  });
}

std::shared_ptr<MemoryFile> MemoryFolder::Make(std::string_view path) {
  return WithFolder(path, [&](MemoryFolder* folder) {
    auto file = std::make_shared<MemoryFile>(folder->account_);
    const std::lock_guard<std::mutex> lock(folder->mutex_);
    folder->files_.insert_or_assign(std::string(NameOf(path)), file);
    return file;
  });
}

bool MemoryFolder::Remove(std::string_view path) {
  return WithFolder(path, [&](MemoryFolder* folder) {
    const std::lock_guard<std::mutex> lock(folder->mutex_);
    const auto found = folder->files_.find(NameOf(path));
    if (found == folder->files_.end()) return false;
    folder->files_.erase(found);
    return true;
  });
}

bool MemoryFolder::Rename(std::string_view from, std::string_view to) {
  return WithFolder(from, [&](MemoryFolder* folder) {
    const std::lock_guard<std::mutex> lock(folder->mutex_);
    const auto found = folder->files_.find(NameOf(from));
    if (found == folder->files_.end() || FolderOf(to) != folder->path_)
      return false;
    auto file = std::move(found->second);
    folder->files_.erase(found);
    folder->files_.insert_or_assign(std::string(NameOf(to)), std::move(file));
    return true;
  });
}

}  // namespace twinset
