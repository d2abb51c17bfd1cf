// Finds traps: hosts on which many addresses lead to one page - soft 404s,
// calendars without an end, session ids (docs/methods/traps.md).
#ifndef TWINSET_MEASURE_TRAPS_H_
#define TWINSET_MEASURE_TRAPS_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "twinset/choices.h"
#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/measure/fetch.h"
#include "twinset/options.h"
#include "twinset/progress.h"
#include "twinset/results.h"

namespace twinset {
inline namespace v1 {

struct TrapsOptions : JobOptions {
  FeatureOptions features;
  double threshold = 0.9;    // resemblance of the pages of one trap
  uint64_t least_urls = 10;  // fewest addresses of a trap
  // Least share that leads to the page, among the host's addresses that fit the
  // pattern.
  double share = 0.3;
  uint64_t short_tokens = 100;  // a soft 404 has at most this many words
  uint64_t samples = 5;         // addresses shown of each trap
  // Asks each trap's host for one address that was not crawled.
  bool probe = false;
  FetchOptions fetching;  // of the probes; no engine is asked
  std::string record;     // file of answers: read first, then added to
};

// What the host of a trap answers for an address that fits the trap's pattern
// and is in no input.
struct TrapProbe {
  std::string url;     // empty: no address could be made up
  int status = 0;      // after redirects; 0: no answer
  bool alike = false;  // the answer is a page like that of the trap
  std::string reason;  // why status is 0

  static void Fields(auto& probe, auto& field) {
    field("url", probe.url);
    field("status", probe.status);
    field("alike", probe.alike);
    field.Derived("reason", probe.reason.empty() ? std::optional<std::string>()
                                                 : probe.reason);
  }
};

enum class TrapType : uint8_t { kSoft404, kCalendar, kSession, kOther };
template <>
inline constexpr auto kChoices<TrapType> =
    ChoiceTable<TrapType>({{TrapType::kSoft404, "soft-404"},
                           {TrapType::kCalendar, "calendar"},
                           {TrapType::kSession, "session"},
                           {TrapType::kOther, "other"}});

struct Trap {
  std::string host;
  // An address whose varying parts are replaced: {number}, {date}, {hex},
  // {any}; "/{path}" for paths of several depths.
  std::string pattern;
  TrapType kind = TrapType::kOther;
  uint64_t urls = 0;    // different addresses that lead to the page
  uint64_t of = 0;      // addresses of the host that fit the pattern
  double share = 0;     // urls / of
  uint64_t tokens = 0;  // words of the page: the median
  uint64_t pages = 1;   // different pages behind the addresses (session)
  // What a crawler gains from a page: how many words it has, on average, that
  // the others do not have and that are not numbers, dates or parts of its
  // address.
  double new_words = 0;
  std::string representative;        // the address that dedup keeps
  std::vector<std::string> samples;  // in byte order
  std::optional<TrapProbe> probe;    // when it was asked for

  static void Fields(auto& trap, auto& field) {
    field("host", trap.host);
    field("pattern", trap.pattern);
    field("kind", trap.kind);
    field("urls", trap.urls);
    field("of", trap.of);
    field("share", trap.share);
    field("tokens", trap.tokens);
    field("pages", trap.pages);
    field("new_words", trap.new_words);
    field("representative", trap.representative);
    field("samples", trap.samples);
    field("probe", trap.probe);
  }
};

// "200 alike", "404", "no answer"; empty when it was not asked for.
std::string ProbeText(const Trap& trap);

struct TrapsResult {
  std::vector<Trap> traps;  // by urls, descending, then host and pattern
  uint64_t documents = 0;   // of the input
  uint64_t without_url = 0;
  uint64_t quarantined = 0;          // records
  uint64_t hosts = 0, clusters = 0;  // clusters: those of two or more addresses
  uint64_t trapped = 0;              // addresses in traps
  std::vector<std::string> warnings;  // one line each
  ResultPage page;
};

// Finds traps with a dedup run in a work folder that is removed afterwards.
// kUsage for bad options or an `out` that exists; the errors of Dedup. A probe
// without an answer is not an error.
Result<TrapsResult> FindTraps(const TrapsOptions& options);

// The lines of traps.jsonl.
std::vector<Json> RowsJson(const TrapsResult& result);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_MEASURE_TRAPS_H_
