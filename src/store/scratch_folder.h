// A folder of its own for the work files of one call.
#ifndef TWINSET_SRC_STORE_SCRATCH_FOLDER_H_
#define TWINSET_SRC_STORE_SCRATCH_FOLDER_H_

#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <utility>

#include "base/file.h"

namespace twinset {

// A new folder that nobody else has, removed with what is in it. Movable.
class ScratchFolder {
 public:
  // PREFIX and six characters; the folders above are made.
  static Result<ScratchFolder> Make(const std::string& prefix) {
    TWINSET_TRY(MakeDirectories(
        std::filesystem::absolute(prefix).parent_path().string()));
    std::string path = prefix + "XXXXXX";
    if (::mkdtemp(path.data()) == nullptr)
      return tl::unexpected(IoError("make a folder", path, errno));
    return ScratchFolder(std::move(path));
  }
  // Below `parent`, or where the system has such folders if that is empty.
  static Result<ScratchFolder> Below(std::string parent,
                                     const std::string& name) {
    std::error_code ignored;
    if (parent.empty())
      parent = std::filesystem::temp_directory_path(ignored).string();
    if (parent.empty()) parent = "/tmp";
    return Make(parent + "/" + name);
  }
  ScratchFolder(ScratchFolder&& other) noexcept
      : path_(std::exchange(other.path_, {})) {}
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder() {
    if (!path_.empty()) (void)RemoveTree(path_);
  }
  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const {
    return path_ + "/" + name;
  }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STORE_SCRATCH_FOLDER_H_
