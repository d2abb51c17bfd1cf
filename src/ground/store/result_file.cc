#include "store/result_file.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include "base/file.h"
#include "base/narrow_modes.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace fs = std::filesystem;

namespace {
constexpr int kLockTries = 100;
}

Result<ResultFile> ResultFile::Open(FileRequest request) {
  TWINSET_TRY(RefuseAddress(request.path, request.flag, /*is_file=*/true));
  const auto refuse = [&](const std::string& what, const std::string& remedy) {
    return Fail(ErrorCode::kUsage, what, request.path, remedy);
  };
  const std::string other = "choose another " + request.flag;
  const auto info = Stat(request.path);
  const auto named = LinkStat(request.path);
  ResultFile file;
  if (info && S_ISDIR(info->st_mode))
    return refuse("this is a folder, and a file is wanted", other);
  if (named && S_ISLNK(named->st_mode))
    return refuse("this is a link",
                  "name the file itself with " + request.flag);
  if (named && !S_ISREG(named->st_mode))
    return refuse("this is no regular file", other);
  if (info && !request.overwrite && !request.append && !request.resume)
    return refuse("the file exists already",
                  other + (request.overwritable ? " or add --overwrite" : ""));
  std::string parent = fs::path(request.path).parent_path().string();
  if (parent.empty()) parent = ".";
  TWINSET_TRY(MakeDirectories(parent));
  if (::access(parent.c_str(), W_OK | X_OK) != 0)
    return tl::unexpected(IoError("write into", parent, errno));
  const std::string part = request.path + ".part";
  if (!request.append && !request.resume && LinkStat(part)) {
    return refuse(
        "'" + NameText(part) +
            "' exists, which is the name that it has until it is whole",
        "move that away, or " + other);
  }
  if (info) file.taken_ = IdentityOf(*info);
  NarrowFileMode(request.path, kResultMode);
  file.request_ = std::move(request);
  return file;
}

Status ResultFile::Protect(const std::string& input, bool is_told) const {
  const auto info = Stat(PathOfInput(input));
  if (is_told && info && S_ISREG(info->st_mode))
    NarrowFileMode(request_.path, NarrowMode(request_.path, kResultMode) &
                                      (0600 | info->st_mode));
  if (!taken_ || FindIdentity(PathOfInput(input)) != taken_) return {};
  return Fail(ErrorCode::kUsage, "the file is the input " + NameText(input),
              request_.path,
              "choose another " + request_.flag +
                  ": inputs are never changed or removed");
}

Result<File> OpenToAdd(const std::string& path) {
  for (int i = 0; i < kLockTries; ++i) {
    TWINSET_ASSIGN(File file, File::OpenToLock(path));
    TWINSET_ASSIGN(const bool locked, file.Lock());
    if (!locked) {
      return Fail(ErrorCode::kIo, "another run is at work on the file", path,
                  "wait until it has ended, or name another file");
    }
    // The run that held the lock may have given the name to another file.
    if (file.HasName()) return file;
  }
  return Fail(ErrorCode::kIo, "other runs come and go with the file", path,
              "name another file");
}

}  // namespace twinset
