// Kinds of duplicates: what two documents share, their content or their
// appearance (docs/methods/kinds.md).
#ifndef TWINSET_SRC_STAGES_VERIFY_PAIR_KIND_H_
#define TWINSET_SRC_STAGES_VERIFY_PAIR_KIND_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "twinset/judgements.h"
#include "verify/measures.h"

namespace twinset {

// What is known of a pair. Plain values: whoever compares the documents fills
// them in.
struct PairFacts {
  uint64_t tokens_a = 0, tokens_b = 0;
  bool same_tokens = false;  // the token sequences are equal
  Overlap content;           // word 5-shingles of what counts as content
  // Tag-path shingles (docs/methods/kinds.md). Both sizes 0: neither document
  // has markup; one size 0: only the other has.
  Overlap layout;
  Overlap cells;  // what its tables look like, of the same page
};

enum class ContentRelation : uint8_t { kSame, kImportantPart, kNone };
enum class LayoutRelation : uint8_t { kSame, kDifferent, kUnknown };

// Bounds of the relations. The defaults are part of the spec.
struct KindRules {
  // Content is the same: equal tokens; between different layouts also a Jaccard
  // of `content` of at least this much.
  double same_content = 0.9;
  // An important part is the same: the larger containment of `content`, and
  // shingles in common.
  double important_part = 0.65;
  uint64_t important_shingles = 8;
  // Layout is the same: Jaccard of `layout`.
  double same_layout = 0.7;
  // Fewer tag-path shingles than this in either page make no appearance of its
  // own: such pages are "visual only" just when they have so many of cells, and
  // these are the same.
  uint64_t visual_shingles = 8;
};

LayoutRelation RelateLayouts(const Overlap& layout, const KindRules& rules);
// Depends on the layout only as `KindRules::same_content` says.
ContentRelation RelateContents(const PairFacts& facts, LayoutRelation layout,
                               const KindRules& rules);

// The kind of the pair. Total and symmetric in the two documents. A document
// without tokens has no content in common with any other.
DuplicateKind ClassifyPair(const PairFacts& facts, const KindRules& rules = {});

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_VERIFY_PAIR_KIND_H_
