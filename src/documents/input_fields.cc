#include <algorithm>

#include "read/reader.h"
#include "twinset/fields.h"
#include "twinset/json.h"

namespace twinset::inline v1 {

namespace {

constexpr size_t kMostFiles = 5, kMostRows = 50, kMostNames = 200;
constexpr uint64_t kMostRowBytes = 1 << 20;

// Names of the members of an object, those of objects in it as paths.
void AddNames(const Json& row, const std::string& above,
              std::vector<std::string>* names) {
  for (const auto& [key, value] : row.items()) {
    const std::string path = above + key;
    if (names->size() >= kMostNames) return;
    if (value.is_object() && above.size() < 100)
      AddNames(value, path + ".", names);
    else if (std::find(names->begin(), names->end(), path) == names->end())
      names->push_back(path);
  }
}

}  // namespace

std::vector<std::string> FieldNamesOfFiles(
    const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  size_t files = 0;
  for (const std::string& path : paths) {
    const auto inputs = ListInputs({path});
    if (!inputs) continue;
    for (const InputFile& input : *inputs) {
      if (!input.state.regular) continue;
      if (++files > kMostFiles) return names;
      ReadOptions options;
      options.keep_raw = true;
      options.max_document_bytes = kMostRowBytes;
      const auto reader = OpenRecordReader(input, 0, options);
      if (!reader) continue;
      Record record;
      for (size_t row = 0; row < kMostRows; ++row) {
        const auto more = (*reader)->Next(&record);
        if (!more || !*more || (*reader)->format() != InputFormat::kJsonl)
          break;
        AddNames(Json::Parse(record.raw), "", &names);
      }
    }
  }
  return names;
}

}  // namespace twinset::inline v1
