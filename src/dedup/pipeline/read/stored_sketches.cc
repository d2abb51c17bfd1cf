#include "pipeline/read/stored_sketches.h"

#include <span>

#include "base/bytes.h"

namespace twinset {

void EncodeSketches(const std::vector<Sketch>& sketches, std::string* bytes) {
  bytes->clear();
  for (const Sketch& sketch : sketches) {
    AppendLE(bytes, static_cast<uint32_t>(sketch.size()));
    bytes->append(reinterpret_cast<const char*>(sketch.data()),
                  sketch.size() * sizeof(uint32_t));
  }
}

Status DecodeSketches(std::string_view bytes, size_t count,
                      std::vector<SketchView>* sketches) {
  sketches->clear();
  std::span<const uint32_t> words(
      reinterpret_cast<const uint32_t*>(bytes.data()),
      bytes.size() / sizeof(uint32_t));
  for (size_t i = 0; i < count; ++i) {
    if (words.empty() || words[0] > words.size() - 1) {
      return Fail(ErrorCode::kCorrupt, "the stored sketches are damaged");
    }
    sketches->push_back(words.subspan(1, words[0]));
    words = words.subspan(1 + words[0]);
  }
  return {};
}

}  // namespace twinset
