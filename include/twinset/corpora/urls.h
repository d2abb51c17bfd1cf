// Counts how many addresses of a list stand in another: as they are written and
// under named rules, by top-level domain, registered domain and host
// (docs/methods/url-overlap.md).
#ifndef TWINSET_CORPORA_URLS_H_
#define TWINSET_CORPORA_URLS_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/options.h"
#include "twinset/progress.h"
#include "twinset/results.h"
#include "twinset/text_choices.h"

namespace twinset {
inline namespace v1 {

struct UrlsOptions : JobOptions {
  // Any input whose records have addresses, CDX, CDXJ, and lists with one
  // address per line. `input` says how both are written; its inputs are not
  // used.
  std::string a, b;
  // Applied in the order of the enum; empty: all.
  std::vector<UrlRule> rules;
  std::vector<std::string> qrels;  // files of judgements, by id
  std::string suffixes;  // public suffix list; empty: that of the system
  // If neither list has a judged id, this is an answer, not an error.
  bool may_be_strangers = false;
};

// Addresses that the two lists share under some spelling.
struct UrlOverlap {
  uint64_t distinct_a = 0, distinct_b = 0;  // different addresses
  uint64_t common = 0;                      // addresses that both have
  uint64_t a_in_b = 0, b_in_a = 0;          // lines whose address is there too
};

struct UrlRuleOverlap {
  UrlRule rule = UrlRule::kRfc3986;
  UrlOverlap alone;   // this rule and no other
  UrlOverlap so_far;  // with those before it
};

// Counts of lines: of A or B, with a judged id, found in the other list as
// written, found there under all rules.
struct UrlCounts {
  uint64_t a = 0, a_raw = 0, a_found = 0;
  uint64_t b = 0, b_raw = 0, b_found = 0;
  uint64_t judged_a = 0, judged_a_raw = 0, judged_a_found = 0;
  uint64_t judged_b = 0, judged_b_raw = 0, judged_b_found = 0;
  friend bool operator==(const UrlCounts&, const UrlCounts&) = default;
};

struct UrlGroup {  // a top-level domain, a registered domain or a host
  std::string name;
  UrlCounts counts;
};

// A share with its 95 % interval of Wilson.
struct UrlShare {
  uint64_t part = 0, whole = 0;
  double share = 0, low = 0, high = 1;
};
UrlShare ShareOf(uint64_t part, uint64_t whole);

struct UrlSide {
  uint64_t lines = 0;      // lines or records that say anything
  uint64_t addresses = 0;  // of them good ones
  uint64_t without_scheme = 0;
  std::vector<std::pair<std::string, uint64_t>> bad;  // reason, lines; by name
};

// What a join costs: docs/methods/url-overlap.md derives it.
struct UrlJoinCost {
  uint64_t lines = 0, bytes_a_line = 0;
  uint64_t sorted_runs = 0, merge_passes = 0;
  uint64_t disk_bytes = 0;  // at most at one time
  double seconds = 0;
};
// The cost for this many lines of A and B together, if a line alone takes
// `seconds_a_line`.
UrlJoinCost ModelUrlJoin(uint64_t lines, uint64_t memory_bytes,
                         double seconds_a_line);

struct UrlsResult {
  UrlSide a, b;
  std::vector<SideRead> sides;  // judgements, A, B
  UrlOverlap raw, found;        // as written; under all rules
  std::vector<UrlRuleOverlap> rules;
  UrlCounts counts;
  uint64_t judged = 0;          // different ids in the judgements
  uint64_t bad_judgements = 0;  // lines of them that are none
  uint64_t judged_pairs = 0;    // rows of pairs.jsonl
  uint64_t hosts = 0, domains = 0;
  // Ordered by lines of A, then lines of B, then name. All top-level domains
  // are here, but only the first kUrlTop of the others (the files of the folder
  // have all).
  std::vector<UrlGroup> top_levels, top_domains, top_hosts;
  std::string suffixes_date, suffixes_origin, suffixes_digest;
  std::vector<std::string> warnings;
  Json json;                // what summary.json holds
  UrlJoinCost cost, model;  // of this run; of ClueWeb09 against ClueWeb12
  // The pace that `model` assumes: that of this run, or, if it read fewer than
  // kUrlTimedLines, that of docs/methods/url-overlap.md.
  double seconds_a_line = 0;
  ResultPage page;
};

inline const Json& SummaryJson(const UrlsResult& result) { return result.json; }
inline constexpr size_t kUrlTop = 20;
inline constexpr uint64_t kUrlTimedLines = 1'000'000;

// Errors: kUsage for bad options or an `out` that exists, kIo, kCorrupt when a
// list has no address at all, kInterrupted. Lines that are no addresses are
// counted and listed in bad.jsonl. Memory: that of `resources`.
Result<UrlsResult> CompareUrls(const UrlsOptions& options);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_CORPORA_URLS_H_
