// The folders of a job, opened and locked before anything else is done.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RUN_RUN_FOLDERS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RUN_RUN_FOLDERS_H_

#include <optional>
#include <string>
#include <vector>

#include "pipeline/run/plan.h"
#include "store/result_file.h"
#include "store/result_folder.h"

namespace twinset {

// What a job leaves in --out besides its work files.
struct JobFiles {
  std::string command;
  std::vector<std::string> files;
  std::string done = "summary.json";  // the last one
  // Files that are read besides those that the plan names.
  std::vector<std::string> inputs = {};
  bool resumable = true;  // the command has --resume
  // --resume begins what was not begun.
  bool begins_on_resume = false;
  // There are no other results than the written corpus: --out of the plan is
  // the folder of its --write.
  bool is_corpus = false;
};

// --out, --write, --attributes, --save and the work folder, which stands in
// --out or below --tmp.
class RunFolders {
 public:
  // Refuses what src/ground/store/result_folder.h refuses; removes and writes
  // nothing.
  static Result<RunFolders> Open(const Plan& plan, JobFiles job);
  const JobFiles& job() const { return job_; }
  // Unless the plan resumes, removes what an earlier run left. Lists what this
  // one makes and makes the work folder.
  Status Begin(const Plan& plan);
  // Lists what is put into the folder of --save, before it is.
  Status BeginSave(const std::vector<std::string>& files);
  // When the results are complete.
  Status RemoveWork();
  // When there are no results: all of it.
  Status Remove();

 private:
  RunFolders(JobFiles job, ResultFolder out)
      : job_(std::move(job)), out_(std::move(out)) {}
  Status OpenBeside(const PlanOptions& options, const std::string& folder,
                    const std::string& flag,
                    std::optional<ResultFolder>* opened);
  Status OpenWork(const Plan& plan);
  Status Protect(const std::string& input, bool is_told);
  Status ProtectInputs(const Plan& plan);
  void RemoveOldWork();
  Status OpenAttributes(const PlanOptions& options);

  JobFiles job_;
  ResultFolder out_;
  std::optional<ResultFolder> write_, attributes_, save_, work_;
  std::optional<ResultFile> attribute_file_;
};

// kUsage when `folder`, that of `flag`, is `out`, holds it, or stands among its
// work files. Elsewhere in it it may stand.
Status CheckBeside(const std::string& folder, const std::string& flag,
                   const ResultFolder& out);

// Where the work files of a run into `out` stand.
Result<std::string> WorkFolderOf(const std::string& out,
                                 const std::string& tmp);

// ListInputs without what an interrupted run has left in its own folders: when
// it began, they were not there.
Result<InputList> ListRunInputs(const PlanOptions& options,
                                const std::vector<std::string>& arguments);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RUN_RUN_FOLDERS_H_
