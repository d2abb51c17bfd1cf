// Flags of `twinset walk`.
#include <fmt/format.h>

#include "cli/studies.h"
#include "flag_setters.h"

namespace twinset::cli {

using setters::Count;
using setters::Int;
using setters::Number;
using setters::Part;
using setters::Pick;
using setters::Repeated;
using setters::Switch;
using setters::Text;

namespace {

template <auto Field>
Status Known(const std::vector<std::string>& values, Request* request) {
  TWINSET_ASSIGN(const double share, ParseNumber(values.back()));
  if (!(share >= 0 && share <= 1))
    return Fail(ErrorCode::kUsage,
                fmt::format("'{}' is not within 0 and 1", values.back()));
  Field(*request) = share;
  return {};
}

template <auto Field>
Status Off(const std::vector<std::string>&, Request* request) {
  Field(*request) = false;
  return {};
}

}  // namespace

// clang-format off
std::vector<Flag> WalkFlags() {
  return {
      {"--structure", 0, "", "print the bow tie and the degree laws of the graph, and do not walk",
       "", "", kWalkBit, FlagGroup::kStudy, ValueKind::kNone, {}, false,
       Switch<[](Request& r) -> auto& { return r.study->walk_structure; }>},
      {"--rank", 0, "NAME", "write ranks of the pages to --out: {}",
       "One JSON row a page with id, url and the rank, for 'twinset dedup --keep max:pagerank'. trustrank: PageRank "
       "whose jumps lead to the pages of --trusted. inverse-pagerank: of the links turned round; pages from which much "
       "can be reached are worth judging for --trusted.",
       "(none)", kWalkBit, FlagGroup::kStudy, ValueKind::kChoice, ChoiceNames<RankMethod>(), false,
       Pick<[](Request& r) -> auto& { return r.study->walk_rank.emplace(); }>},
      {"--trusted", 0, "FILE", "trustrank: pages that are known to be good, an address or id a line",
       "Lines that begin with # are comments. May be repeated.", "(none)", kWalkBit, FlagGroup::kStudy,
       ValueKind::kFile, {}, true, Repeated<[](Request& r) -> auto& { return r.study->rank.trusted; }>},
      {"--tolerance", 0, "T", "ranks but opic: end when they change by less in sum", "", "1e-12", kWalkBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Number<[](Request& r) -> auto& { return r.study->rank.tolerance; }>},
      {"--sweeps", 0, "N", "opic: visits a page", "The error is about 1 / N.", "50", kWalkBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return r.study->rank.sweeps; }, 1, 1000000>},
      {"--sampler", 0, "NAME", "{}",
       "webwalker: uniform in the limit over the pages it can reach, by self-loops. pagerank-walk: follows links "
       "and jumps back among the pages visited; weights undo its preference. directed: follows links only, its "
       "law is estimated. undirected: follows links both ways, weights are 1 / degree.",
       "webwalker", kWalkBit, FlagGroup::kStudy, ValueKind::kChoice, ChoiceNames<WalkSampler>(), false,
       Pick<[](Request& r) -> auto& { return r.study->walk.sampler; }>},
      {"--chains", 0, "N", "walks of their own that are compared; each makes --steps moves",
       "Of several starts each chain takes the next. Those of a live web share the pages they ask for, and "
       "--max-pages.",
       "(4; live: one a start)", kWalkBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return r.study->walk.chains; }, 1, 1000>},
      {"--steps", 0, "N", "moves from page to page of each chain; self-loops are not counted", "", "100000", kWalkBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Count<[](Request& r) -> auto& { return r.study->walk.moves; }>},
      {"--all-steps", 0, "N", "webwalker: also ends after so many steps with self-loops; 0: no limit", "", "0",
       kWalkBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Count<[](Request& r) -> auto& { return r.study->walk.steps; }>},
      {"--size", 'n', "N", "rows of the sample, visits drawn by their weights; 0: every visit, weighted", "", "1000", kWalkBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Count<[](Request& r) -> auto& { return r.study->walk.size; }>},
      {"--burn-in", 0, "SHARE", "share of the moves before the sample begins", "", "0.1", kWalkBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Part<[](Request& r) -> auto& { return r.study->walk.burn_in; }>},
      {"--start", 0, "PAGE", "address or id of the first page", "May be repeated: each chain begins at the next one; directed returns to any.",
       "(the first with links; the live address)", kWalkBit, FlagGroup::kStudy, ValueKind::kWord, {}, true,
       Repeated<[](Request& r) -> auto& { return r.study->walk.starts; }>},
      {"--best-starts", 0, "N", "start at one of the N pages with the highest PageRank", "Of graphs, in place of --start.",
       "0", kWalkBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return r.study->walk.best_starts; }, 0, 1000000000>},
      {"--in-links", 'r', "R", "webwalker: pages that link to a page, taken from the index; 0: links alone",
       "With 0 the walk reaches what links lead to. With more it can also come to pages that only lead here.",
       "0", kWalkBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return r.study->walk.in_links; }, 0, 1000000>},
      {"--degree", 0, "D", "webwalker: degree of every page, filled up with self-loops", "", "10000000", kWalkBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Count<[](Request& r) -> auto& { return r.study->walk.degree; }>},
      {"--loops", 0, "HOW", "webwalker: self-loops drawn one by one, by their number, or by expectation",
       "drawn: the reference, D / neighbours draws a move. geometric: the same law at once. expected: a visit "
       "weighs what it would last; the best use of few moves.",
       "geometric", kWalkBit, FlagGroup::kStudy, ValueKind::kChoice, ChoiceNames<LoopRule>(), false,
       Pick<[](Request& r) -> auto& { return r.study->walk.loops; }>},
      {"--late-links", 0, "RULE", "webwalker: links from new pages to visited ones: {}",
       "The neighbours of a visited page are fixed: such a link is none, or takes the place of a self-loop.",
       "drop", kWalkBit, FlagGroup::kStudy, ValueKind::kChoice, ChoiceNames<LateLinkRule>(), false,
       Pick<[](Request& r) -> auto& { return r.study->walk.late_links; }>},
      {"--damping", 0, "D", "share of the moves that follow a link (ranks, pagerank-walk, directed)", "", "0.85",
       kWalkBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Part<[](Request& r) -> auto& { return r.study->walk.damping; }>},
      {"--jump", 0, "WHERE", "pagerank-walk: other moves go to a visited page of a random host, or to any",
       "", "host", kWalkBit, FlagGroup::kStudy, ValueKind::kChoice, ChoiceNames<JumpRule>(), false,
       Pick<[](Request& r) -> auto& { return r.study->walk.jump; }>},
      {"--weights", 0, "NAME", "pagerank-walk: 1 / pagerank, 1 / visits, or none", "", "pagerank", kWalkBit,
       FlagGroup::kStudy, ValueKind::kChoice, ChoiceNames<VisitWeights>(), false,
       Pick<[](Request& r) -> auto& { return r.study->walk.weights; }>},
      {"--index-pages", 0, "SHARE", "share of the pages that the index of links knows", "", "1", kWalkBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Known<[](Request& r) -> auto& { return r.study->walk.index_pages; }>},
      {"--index-links", 0, "SHARE", "share of the links on those pages that it knows", "", "1", kWalkBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Known<[](Request& r) -> auto& { return r.study->walk.index_links; }>},
      {"--graph-format", 0, "FORMAT", "edges: lists of two ids a line; pages: documents with links",
       "auto looks at the first lines.", "auto", kWalkBit | kSeedsBit, FlagGroup::kStudy, ValueKind::kChoice, ChoiceNames<GraphFormat>(), false,
       Pick<[](Request& r) -> auto& { return r.study->walk.graph.format; }>},
      {"--nodes", 0, "FILE", "ids and addresses of the nodes of an edge list", "", "(none)", kWalkBit | kSeedsBit,
       FlagGroup::kStudy, ValueKind::kFile, {}, false,
       Text<[](Request& r) -> auto& { return r.study->walk.graph.nodes; }>},
      {"--keep-dangling", 0, "", "links to what is no node or no page make nodes of their own",
       "Else they are counted and left out.", "", kWalkBit | kSeedsBit, FlagGroup::kStudy, ValueKind::kNone, {}, false,
       Switch<[](Request& r) -> auto& { return r.study->walk.graph.keep_dangling; }>},
      {"--skip-nofollow", 0, "", "links that ask not to be followed are none", "", "", kWalkBit | kSeedsBit,
       FlagGroup::kStudy, ValueKind::kNone, {}, false,
       Off<[](Request& r) -> auto& { return r.study->walk.graph.follow_nofollow; }>},
      {"--skip-hidden", 0, "", "links that a reader does not see are none", "", "", kWalkBit | kSeedsBit,
       FlagGroup::kStudy, ValueKind::kNone, {}, false,
       Off<[](Request& r) -> auto& { return r.study->walk.graph.follow_hidden; }>},
      {"--scope", 0, "PREFIX", "live: addresses that belong to the web, by their beginning", "May be repeated.",
       "(the host of the address)", kWalkBit, FlagGroup::kStudy, ValueKind::kWord, {}, true,
       Repeated<[](Request& r) -> auto& { return r.study->walk.scope; }>},
      {"--max-pages", 0, "N", "live: pages asked for at most", "", "1000", kWalkBit, FlagGroup::kStudy,
       ValueKind::kWord, {}, false,
       Count<[](Request& r) -> auto& { return r.study->walk.max_pages; }>},
      {"--back-links", 0, "ENGINE", "live: an engine that answers link:ADDRESS with pages that link there",
       "As 'twinset engine' takes it. Else only pages that the walk has read are known to link anywhere.",
       "(pages read)", kWalkBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Text<[](Request& r) -> auto& { return r.study->walk.back_links; }>},
      {"--record", 0, "FILE", "live: answers are kept here and not asked for twice", 
       "The same command again walks the same way without the network, or goes on where it was stopped.",
       "(not kept)", kWalkBit, FlagGroup::kStudy, ValueKind::kFile, {}, false,
       Text<[](Request& r) -> auto& { return r.study->walk.record; }>},
  };
}
// clang-format on

}  // namespace twinset::cli
