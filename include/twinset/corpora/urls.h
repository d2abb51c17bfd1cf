// Counts how many addresses of a list stand in another: as they are written and
// under named rules, by top-level domain, registered domain and host
// (docs/methods/url-overlap.md).
#ifndef TWINSET_CORPORA_URLS_H_
#define TWINSET_CORPORA_URLS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/options.h"
#include "twinset/progress.h"
#include "twinset/results.h"
#include "twinset/text_choices.h"
#include "twinset/version.h"

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

  static void Fields(auto& overlap, auto& field) {
    field("distinct_a", overlap.distinct_a);
    field("distinct_b", overlap.distinct_b);
    field("common", overlap.common);
    field("a_in_b", overlap.a_in_b);
    field("b_in_a", overlap.b_in_a);
  }
};

struct UrlRuleOverlap {
  UrlRule rule = UrlRule::kRfc3986;
  UrlOverlap alone;   // this rule and no other
  UrlOverlap so_far;  // with those before it

  static void Fields(auto& row, auto& field) {
    field("rule", row.rule);
    field("alone", row.alone);
    field("so_far", row.so_far);
  }
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

// A share with its 95 % interval of Wilson.
struct UrlShare {
  uint64_t part = 0, whole = 0;
  double share = 0, low = 0, high = 1;

  // Without a whole there is no share.
  static void Fields(auto& share, auto& field) {
    field("count", share.part);
    field("of", share.whole);
    if (share.whole == 0) return;
    field.Rounded("share", share.share, 6);
    field.Rounded("low", share.low, 6);
    field.Rounded("high", share.high, 6);
  }
};
UrlShare ShareOf(uint64_t part, uint64_t whole);

struct UrlLines {
  UrlCounts counts;
  bool judged = false;  // judged ids were looked for

  static void Fields(auto& lines, auto& field) {
    const UrlCounts& c = lines.counts;
    field.Derived("a_in_b_raw", ShareOf(c.a_raw, c.a));
    field.Derived("a_in_b", ShareOf(c.a_found, c.a));
    field.Derived("b_in_a_raw", ShareOf(c.b_raw, c.b));
    field.Derived("b_in_a", ShareOf(c.b_found, c.b));
    if (!lines.judged) return;
    field.Derived("judged_a_in_b_raw", ShareOf(c.judged_a_raw, c.judged_a));
    field.Derived("judged_a_in_b", ShareOf(c.judged_a_found, c.judged_a));
    field.Derived("judged_b_in_a_raw", ShareOf(c.judged_b_raw, c.judged_b));
    field.Derived("judged_b_in_a", ShareOf(c.judged_b_found, c.judged_b));
  }
};

// A top-level domain, a registered domain or a host.
struct UrlGroup : UrlLines {
  std::string name;

  static void Fields(auto& group, auto& field) {
    field("name", group.name);
    UrlLines::Fields(group, field);
  }
};

struct UrlSide {
  uint64_t lines = 0;      // lines or records that say anything
  uint64_t addresses = 0;  // of them good ones
  uint64_t without_scheme = 0;
  std::map<std::string, uint64_t> bad;  // lines by reason

  static void Fields(auto& side, auto& field) {
    field("lines", side.lines);
    field("addresses", side.addresses);
    field("without_scheme", side.without_scheme);
    field("bad", side.bad);
  }
};

// What a join costs: docs/methods/url-overlap.md derives it.
struct UrlJoinCost {
  uint64_t lines = 0, bytes_a_line = 0;
  uint64_t sorted_runs = 0, merge_passes = 0;
  uint64_t disk_bytes = 0;  // at most at one time
  double seconds = 0;

  static void Fields(auto& cost, auto& field) {
    field("lines", cost.lines);
    field("bytes_a_line", cost.bytes_a_line);
    field("sorted_runs", cost.sorted_runs);
    field("merge_passes", cost.merge_passes);
    field("disk_bytes", cost.disk_bytes);
    field.Rounded("seconds", cost.seconds, 3);
  }
};
// The cost for this many lines of A and B together, if a line alone takes
// `seconds_a_line`.
UrlJoinCost ModelUrlJoin(uint64_t lines, uint64_t memory_bytes,
                         double seconds_a_line);

// What the judgements hold.
struct UrlJudgements {
  uint64_t ids = 0;               // different ones
  uint64_t bad_lines = 0;         // that are no judgements
  std::optional<uint64_t> pairs;  // rows of pairs.jsonl

  static void Fields(auto& judgements, auto& field) {
    field("ids", judgements.ids);
    field("bad_lines", judgements.bad_lines);
    field("pairs", judgements.pairs);
  }
};

// The public suffix list, by which domains are told.
struct UrlSuffixes {
  std::string date, origin, digest;

  static void Fields(auto& suffixes, auto& field) {
    field("date", suffixes.date);
    field("origin", suffixes.origin);
    field("digest", suffixes.digest);
  }
};

// What may differ between runs of the same lists and rules.
struct UrlsRun {
  std::string a, b;  // the lists as UTF-8
  int threads = 0;
  UrlJoinCost cost;
  // The pace that `model` assumes: that of this run, or, if it read fewer than
  // kUrlTimedLines, that of docs/methods/url-overlap.md.
  double seconds_a_line = 0;
  UrlJoinCost model;  // of ClueWeb09 against ClueWeb12

  static void Fields(auto& run, auto& field) {
    field("a", run.a);
    field("b", run.b);
    field("threads", run.threads);
    field("cost", run.cost);
    field("seconds_a_line", run.seconds_a_line);
    field("model_clueweb", run.model);
  }
};

struct UrlsResult {
  UrlSide a, b;
  std::vector<SideRead> sides;  // judgements, A, B
  UrlOverlap raw, found;        // as written; under all rules
  std::vector<UrlRuleOverlap> rules;
  UrlLines lines;
  std::optional<UrlJudgements> judgements;  // nothing without them
  uint64_t hosts = 0, domains = 0;
  // Ordered by lines of A, then lines of B, then name. All top-level domains
  // are here, but only the first kUrlTop of the others (the files of the folder
  // have all).
  std::vector<UrlGroup> top_levels, top_domains, top_hosts;
  UrlSuffixes suffixes;
  std::vector<std::string> warnings;
  UrlsRun run;
  ResultPage page;

  static void Fields(auto& result, auto& field) {
    field.Derived("version", kVersion);
    field("a", result.a);
    field("b", result.b);
    field("as_written", result.raw);
    field("under_all_rules", result.found);
    field("lines", result.lines);
    field.Derived("sides", SidesJson(result.sides));
    field("rules", result.rules);
    field("hosts", result.hosts);
    field("domains", result.domains);
    field("judgements", result.judgements);
    field("public_suffixes", result.suffixes);
    field("top_level_domains", result.top_levels);
    field("top_domains", result.top_domains);
    field("top_hosts", result.top_hosts);
    field("warnings", result.warnings);
    field("run", result.run);
  }
};

// What summary.json holds.
Json SummaryJson(const UrlsResult& result);
inline constexpr size_t kUrlTop = 20;
inline constexpr uint64_t kUrlTimedLines = 1'000'000;

// Errors: kUsage for bad options or an `out` that exists, kIo, kCorrupt when a
// list has no address at all, kInterrupted. Lines that are no addresses are
// counted and listed in bad.jsonl. Memory: that of `resources`.
Result<UrlsResult> CompareUrls(const UrlsOptions& options);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_CORPORA_URLS_H_
