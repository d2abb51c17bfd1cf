#include "mirrors/mirror_report.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/file.h"
#include "core/field_list.h"
#include "report/field_rows.h"
#include "report/kept_page.h"
#include "twinset/json.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

using html::Cell;

constexpr size_t kShownRows = 50;
constexpr size_t kShownBytes = 160;

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
  std::vector<Mirror> shown(
      result.mirrors.begin(),
      result.mirrors.begin() + static_cast<std::ptrdiff_t>(std::min(
                                   kShownRows, result.mirrors.size())));
  for (Mirror& mirror : shown) {
    mirror.a = Shortened(mirror.a, kShownBytes);
    mirror.b = Shortened(mirror.b, kShownBytes);
  }
  html::Table table = TableOf("Mirrors, those with most duplicates first",
                              {{"a", "one, other"},
                               {"parallel"},
                               {"duplicate_share", "of these duplicates"},
                               {"pages_a", "pages"},
                               {"pages_b", "pages there"}},
                              shown);
  // In one column, so that a narrow page has room for the numbers.
  for (size_t i = 0; i < shown.size(); ++i) table.rows[i][0].below = shown[i].b;
  return table;
}

html::Table DeadTable(const MirrorsResult& result) {
  html::Table table;
  table.caption = "Dead addresses, and where their content is";
  table.columns = {{"dead, alternative"}, {"by"}, {"confidence", true}};
  for (const DeadPage& page : result.dead) {
    if (table.rows.size() == kShownRows) break;
    const bool any = !page.alternatives.empty();
    Cell address = Cell::Text(Shortened(page.url, kShownBytes));
    address.below =
        any ? Shortened(page.alternatives[0].url, kShownBytes) : "none";
    table.rows.push_back(
        {std::move(address),
         Cell::Text(any ? page.alternatives[0].by : std::string()),
         any ? Cell::Rounded(page.alternatives[0].confidence)
             : Cell::Text("")});
  }
  return table;
}

}  // namespace

KeptPage MirrorPageOf(const MirrorsResult& result) {
  KeptPage report("mirrors", "Mirrors");
  report.Add(LeadOf(result));
  for (const std::string& warning : result.warnings)
    report.Add(html::Warning{"Of the run: " + warning + "."});
  if (!result.mirrors.empty()) {
    report.Add(html::Heading{"Mirrors"});
    report.Add(MirrorTable(result));
  }
  if (result.dead_counts) {
    report.Add(html::Heading{"Dead addresses"});
    report.Add(html::Paragraph{
        "For " + NumberText(result.dead_counts->with_alternative) + " of " +
        CountText(result.dead.size(), "dead address", "dead addresses") +
        " an alternative is known."});
    report.Add(DeadTable(result));
  }
  report.BeginFolded("Method and parameters");
  report.Add(
      html::KeyValues{"",
                      {{"parallel duplicates, at least",
                        Cell::Count(result.parameters.least_pages)},
                       {"of the parallel pages, at least",
                        Cell::Text(PercentText(result.parameters.share))},
                       {"parallel pages of the smaller side, at least",
                        Cell::Text(PercentText(result.parameters.overlap))}}});
  report.EndFolded();
  return report;
}

namespace {

// Writes a line for each item.
template <typename Items, typename Row>
Status WriteRows(const std::string& path, const Items& items, const Row& row) {
  TWINSET_ASSIGN(OutputFile file, OutputFile::Create(path));
  for (const auto& item : items)
    TWINSET_TRY(file.Write(row(item).dump() + "\n"));
  return file.Commit();
}

}  // namespace

Json v1::MirrorJson(const Mirror& mirror) { return FieldsToJson(mirror); }

Json v1::SummaryJson(const MirrorsResult& result) {
  return FieldsToJson(result);
}

Status WriteMirrors(const MirrorsOptions& options, const MirrorsResult& result,
                    std::span<const MirrorPage> pages, ResultFolder* folder) {
  std::vector<std::string> files = {"degrees.jsonl", "mirrors.jsonl",
                                    KeptPage::kFileName, "summary.json"};
  if (!options.dead.empty()) files.push_back("alternatives.jsonl");
  if (options.report) files.push_back("report.html");
  TWINSET_TRY(folder->Begin(files));
  const std::string out = options.out + "/";
  TWINSET_TRY(WriteRows(out + "mirrors.jsonl", result.mirrors, MirrorJson));
  TWINSET_TRY(WriteRows(out + "degrees.jsonl", pages, [](const auto& page) {
    Json row = {{"id", page.id}, {"mirror_degree", page.degree}};
    if (!page.url.empty()) row["url"] = page.url;
    return row;
  }));
  if (!options.dead.empty())
    TWINSET_TRY(
        WriteRows(out + "alternatives.jsonl", result.dead,
                  [](const DeadPage& page) { return FieldsToJson(page); }));
  TWINSET_TRY(WriteKeptPage(*result.page.kept(), options.out,
                            options.report ? "report.html" : ""));
  return WriteWholeFile(out + "summary.json",
                        SummaryJson(result).dump(2) + "\n");
}

}  // namespace twinset
