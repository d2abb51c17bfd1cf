#include "sketch/sketcher.h"

#include <algorithm>

#include "base/bytes.h"

namespace twinset {

std::string SketchToHex(SketchView sketch) {
  std::string text;
  text.reserve(sketch.size() * 8);
  for (const uint32_t value : sketch) text += ToHex(value, 8);
  return text;
}

uint64_t Sketcher::Distance(SketchView a, SketchView b) const {
  uint64_t differing = 0;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    differing += a[i] != b[i];
  return differing;
}

std::string Sketcher::Written(SketchView sketch) const {
  return SketchToHex(sketch);
}

std::span<const uint64_t> AsHashes(std::string_view bytes) {
  return {reinterpret_cast<const uint64_t*>(bytes.data()),
          bytes.size() / sizeof(uint64_t)};
}

}  // namespace twinset
