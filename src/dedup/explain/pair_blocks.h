// The parts of a page that show one pair.
#ifndef TWINSET_SRC_DEDUP_EXPLAIN_PAIR_BLOCKS_H_
#define TWINSET_SRC_DEDUP_EXPLAIN_PAIR_BLOCKS_H_

#include <string_view>

#include "report/html_blocks.h"
#include "twinset/explain.h"

namespace twinset {

// Both texts side by side, with what each alone has marked. `fate`: what
// becomes of a side, or an empty one.
html::TextPair PairBlock(const Explanation& e, std::string_view left_fate,
                         std::string_view right_fate);
// Cuts stretches of a pair that are so long that a reader sees no more in them,
// for pages that anybody may ask for.
void ShortenPieces(html::TextPair* pair);
// How alike they are, by each measure.
html::KeyValues MeasuresBlock(const Explanation& e);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_EXPLAIN_PAIR_BLOCKS_H_
