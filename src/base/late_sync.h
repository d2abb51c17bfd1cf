// A folder whose files reach the disk when they have been worked on for long:
// for work files, which are mostly removed before.
#ifndef TWINSET_SRC_BASE_LATE_SYNC_H_
#define TWINSET_SRC_BASE_LATE_SYNC_H_

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/error.h"

namespace twinset::inline v1 {

// While it lives, File::Sync and SyncDirectory (base/file.h) put off what is
// below the folder, until the first of them that comes `seconds` after the
// begin: it syncs all that was put off, in order, and from then on none is.
// A process may be killed at any time, as the system has what was written; a
// system that stops loses what was put off, and what was synced later with it.
// Thread-safe. One process-wide list; nobody else may have the folder in it.
class LateSync {
 public:
  LateSync(std::string folder, std::chrono::seconds after);
  ~LateSync();
  LateSync(const LateSync&) = delete;
  LateSync& operator=(const LateSync&) = delete;

  // Syncs what was put off; from now on none is.
  Status Finish();

  // ---- for base/file.cc ----
  // Whether syncing `path` is put off. When the time has come, the folder's
  // others are synced first and the answer is no.
  static Result<bool> PutOff(const std::string& path);
  // Whether it would be: nothing is noted, and nothing done.
  static bool IsLate(std::string_view path);
  static void Renamed(const std::string& from, const std::string& to);

 private:
  const std::string folder_;
  const std::chrono::steady_clock::time_point due_;
  // Paths in the order in which they are to be synced, each once: guarded by
  // the mutex of the list of folders.
  std::vector<std::string> pending_;
  bool is_late_ = true;
};

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_BASE_LATE_SYNC_H_
