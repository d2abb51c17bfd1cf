// Flags of `twinset traps`.
#include "flag_setters.h"
#include "studies.h"

namespace twinset::cli {

using setters::Count;
using setters::Int;
using setters::Share;

// clang-format off
std::vector<Flag> TrapsFlags() {
  return {
      {"--threshold", 't', "T", "least resemblance of the pages of a trap, above 0, at most 1", "",
       "0.9", kTrapsBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Share<[](Request& r) -> auto& { return r.study->traps.threshold; }>},
      {"--least-urls", 0, "N", "addresses that lead to one page, from which on it is a trap", "",
       "10", kTrapsBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return r.study->traps.least_urls; }, 2, 1000000000>},
      {"--share", 0, "S", "least share of the host's addresses of that pattern that do", "",
       "0.3", kTrapsBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Share<[](Request& r) -> auto& { return r.study->traps.share; }>},
      {"--short-tokens", 0, "N", "words that the page of a soft 404 has at most", "",
       "100", kTrapsBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Count<[](Request& r) -> auto& { return r.study->traps.short_tokens; }>},
      {"--samples", 0, "N", "addresses shown of each trap", "",
       "5", kTrapsBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return r.study->traps.samples; }, 0, 1000>},
  };
}
// clang-format on

}  // namespace twinset::cli
