// What the forms of `twinset runs` share: reading, and where results go.
#ifndef TWINSET_SRC_CORPORA_RETRIEVAL_RUN_FILES_H_
#define TWINSET_SRC_CORPORA_RETRIEVAL_RUN_FILES_H_

#include <memory>
#include <string>
#include <vector>

#include "retrieval/ranking.h"
#include "store/result_folder.h"

namespace twinset {

// kUsage when two files of one side would be systems of one name.
Status CheckSystemsDiffer(const std::vector<std::string>& runs);

// kUsage.
tl::unexpected<Error> NoJudgements();

// One run is written to the file --out, several are written into a folder of
// that name, each under the name of its own file.
class WrittenRuns {
 public:
  // kUsage without --out, when two runs have one name, and as ResultFile and
  // ResultFolder say. `inputs` are those beside the runs.
  static Result<WrittenRuns> Open(const RunsOptions& options,
                                  std::string command,
                                  std::vector<std::string> inputs);
  WrittenRuns(WrittenRuns&&) = default;
  // A folder without a summary goes again: some of its runs are missing.
  ~WrittenRuns();
  // Before the first file is created; later calls do nothing.
  Status Begin();
  const std::string& PathOf(size_t run) const { return paths_[run]; }
  // With a folder: summary.json, written last.
  Status WriteSummary(const std::string& json);

 private:
  WrittenRuns() = default;

  std::unique_ptr<ResultFolder> folder_;
  bool is_begun_ = false;
  std::vector<std::string> files_;  // of the folder, until Begin
  std::vector<std::string> paths_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_RETRIEVAL_RUN_FILES_H_
