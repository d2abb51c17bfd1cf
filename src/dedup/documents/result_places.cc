#include "documents/result_places.h"

#include <utility>

#include "read/reader.h"

namespace twinset {

Status ForEachInputFile(const std::vector<std::string>& arguments,
                        const std::function<Status(const std::string&)>& each) {
  for (const std::string& argument : arguments) {
    if (argument.empty()) continue;
    TWINSET_TRY(each(argument));
    if (IsRemote(argument)) continue;  // no folder of this machine is there
    const auto files = ListInputs({argument}, {.checks_marks = false});
    if (!files) continue;
    for (const InputFile& file : *files) TWINSET_TRY(each(file.path));
  }
  return {};
}

Result<ResultFolder> OpenResultFolder(FolderRequest request,
                                      const std::vector<std::string>& inputs) {
  TWINSET_ASSIGN(ResultFolder folder, ResultFolder::Open(std::move(request)));
  TWINSET_TRY(ForEachInputFile(
      inputs, [&](const std::string& input) { return folder.Protect(input); }));
  return folder;
}

Status RemoveUnless(Status done, ResultFolder* folder) {
  if (!done && folder != nullptr) (void)folder->Remove();
  return done;
}

Status CheckResultFile(FileRequest request,
                       const std::vector<std::string>& inputs) {
  TWINSET_ASSIGN(const ResultFile file, ResultFile::Open(std::move(request)));
  return ForEachInputFile(
      inputs, [&](const std::string& input) { return file.Protect(input); });
}

}  // namespace twinset
