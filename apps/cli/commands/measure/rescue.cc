// twinset rescue.
#include "twinset/measure/rescue.h"

#include "cli/commands.h"
#include "cli/flags/flag_setters.h"
#include "cli/job.h"
#include "twinset/measure/fetch.h"
#include "twinset/options.h"

namespace twinset::cli {
namespace {

// What rescue was asked beside its options.
struct RescueAsked {
  bool all = false;  // --all
};

constexpr std::string_view kRescueName = "rescue";

Status CheckRequest(const Request& request) {
  if (request.operands.empty() == request.Of<RescueAsked>().all) return {};
  return Fail(ErrorCode::kUsage,
              request.Of<RescueAsked>().all ? "--all goes without addresses"
                                            : "no page to look for is given",
              {}, "twinset rescue URL... --from INPUT --in ENGINE, or --all");
}

int RunRescue(const Request& request) {
  if (const Status status = CheckRequest(request); !status)
    return TellError(kRescueName, status.error());
  auto options = JobOptionsOf<RescueOptions>(request);
  options.fetching = request.Of<FetchOptions>();
  const auto inputs = options.copies.inputs;
  options.copies = request.options.input;
  options.copies.inputs = inputs;
  options.urls = request.operands;
  return RunToResult(kRescueName, request, options,
                     [&](const RescueOptions& given, Output* out) {
                       return Rescue(given,
                                     RowsIfJson<RescuedPage>(request, out));
                     });
}

std::vector<Flag> RescueFlags() {
  return {
      {.name = "--from",
       .value = "INPUT",
       .help = "where the last known copies of the pages are, as an archive",
       .long_help = "Of several copies of an address the latest counts. May be "
                    "repeated.",
       .group = FlagGroup::kInput,
       .kind = ValueKind::kFile,
       .list = true,
       .set = SetRepeated<&RescueOptions::copies, &InputOptions::inputs>},
      {.name = "--in",
       .value = "ENGINE",
       .help = "the engine to look in: a folder of 'twinset engine build' or a "
               "description",
       .kind = ValueKind::kFile,
       .set = SetText<&RescueOptions::engine>},
      {.name = "--terms",
       .value = "N",
       .help = "words of a signature",
       .long_help = "Those of highest tf * idf.",
       .default_text = "5",
       .set = SetInt<1, 32, &RescueOptions::terms>},
      {.name = "--least-terms",
       .value = "N",
       .help = "a query that finds nothing is shortened down to this",
       .default_text = "2",
       .set = SetInt<1, 32, &RescueOptions::least_terms>},
      {.name = "--results",
       .value = "K",
       .help = "results of a query that are looked at",
       .default_text = "10",
       .set = SetInt<1, 1000, &RescueOptions::results>},
      {.name = "--lexicon",
       .value = "FILE",
       .help = "how rare words are, from 'twinset lexicon build'",
       .long_help =
           "Build it by 'twinset lexicon build --min-df 1 --drop-common 0 "
           "--drop-rare 0'. Without it the words of the copies are counted.",
       .default_text = "(the copies)",
       .kind = ValueKind::kFile,
       .set = SetText<&RescueOptions::lexicon>},
      {.name = "--threshold",
       .short_name = 't',
       .value = "T",
       .help = "least resemblance of a page found to the copy",
       .long_help = "Above 0, at most 1.",
       .default_text = "0.8",
       .set = SetShare<&RescueOptions::threshold>},
      {.name = "--check-live",
       .help = "first ask for each address: a page that is there as it was is "
               "not looked for",
       .long_help = "Asks the network, politely.",
       .set = SetSwitch<&RescueOptions::check_live>},
      {.name = "--signatures",
       .help = "print the words that find each page again, and ask no engine",
       .long_help = "With them the robust hyperlink: the address with its "
                    "words, which find the page when the address is dead.",
       .set = SetSwitch<&RescueOptions::signatures>},
      {.name = "--all",
       .help = "look for every page of --from instead of named ones",
       .set = SetSwitch<&RescueAsked::all>},
      {.name = "--record",
       .value = "FILE",
       .help = "add every answer of the engine to this file; what is in it is "
               "not asked again",
       .default_text = "(none)",
       .kind = ValueKind::kFile,
       .set = SetText<&RescueOptions::record>},
      {.name = "--replay",
       .value = "FILE",
       .help = "take the answers from this file; the engine need not be there",
       .default_text = "(none)",
       .kind = ValueKind::kFile,
       .set = SetText<&RescueOptions::replay>}};
}

Command RescueCommand() {
  return {
      .name = "rescue",
      .group = CommandGroup::kStudies,
      .operands = "URL...",
      .help = "find pages again that are gone, by their rarest words",
      .long_help =
          "Takes the last known copy of each page from --from, makes a query "
          "of the few words that are frequent in it and rare elsewhere, asks "
          "the engine of --in, and compares what it shows with the copy. Only "
          "a near-duplicate counts: one row per page says where it is now, how "
          "alike it is, and by which words it was found. A page that stood in "
          "--from with a text of its own is a sister, not a successor.\n\nA "
          "query that finds nothing is shortened. A page that stayed at its "
          "address is not looked for with --check-live. A page without copy "
          "(no-copy) or with too few words (too-short) cannot be rescued.",
      .prints_rows = true,
      .examples =
          {{"twinset rescue http://a.example/gone --from old.warc.gz --in e",
            "where one page has gone"},
           {"twinset rescue --all --from old.warc.gz --in new.engine --json",
            "every page of an archive, as rows"},
           {"twinset rescue --all --from site.warc.gz --signatures",
            "robust hyperlinks of pages, before they are gone"}},
      .everyday = {"--from", "--in", "--all", "--signatures", "--check-live",
                   "--threshold", "--terms", "--lexicon", "--record",
                   "--replay", "--networks", "--delay", "--json", "--quiet"},
      .parameters = {.also = {"tokens", "content"}},
      .shared =
          Join({kRecordFlags,
                {"--json", "--digest", "--progress", "--config", "--delay",
                 "--timeout", "--max-requests", "--allow-programs"}}),
      .texts = {{.name = "--json",
                 .help = "print one JSON object a row and line"}},
      .flags = RescueFlags(),
      .refusals = {kReadsOnOneThread, kHoldsOneDocument, kNoWorkFiles,
                   kDrawsNothing, kWritesNoFolder, kPassesOver, kPrintsText},
      .run = RunRescue};
}

}  // namespace

const Registration kRescue(RescueCommand);

}  // namespace twinset::cli
