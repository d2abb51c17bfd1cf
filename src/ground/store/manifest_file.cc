#include "store/manifest_file.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/bytes.h"
#include "base/file.h"
#include "base/hash.h"

namespace twinset {

namespace {

constexpr uint64_t kEdgeBytes = 64 << 10;  // of a file that its hash covers

// The string member `key`, or null.
const std::string* TextOf(const Json& object, const char* key) {
  return object[key].if_string();
}

}  // namespace

bool IsInsideFolder(const std::string& name) {
  const std::filesystem::path path(name);
  if (name.empty() || path.is_absolute() ||
      name.find('\0') != std::string::npos)
    return false;
  return std::none_of(path.begin(), path.end(),
                      [](const auto& part) { return part == ".."; });
}

Result<ManifestFile> DescribeFile(const std::string& folder,
                                  const std::string& name) {
  ManifestFile result;
  result.name = name;
  TWINSET_ASSIGN(File file, File::OpenRead(folder + "/" + name));
  TWINSET_ASSIGN(result.bytes, file.Size());
  std::string edge(std::min<uint64_t>(result.bytes, kEdgeBytes), '\0');
  Hasher64 hasher;
  TWINSET_TRY(file.ReadAt(0, edge.data(), edge.size()));
  hasher.Update(edge);
  const uint64_t rest =
      std::min<uint64_t>(result.bytes - edge.size(), kEdgeBytes);
  edge.resize(rest);
  TWINSET_TRY(file.ReadAt(result.bytes - rest, edge.data(), rest));
  hasher.Update(edge);
  result.hash = hasher.Digest();
  return result;
}

Status CheckFile(const std::string& folder, const ManifestFile& file) {
  TWINSET_ASSIGN(const ManifestFile now, DescribeFile(folder, file.name));
  if (now.bytes == file.bytes && now.hash == file.hash) return {};
  return Fail(ErrorCode::kCorrupt,
              now.bytes == file.bytes
                  ? std::string("the file has other bytes than were recorded")
                  : "the file has " + std::to_string(now.bytes) +
                        " bytes and " + std::to_string(file.bytes) +
                        " were recorded",
              folder + "/" + file.name);
}

Json FilesToJson(const std::vector<ManifestFile>& files) {
  Json list = Json::array();
  for (const ManifestFile& file : files) {
    list.push_back(Json{{"name", file.name},
                        {"bytes", file.bytes},
                        {"hash", ToHex(file.hash)}});
  }
  return list;
}

bool FilesFromJson(const Json& list, std::vector<ManifestFile>* files) {
  if (!list.is_array()) return false;
  for (const Json& item : list) {
    if (!item.is_object()) return false;
    ManifestFile file;
    const std::string* name = TextOf(item, "name");
    const std::string* hash = TextOf(item, "hash");
    const auto bytes = item.find("bytes");
    if (name == nullptr || hash == nullptr || bytes == item.end() ||
        !bytes->is_number_unsigned() || !ParseHex64(*hash, &file.hash) ||
        !IsInsideFolder(*name)) {
      return false;
    }
    file.name = *name;
    file.bytes = bytes->get<uint64_t>();
    files->push_back(std::move(file));
  }
  return true;
}

bool ParseHex64(std::string_view text, uint64_t* value) {
  if (text.size() != 16) return false;
  *value = 0;
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit && !(c >= 'a' && c <= 'f')) return false;
    *value =
        *value << 4 | static_cast<uint64_t>(digit ? c - '0' : c - 'a' + 10);
  }
  return true;
}

}  // namespace twinset
