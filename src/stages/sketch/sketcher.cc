#include "sketch/sketcher.h"

#include <cmath>

namespace twinset {

double Sketcher::Estimate(SketchView a, SketchView b) const {
  return CompareSketches(layout(), a, b).share();
}

std::optional<double> Sketcher::StandardError(SketchView, SketchView) const {
  return std::nullopt;
}

std::string Sketcher::Written(SketchView sketch) const {
  std::string text;
  for (const std::string& value : WrittenValues(layout(), sketch))
    text += value;
  return text;
}

double ShareStandardError(double share, uint64_t n) {
  return std::sqrt(share * (1 - share) / static_cast<double>(n));
}

std::span<const uint64_t> AsHashes(std::string_view bytes) {
  return {reinterpret_cast<const uint64_t*>(bytes.data()),
          bytes.size() / sizeof(uint64_t)};
}

}  // namespace twinset
