#include "base/late_sync.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <mutex>
#include <utility>

#include "base/file.h"

namespace twinset::inline v1 {

namespace {

struct LateFolders {
  std::mutex mutex;
  std::vector<LateSync*> all;     // guarded by mutex
  std::atomic<size_t> count = 0;  // of them: most processes have none
};

LateFolders& Folders() {
  static LateFolders* const folders = new LateFolders();
  return *folders;
}

// Is `path` the folder, or below it?
bool IsIn(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) &&
         (path.size() == folder.size() || path[folder.size()] == '/');
}

// A file that was removed has nothing to lose.
Status SyncPath(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0 && errno == ENOENT) return {};
  if (fd < 0) return tl::unexpected(IoError("open", path, errno));
  const int failed = ::fsync(fd);
  const int error = errno;
  ::close(fd);
  if (failed != 0 && error != EINVAL)
    return tl::unexpected(IoError("sync", path, error));
  return {};
}

Status SyncAll(std::vector<std::string>* paths) {
  for (const std::string& path : *paths) TWINSET_TRY(SyncPath(path));
  paths->clear();
  return {};
}

}  // namespace

LateSync::LateSync(std::string folder, std::chrono::seconds after)
    : folder_(std::move(folder)),
      due_(std::chrono::steady_clock::now() + after) {
  LateFolders& folders = Folders();
  const std::lock_guard<std::mutex> lock(folders.mutex);
  folders.all.push_back(this);
  folders.count = folders.all.size();
}

LateSync::~LateSync() {
  LateFolders& folders = Folders();
  const std::lock_guard<std::mutex> lock(folders.mutex);
  std::erase(folders.all, this);
  folders.count = folders.all.size();
}

Status LateSync::Finish() {
  const std::lock_guard<std::mutex> lock(Folders().mutex);
  is_late_ = false;
  return SyncAll(&pending_);
}

Result<bool> LateSync::PutOff(const std::string& path) {
  LateFolders& folders = Folders();
  if (folders.count == 0) return false;
  const std::lock_guard<std::mutex> lock(folders.mutex);
  for (LateSync* late : folders.all) {
    if (!IsIn(path, late->folder_)) continue;
    if (late->is_late_ && std::chrono::steady_clock::now() < late->due_) {
      // Behind all that it may speak of.
      std::erase(late->pending_, path);
      late->pending_.push_back(path);
      return true;
    }
    late->is_late_ = false;
    TWINSET_TRY(SyncAll(&late->pending_));
    return false;
  }
  return false;
}

bool LateSync::IsLate(std::string_view path) {
  LateFolders& folders = Folders();
  if (folders.count == 0) return false;
  const std::lock_guard<std::mutex> lock(folders.mutex);
  return std::any_of(folders.all.begin(), folders.all.end(),
                     [path](const LateSync* late) {
                       return late->is_late_ && IsIn(path, late->folder_);
                     });
}

void LateSync::Renamed(const std::string& from, const std::string& to) {
  LateFolders& folders = Folders();
  if (folders.count == 0) return;
  const std::lock_guard<std::mutex> lock(folders.mutex);
  for (LateSync* late : folders.all) {
    if (std::erase(late->pending_, from) == 0) continue;
    std::erase(late->pending_, to);
    late->pending_.push_back(to);
  }
}

}  // namespace twinset::inline v1
