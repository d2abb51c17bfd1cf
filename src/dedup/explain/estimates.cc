#include "explain/estimates.h"

#include <utility>

#include "explain/text_sketcher.h"

namespace twinset {

Result<std::vector<SketchEstimate>> EstimatesOf(const DocumentText& x,
                                                const DocumentText& y,
                                                const FeatureOptions& features,
                                                const MethodOptions& method) {
  std::vector<SketchEstimate> estimates;
  MethodOptions options = method;
  options.generator.clear();
  for (const Method& candidate : AllMethods()) {
    options.name = candidate.info.name;
    if (candidate.info.complete) continue;
    if (TextSketcher::Learns(candidate, options)) continue;
    const auto sketcher =
        TextSketcher::Create(candidate, features, options, {});
    if (!sketcher) continue;
    const std::vector<SketchPair> pairs = CompareSketchesOf(*sketcher, x, y);
    if (pairs.empty()) continue;
    estimates.push_back({candidate.info.name, pairs.front().estimate,
                         pairs.front().standard_error});
  }
  return estimates;
}

}  // namespace twinset
