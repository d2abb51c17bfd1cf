// engine.json: what an engine is, in the folder of one that twinset built or in
// a file about one elsewhere (docs/formats/engine.md).
#ifndef TWINSET_SRC_MEASURE_ENGINE_ENGINE_FOLDER_H_
#define TWINSET_SRC_MEASURE_ENGINE_ENGINE_FOLDER_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/measure/engine.h"

namespace twinset {

inline constexpr char kEngineFile[] = "engine.json";
inline constexpr char kIndexFile[] = "index.sqlite";     // of type sqlite
inline constexpr char kXapianFolder[] = "index.xapian";  // of type xapian

struct EngineDescription {
  std::string path;  // of the JSON
  std::string name, type;
  FeatureOptions features;  // how words become terms
  AnswerBiases answers;
  int64_t documents = -1;
  std::string checksum;  // hex; two engines of one checksum are the same
  Json json;

  // The folder that `path` is in.
  std::string Folder() const;
  // The JSON as it is written.
  std::string Bytes() const;
};

// The text of a description without a checksum, with one.
std::string SealedEngineJson(Json json);

struct FileHash {
  uint64_t bytes = 0, hash = 0;
};
// The hash of all bytes of a file, which is read in parts.
Result<FileHash> HashFile(const std::string& path);

// `bytes`: of an engine.json or a description; `path` for messages. kCorrupt
// for what is damaged, kUsage for what makes no sense, kUnsupported for another
// version.
Result<EngineDescription> ParseEngineJson(std::string_view bytes,
                                          const std::string& path);
// `engine`: a folder with an engine.json, or a file.
Result<EngineDescription> ReadEngineDescription(const std::string& engine);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_ENGINE_ENGINE_FOLDER_H_
