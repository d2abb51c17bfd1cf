// Asking the hosts of traps for one address each that nobody has crawled
// (docs/methods/traps.md).
#ifndef TWINSET_SRC_MEASURE_TRAPS_TRAP_PROBE_H_
#define TWINSET_SRC_MEASURE_TRAPS_TRAP_PROBE_H_

#include <atomic>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "documents/page_text.h"
#include "net/fetcher.h"
#include "net/url_pattern.h"
#include "twinset/measure/traps.h"

namespace twinset {

// A trap with what a probe of it goes by.
struct FoundTrap {
  Trap trap;  // trap.probe has the address to ask for
  bool pages_say_none = false;
  bool takes_anything = false;     // TakesAnything of its pattern
  std::set<uint64_t> skeletons;    // of its pages (TrapPage)
  std::vector<uint64_t> shingles;  // of the text of its representative
};

// Returns true iff a place takes any text, any path or random-looking values.
// The value of a parameter that some addresses lack is no such place: the page
// is there without it, so the host does not look at it.
bool TakesAnything(const UrlPattern& pattern);

struct TrapProbeFacts {
  TrapType kind = TrapType::kOther;  // before the probe
  bool pages_say_none = false, takes_anything = false;
  int status = 0;
  bool alike = false;
};
// The kind of a trap after its probe: a kOther one that takes anything is
// kSoft404 when the page came, and a kSoft404 one whose pages do not say so is
// kOther when the host knows that there is no such page (404, 410).
TrapType JudgeProbe(const TrapProbeFacts& facts);

struct TrapProbeRules {
  double threshold = 0.9;
  uint64_t short_tokens = 100;
  const std::atomic<bool>* stop = nullptr;
};

// Asks for the address of each and fills status, alike, reason and kind.
// `reader` is the one that the shingles are of. An address without an answer
// is told in its row. kInterrupted when `stop` was set.
Status ProbeTraps(const TrapProbeRules& rules, const TextReader& reader,
                  Fetcher* fetcher, std::vector<FoundTrap>* found);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_TRAPS_TRAP_PROBE_H_
