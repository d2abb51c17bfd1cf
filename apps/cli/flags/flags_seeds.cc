// Flags of `twinset seeds`.
#include "cli/studies.h"
#include "flag_setters.h"

namespace twinset::cli {

using setters::Count;
using setters::Int;
using setters::Number;
using setters::Part;
using setters::Pick;
using setters::Repeated;
using setters::Values;

namespace {

Status SeedsPerHost(const Values& values, Request* request) {
  TWINSET_TRY(
      (Count<[](Request & r) -> auto& { return r.study->seeds.per_host; }>(
          values, request)));
  request->study->crawls.per_host = request->study->seeds.per_host;
  return {};
}

}  // namespace

// clang-format off
std::vector<Flag> SeedsFlags() {
  return {
      {"--size", 'n', "N", "pick: seeds", "", "1000", kSeedsBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Count<[](Request& r) -> auto& { return r.study->seeds.size; }>},
      {"--per-host", 0, "N", "seeds of a host at most, or pages of a host that a crawl reads; 0: no limit", "", "0",
       kSeedsBit, FlagGroup::kStudy, ValueKind::kWord, {}, false, SeedsPerHost},
      {"--rank", 0, "NAME", "pick: ranks of the graph: {}",
       "trustrank: PageRank whose jumps lead to the pages of --trusted. inverse-pagerank: of the links turned round.",
       "pagerank", kSeedsBit, FlagGroup::kStudy, ValueKind::kChoice, ChoiceNames<RankMethod>(), false,
       Pick<[](Request& r) -> auto& { return r.study->seeds.ranks.method; }>},
      {"--trusted", 0, "FILE", "pick: trustrank: pages that are known to be good, an address or id a line",
       "Lines that begin with # are comments. May be repeated.", "(none)", kSeedsBit, FlagGroup::kStudy,
       ValueKind::kFile, {}, true, Repeated<[](Request& r) -> auto& { return r.study->seeds.ranks.trusted; }>},
      {"--answers", 0, "FILE", "pick: answers of engines to queries: a log, or a TREC run of addresses",
       "A log is what 'twinset engine query --record' writes. An address counts once for each question that "
       "returned it. Several logs are several engines. May be repeated.",
       "(none)", kSeedsBit, FlagGroup::kStudy, ValueKind::kFile, {}, true,
       Repeated<[](Request& r) -> auto& { return r.study->seeds.answers; }>},
      {"--top", 0, "N", "pick: results of each answer that count; 0: all", "", "0", kSeedsBit, FlagGroup::kStudy,
       ValueKind::kWord, {}, false, Int<[](Request& r) -> auto& { return r.study->seeds.top; }, 0, 1000000000>},
      {"--add", 0, "FILE", "pick: addresses that come before all others, one per line",
       "The limits and lists hold for them too. May be repeated.", "(none)", kSeedsBit, FlagGroup::kStudy,
       ValueKind::kFile, {}, true, Repeated<[](Request& r) -> auto& { return r.study->seeds.given; }>},
      {"--blacklist", 0, "FILE", "pick: the list of hosts that must not become seeds, one per line",
       "A host stands for the hosts below it too. A line may also have a path, which stands for what begins with it. "
       "May be repeated.", "(none)", kSeedsBit, FlagGroup::kStudy, ValueKind::kFile, {}, true,
       Repeated<[](Request& r) -> auto& { return r.study->seeds.blacklists; }>},
      {"--spam", 0, "FILE", "pick: a list of spam hosts in the same form; a line may begin with a percentile",
       "As of the Waterloo spam rankings: the share of pages that are worse. May be repeated.", "(none)", kSeedsBit,
       FlagGroup::kStudy, ValueKind::kFile, {}, true, Repeated<[](Request& r) -> auto& { return r.study->seeds.spam; }>},
      {"--spam-below", 0, "P", "pick: percentiles below this are spam", "", "70", kSeedsBit, FlagGroup::kStudy,
       ValueKind::kWord, {}, false, Number<[](Request& r) -> auto& { return r.study->seeds.spam_below; }>},
      {"--damping", 0, "D", "pick: share of the moves that follow a link", "", "0.85", kSeedsBit, FlagGroup::kStudy,
       ValueKind::kWord, {}, false, Part<[](Request& r) -> auto& { return r.study->seeds.ranks.damping; }>},
      {"--tolerance", 0, "T", "pick: ranks but opic: end when they change by less in sum", "", "1e-12", kSeedsBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Number<[](Request& r) -> auto& { return r.study->seeds.ranks.tolerance; }>},
      {"--sweeps", 0, "N", "pick: opic: visits a page", "The error is about 1 / N.", "50", kSeedsBit, FlagGroup::kStudy,
       ValueKind::kWord, {}, false, Int<[](Request& r) -> auto& { return r.study->seeds.ranks.sweeps; }, 1, 1000000>},
      {"--depth", 0, "N", "overlap: links from the seeds that a crawl follows", "", "10", kSeedsBit, FlagGroup::kStudy,
       ValueKind::kWord, {}, false, Int<[](Request& r) -> auto& { return r.study->crawls.depth; }, 0, 1000000000>},
      {"--max-pages", 0, "N", "overlap: pages that each crawl reads at most; 0: no limit", "", "0", kSeedsBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Count<[](Request& r) -> auto& { return r.study->crawls.max_pages; }>},
  };
}
// clang-format on

}  // namespace twinset::cli
