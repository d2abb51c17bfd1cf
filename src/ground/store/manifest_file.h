// Files that something stands for, as a journal or a saved run lists them.
#ifndef TWINSET_SRC_GROUND_STORE_MANIFEST_FILE_H_
#define TWINSET_SRC_GROUND_STORE_MANIFEST_FILE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/error.h"
#include "twinset/json.h"

namespace twinset {

struct ManifestFile {
  std::string name;  // relative to the folder of the list, never out of it
  uint64_t bytes = 0;
  uint64_t hash = 0;  // Hash64 of its first and last 64 KB
};

// Takes length and hash of file `name`. Runs and blobs end in a footer that
// seals all their checksums, so the edges stand for what lies between; it is
// checked when it is read.
Result<ManifestFile> DescribeFile(const std::string& folder,
                                  const std::string& name);
// kCorrupt when the file is not what was described; kIo when it is not there.
Status CheckFile(const std::string& folder, const ManifestFile& file);

// [{"name":PATH,"bytes":NUMBER,"hash":HEX},...] and back; false when it is
// anything else.
Json FilesToJson(const std::vector<ManifestFile>& files);
bool FilesFromJson(const Json& list, std::vector<ManifestFile>* files);

// Returns true iff `name` stays inside its folder.
bool IsInsideFolder(const std::string& name);

// 16 lower-case hexadecimal digits, as ToHex writes them.
bool ParseHex64(std::string_view text, uint64_t* value);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_STORE_MANIFEST_FILE_H_
