// The commands that measure engines and webs.
#include "commands.h"

namespace twinset::cli {

std::vector<Command> StudyCommands() {
  return {
      {kEngineBit,
       "engine",
       Drawer::kStudies,
       "build|query|show ...",
       "search engines: build one from documents, ask any",
       "build makes an engine of INPUT... in the folder --out. query asks "
       "ENGINE for pages with all of the words, or with --any one of them. "
       "show prints what an engine is and checks an embedded one for "
       "damage.\n\n"
       "An engine is a folder that build made, or a JSON file that describes "
       "one elsewhere: over HTTP, or a program that speaks the protocol of "
       "docs/formats/engine-pipe.md.\n\n"
       "The flags of build make an index as incomplete as real ones are; the "
       "flags of answers make it lie as real ones do. What each does to "
       "estimates is in docs/methods/engines.md.",
       {{"twinset engine build pages.warc.gz --out a --share 0.5 --seed 1",
         "half of the pages, drawn by their addresses"},
        {"twinset engine query a capture recapture --limit 5 --fetch",
         "five pages with both words"},
        {"twinset engine query far.json twinset --record answers.jsonl",
         "ask an engine over HTTP and keep what it says"}},
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
       "interruption, --replay draws again without asking anybody.\n\n"
       "The sampler random-ip takes no engine: it asks random addresses of "
       "--networks for a web server and crawls those it finds.",
       {{"twinset sample a.engine b.engine --lexicon words --check --out s",
         "100 uniform pages of each, and in which of the two they are"},
        {"twinset sample a.engine --sampler pool-queries --lexicon words "
         "--size 500 --out s",
         "what the size of the corpus is estimated from"},
        {"twinset sample a.engine b.engine --sampler random-searches "
         "--queries log.txt --out s",
         "two engines compared by the queries of a log"},
        {"twinset sample --sampler random-ip --networks 127.16.0.0/12 --port "
         "8080 --out s",
         "how many servers a network has, and how many pages they have"}},
       RunSample},
      {kEstimateBit,
       "estimate",
       Drawer::kStudies,
       "WHAT ...",
       "sizes, overlaps and shares from samples, with intervals",
       "WHAT is one of these; FILE is CSV with a header or JSON lines.\n\n"
       "share, mean, quantile SAMPLE...: any value of the pages of an index or "
       "a web, by --of, from a weighted sample; walk SAMPLE...: whether a walk "
       "has forgotten its start and how many independent pages it is worth.\n\n"
       "relative FILE: sizes of engines from how much of each is in the "
       "others, the first being 1; coverage SAMPLE...: the same from samples "
       "drawn with --check, and what all engines have together.\n\n"
       "size FILE: pages of a corpus from queries of a pool (--pool), or of "
       "engines from overlaps and one known size (--known). servers FILE: "
       "pages per server, and with --trials and --addresses how many there "
       "are.\n\n"
       "capture-recapture, schnabel FILE: a population from what was caught "
       "again. ratio FILE: three estimators of x / y.\n\n"
       "Notes below the numbers say why they may be wrong. Intervals are of "
       "95 %.",
       {{"twinset estimate share s/sample.jsonl --of 'spam == true'",
         "the share of spam, corrected for what the sampler prefers"},
        {"twinset estimate relative s/overlaps.csv",
         "which engine is how much larger"},
        {"twinset estimate capture-recapture --n1 100 --n2 100 --m 20",
         "484.8, between 360 and 762"}},
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
       "degrees. --rank writes PageRank, OPIC or TrustRank of "
       "every page.\n\n"
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
       "Takes the last known copy of each page from --from, makes a query of "
       "the few words that are frequent in it and rare elsewhere, asks the "
       "engine of --in, and compares what it shows with the copy. Only a "
       "near-duplicate counts: one row a page says where it is now, how alike "
       "it is, and by which words it was found. A page that stood in --from "
       "with a text of its own is a sister, not a successor.\n\n"
       "A query that finds nothing is shortened. A page that stayed at its "
       "address is not looked for with --check-live. A page without copy "
       "(no-copy) or with too few words (too-short) cannot be rescued.",
       {{"twinset rescue http://a.example/gone --from old.warc.gz --in e",
         "where one page has gone"},
        {"twinset rescue --all --from old.warc.gz --in new.engine --json",
         "every page of an archive, as rows"},
        {"twinset rescue --all --from site.warc.gz --signatures",
         "robust hyperlinks of pages, before they are gone"}},
       RunRescue},
      {kTrapsBit,
       "traps",
       Drawer::kStudies,
       "INPUT...",
       "hosts whose many addresses lead to one page",
       "Finds near-duplicates within each host and lists those that many "
       "addresses lead to, with the pattern of the addresses: soft 404s "
       "(anything leads to one short page), calendars (dates or numbers walk "
       "on), session ids (one random-looking part), and others.\n\n"
       "Documents need an address (--url-field). The input is read twice; "
       "with --probe once more, and hosts are then asked what they say to an "
       "address that nobody has crawled. "
       "Work files stand in --tmp, by default in the system's folder for such, "
       "and are removed.",
       {{"twinset traps crawl.warc.gz", "a table"},
        {"twinset traps crawl.warc.gz --json --least-urls 50",
         "a row of JSON for each trap"},
        {"twinset traps crawl.warc.gz --out traps --report",
         "traps.jsonl, summary.json and report.html"},
        {"twinset traps crawl.warc.gz --probe --record probes",
         "the hosts are asked too; their answers are kept"}},
       RunTraps},
      {kAuctionBit,
       "auction",
       Drawer::kStudies,
       "[run] BIDS | log FILE | page BIDS",
       "sponsored search: who is shown, in which order, for what price",
       "Holds one auction over the bids of a CSV file: advertiser, bid, ctr "
       "(or "
       "impressions and clicks), and what else docs/formats/bids.md lists. "
       "Ranks and prices are computed in whole cents and exact fractions.\n\n"
       "With --query or --page only ads that match take part. A bad row is "
       "refused with its line, unless --skip-bad is given.\n\n"
       "auction log measures the long tail of a query log: a query a line, or "
       "a "
       "table with a column query (and user, count). auction page writes a "
       "search page: results of an engine, near-duplicates collapsed, and "
       "apart "
       "from them the ads.",
       {{"twinset auction bids.csv --mechanism gsp", "ranks and prices"},
        {"twinset auction bids.csv --query 'car insurance' --slots 3 --json",
         "the ads beside the results of a query"},
        {"twinset auction log queries.tsv --tail 5", "the long tail of a log"},
        {"twinset auction page bids.csv --engine e --query tea --out tea.html",
         "a search page"}},
       RunAuction},
      {kQrelsBit,
       "qrels",
       Drawer::kStudies,
       "transfer|merge|check|stats QRELS...",
       "judgements of relevance: to near-duplicates, merged, checked, counted",
       "QRELS are TREC judgements of four columns (topic, iteration, document, "
       "grade) or prels of five, of any whole grades.\n\n"
       "transfer carries judgements along --pairs of a match, from a to b, or "
       "to the --duplicates of one collection. Where several meet on one "
       "document and differ, --conflict decides; a document with a judgement "
       "of its own keeps it unless --targets says otherwise. --log has a row "
       "for each judgement that was transferred, merged or refused.\n\n"
       "merge makes one file of several. check finds bad lines, repeated and "
       "contradicting judgements and, with --ids, unknown documents; it ends "
       "with 1 when there are any. stats counts by topic and grade.\n\n"
       "Lines that are left out are counted by reason, and the first 20 are "
       "told with their place.",
       {{"twinset qrels transfer web.qrels --pairs m/pairs.jsonl --out b.qrels "
         "--log transfer.jsonl",
         "judgements of A for B, after 'twinset match A --against B --out m'"},
        {"twinset qrels transfer web.qrels --duplicates groups.jsonl "
         "--conflict majority --json",
         "what would be transferred within one collection"},
        {"twinset qrels check web.qrels --ids ids.txt",
         "what is wrong in the judgements"}},
       RunQrels},
      {kRunsBit,
       "runs",
       Drawer::kStudies,
       "make|transfer|collapse|eval|compare RUN...",
       "rankings of retrieval systems: evaluated, compared, without duplicates",
       "RUN are TREC run files (topic, Q0, document, rank, score, tag), one "
       "system each. The order is that of trec_eval: scores as 32-bit floats, "
       "equal ones by descending id.\n\n"
       "eval prints measures by trec_eval's names. collapse treats documents "
       "with a duplicate above them by --collapse. transfer gives documents "
       "the ids of their partners in --pairs. compare ranks the systems under "
       "two conditions and says how alike the rankings are and which "
       "significant differences are lost, found or turned round. make writes "
       "a run for each column of rows of features.",
       {{"twinset runs eval a.run b.run --qrels web.qrels", "a table"},
        {"twinset runs eval a.run --qrels web.qrels --measures "
         "map,ndcg_cut_10,P_10 --by-topic --json",
         "a row for each topic, then the means"},
        {"twinset runs collapse a.run --duplicates groups.jsonl --out c.run",
         "the run without what is redundant"},
        {"twinset runs compare *.run --qrels web.qrels --against-qrels "
         "transferred.qrels",
         "whether systems rank the same under transferred judgements"}},
       RunRuns},
  };
}

}  // namespace twinset::cli
