#include "pipeline/report/write_report.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/stop.h"
#include "documents/result_places.h"
#include "pipeline/report/run_page.h"
#include "pipeline/report/run_reading.h"
#include "read/reader.h"
#include "report/exhibits.h"
#include "report/kept_page.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

constexpr char kPage[] = "report.html";

// Commands that keep their page, and the file that it is drawn into.
struct Keeping {
  const char *command, *file;
};
constexpr Keeping kKeeping[] = {{"evaluate", "evaluation.html"},
                                {"walk", kPage},
                                {"sample", kPage},
                                {"estimate", kPage},
                                {"traps", kPage},
                                {"urls", kPage},
                                {"mirrors", kPage},
                                {"leak", kPage},
                                {"study", kPage},
                                {"change", kPage},
                                {"assess", kPage},
                                {"predict", kPage},
                                {"seeds", kPage}};

std::string Kinds() {
  std::string kinds = "name the folder of --out of dedup, match, recut";
  for (const Keeping& one : kKeeping)
    kinds += (&one == &std::end(kKeeping)[-1] ? " or " : ", ") +
             std::string(one.command);
  return kinds;
}

// What a folder holds that a page is made of: the page itself, or else the
// files of a run over documents.
struct Finished {
  std::optional<KeptPage> page;
  Json summary;
  std::string file = kPage;
};

Result<Finished> ReadPage(const std::string& folder) {
  Finished finished;
  TWINSET_ASSIGN(finished.page, ReadKeptPage(folder));
  const auto* const keeping = std::find_if(
      std::begin(kKeeping), std::end(kKeeping), [&](const Keeping& one) {
        return one.command == finished.page->command();
      });
  if (keeping == std::end(kKeeping)) {
    return Fail(ErrorCode::kUsage,
                "page.json is of a command without a report: " +
                    NameText(finished.page->command()),
                NameText(folder), Kinds());
  }
  finished.file = keeping->file;
  return finished;
}

Result<Finished> ReadFinished(const std::string& folder) {
  if (FileExists(folder + "/" + KeptPage::kFileName)) return ReadPage(folder);
  Finished finished;
  TWINSET_ASSIGN(finished.summary, ReadRunSummary(folder, Kinds()));
  return finished;
}

// Inputs that are named must be there; those of the run may be gone.
Status CheckInputs(const Finished& finished, const ReportOptions& options) {
  for (const std::vector<std::string>* side :
       {&options.inputs, &options.against}) {
    if (!finished.page && !side->empty()) {
      TWINSET_TRY(ListInputs(*side, {.networks = options.networks}));
    }
  }
  if (!finished.page || (options.inputs.empty() && options.against.empty()))
    return {};
  return Fail(ErrorCode::kUsage,
              "a report of " + finished.page->command() +
                  " is made of what its folder keeps, so it reads no inputs",
              NameText(options.folder), "leave them out");
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
Status WritePage(const std::string& path, const std::string& page) {
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

Result<HtmlReport> MakePage(Finished* finished, const ReportOptions& options) {
  if (finished->page) return finished->page->Drawn();
  TWINSET_ASSIGN(
      const RunStory story,
      GatherRun(options.folder, std::move(finished->summary), options));
  TWINSET_ASSIGN(const KeptPage page, MakeRunPage(story));
  return page.Drawn();
}

}  // namespace

Status WriteRunReport(const std::string& folder, const RunStory& story) {
  TWINSET_ASSIGN(const KeptPage page, MakeRunPage(story));
  return WriteWholeFile(folder + "/" + kPage, page.Drawn().Finish());
}

Result<ResultPage> FindingPage(const std::string& folder, const Json& summary) {
  TWINSET_ASSIGN(const RunStory story, StoryOfSummary(folder, summary));
  KeptPage page("dedup", "");
  page.Add(RunLead(story));
  return ResultPage(std::move(page));
}

Result<std::string> v1::WriteReportOf(const ReportOptions& options) try {
  TWINSET_ASSIGN(Finished finished, ReadFinished(options.folder));
  TWINSET_TRY(CheckInputs(finished, options));
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
  TWINSET_ASSIGN(HtmlReport page, MakePage(&finished, options));
  if (!figures.empty())
    TWINSET_TRY(WriteFigures(options, page, &figures.front()));
  TWINSET_TRY(folder.Begin({finished.file}));
  std::string path = options.folder + "/" + finished.file;
  TWINSET_TRY(WritePage(path, std::move(page).Finish()));
  return path;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
