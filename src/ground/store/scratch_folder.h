// A folder of its own for the work files of one call.
#ifndef TWINSET_SRC_GROUND_STORE_SCRATCH_FOLDER_H_
#define TWINSET_SRC_GROUND_STORE_SCRATCH_FOLDER_H_

#include <optional>
#include <string>
#include <utility>

#include "store/folder_marker.h"

namespace twinset {

// A new folder that nobody else has, marked and locked (folder_marker.h),
// removed with what is in it. Movable.
class ScratchFolder {
 public:
  // PREFIX and six characters; the folders above are made. Removes those of
  // calls of the same prefix that were killed: marked, and locked by nobody.
  static Result<ScratchFolder> Make(const std::string& prefix);
  // Below `parent`, or where the system has such folders if that is empty.
  static Result<ScratchFolder> Below(std::string parent,
                                     const std::string& name);
  ScratchFolder(ScratchFolder&& other) noexcept
      : path_(std::exchange(other.path_, {})),
        marker_(std::move(other.marker_)) {}
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();
  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const {
    return path_ + "/" + name;
  }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
  std::optional<FolderMarker> marker_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_STORE_SCRATCH_FOLDER_H_
