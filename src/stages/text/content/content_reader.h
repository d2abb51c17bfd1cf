// The part of a page a reader mode would show: the element with the best
// paragraphs, its like siblings, without boxes that look like frame. One
// witness among others for the model of main content (docs/methods/content.md).
#ifndef TWINSET_SRC_STAGES_TEXT_CONTENT_CONTENT_READER_H_
#define TWINSET_SRC_STAGES_TEXT_CONTENT_CONTENT_READER_H_

#include <cstdint>
#include <vector>

#include "text/content/content_page.h"

namespace twinset {

struct ReaderView {
  enum State : uint8_t {
    kUnlikely,    // in an element whose names say frame
    kOutside,     // elsewhere
    kSiblingBox,  // in a box that looks like frame, beside the best element
    kTopBox,      // the same within the best element
    kSibling,     // beside the best element, and like it
    kTop,         // in the best element
  };
  std::vector<State> states;    // of the blocks
  std::vector<int32_t> scores;  // of the elements: points of their paragraphs
  uint32_t top = 0;             // the best element
};

// Linear in the page.
ReaderView ReadAsReader(const ContentPage& page);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_CONTENT_CONTENT_READER_H_
