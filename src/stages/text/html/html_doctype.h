// What a doctype says.
#ifndef TWINSET_SRC_STAGES_TEXT_HTML_HTML_DOCTYPE_H_
#define TWINSET_SRC_STAGES_TEXT_HTML_HTML_DOCTYPE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "text/html/html_tokenizer.h"

namespace twinset {

// The doctype token of the standard: absent fields are missing there.
struct HtmlDoctype {
  std::optional<std::string> name, public_id, system_id;
  bool force_quirks = false;
};

enum class QuirksMode : uint8_t { kNone, kLimited, kQuirks };

// Reads a kDoctype token (HTML standard, sections 13.2.5.53 to 13.2.5.68).
// Linear.
HtmlDoctype ParseDoctype(const HtmlToken& doctype);

// The mode of a document that begins with it (section 13.2.6.4.1); one without
// any doctype is kQuirks. Only kQuirks changes the tree: there, a table does
// not close an open paragraph.
QuirksMode QuirksModeOf(const HtmlDoctype& doctype);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_HTML_HTML_DOCTYPE_H_
