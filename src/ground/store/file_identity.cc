#include "store/file_identity.h"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

#include "base/file.h"
#include "base/keyed_hash.h"

namespace twinset {

namespace fs = std::filesystem;

std::optional<struct stat> Stat(const std::string& path) {
  struct stat info;
  if (::stat(path.c_str(), &info) != 0) return {};
  return info;
}
std::optional<struct stat> LinkStat(const std::string& path) {
  struct stat info;
  if (::lstat(path.c_str(), &info) != 0) return {};
  return info;
}
FileIdentity IdentityOf(const struct stat& info) {
  return {info.st_dev, info.st_ino};
}

Status PlaceFile(const std::string& from, const std::string& to) {
  TWINSET_TRY(RemoveFile(to));
  return ::link(from.c_str(), to.c_str()) == 0 ? Status() : CopyFile(from, to);
}

uint64_t HashOf(const FileIdentity& identity) {
  const uint64_t words[] = {identity.first, identity.second};
  return EqualityHash::OfProcess().Short(
      {reinterpret_cast<const char*>(words), sizeof(words)});
}

bool IsMountPoint(const std::string& path) {
  struct statx info;
  return ::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT,
                 STATX_TYPE, &info) == 0 &&
         (info.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT) != 0 &&
         (info.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

std::string PathOfInput(const std::string& input) {
  if (input != "-") return input;
  struct stat info;
  return ::fstat(STDIN_FILENO, &info) == 0 && S_ISREG(info.st_mode)
             ? "/proc/self/fd/0"
             : "";
}

Result<std::string> CanonicalPath(const std::string& path) {
  std::error_code error;
  fs::path canonical = fs::weakly_canonical(fs::absolute(path, error), error);
  if (error) return tl::unexpected(IoError("find", path, error.value()));
  if (!canonical.has_filename() && canonical.has_relative_path())
    canonical = canonical.parent_path();
  return canonical.string();
}

std::optional<FileIdentity> FindIdentity(const std::string& path) {
  const auto info = Stat(path);
  if (!info) return {};
  return IdentityOf(*info);
}

bool AnyAbove(const std::string& path,
              const std::function<bool(const FileIdentity&)>& is) {
  std::error_code error;
  fs::path at = fs::canonical(path.empty() ? "." : path, error);
  if (error) return false;
  for (;; at = at.parent_path()) {
    const auto identity = FindIdentity(at.string());
    if (identity && is(*identity)) return true;
    if (at == at.parent_path()) return false;
  }
}

bool IsBelow(const std::string& path, const FileIdentity& folder) {
  return AnyAbove(
      path, [&](const FileIdentity& identity) { return identity == folder; });
}

}  // namespace twinset
