// The commands that compare whole corpora.
#include "commands.h"

namespace twinset::cli {

std::vector<Command> CorporaCommands() {
  return {
      {kUrlsBit,
       "urls",
       Drawer::kStudies,
       "A B",
       "how much of a list of addresses stands in another",
       "A and B are lists of an address a line (an id may stand beside it), "
       "CDX, CDXJ, or anything else that is read and has addresses; files, "
       "folders or patterns, compressed or not.\n\n"
       "Counts the addresses of A in B as they are written, by each rule "
       "alone and by all of them, by top-level domain, registered domain and "
       "host, with intervals. Lines that are no addresses are counted and, "
       "with --out, listed with their places. A list that shares nothing as "
       "written is warned of, with the rule that would change it.\n\n"
       "Lists of any length are joined on disk within --memory.",
       {{"twinset urls clueweb09.urls.gz clueweb12.urls.gz",
         "the overlap of two crawls"},
        {"twinset urls a.cdxj.gz b.cdx.gz --qrels web.qrels --out urls "
         "--report",
         "also of the judged documents; tables and report.html"},
        {"twinset urls a.txt b.txt --rules rfc3986,www,scheme",
         "these differences do not count"}},
       RunUrls},
      {kMirrorsBit,
       "mirrors",
       Drawer::kStudies,
       "RUN [INPUT...]",
       "hosts and folders that mirror each other",
       "RUN is a folder of dedup --out. Two prefixes of addresses are mirrors "
       "when enough of their parallel pages, those with the same rest of the "
       "address, are duplicates. The addresses of pages in no cluster are read "
       "again from the inputs of the run; INPUT says where these are now.\n\n"
       "With --out, degrees.jsonl says of each document how many mirrors have "
       "it too: a table for dedup --fields. With --dead, live alternatives of "
       "addresses that are gone are looked for among duplicates and mirrors.",
       {{"twinset mirrors dups", "a table"},
        {"twinset mirrors dups --dead gone.txt --out mirrors --report",
         "also alternatives of dead addresses; rows and report.html"}},
       RunMirrors},
      {kLeakBit,
       "leak",
       Drawer::kStudies,
       "TRAIN...",
       "which items of a test set stand in training data",
       "Looks for every item of --test in every document of TRAIN, as the "
       "whole of it or inside of it. An item leaks when one document has at "
       "least the share --threshold of its shingles; every such item is "
       "found. Items of fewer words than a shingle leak when a document is "
       "just them; where they only stand in a longer one they are counted "
       "apart, since chance does that too.\n\n"
       "With --out, leaks.jsonl shows item and document side by side, and "
       "clean.txt names the items that do not leak.",
       {{"twinset leak train/ --test test.jsonl", "a table by split"},
        {"twinset leak train.jsonl.zst --test eval/ --split-field split --out "
         "leaks",
         "splits by a field; items beside their documents"}},
       RunLeak},
      {kStudyBit,
       "study",
       Drawer::kStudies,
       "STUDY.toml",
       "whether judgements of one collection serve another",
       "STUDY.toml names collections A and B, the judgements of A and, to "
       "compare systems, topics; docs/formats/study.md has its keys. Paths in "
       "it are relative to its folder.\n\n"
       "In order: grades of the judgements, common addresses and how alike "
       "their documents are, candidates by segment of B and mix of n-grams, "
       "what each mix finds and misses, precision and recall, extrapolation "
       "from some segments to all, transferred judgements by grade and topic, "
       "and whether a comparison of retrieval systems carries over.",
       {{"twinset study STUDY.toml --out study", "all steps, and report.html"},
        {"twinset study STUDY.toml --out study --resume",
         "goes on where it was stopped"},
        {"twinset report study --figures figures",
         "tables and drawings for a paper"}},
       RunStudyFile},
      {kChangeBit,
       "change",
       Drawer::kStudies,
       "S1 S2 ...",
       "what changed between snapshots of one web, and what to fetch again",
       "S1, S2, ... are files or folders of pages, each a snapshot, in order "
       "of "
       "time. Says of every address from one snapshot to the next whether its "
       "text is the same, nearly the same, changed, gone, moved or redirected "
       "to another "
       "address, new or back again, with Jaccard and Dice similarity and the "
       "links that came and went; how long addresses and texts live, with "
       "bands; and how long new text stays.\n\n"
       "With --out, recrawl.csv orders the pages by the new text that lasted: "
       "a page that only rotates advertisements changes often and has no "
       "value.",
       {{"twinset change 2024-01.warc.gz 2024-02.warc.gz 2024-03.warc.gz",
         "a table by snapshot"},
        {"twinset change old/ new/ --dates 2023-05-01,2024-05-01 --out change "
         "--report",
         "dates of their own; lists and report.html"}},
       RunChange},
      {kAssessBit,
       "assess",
       Drawer::kStudies,
       "RUN... | score DIR LABELS...",
       "pairs for people to judge, and what their labels say",
       "RUN is a folder of --out of dedup, match or recut, or a file of pairs "
       "with --in. Draws pairs from each stratum and writes one page, "
       "assess.html, that any browser opens without a server: both texts side "
       "by side, two questions answered by keys, the similarity hidden. The "
       "page keeps the labels, exports and imports them. A pair of several "
       "runs is judged once.\n\n"
       "score reads the labels of one assessor or more: the share of pairs "
       "that are duplicates, weighted by the sizes of the strata, with "
       "intervals; Cohen's kappa; and what they disagree on. A file of labels, "
       "and truth.jsonl of score, are a truth for 'twinset evaluate --truth'.",
       {{"twinset assess dups --out judge", "100 pairs by strata, one page"},
        {"twinset assess m2 m3 --strata none --sample 100 --out judge",
         "a simple sample of each of two runs"},
        {"twinset assess score judge labels-*.json --out scores --report",
         "precision with intervals; agreement; a report"}},
       RunAssess},
      {kPredictBit,
       "predict",
       Drawer::kStudies,
       "RUN [URLS...]",
       "which addresses are duplicates, without fetching them",
       "Learns from a finished run of dedup what in an address says nothing "
       "of its page: parameters, mirrored hosts and folders, parts as /print/, "
       "spellings as www. Each rule has the pages it was tried on, its errors "
       "and a lower bound. For each address of URLS, lists of any size, "
       "predictions.jsonl says of which page of the run it is a duplicate, by "
       "which rule, and how probably.\n\n"
       "Cross-validation tells how many downloads are saved and how many new "
       "pages lost at three probabilities, on new hosts and on known ones.",
       {{"twinset predict dups --out rules --report", "rules, what they save"},
        {"twinset predict dups frontier.txt --out answers",
         "and answers for a list"},
        {"twinset predict dups new.txt --rules rules/rules.jsonl --out answers",
         "with rules that were learnt before"}},
       RunPredict},
      {kPatchBit,
       "patch",
       Drawer::kStudies,
       "make RUN [INPUT...] | apply PATCH INPUT...",
       "a finished run as a small file that repairs a copy of its corpus",
       "make writes what RUN, a folder of dedup --out, drops or annotates: for "
       "each record its place, its id and a digest of its payload, and the "
       "size "
       "and digest of each input. It reads the inputs of the run again; INPUT "
       "says where these are now. With --key the patch is signed.\n\n"
       "apply compares INPUT, a copy of the corpus, with PATCH and writes it "
       "without these records into --write, with the bytes that dedup --write "
       "has written: no document is compared with another. Inputs of another "
       "compression or in other files are repaired with --match-by. A record "
       "that the copy lacks, or has with another payload, or whose "
       "representative is not there, is kept and listed in mismatches.jsonl; "
       "then the command ends with 1, unless --allow-mismatch is given. "
       "Without "
       "--write the copy is only compared.\n\n"
       "Keys are PEM files, as 'openssl genpkey -algorithm ed25519' and "
       "'openssl pkey -pubout' write them.",
       {{"twinset patch make dups --key key.pem --out crawl.patch",
         "sign and publish this"},
        {"twinset patch apply crawl.patch crawl/ --trusted-key pub.pem --out "
         "applied --write clean",
         "elsewhere: the corpus without its duplicates"},
        {"twinset patch apply crawl.patch shards/ --match-by digest --out "
         "applied --write clean",
         "a copy in other files"}},
       RunPatch},
      {kSeedsBit,
       "seeds",
       Drawer::kStudies,
       "pick [GRAPH...] | overlap FIRST SECOND GRAPH...",
       "seeds for a crawl, and how alike two crawls would be",
       "pick takes the highest pages of GRAPH by --rank, and the results that "
       "most queries of --answers returned, in turn; addresses of --add come "
       "before them. What --blacklist or --spam names is left out, and so is "
       "what a host has more than --per-host of. seeds.jsonl says why each "
       "address is a seed, left-out.jsonl why another is none.\n\n"
       "overlap crawls GRAPH twice, breadth first, from the lists FIRST and "
       "SECOND, and says how much of each crawl is in the other, by depth. "
       "GRAPH is an edge list (two ids a line) or pages with links.",
       {{"twinset seeds pick crawl.warc.gz --rank opic --size 500 --out seeds",
         "the 500 most important pages of an old crawl"},
        {"twinset seeds pick --answers answers.jsonl --top 10 --blacklist "
         "bad.txt --out seeds",
         "what most queries return among their first ten"},
        {"twinset seeds overlap a/seeds.txt b/seeds.txt edges.tsv.gz --nodes "
         "nodes.tsv.gz --per-host 100",
         "two crawls by depth"}},
       RunSeeds},
  };
}

}  // namespace twinset::cli
