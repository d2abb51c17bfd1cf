// What is shown of one document, from what the text stage made of it.
#ifndef TWINSET_SRC_DEDUP_DOCUMENTS_DOCUMENT_TEXT_H_
#define TWINSET_SRC_DEDUP_DOCUMENTS_DOCUMENT_TEXT_H_

#include <optional>
#include <string>

#include "core/document.h"
#include "text/page/clean_text.h"
#include "twinset/inspect.h"

namespace twinset {

// All but language, tokens and other_text, which cost more and are filled when
// asked for.
DocumentText ToDocumentText(const Document& document, const std::string& source,
                            CleanText clean);

// The other one of main and all.
inline ContentMode OtherMode(ContentMode content) {
  return content == ContentMode::kMain ? ContentMode::kAll : ContentMode::kMain;
}

// The text of a page by the other one of --content main and all. There is none
// of what is not HTML or no text, of the source, and none that the reference
// parser could tell from all.
std::optional<std::string> OtherTextOf(const Document& document,
                                       const TextOptions& options);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_DOCUMENTS_DOCUMENT_TEXT_H_
