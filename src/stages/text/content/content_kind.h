// What kind of page a page is, from its structure (docs/methods/content.md,
// "Kinds of pages").
#ifndef TWINSET_SRC_STAGES_TEXT_CONTENT_CONTENT_KIND_H_
#define TWINSET_SRC_STAGES_TEXT_CONTENT_CONTENT_KIND_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "text/content/content_page.h"
#include "twinset/text_choices.h"

namespace twinset {

// Classes of the model: the kinds before PageKind::kNone.
inline constexpr size_t kPageKinds = static_cast<size_t>(PageKind::kNone);

// Kinds of elements by their tags (ContentTagKind): small numbers are running
// text.
inline constexpr size_t kTagKinds = 14;
int ContentTagKind(HtmlTag tag);

// A page as numbers: shares of its words (1/1000) under elements of each mark
// and in elements of each kind of tag, what it declares itself, and what its
// text is like.
enum KindFeature : size_t {
  kFirstTagKindFeature = kContentMarks,
  kFirstTypeFeature = kFirstTagKindFeature + kTagKinds,
  kFirstTextFeature = kFirstTypeFeature + kDeclaredTypes,
#define TWINSET_KIND_FEATURE(enumerator) enumerator##OfPage,
  kBeforeTextFeature = kFirstTextFeature - 1,
#include "text/content/content_kind_features.inc"
#undef TWINSET_KIND_FEATURE
  kKindFeatures,
};
using KindRow = std::array<int16_t, kKindFeatures>;

// Name of a feature, for the trainer.
std::string KindFeatureName(size_t feature);

// Linear in the page.
KindRow MeasurePage(const ContentPage& page);

// The score of each kind: log-odds in 1/1024, up to what all have in common.
// Constant time.
using KindScores = std::array<int32_t, kPageKinds>;
KindScores ScoreKinds(const KindRow& row);
// The same by walking each tree. For tests.
KindScores ReferenceKindScores(const KindRow& row);
// The first kind of those with the highest score.
PageKind LikeliestKind(const KindScores& scores);

// Digest of the names of the features the model was made for. For tests.
uint64_t KindModelFeatures();

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_CONTENT_CONTENT_KIND_H_
