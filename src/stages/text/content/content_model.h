// The learnt part of main content: how likely a block is main content, from its
// features (docs/methods/content.md).
#ifndef TWINSET_SRC_STAGES_TEXT_CONTENT_CONTENT_MODEL_H_
#define TWINSET_SRC_STAGES_TEXT_CONTENT_CONTENT_MODEL_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "text/content/content_features.h"
#include "text/content/content_kind.h"

namespace twinset {

// Pages of different kinds are printed differently: each has a forest of its
// own.
enum class ContentForest : uint8_t { kArticles, kManuals, kForums, kCount };
inline constexpr size_t kContentForests =
    static_cast<size_t>(ContentForest::kCount);
ContentForest ForestOf(PageKind kind);
// The other of articles and manuals, where a kind of it is nearly as likely as
// the likeliest kind: then both are asked.
std::optional<ContentForest> SecondForest(const KindScores& scores);

// Sum over the trees: log-odds in 1/kContentScale.
inline constexpr int32_t kContentScale = 1024;
// For the first `count` of kContentLanes blocks at once; the rest may hold any
// numbers.
inline constexpr size_t kContentLanes = 32;
using ContentLanes = std::array<FeatureRow, kContentLanes>;
void ContentScores(ContentForest forest, const ContentLanes& rows, size_t count,
                   int32_t* scores);

// The probability of a score, in 1/1000 (0 to 1000): the logistic function,
// from a table made by the trainer.
int ContentPermille(int32_t score);

// The features, three at most, that moved the score most towards keeping the
// block (`for_it`) or dropping it, in words. What a feature
// did is what the mean of the training blocks changed at its nodes (Saabas).
std::string ContentReason(ContentForest forest, const FeatureRow& row,
                          bool for_it);

// The same sum by the plain definition of a tree. For tests.
int32_t ReferenceContentScore(ContentForest forest, const FeatureRow& row);

// Digest of the names of the features the forests were made for. For tests.
uint64_t ContentModelFeatures();

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_CONTENT_CONTENT_MODEL_H_
