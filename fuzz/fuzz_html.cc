// Any markup: a well-nested tree inside the source, valid
// UTF-8, offsets inside the source that ascend in the text, and the same text
// with and without offsets.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "target.h"
#include "text/charset/charset.h"
#include "text/content/page_blocks.h"
#include "text/html/html_tree.h"
#include "text/html/xhtml.h"
#include "text/page/html_text.h"

namespace {

void Check(std::string_view html, const twinset::CleanText& with,
           const twinset::CleanText& without) {
  if (with.text != without.text) std::abort();
  if (twinset::ValidUtf8Prefix(with.text) != with.text.size()) std::abort();
  uint32_t last = 0;
  for (size_t i = 0; i < with.offsets.size(); ++i) {
    const auto& entry = with.offsets[i];
    if (i > 0 && entry.clean <= last) std::abort();
    if (entry.clean >= with.text.size()) std::abort();
    last = entry.clean;
  }
  for (uint32_t i = 0; i < with.text.size(); ++i) {
    if (twinset::IsContinuation(with.text[i])) continue;
    if (twinset::SourceOffset(with, i) > html.size()) std::abort();
  }
}

void CheckTree(std::string_view html, const twinset::HtmlTree& tree) {
  using twinset::HtmlNode;
  std::vector<twinset::HtmlTag> open;
  for (const HtmlNode& node : tree.nodes) {
    if (node.begin > node.end || node.end > html.size()) std::abort();
    if (node.kind == HtmlNode::kOpen) open.push_back(node.tag);
    if (node.kind == HtmlNode::kClose) {
      if (open.empty() || open.back() != node.tag) std::abort();
      open.pop_back();
    }
    if (open.size() > twinset::kMaxHtmlDepth + 1) std::abort();
  }
  if (!open.empty()) std::abort();
}

// The same bytes as XHTML: where they are well-formed, through the HTML that is
// made of them.
void CheckXhtml(const std::string& page) {
  using namespace twinset;
  XhtmlAsHtml as_html;
  if (!XhtmlToHtml(page, true, &as_html)) return;
  if (as_html.html.size() > MostXhtmlBytes(page.size())) std::abort();
  for (size_t i = 0; i < as_html.places.size(); ++i) {
    const XhtmlPlace& place = as_html.places[i];
    if (place.html >= as_html.html.size() || place.source > page.size())
      std::abort();
    if (i > 0 && place.html <= as_html.places[i - 1].html) std::abort();
  }
  Document document;
  document.kind = ContentKind::kHtml;
  document.mime = "application/xhtml+xml";
  document.charset = "utf-8";
  document.payload = page;
  TextOptions options;
  const auto without = ExtractText(document, options);
  options.keep_offsets = true;
  const auto with = ExtractText(document, options);
  if (with.has_value() != without.has_value()) std::abort();
  if (with) Check(page, *with, *without);
}

}  // namespace

TWINSET_FUZZ_TARGET(html) {
  using namespace twinset;
  std::string html;
  AppendValidUtf8({reinterpret_cast<const char*>(data), size}, &html);
  HtmlTree tree;
  BuildHtmlTree(html, &tree);
  CheckTree(html, tree);
  CleanText with, without;
  RenderText(html, tree, {}, true, &with);
  RenderText(html, tree, {}, false, &without);
  Check(html, with, without);
  CleanText parts;
  RenderParts(html, tree, {}, FindPageBlocks(html, tree), &parts);
  if (parts.text != without.text) std::abort();
  CheckXhtml(html);
  return 0;
}
