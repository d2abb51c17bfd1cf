// twinset report
#

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "twinset/names.h"
#include "twinset/report.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kReportName = "report";

Status CheckReport(const Request& request) {
  if (request.operands.empty()) {
    return Fail(ErrorCode::kUsage, "no result folder is given", {},
                "twinset report DIR, a folder that a command wrote with --out");
  }
  if (request.operands.size() == 1 && !request.against.empty()) {
    return Fail(ErrorCode::kUsage,
                "--against is given without the inputs of the first side", {},
                "twinset report DIR INPUT... --against INPUT");
  }
  return {};
}

}  // namespace

int RunReport(const Request& request) {
  if (const Status status = CheckReport(request); !status)
    return TellError(kReportName, status.error());
  ReportOptions options;
  options.folder = request.operands[0];
  options.inputs.assign(request.operands.begin() + 1, request.operands.end());
  options.against = request.against;
  options.figures = request.figures;
  options.overwrite = request.options.overwrite;
  ProgressTeller progress(kReportName, request);
  options.on_progress = [&progress](const Progress& now) {
    progress.Update(now);
  };
  const auto page = WriteReportOf(options);
  progress.Clear();
  if (!page) return TellError(kReportName, page.error());
  Output out;
  if (!request.quiet) out.Write(NameText(*page) + "\n");
  return out.Finish(kReportName);
}

}  // namespace twinset::cli
