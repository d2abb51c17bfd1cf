#include "sketch/sketcher.h"

#include "base/bytes.h"

namespace twinset {

std::string SketchToHex(SketchView sketch) {
  std::string text;
  text.reserve(sketch.size() * 8);
  for (const uint32_t value : sketch) text += ToHex(value, 8);
  return text;
}

std::span<const uint64_t> AsHashes(std::string_view bytes) {
  return {reinterpret_cast<const uint64_t*>(bytes.data()),
          bytes.size() / sizeof(uint64_t)};
}

}  // namespace twinset
