// What a run, or a person, says about a pair of documents beside its
// similarity.
#ifndef TWINSET_JUDGEMENTS_H_
#define TWINSET_JUDGEMENTS_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "twinset/choices.h"

namespace twinset {
inline namespace v1 {

// How similar two texts are.
enum class PairRelation : uint8_t {
  kSameText,
  kSameTokens,
  kNearDuplicate,  // the resemblance is at the threshold or above
  kDifferent,
};
template <>
inline constexpr auto kChoices<PairRelation> =
    ChoiceTable<PairRelation>({{PairRelation::kSameText, "same text"},
                               {PairRelation::kSameTokens, "same tokens"},
                               {PairRelation::kNearDuplicate, "near-duplicate"},
                               {PairRelation::kDifferent, "different"}});

// What two documents share, their content or their appearance
// (docs/methods/kinds.md).
enum class DuplicateKind : uint8_t {
  kExact,       // same content, same layout
  kContent,     // same content, another layout
  kLayout,      // an important part of the content is the same; same layout
  kPartial,     // the same part, another layout
  kVisualOnly,  // same layout, no important content in common: no duplicate
  kDifferent,
};
template <>
inline constexpr auto kChoices<DuplicateKind> =
    ChoiceTable<DuplicateKind>({{DuplicateKind::kExact, "exact duplicate"},
                                {DuplicateKind::kContent, "content duplicate"},
                                {DuplicateKind::kLayout, "layout duplicate"},
                                {DuplicateKind::kPartial, "partial duplicate"},
                                {DuplicateKind::kVisualOnly, "visual only"},
                                {DuplicateKind::kDifferent, "different"}});
inline constexpr size_t kDuplicateKinds = kChoices<DuplicateKind>.size();

// What differs between two documents. The kinds are tried in this order, and
// the first that fits counts (docs/methods/kinds-of-difference.md). None needs
// an alignment, so none depends on how an alignment breaks its ties.
enum class DifferenceKind : uint8_t {
  kIdentical,    // the same tokens in the same order
  kUrls,         // the same without the tokens in URLs
  kDates,        // the same without the tokens in dates and times of day
  kNumbers,      // the same without digits
  kBoilerplate,  // the main content is the same, what surrounds it is not
  kInsertion,    // the second has all of the first in order, and more
  kDeletion,     // the first has all of the second in order, and more
  kReordering,   // the same tokens as often, in another order
  kMixed,        // anything else
};
template <>
inline constexpr auto kChoices<DifferenceKind> = ChoiceTable<DifferenceKind>(
    {{DifferenceKind::kIdentical, "identical text"},
     {DifferenceKind::kUrls, "only URLs"},
     {DifferenceKind::kDates, "only dates and times"},
     {DifferenceKind::kNumbers, "only numbers"},
     {DifferenceKind::kBoilerplate, "only boilerplate"},
     {DifferenceKind::kInsertion, "insertion"},
     {DifferenceKind::kDeletion, "deletion"},
     {DifferenceKind::kReordering, "reordering"},
     {DifferenceKind::kMixed, "mixed"}});
inline constexpr size_t kDifferenceKinds = kChoices<DifferenceKind>.size();

// How many listed pairs of a run belong to each kind.
struct JudgementCounts {
  uint64_t pairs = 0;
  std::array<uint64_t, kDuplicateKinds> kinds{};         // by DuplicateKind
  std::array<uint64_t, kDifferenceKinds> differences{};  // by DifferenceKind
  // Place i: those whose grade (docs/methods/grade.md) is in [i/10, (i+1)/10).
  std::array<uint64_t, 10> grades{};
};

// What a person says of a pair (docs/methods/assessment.md), and to which
// question.
enum class LabelAnswer : uint8_t { kYes, kNo, kUnsure };
template <>
inline constexpr auto kChoices<LabelAnswer> =
    ChoiceTable<LabelAnswer>({{LabelAnswer::kYes, "yes"},
                              {LabelAnswer::kNo, "no"},
                              {LabelAnswer::kUnsure, "unsure"}});

enum class LabelQuestion : uint8_t { kContent, kAppearance };
template <>
inline constexpr auto kChoices<LabelQuestion> =
    ChoiceTable<LabelQuestion>({{LabelQuestion::kContent, "content"},
                                {LabelQuestion::kAppearance, "appearance"}});
inline constexpr size_t kLabelQuestions = 2;

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_JUDGEMENTS_H_
