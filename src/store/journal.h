// The journal of a run: which stages are done and which files they left, so that a killed run
// can go on (docs/formats/journal.md).
#ifndef TWINSET_SRC_STORE_JOURNAL_H_
#define TWINSET_SRC_STORE_JOURNAL_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "twinset/error.h"

namespace twinset {

// A file that a finished stage stands for.
struct ManifestFile {
  std::string name;  // relative to the work folder
  uint64_t bytes = 0;
  uint64_t hash = 0;  // Hash64 of the content
};

// One line a fact, appended and fsynced: {"entry":"begin"|"stage"|"progress", ..., "check":"hex"}.
// A torn last line is ignored; damage before it is kCorrupt. Not thread-safe.
class Journal {
 public:
  // Starts a new journal; `begin` is an opaque text (JSON) that says what the run is.
  static Result<Journal> Create(const std::string& directory, const std::string& begin);
  // Reads an existing one. kIo when there is none.
  static Result<Journal> Open(const std::string& directory);

  const std::string& begin() const { return begin_; }
  // Stage `name` is done and left `files` (already fsynced; lengths and hashes are taken here).
  // `state` is an opaque text handed back on resume.
  Status FinishStage(const std::string& name, const std::vector<std::string>& files,
                     const std::string& state);
  // True if the stage is done and its files still have the recorded lengths (Verify checks hashes).
  bool IsDone(const std::string& name) const;
  Result<std::string> StageState(const std::string& name) const;
  Status Verify(const std::string& name) const;
  // Progress inside an unfinished stage: only the last one of a stage counts.
  Status SaveProgress(const std::string& stage, const std::string& state);
  std::string Progress(const std::string& stage) const;  // empty if none

 private:
  struct Stage {
    std::vector<ManifestFile> files;
    std::string state;
  };
  Status AppendLine(const std::string& json);
  std::string directory_;
  std::string begin_;
  std::map<std::string, Stage> stages_;
  std::map<std::string, std::string> progress_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STORE_JOURNAL_H_
