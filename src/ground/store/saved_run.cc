#include "store/saved_run.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "base/hash.h"
#include "store/folder_marker.h"
#include "twinset/version.h"

namespace twinset {

namespace {

constexpr uint64_t kMaxManifestBytes = 64 << 20;
constexpr std::string_view kCheckBegin = ",\"check\":\"", kCheckEnd = "\"}\n";
constexpr size_t kCheckBytes = kCheckBegin.size() + 16 + kCheckEnd.size();

std::string Again(const SavedKind& kind) {
  return std::string("make it again with ") + kind.maker;
}

tl::unexpected<Error> Damaged(const SavedKind& kind, const std::string& path) {
  return Fail(ErrorCode::kCorrupt,
              std::string("the manifest of the ") + kind.name + " is damaged",
              path, Again(kind));
}

// For a folder that is not what was asked for.
tl::unexpected<Error> NotOfKind(const std::string& folder,
                                const SavedKind& kind) {
  const std::string keep = std::string("keep one with ") + kind.maker;
  if (!FileExists(folder))
    return Fail(ErrorCode::kUsage, "there is no such folder", folder, keep);
  const bool wants_run = std::string_view(kind.name) == kFinishedRun.name;
  for (const SavedKind* other : {&kFinishedRun, &kShardOfRun, &kPartOfMerge}) {
    if (std::string_view(other->name) == kind.name ||
        !SavedRun::IsOfKind(folder, *other))
      continue;
    return Fail(
        ErrorCode::kUsage,
        std::string("this is ") + other->article + ", not " + kind.article,
        folder,
        wants_run ? "make one run of all shards: twinset merge SHARD... "
                    "--out DIR --save DIR"
                  : "make one with " + std::string(kind.maker));
  }
  return Fail(
      ErrorCode::kUsage,
      std::string("this is no ") + kind.name + ": it has no " + kind.manifest,
      folder, keep);
}

// What stands before the check, if the check is right.
std::optional<std::string_view> CheckedPart(std::string_view manifest) {
  if (manifest.size() < kCheckBytes) return {};
  const std::string_view body =
      manifest.substr(0, manifest.size() - kCheckBytes);
  std::string_view tail = manifest.substr(body.size());
  uint64_t check = 0;
  if (!tail.starts_with(kCheckBegin) || !tail.ends_with(kCheckEnd) ||
      !ParseHex64(tail.substr(kCheckBegin.size(), 16), &check) ||
      check != Hash64(body))
    return {};
  return body;
}

}  // namespace

Result<SavedRun> SavedRun::Parse(std::string_view manifest,
                                 const std::string& path,
                                 const SavedKind& kind) {
  const auto body = CheckedPart(manifest);
  const Json json =
      body ? Json::Parse(std::string(*body) + "}") : Json::discarded();
  if (!json.is_object() || json["format"] != Json(kind.format))
    return Damaged(kind, path);
  // Not the build: every one of the same format and spec reads it.
  const auto differs = [&](const char* what, const Json& wanted) {
    const bool is_newer = json[what].is_number() &&
                          json[what].get<double>() > wanted.get<double>();
    const std::string by = "twinset " + json["twinset"].dump();
    return Fail(ErrorCode::kUnsupported,
                std::string("the ") + kind.name + " is of " + what + " " +
                    json[what].dump() + ", written by " + by +
                    ", and this build reads " + what + " " + wanted.dump(),
                path, is_newer ? "use " + by + " or a later one" : Again(kind));
  };
  if (json["version"] != Json(kind.version))
    return differs("version", kind.version);
  if (json["spec"] != Json(kSpecNumber)) return differs("spec", kSpecNumber);
  SavedRun run;
  run.description_ = json["run"];
  if (!run.description_.is_object() ||
      !FilesFromJson(json["files"], &run.files_))
    return Damaged(kind, path);
  return run;
}

bool SavedRun::IsOfKind(const std::string& folder, const SavedKind& kind) {
  return FileExists(folder + "/" + kind.manifest);
}

Result<SavedRun> SavedRun::Open(const std::string& folder,
                                const SavedKind& kind) {
  const std::string path = folder + "/" + kind.manifest;
  if (!IsOfKind(folder, kind)) return NotOfKind(folder, kind);
  File lock;
  if (auto marker =
          File::OpenRead(folder + "/" + std::string(FolderMarker::kFileName))) {
    TWINSET_ASSIGN(const bool free, marker->LockShared());
    if (!free) {
      return Fail(ErrorCode::kIo, "another run is at work in the folder",
                  folder, "wait until it has ended");
    }
    lock = *std::move(marker);
  }
  TWINSET_ASSIGN(const std::string manifest,
                 ReadWholeFile(path, kMaxManifestBytes));
  TWINSET_ASSIGN(SavedRun run, Parse(manifest, path, kind));
  run.folder_ = folder;
  run.lock_ = std::move(lock);
  TWINSET_TRY(run.CheckFiles(kind));
  return run;
}

Status SavedRun::CheckFiles(const SavedKind& kind) {
  for (const ManifestFile& file : files_) {
    if (!FileExists(Path(file.name))) {
      if (file.name == kKey) continue;
      return Fail(ErrorCode::kCorrupt,
                  std::string("a file of the ") + kind.name + " is missing",
                  Path(file.name), Again(kind));
    }
    if (Status same = CheckFile(folder_, file); !same) {
      same.error().remedy = Again(kind);
      return same;
    }
  }
  return {};
}

Status SavedRun::Write(const std::string& folder, const Json& description,
                       const std::vector<std::string>& names,
                       const SavedKind& kind) {
  std::vector<ManifestFile> files;
  for (const std::string& name : names) {
    TWINSET_ASSIGN(ManifestFile file, DescribeFile(folder, name));
    files.push_back(std::move(file));
  }
  Json json;
  json["format"] = kind.format;
  json["version"] = kind.version;
  json["spec"] = kSpecNumber;
  json["twinset"] = kVersion;
  json["run"] = description;
  json["files"] = FilesToJson(files);
  std::string text = json.dump();
  text.pop_back();  // the closing brace comes after the check
  const std::string check = ToHex(Hash64(text));
  text.append(kCheckBegin).append(check).append(kCheckEnd);
  return WriteWholeFile(folder + "/" + kind.manifest, text);
}

bool SavedRun::Has(std::string_view name) const {
  return std::any_of(
             files_.begin(), files_.end(),
             [&](const ManifestFile& file) { return file.name == name; }) &&
         FileExists(Path(name));
}

}  // namespace twinset
