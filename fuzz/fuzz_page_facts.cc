// Any markup: facts are valid UTF-8 within their bounds, and a date that was
// read is read again as itself.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "target.h"
#include "text/charset/charset.h"
#include "text/html/html_tree.h"
#include "text/page/page_date.h"
#include "text/page/page_facts.h"
#include "text/page/page_meta.h"

namespace {

void CheckText(const std::string& text) {
  if (twinset::ValidUtf8Prefix(text) != text.size()) std::abort();
}

void CheckDate(const std::string& date) {
  if (twinset::ToRfc3339(date) != date) std::abort();
}

}  // namespace

TWINSET_FUZZ_TARGET(page_facts) {
  using namespace twinset;
  std::string html;
  AppendValidUtf8({reinterpret_cast<const char*>(data), size}, &html);
  HtmlTree tree;
  BuildHtmlTree(html, &tree);
  const PageFacts facts = ReadPageFacts(html, tree);
  for (const std::string* text :
       {&facts.title, &facts.language, &facts.canonical, &facts.base,
        &facts.robots, &facts.redirect, &facts.description, &facts.author}) {
    CheckText(*text);
  }
  for (const DocumentLink& link : facts.links) {
    CheckText(link.href);
    CheckText(link.anchor);
    CheckText(link.rel);
    if (link.anchor.size() > kMaxAnchorBytes) std::abort();
  }
  if (facts.robots.size() > kMaxRobots * (kMaxRobotsBytes + 2)) std::abort();
  CheckDate(facts.published);
  CheckDate(facts.modified);
  CheckDate(ToRfc3339(html));
  const RefreshTarget target = ParseRefresh(html);
  if (target.seconds < 0 || (!target.valid && !target.url.empty()))
    std::abort();
  return 0;
}
