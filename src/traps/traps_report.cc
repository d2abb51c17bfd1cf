#include "traps/traps_report.h"

#include <string>
#include <utility>

#include "base/file.h"
#include "report/html_report.h"
#include "twinset/json.h"

namespace twinset::inline v1 {

namespace {

Json TrapRow(const Trap& trap) {
  Json row = {{"host", trap.host},
              {"pattern", trap.pattern},
              {"kind", trap.kind},
              {"urls", trap.urls},
              {"of", trap.of},
              {"share", trap.share},
              {"tokens", trap.tokens},
              {"pages", trap.pages},
              {"new_words", trap.new_words},
              {"representative", trap.representative},
              {"samples", trap.samples}};
  if (!trap.probe) return row;
  row["probe"] = {{"url", trap.probe->url},
                  {"status", trap.probe->status},
                  {"alike", trap.probe->alike}};
  if (!trap.probe->reason.empty()) row["probe"]["reason"] = trap.probe->reason;
  return row;
}

std::string Dumped(const Json& row, int indent) {
  return row.dump(indent) + "\n";
}

std::string ReportOf(const TrapsOptions& options, const TrapsResult& result) {
  using html::Cell;
  HtmlReport report("Traps");
  html::KeyValues counts;
  counts.rows = {{"documents", Cell::Count(result.documents)},
                 {"without an address", Cell::Count(result.without_url)},
                 {"hosts", Cell::Count(result.hosts)},
                 {"clusters", Cell::Count(result.clusters)},
                 {"traps", Cell::Count(result.traps.size())},
                 {"addresses in traps", Cell::Count(result.trapped)},
                 {"resemblance from", Cell::Number(options.threshold)},
                 {"addresses from", Cell::Count(options.least_urls)},
                 {"share from", Cell::Number(options.share)}};
  report.Add(counts);
  html::Table table;
  table.caption = "Traps, by number of addresses";
  table.columns = {{"host"},        {"pattern"},       {"kind"},
                   {"urls", true},  {"of", true},      {"share", true},
                   {"words", true}, {"representative"}};
  if (options.probe) table.columns.push_back({"probe"});
  for (const Trap& trap : result.traps) {
    table.rows.push_back(
        {Cell::Text(trap.host), Cell::Text(trap.pattern),
         Cell::Text(std::string(ChoiceName(trap.kind))), Cell::Count(trap.urls),
         Cell::Count(trap.of), Cell::Percent(trap.urls, trap.of),
         Cell::Count(trap.tokens), Cell::Text(trap.representative)});
    if (options.probe) table.rows.back().push_back(Cell::Text(ProbeText(trap)));
  }
  report.Add(table);
  return std::move(report).Finish();
}

}  // namespace

std::string TrapJson(const Trap& trap) { return TrapRow(trap).dump(); }

std::string ProbeText(const Trap& trap) {
  if (!trap.probe) return "";
  if (trap.probe->status == 0) return "no answer";
  return std::to_string(trap.probe->status) +
         (trap.probe->alike ? " alike" : "");
}

Status WriteTraps(const TrapsOptions& options, const TrapsResult& result,
                  ResultFolder* folder) {
  std::vector<std::string> files = {"traps.jsonl", "summary.json"};
  if (options.report) files.push_back("report.html");
  TWINSET_TRY(folder->Begin(files));
  std::string rows;
  for (const Trap& trap : result.traps) rows += TrapJson(trap) + "\n";
  TWINSET_TRY(WriteWholeFile(options.out + "/traps.jsonl", rows));
  if (options.report)
    TWINSET_TRY(WriteWholeFile(options.out + "/report.html",
                               ReportOf(options, result)));
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
  return WriteWholeFile(options.out + "/summary.json", Dumped(summary, 2));
}

}  // namespace twinset::inline v1
