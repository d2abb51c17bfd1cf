// Flags that several commands have. A command names those that it has and,
// where a text is not right for it, says its own (apps/cli/commands).
#include <cmath>

#include "flag_setters.h"
#include "twinset/measure/fetch.h"
#include "twinset/measure/walk.h"

namespace twinset::cli {
namespace {

// For pages that are fetched and for inputs that are addresses.
Status Networks(const Values& values, Request* request) {
  TWINSET_ASSIGN(const Values networks, SplitLists(values));
  request->Of<FetchOptions>().networks = networks;
  request->options.input.networks = networks;
  return {};
}

Status SetDelay(const Values& values, Request* request) {
  TWINSET_ASSIGN(const int delay_ms, ParseInt(values.back(), 0, 3600000));
  request->Of<FetchOptions>().delay_ms = static_cast<uint32_t>(delay_ms);
  return {};
}

Status SetTimeout(const Values& values, Request* request) {
  TWINSET_ASSIGN(const double seconds, ParseNumber(values.back()));
  if (!(seconds >= 0.001 && seconds <= 3600)) {
    return Fail(ErrorCode::kUsage,
                fmt::format("'{}' is not from 0.001 to 3600", values.back()));
  }
  request->Of<FetchOptions>().timeout_ms =
      static_cast<uint64_t>(std::lround(seconds * 1000));
  return {};
}

template <auto... Path>
Status Off(const Values&, Request* request) {
  At<Path...>(*request) = false;
  return {};
}

std::vector<Flag> OtherFlags() {
  return {
      {.name = "--out",
       .short_name = 'o',
       .value = "DIR",
       .help = "folder for the results",
       .long_help = "A folder that exists is refused unless --overwrite is "
                    "given, and always when it holds an input or anything that "
                    "twinset did not make.",
       .group = FlagGroup::kOutput,
       .kind = ValueKind::kFolder,
       .set = SetText<&FlagOptions::out>},
      {.name = "--format",
       .value = "FORMAT",
       .help = "of clusters and pairs: {}",
       .default_text = "jsonl",
       .group = FlagGroup::kOutput,
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<OutputFormat>(),
       .set = SetPick<&FlagOptions::output_format>},
      {.name = "--write",
       .value = "DIR",
       .help = "also write the corpus without its duplicates",
       .long_help = "One file per input under the same name and in the input's "
                    "own format. Inputs are never altered: a folder that holds "
                    "one, or anything that twinset did not make, is refused.",
       .default_text = "(not written)",
       .group = FlagGroup::kOutput,
       .kind = ValueKind::kFolder,
       .set = SetText<&FlagOptions::write>},
      {.name = "--attributes",
       .value = "DIR|FILE",
       .help = "also write a row for each document: its cluster and what "
               "becomes of it",
       .long_help = "In input order: a file NAME.jsonl (or .jsonl.gz, "
                    ".jsonl.zst, ...) for all inputs, or a folder with one "
                    "file per input under the same name. For programs that "
                    "join attributes by id instead of reading texts again.",
       .default_text = "(not written)",
       .group = FlagGroup::kOutput,
       .kind = ValueKind::kFile,
       .set = SetText<&FlagOptions::attributes>},
      {.name = "--compression-level",
       .value = "N",
       .help = "of what --write and --attributes compress, from 1 to 9",
       .long_help = "More takes longer and makes smaller files. Without it 3 "
                    "for gzip and zstd, 9 for bzip2, 6 for xz.",
       .default_text = "(by format)",
       .group = FlagGroup::kOutput,
       .set = SetInt<1, 9, &FlagOptions::compression_level>},
      {.name = "--report",
       .help = "also write report.html into the folder of --out",
       .long_help = "What was found in plain words, with plots, examples and "
                    "the numbers behind, in one file that needs nothing else. "
                    "'twinset report DIR' makes it later.",
       .group = FlagGroup::kOutput,
       .set = SetSwitch<&FlagOptions::report>},
      {.name = "--save",
       .value = "DIR",
       .help = "keep the run in a folder, to be decided again with recut",
       .long_help = "Holds what was made of the documents, so recut needs "
                    "neither inputs nor texts. Takes about as much room as the "
                    "work files. Whoever has its verify.key can make texts "
                    "that collide; without it a saved run can only be recut.",
       .default_text = "(not kept)",
       .group = FlagGroup::kOutput,
       .kind = ValueKind::kFolder,
       .set = SetText<&FlagOptions::save>},
      {.name = "--kinds",
       .help = "also say of each pair what it shares, what differs and how "
               "alike readers find it",
       .long_help =
           "Rows get duplicate_kind, difference and grade, as 'twinset "
           "explain' prints them, and summary.json their counts. The texts of "
           "all documents are kept in work files meanwhile.",
       .group = FlagGroup::kOutput,
       .set = SetSwitch<&FlagOptions::kinds>},
      {.name = "--stats-by",
       .value = "FIELD,...",
       .help = "also count documents, bytes and duplicates by the values of a "
               "field",
       .long_help =
           "A row for each value in stats.jsonl; the most frequent ones stand "
           "in summary.json and the report. FIELD is source, host, url or a "
           "field of the rows, as metadata.source or tags.0; field:NAME is one "
           "also where NAME is one of the words. May be repeated.",
       .default_text = "(none)",
       .group = FlagGroup::kOutput,
       .kind = ValueKind::kField,
       .choices = {"source", "host", "url"},
       .list = true,
       .set = SetTextList<&FlagOptions::stats_by>},
      {.name = "--near",
       .value = "HOW",
       .help = "with --write, near-duplicates in WARC: {}",
       .long_help =
           "A record with an equal payload becomes a revisit record. A "
           "near-duplicate is left out (drop), left out with a metadata record "
           "that says why (metadata), or kept with such a record (keep).",
       .default_text = "drop",
       .group = FlagGroup::kOutput,
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<NearRule>(),
       .set = SetPick<&FlagOptions::near>},
      {.name = "--overwrite",
       .help = "replace an existing result folder",
       .long_help = "Removes what the folder's own list says that twinset made "
                    "there, and nothing else.",
       .group = FlagGroup::kOutput,
       .set = SetSwitch<&FlagOptions::overwrite>},
      {.name = "--resume",
       .help = "continue an interrupted run",
       .long_help = "Give the same command again and add this flag. A changed "
                    "input or parameter is refused, with both shown. Standard "
                    "input cannot be resumed.",
       .group = FlagGroup::kOutput,
       .set = SetSwitch<&FlagOptions::resume>},
      {.name = "--dry-run",
       .help = "say what would be read and done, and what it would cost; write "
               "nothing",
       .long_help =
           "A few megabytes of the inputs go through the stages of the run, in "
           "memory, and what they took and found is scaled up: documents, "
           "pairs, time, memory and disk, each with what it rests on. A sample "
           "whose pairs take more than 6 seconds to find and compare is made "
           "smaller, and a warning says so. Inputs that would not be read are "
           "named with the reason. --out need not "
           "be given. With --json one JSON document.",
       .group = FlagGroup::kOutput,
       .set = SetSwitch<&Request::dry_run>},
      {.name = "--json",
       .help = "print summary.json instead of a table",
       .group = FlagGroup::kOutput,
       .set = SetSwitch<&Request::json>},
      {.name = "--markdown",
       .help = "with --steps, print Markdown instead of aligned columns",
       .group = FlagGroup::kOutput,
       .needs = "--steps",
       .set = SetSwitch<&Request::markdown>},
      {.name = "--floor",
       .value = "T",
       .help = "pairs from here on stand in histogram and recall by similarity",
       .default_text = "(the least threshold)",
       .set = SetShare<&Request::floor>},
      {.name = "--site",
       .value = "FIELD",
       .help = "what tells sites apart for --template: host, source, url or a "
               "field",
       .long_help = "Without it the host of a page's address; else, for files "
                    "that are pages, the folder that was given. Pages without "
                    "a site keep all their text.",
       .default_text = "(host or folder)",
       .group = FlagGroup::kFeatures,
       .kind = ValueKind::kField,
       .choices = {"source", "host", "url", "language"},
       .set = SetText<&FlagOptions::features, &FeatureOptions::site>},
      {.name = "--ignore",
       .value = "FILE",
       .help = "text whose shingles do not count, as a licence or a footer",
       .long_help = "May be repeated.",
       .default_text = "(none)",
       .group = FlagGroup::kFeatures,
       .kind = ValueKind::kFile,
       .list = true,
       .set = SetRepeated<&FlagOptions::ignore>},
      {.name = "--prefer",
       .value = "SOURCE,...",
       .help = "sources whose documents stay, best first; before --keep",
       .long_help =
           "A source is the name of an input as the rows of the results show "
           "it, or a glob for such names. May be repeated.",
       .default_text = "(none)",
       .group = FlagGroup::kClusters,
       .kind = ValueKind::kFile,
       .list = true,
       .set = SetTextList<&FlagOptions::prefer>},
      {.name = "--fields",
       .value = "FILE",
       .help = "further fields of documents, rows by url or id, for --keep "
               "max:FIELD",
       .long_help = "JSON lines such as {\"url\": ..., \"pagerank\": 0.0012}, "
                    "as 'twinset walk --rank' writes them; a document's own "
                    "fields go before. --keep, --within, --across and "
                    "--stats-by can use them. May be repeated.",
       .default_text = "(none)",
       .group = FlagGroup::kClusters,
       .kind = ValueKind::kFile,
       .list = true,
       .set = SetRepeated<&FlagOptions::fields>},
      {.name = "--window",
       .value = "FIELD:SPAN",
       .help = "compare only documents this near in time, as date:30d",
       .default_text = "(all)",
       .group = FlagGroup::kScope,
       .set = SetText<&FlagOptions::window>},
      {.name = "--threads",
       .short_name = 'j',
       .value = "N",
       .help = "worker threads; 0: one a processor",
       .default_text = "0",
       .group = FlagGroup::kRun,
       .set =
           SetInt<0, 4096, &FlagOptions::resources, &ResourceOptions::threads>},
      {.name = "--memory",
       .value = "SIZE",
       .help = "memory budget, as 8G; what does not fit goes to disk",
       .long_help = "At least 64M.",
       .default_text = "(60 % of what is available)",
       .group = FlagGroup::kRun,
       .set = SetSize<&FlagOptions::resources, &ResourceOptions::memory_bytes>},
      {.name = "--tmp",
       .value = "DIR",
       .help = "folder for work files",
       .default_text = "(the system's)",
       .group = FlagGroup::kRun,
       .kind = ValueKind::kFolder,
       .set = SetText<&FlagOptions::resources, &ResourceOptions::tmp>},
      {.name = "--late-features",
       .help = "keep features only of documents in a candidate pair; read "
               "INPUTs twice",
       .long_help =
           "Work files take half the room or less. A run whose work files fit "
           "into memory takes a third more time. For methods by sketches, as "
           "minhash; where it cannot be done, a line says why and the run "
           "goes on without. Changes no result.",
       .group = FlagGroup::kRun,
       .set =
           SetSwitch<&FlagOptions::resources, &ResourceOptions::late_features>},
      {.name = "--key",
       .value = "FILE",
       .help = "secret under which what is verified is hashed: 32 hexadecimal "
               "digits",
       .long_help = "No result depends on it. It makes runs proof against "
                    "texts made to collide, so keep it to yourself.",
       .default_text = "(drawn for the run)",
       .group = FlagGroup::kRun,
       .kind = ValueKind::kFile,
       .is_laboratory = true,
       .set = SetText<&FlagOptions::resources, &ResourceOptions::key>},
      {.name = "--simd",
       .value = "NAME",
       .help = "force a kernel target; see 'twinset version'",
       .default_text = "(the best)",
       .group = FlagGroup::kRun,
       .is_laboratory = true,
       .set = SetText<&FlagOptions::resources, &ResourceOptions::simd>},
      {.name = "--strict",
       .help = "fail at the first record that would be quarantined",
       .group = FlagGroup::kRun,
       .set = SetSwitch<&FlagOptions::strict>},
      {.name = "--quiet",
       .short_name = 'q',
       .help = "no progress and no closing summary; problems are still told",
       .group = FlagGroup::kRun,
       .set = SetSwitch<&Request::quiet>},
      {.name = "--progress",
       .value = "FORM",
       .help = "how far the run is, on standard error: auto, bar, plain, json "
               "or none",
       .long_help =
           "bar draws one line again and again, plain writes a line every 30 "
           "seconds, json an object a line at most once a second: stage, step, "
           "unit, done, total, share, bytes (read, decoded), seconds and "
           "left_seconds of the step; what is not known is null. auto: bar on "
           "a terminal, plain elsewhere, none with --quiet.",
       .default_text = "auto",
       .group = FlagGroup::kRun,
       .kind = ValueKind::kChoice,
       .choices = {"auto", "bar", "plain", "json", "none"},
       .set = SetText<&Request::progress>},
      {.name = "--config",
       .value = "FILE",
       .help = "a file that sets flags; those given beside it count more",
       .long_help =
           "TOML: the long names of flags without their dashes, as threshold = "
           "0.9, true for a switch, a list for a flag that may be repeated. "
           "What stands below [dedup] is for dedup alone.",
       .default_text = "(none)",
       .group = FlagGroup::kGeneral,
       .kind = ValueKind::kFile,
       .set = SetNothing},
      {.name = "--help",
       .short_name = 'h',
       .help = "-h: what is for everyday; --help: everything",
       .group = FlagGroup::kGeneral,
       .set = SetSwitch<&Request::help_long>},
      {.name = "--networks",
       .value = "CIDR,...",
       .help = "networks that may be asked beside the public internet, as "
               "192.168.7.0/24",
       .long_help =
           "Without it nothing is asked of loopback, private, link-local and "
           "other special addresses or of the metadata services of clouds, "
           "whatever name, link or redirect leads there: neither for pages "
           "nor for inputs in buckets and on web servers. Name only networks "
           "that are yours or that allow it. May be repeated.",
       .default_text = "(none)",
       .list = true,
       .set = Networks},
      {.name = "--delay",
       .value = "MS",
       .help = "least time between two requests to one host",
       .long_help =
           "A description of an engine may set its own, which this replaces.",
       .default_text = "(1000)",
       .set = SetDelay},
      {.name = "--timeout",
       .value = "SECONDS",
       .help = "time for an answer",
       .long_help = "Of pages 20, of engines 30, unless it is given.",
       .default_text = "(20 or 30)",
       .set = SetTimeout},
      {.name = "--max-requests",
       .value = "N",
       .help =
           "questions to engines and pages of theirs, in all; 0: any number",
       .long_help = "Then the command stops, and the same one with --record "
                    "goes on. Recorded answers cost nothing.",
       .default_text = "0",
       .set = SetCount<&FetchOptions::max_requests>},
      {.name = "--allow-programs",
       .help = "a description of an engine may name a program, which is run",
       .long_help = "Without it descriptions of type 'program' are refused.",
       .set = SetSwitch<&FetchOptions::allow_programs>},
      {.name = "--graph-format",
       .value = "FORMAT",
       .help = "edges: lists of two ids a line; pages: documents with links",
       .long_help = "auto looks at the first lines.",
       .default_text = "auto",
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<GraphFormat>(),
       .set = SetPick<&GraphOptions::format>},
      {.name = "--nodes",
       .value = "FILE",
       .help = "ids and addresses of the nodes of an edge list",
       .default_text = "(none)",
       .kind = ValueKind::kFile,
       .set = SetText<&GraphOptions::nodes>},
      {.name = "--keep-dangling",
       .help = "links to what is no node or no page make nodes of their own",
       .long_help = "Else they are counted and left out.",
       .set = SetSwitch<&GraphOptions::keep_dangling>},
      {.name = "--skip-nofollow",
       .help = "links that ask not to be followed are none",
       .set = Off<&GraphOptions::follow_nofollow>},
      {.name = "--skip-hidden",
       .help = "links that a reader does not see are none",
       .set = Off<&GraphOptions::follow_hidden>}};
}

}  // namespace

const FlagNames kAddressFlags = {
    "--input-format", "--preset",  "--id-field",  "--url-field",
    "--status",       "--mime",    "--max-field", "--max-ratio",
    "--max-window",   "--quoting", "--networks"};
const FlagNames kRecordFlags = {
    "--input-format", "--preset",       "--id-field",   "--url-field",
    "--status",       "--mime",         "--max-field",  "--max-ratio",
    "--max-window",   "--quoting",      "--text-field", "--html-field",
    "--date-field",   "--max-document", "--truncated",  "--revisions",
    "--networks"};
const FlagNames kGraphFlags = {"--graph-format", "--nodes", "--keep-dangling",
                               "--skip-nofollow", "--skip-hidden"};

const std::vector<Flag>& SharedFlags() {
  static const std::vector<Flag> flags = [] {
    std::vector<Flag> all = InputFlags();
    const std::vector<Flag> others = OtherFlags();
    all.insert(all.end(), others.begin(), others.end());
    return all;
  }();
  return flags;
}

}  // namespace twinset::cli
