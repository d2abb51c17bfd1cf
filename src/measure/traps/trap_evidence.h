// What the pages behind many addresses say of being one page: what is left of
// their words without what echoes the address, what each has of its own, and
// whether they say that there is no such page (docs/methods/traps.md).
#ifndef TWINSET_SRC_MEASURE_TRAPS_TRAP_EVIDENCE_H_
#define TWINSET_SRC_MEASURE_TRAPS_TRAP_EVIDENCE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "documents/page_text.h"
#include "net/url_pattern.h"
#include "twinset/inspect.h"
#include "twinset/measure/traps.h"

namespace twinset {

struct TrapPage {
  uint64_t tokens = 0;
  // The title, or the beginning of a short page, says that there is no page.
  bool error = false;
  // Hash of the words in order, without numbers, dates and those of the
  // address; 0 for long pages and if less than two words are left.
  uint64_t skeleton = 0;
  // Hashes of the distinct words without numbers and dates; the lowest bit says
  // that the word stands in the address. Empty if they were not asked for.
  std::vector<uint32_t> words;
};

// Reads a page by the tokens that `reader` finds. At most `short_tokens` of
// them make a short page.
TrapPage ReadTrapPage(const TextReader& reader, const DocumentText& page,
                      const std::string& url, uint64_t short_tokens,
                      bool with_words);

struct TrapEvidence {
  uint64_t tokens = 0;  // the median
  bool error = false;   // most pages say that there is none
  // Words that a page has on average and less than half of the others have: all
  // of them, and those that do not stand in its own address.
  double own_words = 0, new_words = 0;
};
TrapEvidence JudgePages(const std::vector<const TrapPage*>& pages);

// Nothing when the pages are alike but no trap: each has something of its own.
std::optional<TrapType> TrapKind(const UrlPattern& pattern,
                                 const TrapEvidence& evidence,
                                 uint64_t short_tokens);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_TRAPS_TRAP_EVIDENCE_H_
