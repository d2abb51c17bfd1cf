#include "text/content/content_model.h"

#include <algorithm>
#include <array>
#include <vector>

#include "kernels/kernels.h"

namespace twinset {
namespace {

// Trees of depth kDepth with all nodes there: node k has children 2k + 1 (value
// at most the threshold) and 2k + 2. kFeatures, kThresholds, kMeans hold the
// inner nodes, tree by tree; kLeaves the leaves. kPrior: what the reader's view
// alone says.
namespace articles {
#include "text/content/content_model_articles.inc"
}
namespace manuals {
#include "text/content/content_model_manuals.inc"
}
namespace forums {
#include "text/content/content_model_forums.inc"
}
// What is the same for all.
#include "text/content/content_model.inc"

// Kinds whose scores differ by less (1/1024) are nearly as likely.
constexpr int32_t kNearKinds = 1024;

constexpr size_t kInner = (size_t{1} << kDepth) - 1;
static_assert(sizeof(ContentLanes) ==
              kContentFeatures * kContentLanes * sizeof(int16_t));
constexpr size_t kLeafCount = size_t{1} << kDepth;
static_assert(std::size(kSteps) == 1000);
static_assert(kInner == kernels::Forest::kInner &&
              kLeafCount == kernels::Forest::kLeaves &&
              kContentLanes == kernels::Forest::kLanes);

template <size_t kCount>
constexpr std::array<uint32_t, kCount> Twice(const int16_t (&values)[kCount]) {
  std::array<uint32_t, kCount> twice{};
  for (size_t i = 0; i < kCount; ++i) {
    twice[i] = kernels::Forest::Twice(values[i]);
  }
  return twice;
}

struct Learnt {
  size_t trees;
  const uint8_t* features;
  const int16_t *thresholds, *leaves, *means;
  const int32_t* prior;
  kernels::Forest forest;  // the same
};
#define TWINSET_LEARNT(name)                                              \
  namespace name {                                                        \
  constexpr auto kTwiceThresholds = Twice(kThresholds);                   \
  constexpr auto kTwiceLeaves = Twice(kLeaves);                           \
  constexpr size_t kTrees = std::size(kLeaves) / kLeafCount;              \
  constexpr Learnt kLearnt = {                                            \
      kTrees,                                                             \
      kFeatures,                                                          \
      kThresholds,                                                        \
      kLeaves,                                                            \
      kMeans,                                                             \
      kPrior,                                                             \
      {kTrees, kFeatures, kTwiceThresholds.data(), kTwiceLeaves.data()}}; \
  }
TWINSET_LEARNT(articles)
TWINSET_LEARNT(manuals)
TWINSET_LEARNT(forums)
#undef TWINSET_LEARNT
constexpr const Learnt* kLearnt[kContentForests] = {
    &articles::kLearnt, &manuals::kLearnt, &forums::kLearnt};

const Learnt& Of(ContentForest forest) {
  return *kLearnt[static_cast<size_t>(forest)];
}

int32_t Prior(const Learnt& learnt, const FeatureRow& row) {
  return learnt.prior[static_cast<size_t>(row[kReaderFeature])];
}

}  // namespace

ContentForest ForestOf(PageKind kind) {
  switch (kind) {
    case PageKind::kReference:
    case PageKind::kDocumentation:
    case PageKind::kOther:
      return ContentForest::kManuals;
    case PageKind::kForum:
    case PageKind::kListing:
    case PageKind::kProduct:
      return ContentForest::kForums;
    default:
      return ContentForest::kArticles;
  }
}

std::optional<ContentForest> SecondForest(const KindScores& scores) {
  const PageKind kind = LikeliestKind(scores);
  const ContentForest first = ForestOf(kind);
  if (first == ContentForest::kForums) return {};
  const ContentForest second = first == ContentForest::kArticles
                                   ? ContentForest::kManuals
                                   : ContentForest::kArticles;
  for (size_t other = 0; other < kPageKinds; ++other) {
    if (ForestOf(static_cast<PageKind>(other)) == second &&
        scores[static_cast<size_t>(kind)] - scores[other] < kNearKinds) {
      return second;
    }
  }
  return {};
}

void ContentScores(ContentForest forest, const ContentLanes& rows, size_t count,
                   int32_t* scores) {
  const Learnt& learnt = Of(forest);
  std::array<int16_t, kContentFeatures * kContentLanes> values;
  kernels::TransposeRows(rows[0].data(), kContentFeatures, values.data());
  int32_t sums[kContentLanes];
  kernels::ForestSums(learnt.forest, values.data(), sums);
  for (size_t lane = 0; lane < count; ++lane) {
    scores[lane] = Prior(learnt, rows[lane]) + sums[lane];
  }
}

int32_t ReferenceContentScore(ContentForest forest, const FeatureRow& row) {
  const Learnt& learnt = Of(forest);
  int32_t score = Prior(learnt, row);
  for (size_t tree = 0; tree < learnt.trees; ++tree) {
    size_t node = 0;
    while (node < kInner) {
      const size_t at = tree * kInner + node;
      const bool right = row[learnt.features[at]] > learnt.thresholds[at];
      node = right ? 2 * node + 2 : 2 * node + 1;
    }
    score += learnt.leaves[tree * kLeafCount + node - kInner];
  }
  return score;
}

int ContentPermille(int32_t score) {
  return static_cast<int>(
      std::upper_bound(std::begin(kSteps), std::end(kSteps), score) -
      std::begin(kSteps));
}

uint64_t ContentModelFeatures() { return kFeatureDigest; }

std::string ContentReason(ContentForest forest, const FeatureRow& row,
                          bool for_it) {
  const Learnt& learnt = Of(forest);
  std::array<int32_t, kContentFeatures> moved{};
  moved[kReaderFeature] = Prior(learnt, row);
  for (size_t tree = 0; tree < learnt.trees; ++tree) {
    size_t node = 0;
    while (node < kInner) {
      const size_t at = tree * kInner + node;
      const bool right = row[learnt.features[at]] > learnt.thresholds[at];
      const size_t next = right ? 2 * node + 2 : 2 * node + 1;
      const int32_t to = next < kInner
                             ? learnt.means[tree * kInner + next]
                             : learnt.leaves[tree * kLeafCount + next - kInner];
      moved[learnt.features[at]] += to - learnt.means[at];
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
