// The commands that measure engines and webs.
#include "commands.h"

namespace twinset::cli {

std::vector<Command> StudyCommands() {
  return {
      {kEngineBit,
       "engine",
       Drawer::kStudies,
       "build|query ...",
       "search engines: build one from documents, ask any",
       "",
       {},
       RunEngine},
      {kSampleBit,
       "sample",
       Drawer::kStudies,
       "ENGINE...",
       "random pages of search engines, and in which of them each is",
       "Asks each ENGINE (as 'twinset engine query' takes it) through its "
       "public interface alone and writes sample.jsonl: one page a line with "
       "the weight that makes the sample uniform, its length, host, language "
       "and what else is known of it. With --check every page is looked up in "
       "the other engines by its rarest words; overlaps.csv is what 'twinset "
       "estimate relative' reads.\n\n"
       "A query of random words finds long pages more often than short ones. "
       "The pool- samplers know how many of the queries they can ask find a "
       "page, and correct for it exactly; bharat-broder and random-searches "
       "do not, and say so.\n\n"
       "Every answer is recorded in the folder: --resume goes on after an "
       "interruption, --replay draws again without asking anybody.",
       {{"twinset sample a.engine b.engine --lexicon words --check --out s",
         "100 uniform pages of each, and in which of the two they are"},
        {"twinset sample a.engine --sampler pool-queries --lexicon words "
         "--size 500 --out s",
         "what the size of the corpus is estimated from"},
        {"twinset sample a.engine b.engine --sampler random-searches "
         "--queries log.txt --out s",
         "two engines compared by the queries of a log"}},
       RunSample},
      {kEstimateBit,
       "estimate",
       Drawer::kStudies,
       "WHAT ...",
       "sizes, overlaps and shares from samples, with intervals",
       "",
       {},
       RunEstimate},
      {kWalkBit,
       "walk",
       Drawer::kStudies,
       "GRAPH...",
       "random walks on a web of links, its structure and ranks",
       "GRAPH is an edge list (two ids a line), pages with links (WARC, HTML, "
       "folders), or one http:// address "
       "that is walked on live. A walk writes DIR/sample.jsonl, a sample of "
       "pages with weights for 'twinset "
       "estimate', and DIR/summary.json, which says what the sample is worth "
       "and, where the graph is known, how "
       "far it is from uniform and which parts could be reached.\n\n"
       "--structure prints the bow tie of the graph (SCC, IN, OUT, tendrils, "
       "tubes, islands) and the laws of its "
       "degrees. --rank writes PageRank or OPIC of every page.\n\n"
       "A live walk stays within --scope, asks robots.txt, keeps --delay and "
       "ends after --max-pages requests.",
       {{"twinset walk edges.tsv.gz --nodes nodes.tsv.gz --structure",
         "the bow tie of a crawl"},
        {"twinset walk crawl.warc.gz --rank pagerank --out ranks.jsonl",
         "PageRank of archived pages"},
        {"twinset walk edges.tsv.gz --in-links 3 --loops expected --out walk "
         "--report",
         "a near-uniform sample by WebWalker"}},
       RunWalk},
      {kRescueBit,
       "rescue",
       Drawer::kStudies,
       "URL...",
       "find pages again that are gone, by their rarest words",
       "",
       {},
       RunRescue},
      {kTrapsBit,
       "traps",
       Drawer::kStudies,
       "INPUT...",
       "hosts whose many addresses lead to one page",
       "",
       {},
       RunTraps},
      {kAuctionBit,
       "auction",
       Drawer::kStudies,
       "BIDS",
       "sponsored search: who is shown, in which order, for what price",
       "",
       {},
       RunAuction},
  };
}

}  // namespace twinset::cli
