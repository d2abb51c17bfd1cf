#include "study/mirror_report.h"

#include <utility>
#include <vector>

#include "base/file.h"
#include "estimate/intervals.h"
#include "report/kept_page.h"
#include "twinset/json.h"
#include "twinset/names.h"
#include "twinset/plain_words.h"
#include "twinset/version.h"

namespace twinset {
namespace {

using html::Cell;

constexpr size_t kShownRows = 50;
constexpr size_t kShownBytes = 160;

Json MirrorRow(const Mirror& mirror) {
  return {{"a", mirror.a},
          {"b", mirror.b},
          {"pages_a", mirror.pages_a},
          {"pages_b", mirror.pages_b},
          {"parallel", mirror.parallel},
          {"duplicates", mirror.duplicates},
          {"share", RoundTo(mirror.share, 6)},
          {"low", RoundTo(mirror.low, 6)},
          {"high", RoundTo(mirror.high, 6)}};
}

Json DeadRow(const DeadPage& page) {
  Json alternatives = Json::array();
  for (const Alternative& one : page.alternatives)
    alternatives.push_back({{"url", one.url},
                            {"by", one.by},
                            {"confidence", RoundTo(one.confidence, 6)}});
  return {{"url", page.url}, {"alternatives", std::move(alternatives)}};
}

html::Lead LeadOf(const MirrorsResult& result) {
  if (result.mirrors.empty())
    return {"No mirror was found.",
            "Looked through were " + CountText(result.documents, "document") +
                " in which " + CountText(result.clusters, "cluster") +
                " of duplicates had been found."};
  return {ShareInWords(result.mirrored, result.documents) +
              " of the documents stand on a mirror too.",
          CountText(result.mirrors.size(), "pair") + " of hosts or folders " +
              (result.mirrors.size() == 1 ? "has" : "have") +
              " the same content at parallel addresses."};
}

html::Table MirrorTable(const MirrorsResult& result) {
  html::Table table;
  table.caption = "Mirrors, those with most duplicates first";
  table.columns = {{"one"},
                   {"other"},
                   {"pages", true},
                   {"pages there", true},
                   {"parallel", true},
                   {"of these duplicates", true}};
  for (const Mirror& mirror : result.mirrors) {
    if (table.rows.size() == kShownRows) break;
    table.rows.push_back({Cell::Text(Shortened(mirror.a, kShownBytes)),
                          Cell::Text(Shortened(mirror.b, kShownBytes)),
                          Cell::Count(mirror.pages_a),
                          Cell::Count(mirror.pages_b),
                          Cell::Count(mirror.parallel),
                          Cell::Percent(mirror.duplicates, mirror.parallel)});
  }
  return table;
}

html::Table DeadTable(const MirrorsResult& result) {
  html::Table table;
  table.caption = "Dead addresses, and where their content is";
  table.columns = {{"dead"}, {"alternative"}, {"by"}, {"confidence", true}};
  for (const DeadPage& page : result.dead) {
    if (table.rows.size() == kShownRows) break;
    const bool any = !page.alternatives.empty();
    table.rows.push_back(
        {Cell::Text(Shortened(page.url, kShownBytes)),
         Cell::Text(any ? Shortened(page.alternatives[0].url, kShownBytes)
                        : std::string("none")),
         Cell::Text(any ? page.alternatives[0].by : std::string()),
         any ? Cell::Rounded(page.alternatives[0].confidence)
             : Cell::Text("")});
  }
  return table;
}

KeptPage PageOf(const MirrorsOptions& options, const MirrorsResult& result) {
  KeptPage report("mirrors", "Mirrors");
  report.Add(LeadOf(result));
  for (const std::string& warning : result.warnings)
    report.Add(html::Warning{"Of the run: " + warning + "."});
  if (!result.mirrors.empty()) {
    report.Add(html::Heading{"Mirrors"});
    report.Add(MirrorTable(result));
  }
  if (!options.dead.empty()) {
    report.Add(html::Heading{"Dead addresses"});
    report.Add(html::Paragraph{
        "For " + NumberText(result.rescued) + " of " +
        CountText(result.dead.size(), "dead address", "dead addresses") +
        " an alternative is known."});
    report.Add(DeadTable(result));
  }
  report.BeginFolded("Method and parameters");
  report.Add(html::KeyValues{
      "",
      {{"parallel duplicates, at least", Cell::Count(options.least_pages)},
       {"of the parallel pages, at least",
        Cell::Text(PercentText(options.share))},
       {"parallel pages of the smaller side, at least",
        Cell::Text(PercentText(options.overlap))}}});
  report.EndFolded();
  return report;
}

// Writes one line an item.
template <typename Items, typename Row>
Status WriteRows(const std::string& path, const Items& items, const Row& row) {
  TWINSET_ASSIGN(OutputFile file, OutputFile::Create(path));
  for (const auto& item : items)
    TWINSET_TRY(file.Write(row(item).dump() + "\n"));
  return file.Commit();
}

}  // namespace

std::string v1::MirrorJson(const Mirror& mirror) {
  return MirrorRow(mirror).dump();
}

std::string MirrorSummary(const MirrorsOptions& options,
                          const MirrorsResult& result) {
  Json summary = {{"version", kVersion},
                  {"documents", result.documents},
                  {"clustered", result.clustered},
                  {"clusters", result.clusters},
                  {"cut_clusters", result.cut_clusters},
                  {"mirrors", result.mirrors.size()},
                  {"mirrored", result.mirrored},
                  {"sides", SidesJson(result.sides)}};
  if (!options.dead.empty())
    summary["dead"] = {{"addresses", result.dead.size()},
                       {"with_alternative", result.rescued},
                       {"bad_lines", result.bad_dead}};
  summary["parameters"] = {{"least_pages", options.least_pages},
                           {"share", options.share},
                           {"overlap", options.overlap}};
  summary["warnings"] = result.warnings;
  summary["run"] = {{"folder", NameText(options.run)}};
  return summary.dump(2) + "\n";
}

Status WriteMirrors(const MirrorsOptions& options, const MirrorsResult& result,
                    std::span<const MirrorPage> pages, ResultFolder* folder) {
  std::vector<std::string> files = {"degrees.jsonl", "mirrors.jsonl",
                                    KeptPage::kFileName, "summary.json"};
  if (!options.dead.empty()) files.push_back("alternatives.jsonl");
  if (options.report) files.push_back("report.html");
  TWINSET_TRY(folder->Begin(files));
  const std::string out = options.out + "/";
  TWINSET_TRY(WriteRows(out + "mirrors.jsonl", result.mirrors, MirrorRow));
  TWINSET_TRY(WriteRows(out + "degrees.jsonl", pages, [](const auto& page) {
    Json row = {{"id", page.id}, {"mirror_degree", page.degree}};
    if (!page.url.empty()) row["url"] = page.url;
    return row;
  }));
  if (!options.dead.empty())
    TWINSET_TRY(WriteRows(out + "alternatives.jsonl", result.dead, DeadRow));
  TWINSET_TRY(WriteKeptPage(PageOf(options, result), options.out,
                            options.report ? "report.html" : ""));
  return WriteWholeFile(out + "summary.json", result.summary_json);
}

}  // namespace twinset
