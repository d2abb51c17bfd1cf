#include "text/content_model.h"

#include <algorithm>
#include <array>
#include <vector>

#include "kernels/kernels.h"

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
static_assert(std::size(kPrior) == ReaderView::kTop + 1);

// What the reader's view alone says.
int32_t Prior(const FeatureRow& row) {
  return kPrior[static_cast<size_t>(row[kReaderFeature])];
}

static_assert(kInner == kernels::Forest::kInner &&
              kLeafCount == kernels::Forest::kLeaves &&
              kContentLanes == kernels::Forest::kLanes);

}  // namespace

void ContentScores(const FeatureRow* rows, size_t count, int32_t* scores) {
  std::array<int16_t, kContentFeatures * kContentLanes> values{};
  for (size_t lane = 0; lane < count; ++lane) {
    for (size_t feature = 0; feature < kContentFeatures; ++feature) {
      values[feature * kContentLanes + lane] = rows[lane][feature];
    }
  }
  int32_t sums[kContentLanes];
  kernels::ForestSums({kTrees, kFeatures, kThresholds, kLeaves}, values.data(),
                      sums);
  for (size_t lane = 0; lane < count; ++lane) {
    scores[lane] = Prior(rows[lane]) + sums[lane];
  }
}

int32_t ReferenceContentScore(const FeatureRow& row) {
  int32_t score = Prior(row);
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

std::string ContentReason(const FeatureRow& row, bool for_it) {
  std::array<int32_t, kContentFeatures> moved{};
  moved[kReaderFeature] = Prior(row);
  for (size_t tree = 0; tree < kTrees; ++tree) {
    size_t node = 0;
    while (node < kInner) {
      const size_t at = tree * kInner + node;
      const bool right = row[kFeatures[at]] > kThresholds[at];
      const size_t next = right ? 2 * node + 2 : 2 * node + 1;
      const int32_t to = next < kInner
                             ? kMeans[tree * kInner + next]
                             : kLeaves[tree * kLeafCount + next - kInner];
      moved[kFeatures[at]] += to - kMeans[at];
      node = next;
    }
  }
  // Features that say the same add up; the strongest three of them.
  const int32_t sign = for_it ? 1 : -1;
  std::vector<std::pair<int32_t, std::string>> reasons;
  for (size_t feature = 0; feature < kContentFeatures; ++feature) {
    const int32_t weight = sign * moved[feature];
    if (weight == 0) continue;
    // A mark that is missing says nothing a reader would call a reason.
    if (feature < kContentMarks && row[feature] == 0) continue;
    std::string reason = ContentFeatureReason(feature, for_it);
    const auto same =
        std::find_if(reasons.begin(), reasons.end(),
                     [&](const auto& known) { return known.second == reason; });
    if (same != reasons.end()) {
      same->first += weight;
    } else {
      reasons.emplace_back(weight, std::move(reason));
    }
  }
  std::stable_sort(
      reasons.begin(), reasons.end(),
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
