// twinset walk.
#include "twinset/measure/walk.h"

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/flags/flag_setters.h"
#include "cli/job.h"
#include "cli/output.h"
#include "cli/values.h"
#include "twinset/measure/choices.h"
#include "twinset/measure/fetch.h"
#include "twinset/plain_words.h"

namespace twinset::cli {
namespace {

// What walk was asked beside its options.
struct WalkAsked {
  bool structure = false;
  std::optional<RankMethod> rank;  // none: no ranks
  RankOptions ranks;
};

constexpr std::string_view kWalkName = "walk";

// What a user must not miss, on standard error.
void TellProblems(const GraphFacts& facts, bool keep_dangling) {
  TellWarnings(kWalkName, facts.warnings);
  if (facts.garbage > 0)
    Tell(kWalkName,
         fmt::format("{} lines are no arcs", NumberText(facts.garbage)));
  if (facts.dangling > 0 && facts.kind == GraphKind::kEdges && !keep_dangling) {
    Tell(kWalkName,
         fmt::format("{} arcs to ids that the node file lacks are left "
                     "out (--keep-dangling keeps them)",
                     NumberText(facts.dangling)));
  }
  if (facts.repeated_ids > 0)
    Tell(kWalkName, fmt::format("{} ids of the node file came before",
                                NumberText(facts.repeated_ids)));
  constexpr size_t kMost = 3;
  for (size_t i = 0; i < facts.problems.size() && i < kMost; ++i)
    Tell(kWalkName, Printable(facts.problems[i]));
}

void TellTrusted(const TrustedFacts& trusted) {
  const uint64_t lost = trusted.unknown + trusted.bad;
  if (lost == 0) return;
  Tell(kWalkName, fmt::format("{} of {} trusted pages are no page of the graph",
                              NumberText(lost), NumberText(trusted.lines)));
  constexpr size_t kMost = 3;
  for (size_t i = 0; i < trusted.problems.size() && i < kMost; ++i)
    Tell(kWalkName, Printable(trusted.problems[i]));
}

int Structure(const Request& request, const GraphOptions& graph) {
  return RunToResult(kWalkName, request, graph, MeasureGraph,
                     [&](const GraphStructure& structure) {
                       TellProblems(structure.facts, graph.keep_dangling);
                     });
}

int Rank(const Request& request, const GraphOptions& graph) {
  RankOptions options = request.Of<WalkAsked>().ranks;
  options.method = *request.Of<WalkAsked>().rank;
  options.graph = graph;
  options.damping = request.Of<WalkOptions>().damping;
  options.out = request.options.out;
  options.overwrite = request.options.overwrite;
  return RunToResult(kWalkName, request, options, RankGraph,
                     [&](const RankSummary& summary) {
                       TellProblems(summary.facts, graph.keep_dangling);
                       TellTrusted(summary.trusted);
                     });
}

int Walk(const Request& request, const GraphOptions& graph) {
  auto options = JobOptionsOf<WalkOptions>(request);
  options.fetching = request.Of<FetchOptions>();
  options.graph = graph;
  options.seed = request.options.method.seed;
  const auto tell = [&](const WalkSummary& walk) {
    TellProblems(walk.facts, graph.keep_dangling);
    if (!walk.stopped.empty())
      Tell(kWalkName, "the walk ended early: " + walk.stopped);
  };
  return RunToResult(kWalkName, request, options, WalkWeb, tell);
}

int RunWalk(const Request& request) {
  if (request.operands.empty()) {
    return TellError(kWalkName, {ErrorCode::kUsage,
                                 "no graph is given",
                                 {},
                                 "twinset walk GRAPH... --out DIR"});
  }
  auto graph = JobOptionsOf<GraphOptions>(request, request.operands);
  graph.memory_bytes = request.options.resources.memory_bytes;
  if (!request.Of<WalkAsked>().rank &&
      !request.Of<WalkAsked>().ranks.trusted.empty()) {
    return TellError(kWalkName, {ErrorCode::kUsage,
                                 "trusted pages are of trustrank only",
                                 {},
                                 "give --rank trustrank"});
  }
  if (request.Of<WalkAsked>().structure) return Structure(request, graph);
  if (request.Of<WalkAsked>().rank) return Rank(request, graph);
  return Walk(request, graph);
}

std::vector<Flag> WalkFlags() {
  return {
      {.name = "--structure",
       .help = "print the bow tie and the degree laws of the graph, and do not "
               "walk",
       .set = SetSwitch<&WalkAsked::structure>},
      {.name = "--rank",
       .value = "NAME",
       .help = "write ranks of the pages to --out: {}",
       .long_help =
           "One JSON row per page with id, url and the rank, for 'twinset "
           "dedup "
           "--keep max:pagerank'. trustrank: PageRank whose jumps lead to the "
           "pages of --trusted. inverse-pagerank: of the links turned round; "
           "pages from which much can be reached are worth judging for "
           "--trusted.",
       .default_text = "(none)",
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<RankMethod>(),
       .set = SetPick<&WalkAsked::rank>},
      {.name = "--trusted",
       .value = "FILE",
       .help = "trustrank: pages that are known to be good, an address or id a "
               "line",
       .long_help = "Lines that begin with # are comments. May be repeated.",
       .default_text = "(none)",
       .kind = ValueKind::kFile,
       .list = true,
       .set = SetRepeated<&WalkAsked::ranks, &RankParameters::trusted>},
      {.name = "--tolerance",
       .value = "T",
       .help = "ranks but opic: end when they change by less in sum",
       .default_text = "1e-12",
       .is_laboratory = true,
       .set = SetNumber<&WalkAsked::ranks, &RankParameters::tolerance>},
      {.name = "--sweeps",
       .value = "N",
       .help = "opic: visits per page",
       .long_help = "The error is about 1 / N.",
       .default_text = "50",
       .is_laboratory = true,
       .set = SetInt<1, 1000000, &WalkAsked::ranks, &RankParameters::sweeps>},
      {.name = "--sampler",
       .value = "NAME",
       .help = "{}",
       .long_help =
           "webwalker: uniform in the limit over the pages it can reach, by "
           "self-loops. pagerank-walk: follows links and jumps back among the "
           "pages visited; weights undo its preference. directed: follows "
           "links only, its law is estimated. undirected: follows links both "
           "ways, weights are 1 / degree.",
       .default_text = "webwalker",
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<WalkSampler>(),
       .set = SetPick<&WalkOptions::sampler>},
      {.name = "--chains",
       .value = "N",
       .help = "walks of their own that are compared; each makes --steps moves",
       .long_help = "Of several starts each chain takes the next. Those of a "
                    "live web share the pages they ask for, and --max-pages.",
       .default_text = "(4; live: one a start)",
       .set = SetInt<1, 1000, &WalkOptions::chains>},
      {.name = "--steps",
       .value = "N",
       .help =
           "moves from page to page of each chain; self-loops are not counted",
       .default_text = "100000",
       .set = SetCount<&WalkOptions::moves>},
      {.name = "--all-steps",
       .value = "N",
       .help = "webwalker: also ends after so many steps with self-loops; 0: "
               "no limit",
       .default_text = "0",
       .is_laboratory = true,
       .set = SetCount<&WalkOptions::steps>},
      {.name = "--size",
       .short_name = 'n',
       .value = "N",
       .help = "rows of the sample, visits drawn by their weights; 0: every "
               "visit, weighted",
       .default_text = "1000",
       .set = SetCount<&WalkOptions::size>},
      {.name = "--burn-in",
       .value = "SHARE",
       .help = "share of the moves before the sample begins",
       .default_text = "0.1",
       .is_laboratory = true,
       .set = SetPart<&WalkOptions::burn_in>},
      {.name = "--start",
       .value = "PAGE",
       .help = "address or id of the first page",
       .long_help = "May be repeated: each chain begins at the next one; "
                    "directed returns to any.",
       .default_text = "(the first with links; the live address)",
       .list = true,
       .set = SetRepeated<&WalkOptions::starts>},
      {.name = "--best-starts",
       .value = "N",
       .help = "start at one of the N pages with the highest PageRank",
       .long_help = "Of graphs, in place of --start.",
       .default_text = "0",
       .set = SetInt<0, 1000000000, &WalkOptions::best_starts>},
      {.name = "--in-links",
       .short_name = 'r',
       .value = "R",
       .help = "webwalker: pages that link to a page, taken from the index; 0: "
               "links alone",
       .long_help = "With 0 the walk reaches what links lead to. With more it "
                    "can also come to pages that only lead here.",
       .default_text = "0",
       .set = SetInt<0, 1000000, &WalkOptions::in_links>},
      {.name = "--degree",
       .value = "D",
       .help = "webwalker: degree of every page, filled up with self-loops",
       .default_text = "10000000",
       .is_laboratory = true,
       .set = SetCount<&WalkOptions::degree>},
      {.name = "--loops",
       .value = "HOW",
       .help = "webwalker: self-loops drawn one by one, by their number, or by "
               "expectation",
       .long_help = "drawn: the reference, D / neighbours draws a move. "
                    "geometric: the same law at once. expected: a visit weighs "
                    "what it would last; the best use of few moves.",
       .default_text = "geometric",
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<LoopRule>(),
       .is_laboratory = true,
       .set = SetPick<&WalkOptions::loops>},
      {.name = "--late-links",
       .value = "RULE",
       .help = "webwalker: links from new pages to visited ones: {}",
       .long_help = "The neighbours of a visited page are fixed: such a link "
                    "is none, or takes the place of a self-loop.",
       .default_text = "drop",
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<LateLinkRule>(),
       .is_laboratory = true,
       .set = SetPick<&WalkOptions::late_links>},
      {.name = "--damping",
       .value = "D",
       .help = "share of the moves that follow a link (ranks, pagerank-walk, "
               "directed)",
       .default_text = "0.85",
       .set = SetPart<&WalkOptions::damping>},
      {.name = "--jump",
       .value = "WHERE",
       .help = "pagerank-walk: other moves go to a visited page of a random "
               "host, or to any",
       .default_text = "host",
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<JumpRule>(),
       .is_laboratory = true,
       .set = SetPick<&WalkOptions::jump>},
      {.name = "--weights",
       .value = "NAME",
       .help = "pagerank-walk: 1 / pagerank, 1 / visits, or none",
       .default_text = "pagerank",
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<VisitWeights>(),
       .is_laboratory = true,
       .set = SetPick<&WalkOptions::weights>},
      {.name = "--index-pages",
       .value = "SHARE",
       .help = "share of the pages that the index of links knows",
       .default_text = "1",
       .is_laboratory = true,
       .set = SetUpToOne<&WalkOptions::index_pages>},
      {.name = "--index-links",
       .value = "SHARE",
       .help = "share of the links on those pages that it knows",
       .default_text = "1",
       .is_laboratory = true,
       .set = SetUpToOne<&WalkOptions::index_links>},
      {.name = "--scope",
       .value = "PREFIX",
       .help = "live: addresses that belong to the web, by their beginning",
       .long_help = "May be repeated.",
       .default_text = "(the host of the address)",
       .list = true,
       .set = SetRepeated<&WalkOptions::scope>},
      {.name = "--max-pages",
       .value = "N",
       .help = "live: pages asked for at most",
       .default_text = "1000",
       .set = SetCount<&WalkOptions::max_pages>},
      {.name = "--back-links",
       .value = "ENGINE",
       .help = "live: an engine that answers link:ADDRESS with pages that link "
               "there",
       .long_help = "As 'twinset engine' takes it. Else only pages that the "
                    "walk has read are known to link anywhere.",
       .default_text = "(pages read)",
       .set = SetText<&WalkOptions::back_links>},
      {.name = "--record",
       .value = "FILE",
       .help = "live: answers are kept here and not asked for twice",
       .long_help = "The same command again walks the same way without the "
                    "network, or goes on where it was stopped.",
       .default_text = "(not kept)",
       .kind = ValueKind::kFile,
       .set = SetText<&WalkOptions::record>}};
}

Command WalkCommand() {
  return {
      .name = "walk",
      .group = CommandGroup::kStudies,
      .operands = "GRAPH...",
      .help = "random walks on a web of links, its structure and ranks",
      .long_help =
          "GRAPH is an edge list (two ids a line), pages with links (WARC, "
          "HTML, folders), or one http:// address that is walked on live. A "
          "walk writes DIR/sample.jsonl, a sample of pages with weights for "
          "'twinset estimate', and DIR/summary.json, which says what the "
          "sample is worth and, where the graph is known, how far it is from "
          "uniform and which parts could be reached.\n\n--structure prints the "
          "bow tie of the graph (SCC, IN, OUT, tendrils, tubes, islands) and "
          "the laws of its degrees. --rank writes PageRank, OPIC or TrustRank "
          "of every page.\n\nA live walk stays within --scope, asks "
          "robots.txt, keeps --delay and ends after --max-pages requests.",
      .examples =
          {{"twinset walk edges.tsv.gz --nodes nodes.tsv.gz --structure",
            "the bow tie of a crawl"},
           {"twinset walk crawl.warc.gz --rank pagerank --out ranks.jsonl",
            "PageRank of archived pages"},
           {"twinset walk edges.tsv.gz --in-links 3 --loops expected --out "
            "walk --report",
            "a near-uniform sample by WebWalker"}},
      .everyday = {"--out", "--structure", "--rank", "--sampler", "--steps",
                   "--chains", "--size", "--nodes", "--scope", "--max-pages",
                   "--networks", "--delay", "--seed", "--report", "--json",
                   "--overwrite", "--quiet"},
      .parameters = {.also = {"seed", "tokens", "content"}},
      .shared = Join({kRecordFlags,
                      kGraphFlags,
                      {"--out", "--report", "--overwrite", "--json", "--digest",
                       "--memory", "--progress", "--config", "--delay",
                       "--timeout", "--allow-programs"}}),
      .texts = {{.name = "--seed",
                 .help = "of the walk, and of the rows drawn from it",
                 .long_help = ""},
                {.name = "--out",
                 .help = "folder for the walk; with --rank, file of the ranks",
                 .long_help =
                     "The folder holds sample.jsonl, which is the sample, and "
                     "summary.json. What exists is refused unless --overwrite "
                     "is given, and always when it holds an input or anything "
                     "that twinset did not make."},
                {.name = "--json",
                 .help = "print one JSON object with what was found"},
                kMemoryOfAll,
                {.name = "--timeout", .long_help = "", .default_text = "(20)"}},
      .flags = WalkFlags(),
      .refusals = {{{"--threads"}, "each step depends on the one before"},
                   kNoWorkFiles,
                   kBeginsAnew,
                   kPassesOver,
                   kPrintsText},
      .run = RunWalk};
}

}  // namespace

const Registration kWalk(WalkCommand);

}  // namespace twinset::cli
