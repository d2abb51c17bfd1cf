#include "traps/traps_report.h"

#include <string>
#include <utility>

#include "base/file.h"
#include "core/field_list.h"
#include "report/kept_page.h"
#include "twinset/json.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

using html::Cell;

constexpr size_t kMostBytes = 200;  // of a pattern, an address

html::Lead LeadOf(const TrapsResult& result) {
  const std::string read = CountText(result.documents, "page") + " of " +
                           CountText(result.hosts, "host");
  if (result.traps.empty())
    return {"No trap was found.", "Looked through were " + read + "."};
  const uint64_t addresses = result.trapped;
  return {ShareInWords(addresses, result.documents) +
              " of the pages stand at addresses that lead nowhere new.",
          "In " + read + ", " + CountText(result.traps.size(), "pattern") +
              (result.traps.size() == 1 ? " covers " : " cover ") +
              CountText(addresses, "address", "addresses") +
              " whose pages are hardly different."};
}

html::Table TrapsTable(const TrapsOptions& options, const TrapsResult& result) {
  html::Table table;
  table.caption = "Traps, those with most addresses first";
  table.columns = {{"pattern of the addresses"}, {"kind"},
                   {"addresses", true},          {"of those that fit", true},
                   {"new words per page", true}, {"stands for all"}};
  if (options.probe) table.columns.push_back({"a random address gives"});
  for (const Trap& trap : result.traps) {
    Cell pattern = Cell::Text(Shortened(trap.pattern, kMostBytes));
    pattern.below = Shortened(trap.host, kMostBytes);
    table.rows.push_back(
        {std::move(pattern), Cell::Text(std::string(ChoiceName(trap.kind))),
         Cell::Count(trap.urls), Cell::Percent(trap.urls, trap.of),
         Cell::Rounded(trap.new_words),
         Cell::Text(Shortened(trap.representative, kMostBytes))});
    if (options.probe) table.rows.back().push_back(Cell::Text(ProbeText(trap)));
  }
  return table;
}

}  // namespace

KeptPage TrapsPage(const TrapsOptions& options, const TrapsResult& result) {
  KeptPage report("traps", "Crawler traps");
  report.Add(LeadOf(result));
  if (!result.traps.empty()) {
    report.Add(html::Facts{
        {{"traps", NumberText(result.traps.size()), ""},
         {"addresses in traps", NumberText(result.trapped),
          ShareText(result.trapped, result.documents) + " of the pages"},
         {"hosts", NumberText(result.hosts), ""},
         {"clusters of alike pages", NumberText(result.clusters), ""}}});
    report.Add(html::Heading{"Where they are"});
    report.Add(TrapsTable(options, result));
  }
  if (result.without_url > 0) {
    report.Add(html::Note{CountText(result.without_url, "page has no address",
                                    "pages have no address") +
                          " and could not be judged."});
  }
  report.BeginFolded("Method and parameters");
  report.Add(html::KeyValues{
      "",
      {{"pages are alike from", Cell::Text(PercentText(options.threshold))},
       {"addresses of a trap, at least", Cell::Count(options.least_urls)},
       {"share of those that fit, at least",
        Cell::Text(PercentText(options.share))},
       {"shingles", Cell::Text(options.features.shingle)}}});
  report.EndFolded();
  return report;
}

std::vector<Json> v1::RowsJson(const TrapsResult& result) {
  std::vector<Json> rows;
  for (const Trap& trap : result.traps) rows.push_back(FieldsToJson(trap));
  return rows;
}

std::string v1::ProbeText(const Trap& trap) {
  if (!trap.probe) return "";
  if (trap.probe->status == 0) return "no answer";
  return std::to_string(trap.probe->status) +
         (trap.probe->alike ? " alike" : "");
}

Status WriteTraps(const TrapsOptions& options, const TrapsResult& result,
                  ResultFolder* folder) {
  std::vector<std::string> files = {"traps.jsonl", "summary.json",
                                    KeptPage::kFileName};
  if (options.report) files.push_back("report.html");
  TWINSET_TRY(folder->Begin(files));
  std::string rows;
  for (const Json& row : RowsJson(result)) rows += row.dump() + "\n";
  TWINSET_TRY(WriteWholeFile(options.out + "/traps.jsonl", rows));
  TWINSET_TRY(WriteKeptPage(*result.page.kept(), options.out,
                            options.report ? "report.html" : ""));
  const Json summary = {{"documents", result.documents},
                        {"without_url", result.without_url},
                        {"hosts", result.hosts},
                        {"clusters", result.clusters},
                        {"traps", result.traps.size()},
                        {"trapped", result.trapped},
                        {"parameters",
                         {{"threshold", options.threshold},
                          {"least_urls", options.least_urls},
                          {"share", options.share},
                          {"short_tokens", options.short_tokens},
                          {"samples", options.samples},
                          {"probe", options.probe},
                          {"tokens", options.features.tokens},
                          {"shingle", options.features.shingle},
                          {"content", options.features.content}}}};
  return WriteWholeFile(options.out + "/summary.json", summary.dump(2) + "\n");
}

}  // namespace twinset
