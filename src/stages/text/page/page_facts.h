// What a page says about itself, beside its text.
#ifndef TWINSET_SRC_STAGES_TEXT_PAGE_PAGE_FACTS_H_
#define TWINSET_SRC_STAGES_TEXT_PAGE_PAGE_FACTS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/html/html_tree.h"

namespace twinset {

inline constexpr size_t kMaxAnchorBytes = 1024;  // cut at a character

struct PageLink {
  std::string href;    // as written, references decoded, white space trimmed
  std::string anchor;  // its text, white space collapsed, or else the alt texts
                       // of its images; kMaxAnchorBytes at most. Of an area its
                       // alt text, of a frame its title
  std::string rel;     // as written; empty when none
  bool hidden = false;  // a reader does not see it; its text is not known then
  bool frame = false;   // of frame, iframe: shown inside the page
};

struct PageFacts {
  std::string title;      // of the first title, white space collapsed
  std::string language;   // declared: html lang, else meta content-language
  std::string canonical;  // href of the first link rel=canonical, as written
  std::string base;       // href of the first base
  std::string robots;     // meta robots, lower case, words joined by ", "
  std::string redirect;   // target of the first meta refresh; empty: itself
  int redirect_seconds = -1;        // its delay; -1: no meta refresh
  std::string published, modified;  // dates, RFC 3339 where they can be read
  std::string description, author;
  std::vector<PageLink> links;  // a, area, frame, iframe in document order
};

// kHead: title, language and canonical alone, which every run may need.
enum class FactsWanted : uint8_t { kHead, kAll };

// `tree` is BuildHtmlTree's of `utf8`. Pure. Linear time; memory: the facts and
// a constant (docs/formats/text-rows.md).
PageFacts ReadPageFacts(std::string_view utf8, const HtmlTree& tree,
                        FactsWanted wanted = FactsWanted::kAll);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_PAGE_PAGE_FACTS_H_
