#include "retrieval/run_files.h"

#include <unordered_set>
#include <utility>

#include "documents/result_places.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

tl::unexpected<Error> OneName(const std::string& name, const std::string& run) {
  return Fail(ErrorCode::kUsage,
              "two files would have the name '" + NameText(name) + "'", run,
              "give runs whose file names differ");
}

}  // namespace

tl::unexpected<Error> NoJudgements() {
  return Fail(ErrorCode::kUsage, "no judgements are given", {},
              "add --qrels FILE");
}

Status CheckSystemsDiffer(const std::vector<std::string>& runs) {
  std::unordered_set<std::string> taken;
  for (const std::string& run : runs) {
    const std::string name = SystemName(run);
    if (!taken.insert(name).second) return OneName(name, run);
  }
  return {};
}

Result<WrittenRuns> WrittenRuns::Open(const RunsOptions& options,
                                      std::string command,
                                      std::vector<std::string> inputs) {
  if (options.out.empty())
    return Fail(ErrorCode::kUsage, "it is not said where to write", {},
                "add --out FILE, or with several runs --out DIR");
  inputs.insert(inputs.end(), options.runs.begin(), options.runs.end());
  WrittenRuns written;
  if (options.runs.size() == 1) {
    TWINSET_TRY(CheckResultFile(
        {.path = options.out, .flag = "--out", .overwrite = options.overwrite},
        inputs));
    written.paths_.push_back(options.out);
    return written;
  }
  std::unordered_set<std::string> taken = {"summary"};
  for (const std::string& run : options.runs) {
    const std::string name = SystemName(run);
    if (!taken.insert(name).second) return OneName(name, run);
    written.files_.push_back(name + ".run");
    written.paths_.push_back(options.out + "/" + name + ".run");
  }
  written.files_.push_back("summary.json");
  TWINSET_ASSIGN(
      ResultFolder folder,
      OpenResultFolder(OutRequest(std::move(command), options), inputs));
  written.folder_ = std::make_unique<ResultFolder>(std::move(folder));
  return written;
}

Status WrittenRuns::Begin() {
  const std::vector<std::string> files = std::exchange(files_, {});
  if (!folder_ || files.empty()) return {};
  is_begun_ = true;
  return folder_->Begin(files);
}

Status WrittenRuns::WriteSummary(const std::string& json) {
  if (!folder_) return {};
  TWINSET_TRY(WriteWholeFile(folder_->path() + "/summary.json", json));
  is_begun_ = false;
  return {};
}

WrittenRuns::~WrittenRuns() {
  if (folder_ && is_begun_) (void)folder_->Remove();
}

}  // namespace twinset
