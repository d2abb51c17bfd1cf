// Flags of `twinset rescue`.
#include "cli/studies.h"
#include "flag_setters.h"

namespace twinset::cli {

using setters::Int;
using setters::Repeated;
using setters::Share;
using setters::Switch;
using setters::Text;

// clang-format off
std::vector<Flag> RescueFlags() {
  return {
      {"--from", 0, "INPUT", "where the last known copies of the pages are, as an archive",
       "Of several copies of an address the latest counts. May be repeated.", "", kRescueBit, FlagGroup::kInput,
       ValueKind::kFile, {}, true,
       Repeated<[](Request& r) -> auto& { return r.study->rescue.copies.inputs; }>},
      {"--in", 0, "ENGINE", "the engine to look in: a folder of 'twinset engine build' or a description", "", "",
       kRescueBit, FlagGroup::kStudy, ValueKind::kFile, {}, false,
       Text<[](Request& r) -> auto& { return r.study->rescue.engine; }>},
      {"--terms", 0, "N", "words of a signature", "Those of highest tf * idf.", "5", kRescueBit, FlagGroup::kStudy,
       ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return r.study->rescue.terms; }, 1, 32>},
      {"--least-terms", 0, "N", "a query that finds nothing is shortened down to this", "", "2", kRescueBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return r.study->rescue.least_terms; }, 1, 32>},
      {"--results", 0, "K", "results of a query that are looked at", "", "10", kRescueBit, FlagGroup::kStudy,
       ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return r.study->rescue.results; }, 1, 1000>},
      {"--lexicon", 0, "FILE", "how rare words are, from 'twinset lexicon build'",
       "Build it by 'twinset lexicon build --min-df 1 --drop-common 0 --drop-rare 0'. Without it the words of the "
       "copies are counted.",
       "(the copies)", kRescueBit, FlagGroup::kStudy, ValueKind::kFile, {}, false,
       Text<[](Request& r) -> auto& { return r.study->rescue.lexicon; }>},
      {"--threshold", 't', "T", "least resemblance of a page found to the copy", "Above 0, at most 1.", "0.8",
       kRescueBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Share<[](Request& r) -> auto& { return r.study->rescue.threshold; }>},
      {"--check-live", 0, "", "first ask for each address: a page that is there as it was is not looked for",
       "Asks the network, politely.", "", kRescueBit, FlagGroup::kStudy, ValueKind::kNone, {}, false,
       Switch<[](Request& r) -> auto& { return r.study->rescue.check_live; }>},
      {"--signatures", 0, "", "print the words that find each page again, and ask no engine",
       "With them the robust hyperlink: the address with its words, which find the page when the address is dead.", "",
       kRescueBit, FlagGroup::kStudy, ValueKind::kNone, {}, false,
       Switch<[](Request& r) -> auto& { return r.study->rescue.signatures; }>},
      {"--all", 0, "", "look for every page of --from instead of named ones", "", "", kRescueBit, FlagGroup::kStudy,
       ValueKind::kNone, {}, false,
       Switch<[](Request& r) -> auto& { return r.study->rescue_all; }>},
      {"--record", 0, "FILE", "add every answer of the engine to this file; what is in it is not asked again", "",
       "(none)", kRescueBit, FlagGroup::kStudy, ValueKind::kFile, {}, false,
       Text<[](Request& r) -> auto& { return r.study->rescue.record; }>},
      {"--replay", 0, "FILE", "take the answers from this file; the engine need not be there", "", "(none)",
       kRescueBit, FlagGroup::kStudy, ValueKind::kFile, {}, false,
       Text<[](Request& r) -> auto& { return r.study->rescue.replay; }>},
  };
}
// clang-format on

}  // namespace twinset::cli
