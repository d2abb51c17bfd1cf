#include "pipeline/report/write_report.h"

#include <utility>
#include <vector>

#include "base/file.h"
#include "documents/result_places.h"
#include "pipeline/report/run_page.h"
#include "report/exhibits.h"
#include "twinset/names.h"

namespace twinset::inline v1 {

namespace {

constexpr char kPage[] = "report.html";
constexpr uint64_t kMostSummaryBytes = 64 << 20;

Result<Json> ReadSummary(const std::string& folder) {
  const std::string path = folder + "/summary.json";
  if (!FileExists(path)) {
    return Fail(ErrorCode::kUsage, "there is no finished run", NameText(folder),
                "name the folder of --out of dedup, match or recut");
  }
  TWINSET_ASSIGN(const std::string text,
                 ReadWholeFile(path, kMostSummaryBytes));
  Json summary = Json::Parse(text);
  if (!summary["parameters"].is_object() || !summary["records"].is_object() ||
      !summary["documents"].is_object() || !summary["run"].is_object()) {
    return Fail(
        ErrorCode::kUsage, "summary.json is not that of a run over documents",
        NameText(folder), "name the folder of --out of dedup, match or recut");
  }
  return summary;
}

Status WriteFigures(const ReportOptions& options, const HtmlReport& page,
                    ResultFolder* folder) {
  const auto files = ExhibitFiles(page.exhibits());
  std::vector<std::string> names;
  for (const auto& [name, bytes] : files) names.push_back(name);
  TWINSET_TRY(folder->Begin(names));
  for (const auto& [name, bytes] : files)
    TWINSET_TRY(WriteWholeFile(options.figures + "/" + name, bytes));
  return {};
}

// A page that is as it would be written again is let alone.
Status WritePage(const std::string& folder, const std::string& page) {
  const std::string path = folder + "/" + kPage;
  if (FileExists(path) && ReadWholeFile(path) == page) return {};
  return WriteWholeFile(path, page);
}

FolderRequest RequestOf(const std::string& path, const char* flag) {
  FolderRequest request;
  request.path = path;
  request.flag = flag;
  request.command = "report";
  return request;
}

}  // namespace

Status WriteRunReport(const std::string& folder,
                      const std::string& summary_json) {
  TWINSET_ASSIGN(const RunStory story,
                 GatherRun(folder, Json::Parse(summary_json), {}));
  TWINSET_ASSIGN(HtmlReport page, MakeRunPage(story));
  return WriteWholeFile(folder + "/" + kPage, std::move(page).Finish());
}

Status WriteReportOf(const ReportOptions& options) {
  TWINSET_ASSIGN(Json summary, ReadSummary(options.folder));
  std::vector<std::string> inputs = options.inputs;
  inputs.insert(inputs.end(), options.against.begin(), options.against.end());
  FolderRequest run = RequestOf(options.folder, "DIR");
  run.resume = true;
  TWINSET_ASSIGN(ResultFolder folder, OpenResultFolder(std::move(run), inputs));
  std::vector<ResultFolder> figures;
  if (!options.figures.empty()) {
    FolderRequest request = RequestOf(options.figures, "--figures");
    request.overwrite = options.overwrite;
    inputs.push_back(options.folder);
    TWINSET_ASSIGN(ResultFolder opened,
                   OpenResultFolder(std::move(request), inputs));
    figures.push_back(std::move(opened));
  }
  TWINSET_ASSIGN(const RunStory story,
                 GatherRun(options.folder, std::move(summary), options));
  TWINSET_ASSIGN(HtmlReport page, MakeRunPage(story));
  if (!figures.empty())
    TWINSET_TRY(WriteFigures(options, page, &figures.front()));
  TWINSET_TRY(folder.Begin({kPage}));
  return WritePage(options.folder, std::move(page).Finish());
}

}  // namespace twinset::inline v1
