// Which elements of a page are its entries: printed alike again and again.
#ifndef TWINSET_SRC_STAGES_TEXT_CONTENT_CONTENT_ENTRIES_H_
#define TWINSET_SRC_STAGES_TEXT_CONTENT_CONTENT_ENTRIES_H_

#include "text/content/content_page.h"

namespace twinset {

// Elements of the same tag and class with two and more blocks each are a group.
// The entries are the group of three and more elements that holds most of the
// page's long text, the first of those that hold as much; none if no group
// holds any. Costs the sorting of elements with two and more blocks.
PageEntries FindEntries(const ContentPage& page);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_CONTENT_CONTENT_ENTRIES_H_
