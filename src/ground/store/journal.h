// The journal of a run: which stages are done and which files they left, so
// that a killed run can go on (src/ground/store/FORMAT.md).
#ifndef TWINSET_SRC_GROUND_STORE_JOURNAL_H_
#define TWINSET_SRC_GROUND_STORE_JOURNAL_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "store/manifest_file.h"
#include "twinset/error.h"

namespace twinset {

// One line a fact, appended and fsynced: {"entry":"begin"|"stage"|"progress",
// ..., "check":"hex"}. The check covers the line and the check before it. A
// torn last line is ignored; damage before it is kCorrupt. All texts are UTF-8,
// at most 16 MB per line. A call that fails changes nothing. Not thread-safe.
class Journal {
 public:
  static constexpr char kFileName[] = "journal.jsonl";

  // Starts a new journal in an existing folder, in place of any other; `begin`
  // is an opaque text (JSON) that says what the run is.
  static Result<Journal> Create(const std::string& directory,
                                const std::string& begin);
  // Reads an existing one and cuts off a torn last line. kIo when there is
  // none.
  static Result<Journal> Open(const std::string& directory);

  const std::string& begin() const { return begin_; }
  // Stage `name` is done and left `files` (already fsynced; lengths and hashes
  // are taken here). `state` is an opaque text handed back on resume. Its
  // progress is forgotten. Said twice, the last one counts.
  Status FinishStage(const std::string& name,
                     const std::vector<std::string>& files,
                     const std::string& state);
  // True if the stage is done and its files still have the recorded lengths
  // (Verify checks hashes).
  bool IsDone(const std::string& name) const;
  Result<std::string> StageState(const std::string& name) const;
  // Reads the edges of every file of the stage: kCorrupt if one is not what was
  // recorded.
  Status Verify(const std::string& name) const;
  // Progress inside an unfinished stage: only the last one of a stage counts.
  Status SaveProgress(const std::string& stage, const std::string& state);
  std::string Progress(const std::string& stage) const;  // empty if none

 private:
  struct Stage {
    std::vector<ManifestFile> files;
    std::string state;
  };
  Journal() = default;
  std::string Path() const { return directory_ + "/" + kFileName; }
  Result<const Stage*> FindStage(const std::string& name) const;
  Status ReadLines(const File& file);
  Status ReadLine(std::string_view line);
  Status Apply(const std::string& json);
  Status AppendLine(std::string json);

  std::string directory_;
  std::string begin_;
  std::map<std::string, Stage> stages_;
  std::map<std::string, std::string> progress_;
  File file_;
  uint64_t length_ = 0;  // of the complete lines
  uint64_t lines_ = 0;
  uint64_t check_ = 0;  // of the last line
};

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_STORE_JOURNAL_H_
