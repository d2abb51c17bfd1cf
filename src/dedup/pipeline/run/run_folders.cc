#include "pipeline/run/run_folders.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/bytes.h"
#include "base/file.h"
#include "base/hash.h"
#include "documents/result_places.h"
#include "pipeline/run/output_names.h"
#include "read/codec.h"
#include "store/saved_run.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

constexpr char kWork[] = ".work";

// Equal for every way to write the same `out`, different for any other. Hidden,
// so that it is no input when --tmp stands among them.
Result<std::string> WorkName(const std::string& out) {
  TWINSET_ASSIGN(const std::string path, CanonicalPath(out));
  return ".twinset-" + ToHex(Hash64(path));
}

}  // namespace

Result<std::string> WorkFolderOf(const std::string& out,
                                 const std::string& tmp) {
  if (tmp.empty()) return out + "/" + kWork;
  TWINSET_TRY(RefuseAddress(tmp, "--tmp"));
  TWINSET_ASSIGN(const std::string parent, CanonicalPath(tmp));
  TWINSET_ASSIGN(const std::string name, WorkName(out));
  return parent + "/" + name;
}

Result<InputList> ListRunInputs(const PlanOptions& options,
                                const std::vector<std::string>& arguments) {
  ListingOptions how;
  how.first_words = options.first_words;
  how.networks = options.input.networks;
  how.stop = options.stop;
  if (!options.resume) return ListInputs(arguments, how);
  TWINSET_ASSIGN(const std::string work,
                 WorkFolderOf(options.out, options.resources.tmp));
  how.own = {options.out, options.write, options.attributes, options.save,
             work};
  return ListInputs(arguments, how);
}

Result<RunFolders> RunFolders::Open(const Plan& plan, JobFiles job) {
  const PlanOptions& options = plan.options;
  FolderRequest request = OutRequest(job.command, options);
  request.resume = options.resume;
  request.resumable = job.resumable;
  request.done = job.done;
  if (job.is_corpus) {
    request.flag = "--write";
    // Its last file is no sign, but the work files go at the end.
    request.resumable &= FileExists(options.out + "/" + kWork);
  }
  TWINSET_ASSIGN(ResultFolder out, ResultFolder::Open(std::move(request)));
  RunFolders folders(std::move(job), std::move(out));
  if (!folders.job_.is_corpus)
    TWINSET_TRY(
        folders.OpenBeside(options, options.write, "--write", &folders.write_));
  TWINSET_TRY(folders.OpenAttributes(options));
  TWINSET_TRY(
      folders.OpenBeside(options, options.save, "--save", &folders.save_));
  if (!options.resources.tmp.empty()) TWINSET_TRY(folders.OpenWork(plan));
  TWINSET_TRY(folders.ProtectInputs(plan));
  return folders;
}

Status CheckBeside(const std::string& folder, const std::string& flag,
                   const ResultFolder& out) {
  TWINSET_ASSIGN(const std::string path, CanonicalPath(folder));
  const std::string work = out.path() + "/" + kWork;
  const auto identity = FindIdentity(path);
  if (path != out.path() && path != work && !path.starts_with(work + "/") &&
      (!identity || !IsBelow(out.path(), *identity)))
    return {};
  return Fail(ErrorCode::kUsage,
              "the folder of " + flag + " is that of --out or holds it", folder,
              "choose another " + flag);
}

// A folder of its own, which may stand in --out.
Status RunFolders::OpenBeside(const PlanOptions& options,
                              const std::string& folder,
                              const std::string& flag,
                              std::optional<ResultFolder>* opened) {
  if (folder.empty()) return {};
  TWINSET_ASSIGN(const std::string path, CanonicalPath(folder));
  TWINSET_TRY(CheckBeside(folder, flag, out_));
  const std::pair<const char*, const std::optional<ResultFolder>*> others[] = {
      {"--write", &write_}, {"--attributes", &attributes_}};
  for (const auto& [name, other] : others) {
    if (!*other || (path != (*other)->path() &&
                    !path.starts_with((*other)->path() + "/") &&
                    !(*other)->path().starts_with(path + "/")))
      continue;
    return Fail(ErrorCode::kUsage,
                "the folders of " + std::string(name) + " and " + flag +
                    " are one, or one holds the other",
                folder, "choose another " + flag);
  }
  FolderRequest request;
  request.path = folder;
  request.flag = flag;
  request.command = job_.command;
  request.overwrite = options.overwrite;
  request.resume = options.resume;
  TWINSET_ASSIGN(ResultFolder beside, ResultFolder::Open(std::move(request)));
  opened->emplace(std::move(beside));
  return {};
}

// A file in --out is one of its own; elsewhere it stands by itself.
Status RunFolders::OpenAttributes(const PlanOptions& options) {
  const std::string& path = options.attributes;
  if (path.empty()) return {};
  if (!IsAttributeFile(path))
    return OpenBeside(options, path, "--attributes", &attributes_);
  const std::filesystem::path file(path);
  const std::string parent = file.parent_path().string();
  TWINSET_ASSIGN(const std::string folder,
                 CanonicalPath(parent.empty() ? "." : parent));
  if (folder == out_.path()) {
    job_.files.insert(job_.files.begin(), file.filename().string());
    return {};
  }
  if ((folder + "/").starts_with(out_.path() + "/") ||
      (write_ && (folder + "/").starts_with(write_->path() + "/"))) {
    return Fail(ErrorCode::kUsage,
                "the file of --attributes would be in a folder of this run",
                path, "choose another --attributes, or a name in --out itself");
  }
  TWINSET_ASSIGN(attribute_file_,
                 ResultFile::Open({.path = path,
                                   .flag = "--attributes",
                                   .overwrite = options.overwrite,
                                   .resume = options.resume}));
  return {};
}

Status RunFolders::OpenWork(const Plan& plan) {
  FolderRequest request;
  request.path = plan.machine.work;
  request.flag = "--tmp";
  request.command = job_.command;
  request.is_own = true;
  // Its name is that of --out, whose lock is held.
  request.overwrite = !plan.options.resume;
  request.resume = plan.options.resume;
  TWINSET_ASSIGN(ResultFolder folder, ResultFolder::Open(std::move(request)));
  work_.emplace(std::move(folder));
  return {};
}

// The files of --write and --attributes have the modes of their own inputs.
Status RunFolders::Protect(const std::string& input, bool is_told) {
  TWINSET_TRY(out_.Protect(input, is_told && !job_.is_corpus));
  if (write_) TWINSET_TRY(write_->Protect(input, false));
  if (attributes_) TWINSET_TRY(attributes_->Protect(input, false));
  if (attribute_file_) TWINSET_TRY(attribute_file_->Protect(input, is_told));
  if (save_) TWINSET_TRY(save_->Protect(input, is_told));
  return work_ ? work_->Protect(input) : Status();
}

Status RunFolders::ProtectInputs(const Plan& plan) {
  const PlanOptions& options = plan.options;
  for (const InputFile& input : plan.inputs.files)
    TWINSET_TRY(Protect(input.path, true));
  std::vector<std::string> others = job_.inputs;
  others.insert(others.end(), options.ignore.begin(), options.ignore.end());
  others.insert(others.end(), options.fields.begin(), options.fields.end());
  others.push_back(options.method.lexicon);
  TWINSET_TRY(ForEachInputFile(others, [this](const std::string& input) {
    return Protect(input, true);
  }));
  // No result tells of the key.
  return options.resources.key.empty() ? Status()
                                       : Protect(options.resources.key, false);
}

// An unfinished run with another --tmp left its work files there.
void RunFolders::RemoveOldWork() {
  const std::string place = out_.path() + "/" + kWork;
  std::error_code error;
  if (!std::filesystem::is_regular_file(place, error)) return;
  auto named = ReadWholeFile(place, 1 << 16);
  const auto name = WorkName(out_.path());
  if (!named || !name) return;
  if (named->ends_with('\n')) named->pop_back();
  if (std::filesystem::path(*named).filename() != *name ||
      !FolderMarker::StandsIn(*named))
    return;
  FolderRequest request;
  request.path = *named;
  request.overwrite = true;
  request.is_own = true;
  auto folder = ResultFolder::Open(std::move(request));
  if (folder) (void)folder->Remove();
}

namespace {

// Lists a file of the folder for each input from `first` on that is written.
Status BeginFiles(const Plan& plan, size_t first, const char* holds,
                  const std::string& folder,
                  std::string (*path_of)(const PlanOptions&, const InputFile&),
                  ResultFolder* opened,
                  const std::vector<std::string>& trees = {}) {
  TWINSET_TRY(opened->Begin({}, trees, holds));
  const size_t written = plan.inputs.first_side != 0 ? plan.inputs.first_side
                                                     : plan.inputs.files.size();
  for (size_t i = first; i < written; ++i) {
    TWINSET_TRY(opened->Add(
        path_of(plan.options, plan.inputs.files[i]).substr(folder.size() + 1)));
  }
  return opened->Sync();
}

}  // namespace

Status RunFolders::Begin(const Plan& plan) {
  const PlanOptions& options = plan.options;
  if (!options.resume) RemoveOldWork();
  const auto begin_corpus = [&](ResultFolder* folder,
                                const std::vector<std::string>& trees) {
    return BeginFiles(plan, plan.inputs.first_own(), "documents", options.write,
                      WrittenPath, folder, trees);
  };
  TWINSET_TRY(job_.is_corpus ? begin_corpus(&out_, {kWork})
                             : out_.Begin(job_.files, {kWork}));
  if (write_) TWINSET_TRY(begin_corpus(&*write_, {}));
  if (attributes_) {
    TWINSET_TRY(BeginFiles(plan, 0, "attributes", options.attributes,
                           AttributesPath, &*attributes_));
  }
  if (save_) TWINSET_TRY(save_->Begin({SavedRun::kManifest}));
  if (!work_) return MakeDirectories(plan.machine.work);
  TWINSET_TRY(work_->Begin({}, {"."}));
  return WriteWholeFile(options.out + "/" + kWork, plan.machine.work + "\n");
}

Status RunFolders::BeginSave(const std::vector<std::string>& files) {
  for (const std::string& file : files) TWINSET_TRY(save_->Add(file));
  return save_->Sync();
}

Status RunFolders::Remove() {
  for (auto* beside : {&work_, &write_, &save_})
    if (*beside) TWINSET_TRY((*beside)->Remove());
  return out_.Remove();
}

Status RunFolders::RemoveWork() {
  if (work_) TWINSET_TRY(work_->Remove());
  return RemoveTree(out_.path() + "/" + kWork);
}

}  // namespace twinset
