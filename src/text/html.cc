#include "text/html.h"

namespace twinset {

void ExtractHtml(std::string_view utf8, bool keep_offsets, CleanText* out) {
  if (WithinParserBounds(utf8) && ParseHtml(utf8, keep_offsets, out)) return;
  StripHtml(utf8, keep_offsets, out);
  out->used_fallback = true;
}

}  // namespace twinset
