// Work files that were kept, of a finished run, a shard or a part of a merge,
// and a manifest that says what they are (docs/formats/saved-run.md,
// docs/formats/shard.md).
#ifndef TWINSET_SRC_GROUND_STORE_SAVED_RUN_H_
#define TWINSET_SRC_GROUND_STORE_SAVED_RUN_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "store/manifest_file.h"
#include "twinset/error.h"
#include "twinset/json.h"

namespace twinset {

// What a folder of kept files is.
struct SavedKind {
  const char* manifest;  // its file
  const char* format;    // what that says it is
  uint64_t version;      // of the format
  const char* name;      // for messages, with and without an article
  const char* article;
  const char* maker;  // the command that keeps one
};
inline constexpr SavedKind kFinishedRun = {
    "saved-run.json", "twinset saved run", 5,
    "saved run",      "a saved run",       "dedup --save DIR"};
inline constexpr SavedKind kShardOfRun = {
    "shard.json", "twinset shard", 1,
    "shard",      "a shard",       "dedup --shard I/N --key FILE --save DIR"};
inline constexpr SavedKind kPartOfMerge = {
    "part.json",
    "twinset part",
    1,
    "part of a merge",
    "a part of a merge",
    "merge SHARD... --part J/M --save DIR"};

// Reading only. While it lives no other run can replace the folder.
class SavedRun {
 public:
  static constexpr const char* kManifest = kFinishedRun.manifest;
  // Whoever has it can make texts that collide, so it may be taken out before a
  // saved run is passed on.
  static constexpr char kKey[] = "verify.key";

  // kUsage for a folder without a manifest; kIo when a run is at work in it;
  // kUnsupported for one of another version or spec, whatever build wrote it;
  // kCorrupt when the manifest or one of its files is damaged or missing (kKey
  // may be missing). Reads the manifest and 128 KB of each file.
  static Result<SavedRun> Open(const std::string& folder,
                               const SavedKind& kind = kFinishedRun);
  static bool StandsIn(const std::string& folder) {
    return IsOfKind(folder, kFinishedRun);
  }
  static bool IsOfKind(const std::string& folder, const SavedKind& kind);

  // The manifest alone, of any bytes; no file is looked at. `path` is for
  // messages.
  static Result<SavedRun> Parse(std::string_view manifest,
                                const std::string& path,
                                const SavedKind& kind = kFinishedRun);

  // Writes the manifest of `names`, files of the folder, last: before it is
  // there, the folder is no saved run. `description` is handed back by Open.
  static Status Write(const std::string& folder, const Json& description,
                      const std::vector<std::string>& names,
                      const SavedKind& kind = kFinishedRun);

  const std::string& folder() const { return folder_; }
  const Json& description() const { return description_; }
  const std::vector<ManifestFile>& files() const { return files_; }
  bool Has(std::string_view name) const;
  std::string Path(std::string_view name) const {
    return folder_ + "/" + std::string(name);
  }

 private:
  Status CheckFiles(const SavedKind& kind);
  std::string folder_;
  Json description_;
  std::vector<ManifestFile> files_;
  File lock_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_STORE_SAVED_RUN_H_
