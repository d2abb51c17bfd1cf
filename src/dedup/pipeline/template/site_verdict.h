// What the pages of its site say of the text that was chosen of a page
// (docs/methods/template.md, "When the site contradicts").
#ifndef TWINSET_SRC_DEDUP_PIPELINE_TEMPLATE_SITE_VERDICT_H_
#define TWINSET_SRC_DEDUP_PIPELINE_TEMPLATE_SITE_VERDICT_H_

#include <cstdint>
#include <vector>

#include "pipeline/read/page_spool.h"
#include "pipeline/template/template_blocks.h"

namespace twinset {

// Returns true iff the chosen text is not what tells the page from others of
// its site. `repeated` as RepeatedPlaces gives them. False unless
// page.may_widen. Linear.
bool IsContradicted(const SpooledPage& page,
                    const std::vector<RepeatedBlock>& repeated);

// The template blocks, by number, to leave out of the text of a page; of its
// unframed text where it is `widened`.
std::vector<uint32_t> BlocksToDrop(const SpooledPage& page,
                                   const std::vector<RepeatedBlock>& repeated,
                                   bool widened);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_TEMPLATE_SITE_VERDICT_H_
