#include "segments/index_manifest.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <utility>

#include "base/bytes.h"
#include "base/file.h"
#include "base/hash.h"
#include "store/file_header.h"

namespace twinset {

namespace {

constexpr uint64_t kMostBytes = 64 << 20;
constexpr std::string_view kLogSuffix = ".log", kRunSuffix = ".run";

constexpr uint32_t kVersion = 2;
// Has fewer types of entries in its log (docs/formats/index.md).
constexpr uint32_t kFirstVersion = 1;

FileHeader ManifestHeader(uint32_t version) { return {"index", version, 0, 0}; }

std::string NumberedPath(const std::string& folder, uint64_t file,
                         std::string_view suffix) {
  char name[32];
  std::snprintf(name, sizeof name, "%08llu",
                static_cast<unsigned long long>(file));
  return folder + "/" + name + std::string(suffix);
}

Json RangesJson(const std::vector<IndexRange>& ranges) {
  Json list = Json::array();
  for (const IndexRange& range : ranges) {
    list.push_back(
        Json{{"file", range.file}, {"begin", range.begin}, {"end", range.end}});
  }
  return list;
}

// False unless the ranges follow each other.
bool TakeRanges(const Json& list, std::vector<IndexRange>* ranges) {
  uint64_t begin = 0;
  for (const Json& item : list) {
    const IndexRange range = {item["file"].get<uint64_t>(),
                              item["begin"].get<uint64_t>(),
                              item["end"].get<uint64_t>()};
    if (range.begin != begin || range.end <= begin || range.file == 0)
      return false;
    begin = range.end;
    ranges->push_back(range);
  }
  return list.is_array();
}

Json CountsJson(const IndexCounts& counts) {
  Json json = {{"documents", counts.documents},
               {"arrivals", counts.arrivals},
               {"kept", counts.kept},
               {"empty", counts.empty}};
  for (const auto& [tag, declared] : counts.declared)
    json["declared"].push_back({{"tag", tag},
                                {"captures", declared.captures},
                                {"gone_till", declared.gone_till}});
  return json;
}

IndexCounts CountsOf(const Json& json) {
  IndexCounts counts;
  json["documents"].get_to(counts.documents);
  json["arrivals"].get_to(counts.arrivals);
  json["kept"].get_to(counts.kept);
  json["empty"].get_to(counts.empty);
  for (const Json& item : json["declared"]) {
    IndexCounts::Declared& declared =
        counts.declared[item["tag"].get<uint32_t>()];
    item["captures"].get_to(declared.captures);
    item["gone_till"].get_to(declared.gone_till);
  }
  return counts;
}

tl::unexpected<Error> Damaged(const std::string& path) {
  return Fail(ErrorCode::kCorrupt, "the manifest of the index is damaged", path,
              "bring the index back from a snapshot");
}

}  // namespace

std::string IndexLogPath(const std::string& folder, uint64_t file) {
  return NumberedPath(folder, file, kLogSuffix);
}
std::string IndexRunPath(const std::string& folder, uint64_t file) {
  return NumberedPath(folder, file, kRunSuffix);
}

uint64_t IndexFileOfName(std::string_view name) {
  uint64_t file = 0;
  const auto [end, error] =
      std::from_chars(name.data(), name.data() + name.size(), file);
  const std::string_view rest(
      end, static_cast<size_t>(name.data() + name.size() - end));
  const bool is_ours = rest == kLogSuffix || rest == kRunSuffix ||
                       rest == std::string(kLogSuffix) + ".idx";
  return error == std::errc() && is_ours ? file : 0;
}

Result<IndexManifest> IndexManifest::Parse(std::string_view bytes,
                                           const std::string& path) {
  std::array<char, kFileHeaderBytes> header = {};
  if (bytes.size() < header.size() + 8) return Damaged(path);
  std::copy_n(bytes.data(), header.size(), header.data());
  if (!CheckFileHeader(header, ManifestHeader(kFirstVersion), path))
    TWINSET_TRY(CheckFileHeader(header, ManifestHeader(kVersion), path));
  const std::string_view text =
      bytes.substr(header.size(), bytes.size() - header.size() - 8);
  if (LoadLE<uint64_t>(text.data() + text.size()) != Hash64(text))
    return Damaged(path);
  const Json json = Json::Parse(text);
  IndexManifest manifest;
  manifest.parameters = json["parameters"];
  json["next_file"].get_to(manifest.next_file);
  json["log"].get_to(manifest.log);
  json["log_bytes"].get_to(manifest.log_bytes);
  json["tags"].get_to(manifest.tags);
  manifest.counts = CountsOf(json["counts"]);
  const bool is_whole = manifest.parameters.is_object() &&
                        TakeRanges(json["logs"], &manifest.logs) &&
                        TakeRanges(json["runs"], &manifest.runs);
  if (!is_whole || manifest.covered() < manifest.sealed() || manifest.log == 0)
    return Damaged(path);
  return manifest;
}

Result<IndexManifest> IndexManifest::Read(const std::string& folder) {
  const std::string path = folder + "/" + kName;
  if (!FileExists(path)) {
    return Fail(ErrorCode::kUsage, "is no index", folder,
                "make one: twinset index create " + folder);
  }
  TWINSET_ASSIGN(const std::string bytes, ReadWholeFile(path, kMostBytes));
  return Parse(bytes, path);
}

Status IndexManifest::Write(const std::string& folder) const {
  Json json;
  json["parameters"] = parameters;
  json["next_file"] = next_file;
  json["logs"] = RangesJson(logs);
  json["runs"] = RangesJson(runs);
  json["log"] = log;
  json["log_bytes"] = log_bytes;
  json["counts"] = CountsJson(counts);
  json["tags"] = tags;
  const std::string text = json.dump();
  const auto header = EncodeFileHeader(ManifestHeader(kVersion));
  std::string bytes(header.data(), header.size());
  bytes += text;
  AppendLE<uint64_t>(&bytes, Hash64(text));
  return WriteWholeFile(folder + "/" + kName, bytes);
}

}  // namespace twinset
