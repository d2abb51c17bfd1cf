#include "engine/engine_folder.h"

#include <filesystem>
#include <utility>

#include "base/bytes.h"
#include "base/choice.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/lists/list_text.h"
#include "engine/engine_biases.h"
#include "twinset/json.h"

namespace twinset {

namespace {

constexpr uint64_t kMostBytes = 1 << 20;
constexpr int kFolderVersion = 1;

// The checksum of the members as they stand, without itself and the bytes of
// the index, which depend on the library that wrote them.
std::string ChecksumOf(Json json) {
  json.erase("checksum");
  json.erase("file");
  return ToHex(Hash64(json.dump()));
}

// Only what `engine build` writes has a magic, and then it must be whole.
Status CheckSeal(const Json& json, const std::string& path) {
  constexpr char kBuildAgain[] = "build it again with 'twinset engine build'";
  const auto version = json.find("version");
  if (version == json.end() || !version->is_number_integer() ||
      *version != kFolderVersion) {
    return Fail(ErrorCode::kUnsupported, "an engine of another version", path,
                kBuildAgain);
  }
  if (json.value("magic", "") != "twinset-engine" ||
      json.value("checksum", "") != ChecksumOf(json)) {
    return Fail(ErrorCode::kCorrupt, "the description of the engine is damaged",
                path, kBuildAgain);
  }
  return {};
}

Status TakeParameters(const Json& json, EngineDescription* description) {
  if (const auto parameters = json.find("parameters");
      parameters != json.end() && parameters->is_object()) {
    FeatureOptions& features = description->features;
    TWINSET_TRY(TakeChoice(*parameters, "tokens", &features.tokens));
    TWINSET_TRY(TakeChoice(*parameters, "content", &features.content));
  }
  const auto biases = json.find("biases");
  if (biases != json.end() && biases->is_object()) {
    const auto answers = biases->find("answers");
    if (answers != biases->end()) {
      auto parsed = ParseAnswerBiases(*answers);
      if (!parsed) {
        parsed.error().where = description->path;
        return tl::unexpected(parsed.error());
      }
      description->answers = *parsed;
    }
  }
  if (const auto documents = json.find("documents");
      documents != json.end() && documents->is_number_unsigned()) {
    description->documents = documents->get<int64_t>();
  }
  return {};
}

}  // namespace

std::string EngineDescription::Folder() const {
  const std::string folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder;
}

std::string EngineDescription::Bytes() const { return json.dump(2) + "\n"; }

std::string SealedEngineJson(Json json) {
  json["checksum"] = ChecksumOf(json);
  return json.dump();
}

Result<FileHash> HashFile(const std::string& path) {
  TWINSET_ASSIGN(File file, File::OpenRead(path));
  FileHash result;
  Hasher64 hasher;
  std::string buffer(1 << 20, '\0');
  for (;;) {
    TWINSET_ASSIGN(const size_t size, file.Read(buffer.data(), buffer.size()));
    if (size == 0) break;
    hasher.Update({buffer.data(), size});
    result.bytes += size;
  }
  result.hash = hasher.Digest();
  return result;
}

Result<EngineDescription> ParseEngineJson(std::string_view bytes,
                                          const std::string& path) {
  EngineDescription description;
  description.path = path;
  description.json = Json::Parse(bytes);
  const Json& json = description.json;
  if (!json.is_object()) {
    return Fail(ErrorCode::kCorrupt, "no description of an engine", path,
                "give a folder made by 'twinset engine build', or a JSON file "
                "with \"type\"");
  }
  if (json.contains("magic")) TWINSET_TRY(CheckSeal(json, path));
  description.type = json.value("type", "");
  if (description.type.empty()) {
    return Fail(ErrorCode::kUsage, "the type of the engine is not said", path,
                "add \"type\": \"http\" or \"program\"");
  }
  description.name = json.value("name", "");
  if (description.name.empty())
    description.name = std::filesystem::path(path).stem();
  TWINSET_TRY(TakeParameters(json, &description));
  description.checksum = ChecksumOf(json);
  return description;
}

Result<EngineDescription> ReadEngineDescription(const std::string& engine) {
  std::error_code error;
  const bool folder = std::filesystem::is_directory(engine, error);
  const std::string path = folder ? engine + "/" + kEngineFile : engine;
  if (!FileExists(path)) {
    return Fail(ErrorCode::kIo,
                folder ? "the folder holds no engine" : "no such engine",
                engine,
                "make one with 'twinset engine build INPUT... --out DIR'");
  }
  TWINSET_ASSIGN(const std::string bytes, ReadListText(path, kMostBytes));
  return ParseEngineJson(bytes, path);
}

}  // namespace twinset
