#include "verify/pair_kind.h"

#include <algorithm>

namespace twinset {

LayoutRelation RelateLayouts(const Overlap& layout, const KindRules& rules) {
  if (layout.a == 0 && layout.b == 0) return LayoutRelation::kUnknown;
  return Jaccard(layout) >= rules.same_layout ? LayoutRelation::kSame
                                              : LayoutRelation::kDifferent;
}

ContentRelation RelateContents(const PairFacts& facts, LayoutRelation layout,
                               const KindRules& rules) {
  if (facts.tokens_a == 0 || facts.tokens_b == 0) return ContentRelation::kNone;
  if (facts.same_tokens) return ContentRelation::kSame;
  // Within one layout nothing but the content can have changed the tokens; the
  // frame of another layout may leave some of its own words.
  if (layout != LayoutRelation::kSame &&
      Jaccard(facts.content) >= rules.same_content) {
    return ContentRelation::kSame;
  }
  const double contained =
      std::max(ContainmentAB(facts.content), ContainmentBA(facts.content));
  return contained >= rules.important_part &&
                 facts.content.common >= rules.important_shingles
             ? ContentRelation::kImportantPart
             : ContentRelation::kNone;
}

namespace {

// Returns true iff two pages of one layout have enough of it, or of like
// tables, for this to be no chance.
bool HaveOneLook(const PairFacts& facts, const KindRules& rules) {
  const auto suffices = [&rules](const Overlap& overlap) {
    return std::min(overlap.a, overlap.b) >= rules.visual_shingles &&
           Jaccard(overlap) >= rules.same_layout;
  };
  return suffices(facts.layout) || suffices(facts.cells);
}

}  // namespace

DuplicateKind ClassifyPair(const PairFacts& facts, const KindRules& rules) {
  const LayoutRelation layout = RelateLayouts(facts.layout, rules);
  switch (RelateContents(facts, layout, rules)) {
    case ContentRelation::kSame:
      // Without markup equal text is all there is to see.
      return layout == LayoutRelation::kSame ||
                     (layout == LayoutRelation::kUnknown && facts.same_tokens)
                 ? DuplicateKind::kExact
                 : DuplicateKind::kContent;
    case ContentRelation::kImportantPart:
      return layout == LayoutRelation::kSame ? DuplicateKind::kLayout
                                             : DuplicateKind::kPartial;
    case ContentRelation::kNone:
      break;
  }
  return layout == LayoutRelation::kSame && HaveOneLook(facts, rules)
             ? DuplicateKind::kVisualOnly
             : DuplicateKind::kDifferent;
}

}  // namespace twinset
