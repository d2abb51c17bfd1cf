// What a page says about itself, beside its text.
#ifndef TWINSET_SRC_STAGES_TEXT_PAGE_PAGE_FACTS_H_
#define TWINSET_SRC_STAGES_TEXT_PAGE_PAGE_FACTS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/html/html_tree.h"
#include "twinset/inspect.h"

namespace twinset {

inline constexpr size_t kMaxAnchorBytes = 1024;  // cut at a character

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
  // Those of a, area, frame and iframe in document order. The address is as
  // written, references decoded, white space trimmed. The anchor is the text,
  // white space collapsed, or else the alt texts of its images, kMaxAnchorBytes
  // at most; for an area its alt text, for a frame its title, and empty for a
  // link that a reader does not see.
  std::vector<DocumentLink> links;
};

// kHead: title, language and canonical alone, which every run may need.
enum class FactsWanted : uint8_t { kHead, kAll };

// `tree` is BuildHtmlTree's of `utf8`. Pure. Linear time; memory: the facts and
// a constant (docs/formats/text-rows.md).
PageFacts ReadPageFacts(std::string_view utf8, const HtmlTree& tree,
                        FactsWanted wanted = FactsWanted::kAll);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_PAGE_PAGE_FACTS_H_
