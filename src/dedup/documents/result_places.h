// Folders and files that a command writes, checked against what it reads
// (src/ground/store/result_folder.h, result_file.h). Inputs are files, folders,
// patterns or addresses; what does not exist is left to who opens it.
#ifndef TWINSET_SRC_DEDUP_DOCUMENTS_RESULT_PLACES_H_
#define TWINSET_SRC_DEDUP_DOCUMENTS_RESULT_PLACES_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "store/result_file.h"
#include "store/result_folder.h"

namespace twinset {

// Calls `each` with every argument and every file that it stands for.
Status ForEachInputFile(const std::vector<std::string>& arguments,
                        const std::function<Status(const std::string&)>& each);

// For the folder --out of options that have `out` and `overwrite`.
template <typename Options>
FolderRequest OutRequest(std::string command, const Options& options) {
  return {options.out, "--out", std::move(command), options.overwrite};
}

// Opens and locks the folder; removes and writes nothing.
Result<ResultFolder> OpenResultFolder(FolderRequest request,
                                      const std::vector<std::string>& inputs);
// Removes the folder of a job that failed, so that nothing stands in the way of
// the corrected command; null: it has none. Returns `done`.
Status RemoveUnless(Status done, ResultFolder* folder);
// The same for one file.
Status CheckResultFile(FileRequest request,
                       const std::vector<std::string>& inputs);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_DOCUMENTS_RESULT_PLACES_H_
