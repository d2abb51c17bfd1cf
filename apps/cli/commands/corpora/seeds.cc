// twinset seeds.
#include "twinset/corpora/seeds.h"

#include "cli/commands.h"
#include "cli/flags/flag_setters.h"
#include "cli/job.h"
#include "cli/nouns.h"
#include "cli/output.h"
#include "twinset/corpora/crawls.h"
#include "twinset/measure/choices.h"
#include "twinset/measure/graph.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kSeedsName = "seeds";
constexpr size_t kShownProblems = 3;

GraphOptions GraphOf(const Request& request,
                     std::vector<std::string> operands) {
  auto graph = JobOptionsOf<GraphOptions>(request, std::move(operands));
  graph.memory_bytes = request.options.resources.memory_bytes;
  return graph;
}

void TellProblems(const std::vector<std::string>& problems) {
  for (size_t i = 0; i < problems.size() && i < kShownProblems; ++i)
    Tell(kSeedsName, problems[i]);
}

int PickThem(const Request& request) {
  auto options = JobOptionsOf<SeedsOptions>(request);
  options.graph =
      GraphOf(request, {request.operands.begin() + 1, request.operands.end()});
  return RunToResult(kSeedsName, request, options, PickSeeds,
                     [](const SeedsResult& result) {
                       TellProblems(result.problems);
                       if (result.ranks)
                         TellProblems(result.ranks->trusted.problems);
                     });
}

int Overlap(const Request& request) {
  constexpr size_t kLists = 3;  // the noun and two lists
  if (request.operands.size() <= kLists)
    return TellError(kSeedsName,
                     {ErrorCode::kUsage,
                      "overlap takes two lists of seeds and a graph",
                      {},
                      "twinset seeds overlap FIRST SECOND GRAPH..."});
  auto options = JobOptionsOf<CrawlOverlapOptions>(request);
  options.first = request.operands[1];
  options.second = request.operands[2];
  options.graph = GraphOf(
      request, {request.operands.begin() + kLists, request.operands.end()});
  return RunToResult(kSeedsName, request, options, CompareCrawls);
}

int RunSeeds(const Request& request) {
  if (const Status noun = CheckNoun(kSeedsName, request); !noun)
    return TellError(kSeedsName, noun.error());
  return request.operands.front() == "overlap" ? Overlap(request)
                                               : PickThem(request);
}

Status SeedsPerHost(const Values& values, Request* request) {
  TWINSET_TRY((SetCount<&SeedsOptions::per_host>(values, request)));
  request->Of<CrawlOverlapOptions>().per_host =
      request->Of<SeedsOptions>().per_host;
  return {};
}

std::vector<Flag> SeedsFlags() {
  return {
      {.name = "--size",
       .short_name = 'n',
       .value = "N",
       .help = "pick: seeds",
       .default_text = "1000",
       .set = SetCount<&SeedsOptions::size>},
      {.name = "--per-host",
       .value = "N",
       .help = "seeds of a host at most, or pages of a host that a crawl "
               "reads; 0: no limit",
       .default_text = "0",
       .set = SeedsPerHost},
      {.name = "--rank",
       .value = "NAME",
       .help = "pick: ranks of the graph: {}",
       .long_help = "trustrank: PageRank whose jumps lead to the pages of "
                    "--trusted. inverse-pagerank: of the links turned round.",
       .default_text = "pagerank",
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<RankMethod>(),
       .set = SetPick<&SeedsOptions::ranks, &RankParameters::method>},
      {.name = "--trusted",
       .value = "FILE",
       .help = "pick: trustrank: pages that are known to be good, an address "
               "or id a line",
       .long_help = "Lines that begin with # are comments. May be repeated.",
       .default_text = "(none)",
       .kind = ValueKind::kFile,
       .list = true,
       .set = SetRepeated<&SeedsOptions::ranks, &RankParameters::trusted>},
      {.name = "--answers",
       .value = "FILE",
       .help = "pick: answers of engines to queries: a log, or a TREC run of "
               "addresses",
       .long_help = "A log is what 'twinset engine query --record' writes. An "
                    "address counts once for each question that returned it. "
                    "Several logs are several engines. May be repeated.",
       .default_text = "(none)",
       .kind = ValueKind::kFile,
       .list = true,
       .set = SetRepeated<&SeedsOptions::answers>},
      {.name = "--top",
       .value = "N",
       .help = "pick: results of each answer that count; 0: all",
       .default_text = "0",
       .set = SetInt<0, 1000000000, &SeedsOptions::top>},
      {.name = "--add",
       .value = "FILE",
       .help = "pick: addresses that come before all others, one per line",
       .long_help = "The limits and lists hold for them too. May be repeated.",
       .default_text = "(none)",
       .kind = ValueKind::kFile,
       .list = true,
       .set = SetRepeated<&SeedsOptions::given>},
      {.name = "--blacklist",
       .value = "FILE",
       .help =
           "pick: the list of hosts that must not become seeds, one per line",
       .long_help =
           "A host stands for the hosts below it too. A line may also have a "
           "path, which stands for what begins with it. May be repeated.",
       .default_text = "(none)",
       .kind = ValueKind::kFile,
       .list = true,
       .set = SetRepeated<&SeedsOptions::blacklists>},
      {.name = "--spam",
       .value = "FILE",
       .help = "pick: a list of spam hosts in the same form; a line may begin "
               "with a percentile",
       .long_help = "As of the Waterloo spam rankings: the share of pages that "
                    "are worse. May be repeated.",
       .default_text = "(none)",
       .kind = ValueKind::kFile,
       .list = true,
       .set = SetRepeated<&SeedsOptions::spam>},
      {.name = "--spam-below",
       .value = "P",
       .help = "pick: percentiles below this are spam",
       .default_text = "70",
       .set = SetNumber<&SeedsOptions::spam_below>},
      {.name = "--damping",
       .value = "D",
       .help = "pick: share of the moves that follow a link",
       .default_text = "0.85",
       .set = SetPart<&SeedsOptions::ranks, &RankParameters::damping>},
      {.name = "--tolerance",
       .value = "T",
       .help = "pick: ranks but opic: end when they change by less in sum",
       .default_text = "1e-12",
       .is_laboratory = true,
       .set = SetNumber<&SeedsOptions::ranks, &RankParameters::tolerance>},
      {.name = "--sweeps",
       .value = "N",
       .help = "pick: opic: visits per page",
       .long_help = "The error is about 1 / N.",
       .default_text = "50",
       .is_laboratory = true,
       .set =
           SetInt<1, 1000000, &SeedsOptions::ranks, &RankParameters::sweeps>},
      {.name = "--depth",
       .value = "N",
       .help = "overlap: links from the seeds that a crawl follows",
       .default_text = "10",
       .set = SetInt<0, 1000000000, &CrawlOverlapOptions::depth>},
      {.name = "--max-pages",
       .value = "N",
       .help = "overlap: pages that each crawl reads at most; 0: no limit",
       .default_text = "0",
       .set = SetCount<&CrawlOverlapOptions::max_pages>}};
}

Command SeedsCommand() {
  return {
      .name = "seeds",
      .group = CommandGroup::kStudies,
      .operands = "pick [GRAPH...] | overlap FIRST SECOND GRAPH...",
      .help = "seeds for a crawl, and how alike two crawls would be",
      .long_help =
          "pick takes the highest pages of GRAPH by --rank, and the results "
          "that most queries of --answers returned, in turn; addresses of "
          "--add come before them. What --blacklist or --spam names is left "
          "out, and so is what a host has more than --per-host of. seeds.jsonl "
          "says why each address is a seed, left-out.jsonl why another is "
          "none.\n\noverlap crawls GRAPH twice, breadth first, from the lists "
          "FIRST and SECOND, and says how much of each crawl is in the other, "
          "by depth. GRAPH is an edge list (two ids a line) or pages with "
          "links.",
      .nouns = {"pick", "overlap"},
      .examples = {{"twinset seeds pick crawl.warc.gz --rank opic --size 500 "
                    "--out seeds",
                    "the 500 most important pages of an old crawl"},
                   {"twinset seeds pick --answers answers.jsonl --top 10 "
                    "--blacklist bad.txt --out seeds",
                    "what most queries return among their first ten"},
                   {"twinset seeds overlap a/seeds.txt b/seeds.txt "
                    "edges.tsv.gz --nodes nodes.tsv.gz --per-host 100",
                    "two crawls by depth"}},
      .everyday = {"--out", "--size", "--per-host", "--rank", "--trusted",
                   "--answers", "--add", "--blacklist", "--spam", "--depth",
                   "--nodes", "--report", "--json", "--overwrite", "--memory",
                   "--quiet"},
      .parameters = {.also = {"tokens", "content"}},
      .shared = Join({kRecordFlags,
                      kGraphFlags,
                      {"--out", "--report", "--overwrite", "--json", "--digest",
                       "--memory", "--progress", "--config"}}),
      .texts = {{.name = "--out",
                 .help = "folder for the seeds; of overlap, for the table",
                 .long_help =
                     "Holds seeds.txt, seeds.jsonl, left-out.jsonl, page.json "
                     "and summary.json; of overlap overlap.csv, page.json and "
                     "summary.json. A folder that exists is refused unless "
                     "--overwrite is given, and always when it holds an input "
                     "or anything that twinset did not make."},
                kMemoryOfAll},
      .flags = SeedsFlags(),
      .refusals = {kComputesOnOneThread, kNoWorkFiles, kDrawsNothing,
                   kBeginsAnew, kPassesOver, kPrintsText},
      .run = RunSeeds};
}

}  // namespace

const Registration kSeeds(SeedsCommand);

}  // namespace twinset::cli
