// twinset change.
#include "twinset/change.h"

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/flags/flag_setters.h"
#include "cli/job.h"
#include "cli/line_counts.h"
#include "cli/output.h"
#include "cli/values.h"
#include "twinset/plain_words.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kChangeName = "change";

std::string Days(const std::optional<double>& days) {
  return days ? fmt::format("{:.1f}", *days) : "-";
}

void WriteTable(const ChangeOptions& options, const ChangeResult& result,
                bool quiet, Output* out) {
  if (!quiet) {
    const ChangeFinding finding = FindingOf(options, result);
    out->Line(finding.strong + " " + finding.text);
  }
  std::string head = fmt::format("{:<10}", "to");
  for (const auto& choice : kChoices<PageState>)
    head += fmt::format(" {:>10}", choice.name);
  out->Line(head + fmt::format(" {:>8} {:>8}", "Jaccard", "Dice"));
  for (const ChangeStep& step : result.steps) {
    std::string line = fmt::format("{:<10}", step.to.substr(0, 10));
    for (const uint64_t pages : step.states)
      line += fmt::format(" {:>10}", NumberText(pages));
    out->Line(line + fmt::format(" {:>8.3f} {:>8.3f}", step.mean_jaccard,
                                 step.mean_dice));
  }
  if (quiet) return;
  for (const ChangeCurve& curve : result.curves) {
    if (curve.group != "all") continue;
    out->Line(
        fmt::format("half-life of {}: {} days (95 %: {} to {}); {} of {} "
                    "ended",
                    curve.what, Days(curve.half_life),
                    Days(curve.half_life_low), Days(curve.half_life_high),
                    NumberText(curve.ends), NumberText(curve.watched)));
  }
  const auto needed = static_cast<size_t>(options.lasting) + 2;
  out->Line(
      result.dates.size() < needed
          ? fmt::format("whether new text lasts would show with {} snapshots",
                        needed)
          : fmt::format("{} of {} addresses had new text that lasted",
                        NumberText(result.worth), NumberText(result.pages)));
  std::vector<SideRead> sides = result.sides;
  for (const SideRead& visits : SidesOf({{"visits", &result.visit_lines}}))
    sides.push_back(visits);
  WriteSides(sides, out);
}

int RunChange(const Request& request) {
  ChangeOptions options = request.Of<ChangeOptions>();
  options.input = request.options.input;
  options.snapshots = request.operands;
  options.features = request.options.features;
  CopyFolder(request, &options);
  const StopOnSignal stop;
  options.stop = stop.flag();
  const auto result = MeasureChange(options);
  if (!result)
    return TellErrorOrStop(kChangeName, result.error(), stop.signal());
  TellWarnings(kChangeName, result->warnings);
  TellLineCounts(kChangeName, "visits", result->visit_lines);
  TellQuarantined(kChangeName, result->quarantined);
  Output out;
  if (request.json)
    out.Write(SummaryJson(*result).dump(2) + "\n");
  else
    WriteTable(options, *result, request.quiet, &out);
  return out.Finish(kChangeName);
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
      .parameters = {.also = {"tokens", "shingle", "content", "parser"}},
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
                {.name = "--preset",
                 .long_help =
                     "A preset of a method sets the text and method flags as "
                     "'twinset presets' shows; flags given beside it count "
                     "more. One preset of each kind may be given."}},
      .flags = ChangeFlags(),
      .refusals = {{{"--threads"}, "it reads its inputs on one thread"},
                   {{"--seed"}, "nothing is drawn at random"},
                   {{"--resume"}, "it begins anew; give --overwrite"},
                   {{"--strict"},
                    "it passes over bad records and says how many"},
                   {{"--format"}, "it prints text, or JSON with --json"}},
      .run = RunChange};
}

}  // namespace

const Registration kChange(ChangeCommand);

}  // namespace twinset::cli
