#include "store/scratch_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <filesystem>

#include "base/file.h"
#include "store/own_place.h"

namespace twinset {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRandom = "XXXXXX";
constexpr char kCommand[] = "scratch";

// Removes the folders of killed calls. What cannot be removed stays: nobody
// waits for it.
void RemoveStale(const fs::path& prefix) {
  const std::string name = prefix.filename().string();
  std::error_code error;
  for (fs::directory_iterator it(prefix.parent_path(), error), end;
       !error && it != end; it.increment(error)) {
    const std::string other = it->path().filename().string();
    std::error_code unseen;
    if (other.size() != name.size() + kRandom.size() ||
        !other.starts_with(name) || !it->is_directory(unseen) ||
        it->is_symlink(unseen))
      continue;
    const std::string path = it->path().string();
    if (!CheckOwnFolder(path, {}) || !FolderMarker::StandsIn(path)) continue;
    const auto marker = FolderMarker::Lock(path, path);
    if (marker && marker->state() == FolderMarker::State::kOurs &&
        marker->command() == kCommand)
      (void)RemoveTree(path);
  }
}

}  // namespace

Result<ScratchFolder> ScratchFolder::Make(const std::string& prefix) {
  const fs::path whole = fs::absolute(prefix);
  TWINSET_TRY(MakeDirectories(whole.parent_path().string()));
  RemoveStale(whole);
  std::string path = prefix + std::string(kRandom);
  if (::mkdtemp(path.data()) == nullptr)
    return tl::unexpected(IoError("make a folder", path, errno));
  ScratchFolder folder(std::move(path));
  TWINSET_ASSIGN(folder.marker_,
                 FolderMarker::Lock(folder.path_, folder.path_));
  TWINSET_TRY(folder.marker_->Restart(kCommand, ""));
  TWINSET_TRY(folder.marker_->Add({true, "."}));
  TWINSET_TRY(folder.marker_->Sync());
  return folder;
}

Result<ScratchFolder> ScratchFolder::Below(std::string parent,
                                           const std::string& name) {
  TWINSET_TRY(RefuseAddress(parent, "--tmp"));
  std::error_code ignored;
  if (parent.empty()) parent = fs::temp_directory_path(ignored).string();
  if (parent.empty()) parent = "/tmp";
  return Make(parent + "/" + name);
}

ScratchFolder::~ScratchFolder() {
  if (!path_.empty()) (void)RemoveTree(path_);
}

}  // namespace twinset
