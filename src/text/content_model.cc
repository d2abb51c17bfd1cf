#include "text/content_model.h"

#include <algorithm>
#include <array>
#include <vector>

namespace twinset {
namespace {

// Trees of depth kDepth with all nodes there: node k has children 2k + 1 (value
// at most the threshold) and 2k + 2. kFeatures, kThresholds, kMeans hold the
// inner nodes, tree by tree; kLeaves the leaves.
#include "text/content_model.inc"

constexpr size_t kInner = (size_t{1} << kDepth) - 1;
constexpr size_t kLeafCount = size_t{1} << kDepth;
constexpr size_t kTrees = std::size(kLeaves) / kLeafCount;
static_assert(std::size(kFeatures) == kTrees * kInner);
static_assert(std::size(kThresholds) == kTrees * kInner);
static_assert(std::size(kMeans) == kTrees * kInner);
static_assert(std::size(kSteps) == 1000);

size_t LeafOf(const FeatureRow& row, size_t tree) {
  const uint8_t* features = kFeatures + tree * kInner;
  const int16_t* thresholds = kThresholds + tree * kInner;
  size_t node = 0;
  for (int level = 0; level < kDepth; ++level) {
    node = 2 * node + 1 + (row[features[node]] > thresholds[node] ? 1 : 0);
  }
  return node - kInner;
}

}  // namespace

int32_t ContentScore(const FeatureRow& row) {
  int32_t score = kBias;
  for (size_t tree = 0; tree < kTrees; ++tree) {
    score += kLeaves[tree * kLeafCount + LeafOf(row, tree)];
  }
  return score;
}

int32_t ReferenceContentScore(const FeatureRow& row) {
  int32_t score = kBias;
  for (size_t tree = 0; tree < kTrees; ++tree) {
    size_t node = 0;
    while (node < kInner) {
      const size_t at = tree * kInner + node;
      const bool right = row[kFeatures[at]] > kThresholds[at];
      node = right ? 2 * node + 2 : 2 * node + 1;
    }
    score += kLeaves[tree * kLeafCount + node - kInner];
  }
  return score;
}

int ContentPermille(int32_t score) {
  return static_cast<int>(
      std::upper_bound(std::begin(kSteps), std::end(kSteps), score) -
      std::begin(kSteps));
}

uint64_t ContentModelFeatures() { return kFeatureDigest; }

std::string ContentReason(const FeatureRow& row) {
  std::array<int32_t, kContentFeatures> moved{};
  for (size_t tree = 0; tree < kTrees; ++tree) {
    size_t node = 0;
    while (node < kInner) {
      const size_t at = tree * kInner + node;
      const bool right = row[kFeatures[at]] > kThresholds[at];
      const size_t next = right ? 2 * node + 2 : 2 * node + 1;
      const int32_t to =
          next < kInner ? kMeans[tree * kInner + next]
                        : kLeaves[tree * kLeafCount + next - kInner];
      moved[kFeatures[at]] += to - kMeans[at];
      node = next;
    }
  }
  // Features that say the same add up; the strongest three of them.
  const int32_t sign = ContentScore(row) >= 0 ? 1 : -1;
  std::vector<std::pair<int32_t, std::string>> reasons;
  for (size_t feature = 0; feature < kContentFeatures; ++feature) {
    const int32_t weight = sign * moved[feature];
    if (weight == 0) continue;
    // A mark that is missing says nothing a reader would call a reason.
    if (feature < kContentMarks && row[feature] == 0) continue;
    std::string reason = ContentFeatureReason(feature, sign > 0);
    const auto same = std::find_if(
        reasons.begin(), reasons.end(),
        [&](const auto& known) { return known.second == reason; });
    if (same != reasons.end()) {
      same->first += weight;
    } else {
      reasons.emplace_back(weight, std::move(reason));
    }
  }
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (size_t i = 0; i < reasons.size() && i < 3; ++i) {
    if (reasons[i].first * 4 < reasons[0].first || reasons[i].first <= 0) break;
    if (i > 0) text += ", ";
    text += reasons[i].second;
  }
  return text;
}

}  // namespace twinset
