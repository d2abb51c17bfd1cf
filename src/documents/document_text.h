// What is shown of one document, from what the text stage made of it.
#ifndef TWINSET_SRC_DOCUMENTS_DOCUMENT_TEXT_H_
#define TWINSET_SRC_DOCUMENTS_DOCUMENT_TEXT_H_

#include <string>

#include "core/document.h"
#include "text/page/clean_text.h"
#include "twinset/inspect.h"

namespace twinset::inline v1 {

// All but language, tokens and other_text, which cost more and are filled when
// asked for.
DocumentText ToDocumentText(const Document& document, const std::string& source,
                            CleanText clean);

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_DOCUMENTS_DOCUMENT_TEXT_H_
