// Flags of `twinset traps`.
#include "cli/studies.h"
#include "flag_setters.h"

namespace twinset::cli {

using setters::Count;
using setters::Int;
using setters::Share;
using setters::Switch;
using setters::Text;

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
      {"--probe", 0, "", "ask the host of each trap for an address of the pattern that was not crawled",
       "One request a trap, politely, robots.txt first. Whether the trap's page comes, or a 404, decides between "
       "soft-404 and other. Without it nobody is asked.",
       "", kTrapsBit, FlagGroup::kStudy, ValueKind::kNone, {}, false,
       Switch<[](Request& r) -> auto& { return r.study->traps.probe; }>},
      {"--record", 0, "FILE", "--probe: answers are kept here and not asked for twice",
       "The same command again takes them from there, without the network.", "(not kept)", kTrapsBit, FlagGroup::kStudy,
       ValueKind::kFile, {}, false,
       Text<[](Request& r) -> auto& { return r.study->traps.record; }>},
  };
}
// clang-format on

}  // namespace twinset::cli
