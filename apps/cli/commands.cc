#include "commands.h"

#include <utility>

namespace twinset::cli {
namespace {

const std::vector<Command> kCommands = {
    {kDedupBit,
     "dedup",
     Drawer::kEveryday,
     "INPUT...",
     "find and remove duplicates inside a corpus",
     "Reads every input, finds the pairs that are at least as similar as the "
     "threshold asks, "
     "verifies each exactly, groups them and keeps one document of each group. "
     "The results are "
     "files in the folder given with --out; inputs are never altered.\n\n"
     "An INPUT is a file, a folder (all files below it), a glob in quotes or - "
     "for standard "
     "input. WARC, ARC, TREC, MediaWiki, JSONL, CSV, TSV, HTML and text, plain "
     "or "
     "compressed by gzip, zstd, "
     "lz4, bzip2 or xz, are recognised by their content.",
     {{"twinset dedup crawl/*.warc.gz --out dups",
       "near-duplicates of a crawl"},
      {"twinset dedup corpus.jsonl --out dups --method exact --level text",
       "only documents whose text is equal"},
      {"twinset dedup dump.jsonl --id-field metadata.id --text-field content "
       "--out dups "
       "--threshold 0.9 --write clean",
       "rows of another shape, and the corpus without duplicates in clean/"}},
     RunDedup},
    {kMatchBit,
     "match",
     Drawer::kEveryday,
     "INPUT...",
     "which documents of one corpus stand in another, and where",
     "Compares every document of A (the INPUTs) with those of B (--against), "
     "never inside one of them, verifies each pair exactly, and lists what of "
     "A "
     "can go. Ids of both sides are kept as they are.\n\n"
     "With --measure containment the similarity is the share of A's shingles "
     "that B has, every pair at the threshold is found however long B is, and "
     "passages.jsonl says which stretches were copied: for plagiarism, "
     "quotation and decontamination. With --method mod-m a sample of the "
     "shingles finds most of them, on disk.",
     {{"twinset match new.jsonl --against old.jsonl --out matched",
       "what of a new corpus is in an old one"},
      {"twinset match suspects/ --against sources/ --measure containment "
       "--threshold 0.1 --out found",
       "copied passages"}},
     RunMatch},
    {kRecutBit,
     "recut",
     Drawer::kEveryday,
     "DIR",
     "decide a saved run again, without reading its documents",
     "DIR is a folder of dedup --save. What is not given is as that run had "
     "it: "
     "another threshold that is not lower, other rules for who stays, other "
     "clusters or files, in a fraction of the time. The results are those of "
     "dedup over the same inputs with these flags and the bands that the saved "
     "run has. Neither DIR nor an input is changed, and inputs need not be "
     "there "
     "any more.",
     {{"twinset dedup crawl/ --out dups --save run", "a run that is kept"},
      {"twinset recut run --out stricter --threshold 0.9",
       "only pairs from 0.9 on"},
      {"twinset recut run --out oldest --keep oldest --cluster components",
       "another document of each group stays"}},
     RunRecut},
    {kReportBit,
     "report",
     Drawer::kEveryday,
     "DIR [INPUT...]",
     "the report of a finished run as a page for people",
     "DIR is what dedup, match, recut, evaluate, walk, sample, estimate, "
     "traps, urls, mirrors or leak wrote with --out. DIR/report.html (of "
     "evaluate: DIR/evaluation.html) is made from its files, with the bytes "
     "that --report would have written.\n\n"
     "dedup, match and recut show texts side by side. They are read again "
     "from the inputs of the run; INPUT and --against say where these are "
     "now. When they cannot be read, the page says so and shows no texts.\n\n"
     "The page needs no script and no network. --figures DIR writes each "
     "drawing as SVG and each table as CSV and LaTeX.",
     {{"twinset report dups", "dups/report.html"},
      {"twinset report dups /archive/crawl", "the inputs have moved"},
      {"twinset report dups --figures paper/figures", "for a paper"}},
     RunReport},
    {kExplainBit,
     "explain",
     Drawer::kEveryday,
     "X Y | ID RUN",
     "why two documents are alike, or why a run dropped one",
     "Shows every measure, what the sketches estimate, the kind of duplicate "
     "and of difference, "
     "and both texts aligned. X and Y are files of one document each; with "
     "--in "
     "INPUT they are ids of documents in it. A method that learns from a "
     "corpus "
     "learns from INPUT.\n\n"
     "In --json, containment_ab is the share of X's shingles that Y has, and "
     "edit is 1 minus the "
     "distance in tokens over the length of the longer text.\n\n"
     "With ID RUN, RUN being the folder of --out of dedup, match or recut: "
     "what "
     "became of the document, which one stays in its place, how alike they "
     "are, what differs and which rule decided. ID is the one that the run "
     "gives the document, or the one of its record where that holds a line "
     "end. The texts are read again from "
     "the inputs of the run, or from where --in (and --against) say they are; "
     "where they are gone, the rows of the run are explained alone.\n\n"
     "With --steps, one document or more, as files or ids.",
     {{"twinset explain doc-17 dups", "why a run dropped or kept doc-17"},
      {"twinset explain old.html new.html", "two files"},
      {"twinset explain --in corpus.jsonl doc-17 doc-4711",
       "two rows of a corpus"},
      {"twinset explain --steps --method simhash old.html new.html",
       "every step of a method"},
      {"twinset explain --steps --method i-match --in corpus.jsonl doc-17 "
       "doc-4711",
       "the same of a method that learns"}},
     RunExplain},
    {kTextBit,
     "text",
     Drawer::kEveryday,
     "INPUT...",
     "the text of each document, as every other command sees it",
     "Prints the clean text. Several documents are separated by lines with "
     "their ids.",
     {{"twinset text page.html", "what is left of a page"},
      {"twinset text --json crawl.warc.gz | head -n 1",
       "with title, language, links and source"}},
     RunText},
    {kSketchBit,
     "sketch",
     Drawer::kLaboratory,
     "INPUT...",
     "the fingerprint of each document, one JSON object a line",
     "Rows {\"id\",\"spec\",\"method\",\"sketch\"}; the sketch is written in "
     "hexadecimal digits, value by value, each big-endian. "
     "Two rows compare only if their spec and method are the same. A method "
     "that learns from a corpus learns from the inputs.",
     {{"twinset sketch corpus.jsonl --method minhash",
       "128 values of 32 bits each"}},
     RunSketch},
    {kHammingBit,
     "hamming",
     Drawer::kLaboratory,
     "FILE...",
     "all pairs of fingerprints that differ in few bits",
     "Prints a line \"a b distance\" for every pair of rows in which at most "
     "-k bits differ: a < b, sorted, rows counted from 0 over all FILEs. With "
     "--against, a is a row of FILE and b one of the second set. Every such "
     "pair is found, for any -k.\n\n"
     "A FILE holds little-endian numbers of --bits bits (32, 64 or 128), or "
     "one "
     "hexadecimal number a line; the content says which. It may be compressed; "
     "- is standard input. Everything is done in memory: 16 bytes a "
     "fingerprint of 64 bits, and what the pairs take.",
     {{"twinset hamming fingerprints.bin -k 3",
       "near-duplicates among fingerprints"},
      {"twinset hamming new.hex --against old.hex --json",
       "of two sets, one JSON object a pair"}},
     RunHamming},
    {kLexiconBit,
     "lexicon",
     Drawer::kLaboratory,
     "build|show|diff ...",
     "the words of a corpus, chosen by how many documents they are in",
     "build INPUT... --out FILE counts in how many documents each word is, "
     "ranks the words by inverse document frequency, leaves out both ends and "
     "writes the rest with their frequencies. show FILE lists them. diff A B "
     "lists what was lost and gained and what moved; with INPUTs behind it, it "
     "also says how many of their documents have another I-Match signature "
     "under B.\n\n"
     "i-match --lexicon takes such a file, so that signatures of different "
     "runs compare. A lexicon never changes; one of another version is "
     "refused.",
     {{"twinset lexicon build crawl/ --out words.lexicon",
       "the words of a crawl"},
      {"twinset lexicon show --json words.lexicon",
       "one object a word: term, df, idf, rank"},
      {"twinset lexicon diff old.lexicon new.lexicon old-crawl/ --quiet",
       "how many signatures the growth of the crawl changes"}},
     RunLexicon},
    {kEvaluateBit,
     "evaluate",
     Drawer::kStudies,
     "INPUT...",
     "methods measured against the truth on a corpus of your own",
     "Runs each method and compares the pairs that it names by itself, before "
     "any is verified exactly, with all true pairs: precision, recall and F1 "
     "with intervals, candidates, time and memory, apart for pairs of one host "
     "and of two, by similarity, and by kind of difference. The folder given "
     "with --out gets evaluation.json, .csv and .html.",
     {{"twinset evaluate corpus.jsonl --methods minhash,simhash --thresholds "
       "0.8,0.9 --out study",
       "two methods at two thresholds"},
      {"twinset evaluate corpus.jsonl --methods "
       "simhash@distance=3,simhash@distance=5 --out study",
       "a method with itself"},
      {"twinset evaluate corpus.jsonl --methods minhash,simhash --truth "
       "labels.tsv --out study",
       "against labelled pairs"}},
     RunEvaluate},
    {kTuneBit,
     "tune",
     Drawer::kStudies,
     "[INPUT...]",
     "parameters of a method for a recall target, and what they cost",
     "Picks bands and rows (--method minhash), the number of bits and the "
     "tables (simhash) or groups (super-shingle) so that --recall of the pairs "
     "at exactly --threshold are found, and shows the law: how likely a pair "
     "is found at each similarity. With an INPUT the law stands beside what "
     "was measured on it, with the expected and the measured number of "
     "candidates.\n\n"
     "Of methods that find copies (exact, rabin-mod-prime) it says how long a "
     "fingerprint must be for --documents and --collisions, and what one of "
     "--bits promises; of i-match how many random lexica find texts that "
     "differ in --differing-terms.",
     {{"twinset tune --threshold 0.8 --recall 0.99 --permutations 200",
       "bands and rows"},
      {"twinset tune corpus.jsonl --threshold 0.9 --method simhash",
       "and whether the corpus agrees"},
      {"twinset tune --method exact --documents 1000000000 --collisions 0.01",
       "bits of a fingerprint that different texts do not share"}},
     RunTune},
    {kMethodsBit,
     "methods",
     Drawer::kLaboratory,
     "[NAME...]",
     "the methods that are inside, with parameters and sources",
     "",
     {{"twinset methods", "names and what they do"},
      {"twinset methods minhash", "one of them"},
      {"twinset methods --json", "all of it, for programs"}},
     RunMethods},
    {kPresetsBit,
     "presets",
     Drawer::kLaboratory,
     "[NAME...]",
     "published configurations and the defaults of other packages",
     "Each is a set of flags that --preset gives by one name. The list says "
     "what is the same as there and what is not.",
     {{"twinset presets", "names, sources and settings"},
      {"twinset presets text-dedup", "one of them"},
      {"twinset dedup corpus.jsonl --out dups --preset text-dedup",
       "run with one"}},
     RunPresets},
    {kHelpBit,
     "help",
     Drawer::kShelf,
     "[COMMAND]",
     "this overview, or all about one command",
     "",
     {},
     RunHelp},
    {kVersionBit,
     "version",
     Drawer::kShelf,
     "",
     "version, spec and the SIMD targets of this machine",
     "The spec is a number that pins everything a result depends on: two "
     "programs of one spec "
     "give the same bytes.",
     {},
     RunVersion},
    {kManBit,
     "man",
     Drawer::kGenerator,
     "[COMMAND]",
     "print the man page, or that of one command",
     "",
     {{"twinset man > twinset.1", "a page that man can show"},
      {"twinset man dedup | man -l -", "the page of one command"}},
     RunMan},
    {kCompletionsBit,
     "completions",
     Drawer::kGenerator,
     "bash|zsh|fish",
     "print the completions of a shell",
     "",
     {{"source <(twinset completions bash)", "for this shell"}},
     RunCompletions},
};

}  // namespace

const std::vector<Command>& Commands() {
  static const std::vector<Command> commands = [] {
    std::vector<Command> all = kCommands;
    for (Command& command : StudyCommands()) all.push_back(std::move(command));
    for (Command& command : CorporaCommands())
      all.push_back(std::move(command));
    return all;
  }();
  return commands;
}

const Command* FindCommand(std::string_view name) {
  for (const Command& command : Commands())
    if (command.name == name) return &command;
  return nullptr;
}

}  // namespace twinset::cli
