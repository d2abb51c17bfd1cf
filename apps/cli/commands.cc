#include "commands.h"

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
     "input. WARC, ARC, TREC, JSONL, CSV, TSV, HTML and text, plain or "
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
    {kExplainBit,
     "explain",
     Drawer::kEveryday,
     "X Y",
     "everything about one pair: how similar, in what, and why",
     "Shows every measure, what the sketches estimate, the kind of duplicate "
     "and of difference, "
     "and both texts aligned. X and Y are files; with --in INPUT they are ids "
     "of documents in "
     "it.\n\n"
     "In --json, containment_ab is the share of X's shingles that Y has, and "
     "edit is 1 minus the "
     "distance in tokens over the length of the longer text.",
     {{"twinset explain old.html new.html", "two files"},
      {"twinset explain --in corpus.jsonl doc-17 doc-4711",
       "two rows of a corpus"}},
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
     "hexadecimal digits. "
     "Two rows compare only if their spec and method are the same.",
     {{"twinset sketch corpus.jsonl --method minhash",
       "128 values of 32 bits each"}},
     RunSketch},
    {kMethodsBit,
     "methods",
     Drawer::kLaboratory,
     "",
     "the methods that are inside, with parameters and sources",
     "",
     {{"twinset methods", "names and what they do"},
      {"twinset methods --json", "all of it, for programs"}},
     RunMethods},
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
     "",
     "print the man page",
     "",
     {{"twinset man > twinset.1", "a page that man can show"}},
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

const std::vector<Command>& Commands() { return kCommands; }

const Command* FindCommand(std::string_view name) {
  for (const Command& command : kCommands)
    if (command.name == name) return &command;
  return nullptr;
}

}  // namespace twinset::cli
