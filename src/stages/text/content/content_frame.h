// What the author of a page says of its parts: which of them are its frame.
#ifndef TWINSET_SRC_STAGES_TEXT_CONTENT_CONTENT_FRAME_H_
#define TWINSET_SRC_STAGES_TEXT_CONTENT_CONTENT_FRAME_H_

#include "text/content/content_page.h"

namespace twinset {

// Sets PageBlock::framed and ::commented, and ContentTag::kOtherArticle of
// elements, of a page that is read otherwise (docs/methods/content.md,
// "Structure"). Linear.
void FindFrames(ContentPage* page);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_CONTENT_CONTENT_FRAME_H_
