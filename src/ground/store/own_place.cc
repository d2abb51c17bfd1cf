#include "store/own_place.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "store/file_identity.h"

namespace twinset {
namespace {

constexpr mode_t kOthersWrite = 022;
// A group may read a saved run that it shares.
constexpr mode_t kOthersKnow = 037;

std::string ModeText(mode_t mode) {
  char text[8];
  std::snprintf(text, sizeof text, "%04o", mode & 07777u);
  return text;
}

tl::unexpected<Error> MadeBy(const char* what, uid_t owner,
                             const std::string& path,
                             const std::string& remedy) {
  return Fail(ErrorCode::kUsage,
              std::string(what) + " belongs to another user (uid " +
                  std::to_string(owner) + ", not " +
                  std::to_string(::geteuid()) + ")",
              path, remedy);
}

}  // namespace

Status CheckOwnFolder(const std::string& path, const std::string& remedy) {
  const auto info = LinkStat(path);
  if (!info) return {};
  if (S_ISLNK(info->st_mode))
    return Fail(ErrorCode::kUsage, "the work folder is a link", path, remedy);
  if (info->st_uid != ::geteuid())
    return MadeBy("the work folder", info->st_uid, path, remedy);
  if ((info->st_mode & kOthersWrite) != 0)
    return Fail(ErrorCode::kUsage,
                "others may write in the work folder (mode " +
                    ModeText(info->st_mode) + ")",
                path, remedy);
  return {};
}

Status CheckSecretFile(const std::string& path, bool folder_owner) {
  const auto info = LinkStat(path);
  if (!info) return {};
  if (!S_ISREG(info->st_mode))
    return Fail(ErrorCode::kUsage, "the key of the run is no plain file", path,
                "put the file itself there");
  const auto folder = Stat(std::filesystem::path(path).parent_path().string());
  const bool is_owner =
      info->st_uid == ::geteuid() || info->st_uid == 0 ||
      (folder_owner && folder && info->st_uid == folder->st_uid);
  if (!is_owner)
    return MadeBy("the key of the run", info->st_uid, path,
                  "make the run again, or give it to the user who made it");
  if ((info->st_mode & kOthersKnow) != 0)
    return Fail(ErrorCode::kUsage,
                "others may read or change the key of the run (mode " +
                    ModeText(info->st_mode) + ")",
                path, "chmod 600 it if nobody else can have seen it");
  return {};
}

Status CheckBegunByUser(const std::string& path, const std::string& shown) {
  const auto info = LinkStat(path);
  if (!info || info->st_uid == ::geteuid()) return {};
  return MadeBy("what is to be gone on with", info->st_uid, shown,
                "go on as that user, or begin anew with --overwrite");
}

}  // namespace twinset
