// The file that says which entries of a folder twinset made, and that is locked
// while a run writes there (docs/formats/result-folder.md).
#ifndef TWINSET_SRC_GROUND_STORE_FOLDER_MARKER_H_
#define TWINSET_SRC_GROUND_STORE_FOLDER_MARKER_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/file.h"
#include "twinset/error.h"

namespace twinset {

// What a folder of ours is, to those who find it among inputs.
struct MarkedFolder {
  std::string what;    // "the result folder of twinset dedup"
  std::string remedy;  // what to do with it in place of reading it
};

// An open and locked marker. The lock (flock) goes when the object goes or the
// process ends, however it ends. Not thread-safe.
class FolderMarker {
 public:
  static constexpr char kFileName[] = ".twinset";

  struct Entry {
    bool is_tree = false;  // a folder with all that is in it
    std::string name;      // relative to the folder, never out of it
  };
  enum class State {
    kBlank,   // just made, or cut off before its first line was whole
    kOurs,    // lists what twinset made
    kForeign  // somebody else's file of this name
  };

  // Makes the marker in `folder` if there is none and locks it. kIo when
  // another run holds the lock; errors name the folder as `shown`.
  static Result<FolderMarker> Lock(const std::string& folder,
                                   const std::string& shown);
  // Returns true iff `folder` has a marker of ours; takes no lock.
  static bool StandsIn(const std::string& folder);
  // What `folder` is, if it is ours and holds what no command may take for
  // inputs; takes no lock. A folder that holds `input` ("documents",
  // "attributes") is not told, nor one that is not marked.
  static std::optional<MarkedFolder> Find(const std::string& folder,
                                          std::string_view input);

  // What an unmarked `folder` is by its files, if it is a copy of one of ours.
  static std::optional<MarkedFolder> FindUnmarked(const std::string& folder);

  State state() const { return state_; }
  const std::string& command() const { return command_; }  // of kOurs
  // Every entry in the order of the file. Entries that are cut off or lead out
  // of the folder are passed over.
  Status ForEach(const std::function<Status(const Entry&)>& each) const;

  // Begins the list anew. `holds`: what others may read from the folder
  // ("documents", "attributes"); empty: nothing.
  Status Restart(const std::string& command, const std::string& holds);
  // Adds to the list; written and synced by Sync at the latest.
  Status Add(const Entry& entry);
  Status Sync();
  // Removes the marker; the lock is given up with the object.
  Status Remove();

 private:
  FolderMarker() = default;
  Status ReadHead();
  Status Flush();
  Status ForEachLine(
      const std::function<Status(std::string_view line)>& each) const;

  File file_;
  State state_ = State::kBlank;
  std::string command_;
  std::string buffer_;
  uint64_t length_ = 0;  // of the whole lines
};

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_STORE_FOLDER_MARKER_H_
