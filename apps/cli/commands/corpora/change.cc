// twinset change.
#include "twinset/corpora/change.h"

#include "cli/commands.h"
#include "cli/commands/corpora/line_counts.h"
#include "cli/flags/flag_setters.h"
#include "cli/job.h"
#include "cli/values.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kChangeName = "change";

int RunChange(const Request& request) {
  auto options = JobOptionsOf<ChangeOptions>(request);
  options.snapshots = request.operands;
  return RunToResult(
      kChangeName, request, options, MeasureChange,
      [](const ChangeResult& result) {
        if (result.visits)
          TellLinesRead(kChangeName, {{"visits", &result.visits->lines}});
      });
}

Status Dates(const Values& values, Request* request) {
  TWINSET_ASSIGN(request->Of<ChangeOptions>().dates, SplitLists(values));
  return {};
}

std::vector<Flag> ChangeFlags() {
  return {{.name = "--visits",
           .value = "FILE",
           .help = "lines url,count: how often addresses are visited",
           .long_help = "A first line that names the columns is a header.",
           .kind = ValueKind::kFile,
           .set = SetText<&ChangeOptions::visits>},
          {.name = "--dates",
           .value = "DATE,...",
           .help = "when the snapshots are from, one each, ascending",
           .long_help =
               "RFC 3339, a date alone, or 14 digits as archives write them.",
           .default_text = "(the latest date of their records)",
           .list = true,
           .set = Dates},
          {.name = "--near",
           .value = "J",
           .help = "least Jaccard similarity of a page that is nearly the same",
           .default_text = "0.9",
           .set = SetShare<&ChangeOptions::near>},
          {.name = "--lasting",
           .value = "N",
           .help = "new text lasts when it stays for so many further captures",
           .long_help = "It is what recrawl.csv values; text that goes before "
                        "that, as advertisements do, has no value.",
           .default_text = "2",
           .set = SetInt<1, 100, &ChangeOptions::lasting>}};
}

Command ChangeCommand() {
  return {
      .name = "change",
      .group = CommandGroup::kStudies,
      .front_page = 4,
      .operands = "S1 S2 ...",
      .help =
          "what changed between snapshots of one web, and what to fetch again",
      .long_help =
          "S1, S2, ... are files or folders of pages, each a snapshot, in "
          "order of time. Says of every address from one snapshot to the next "
          "whether its text is the same, nearly the same, changed, gone, moved "
          "or redirected to another address, new or back again, with Jaccard "
          "and Dice similarity and the links that came and went; how long "
          "addresses and texts live, with bands; and how long new text "
          "stays.\n\nWith --out, recrawl.csv orders the pages by the new text "
          "that lasted: a page that only rotates advertisements changes often "
          "and has no value.",
      .examples =
          {{"twinset change 2024-01.warc.gz 2024-02.warc.gz 2024-03.warc.gz",
            "a table by snapshot"},
           {"twinset change old/ new/ --dates 2023-05-01,2024-05-01 --out "
            "change --report",
            "dates of their own; lists and report.html"}},
      .everyday = {"--dates", "--visits", "--out", "--near", "--lasting",
                   "--report", "--text-field", "--url-field", "--date-field",
                   "--json", "--overwrite", "--memory", "--tmp", "--quiet"},
      .parameters = {.also = {"tokens", "shingle", "content"}},
      .shared = Join({kRecordFlags,
                      {"--out", "--report", "--overwrite", "--json", "--digest",
                       "--memory", "--tmp", "--progress", "--config"}}),
      .texts = {{.name = "--out",
                 .help = "folder for the lists; without it a table is printed",
                 .long_help =
                     "Holds changes.csv, recrawl.csv, captures.jsonl, "
                     "steps.csv, stability.csv, survival.csv, "
                     "quarantine.jsonl, page.json and summary.json. A folder "
                     "that exists is refused unless --overwrite is given."},
                kPresetsOfMethods},
      .flags = ChangeFlags(),
      .refusals = {kReadsOnOneThread, kDrawsNothing, kBeginsAnew, kPassesOver,
                   kPrintsText},
      .run = RunChange};
}

}  // namespace

const Registration kChange(ChangeCommand);

}  // namespace twinset::cli
