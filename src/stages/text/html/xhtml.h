// XHTML, which is XML, written anew as HTML that means the same: so that one
// parser reads both (docs/methods/html.md, XHTML).
#ifndef TWINSET_SRC_STAGES_TEXT_HTML_XHTML_H_
#define TWINSET_SRC_STAGES_TEXT_HTML_XHTML_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace twinset {

// From byte `html` of what was written on, the source goes on at `source`,
// until the next one.
struct XhtmlPlace {
  uint32_t html = 0, source = 0;
};

struct XhtmlAsHtml {
  std::string html;
  std::vector<XhtmlPlace> places;  // ascending in html; when asked for
};

// Most bytes of what is written for a page of so many: what would take more
// counts as not well-formed.
constexpr uint64_t MostXhtmlBytes(uint64_t bytes) {
  return 2 * bytes + (64 << 10);
}

// False where `utf8`, without its byte order mark, is not well-formed XML with
// namespaces. Of XML 1.0 as a browser reads it: no external subset is read and
// nothing is fetched; the internal entities of the document and the named ones
// of HTML are known; what its declarations say else does not count. Elements
// without a namespace count as XHTML, scripts are not run. Elements nest to
// kMostXmlDepth. Linear time; memory: MostXhtmlBytes and a constant share.
inline constexpr size_t kMostXmlDepth = 4096;
bool XhtmlToHtml(std::string_view utf8, bool want_places, XhtmlAsHtml* as_html);

// Where byte `html` of what was written stands in a source of `size` bytes.
uint32_t SourceOfHtml(const std::vector<XhtmlPlace>& places, uint32_t html,
                      uint32_t size);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_HTML_XHTML_H_
