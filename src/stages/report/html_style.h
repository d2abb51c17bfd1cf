// How reports look.
#ifndef TWINSET_SRC_STAGES_REPORT_HTML_STYLE_H_
#define TWINSET_SRC_STAGES_REPORT_HTML_STYLE_H_

#include <string>
#include <string_view>

namespace twinset {

// Colours by Okabe and Ito, which stay apart for most who see them differently;
// lighter where the page is dark. All text stands out from its ground by 4.5 to
// 1 at least (tests/look/run.py).
extern const std::string_view kPageStyle;
// What a page needs beside it that a server sends: forms and links.
extern const std::string_view kServedStyle;
// The style sheet of such a page: both, without the element around them.
std::string ServedStyleSheet();
// What a drawing needs of it when it stands alone, on white.
extern const std::string_view kDrawingStyle;

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_REPORT_HTML_STYLE_H_
