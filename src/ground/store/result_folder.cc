#include "store/result_folder.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <mutex>

#include "base/file.h"
#include "base/keyed_hash.h"
#include "store/own_place.h"
#include "store/saved_run.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

namespace fs = std::filesystem;

// What stands beside the name of a file while it is written; the second one
// holds the rows of a table.
constexpr std::string_view kParts[] = {".part", ".rows.part"};
// What alone is left of a run that found no document: no result.
constexpr std::string_view kQuarantine = "quarantine.jsonl";

std::vector<std::string> Homes() {
  std::vector<std::string> homes;
  if (const char* home = std::getenv("HOME")) homes.emplace_back(home);
  char buffer[4096];
  struct passwd entry, *found = nullptr;
  if (::getpwuid_r(::getuid(), &entry, buffer, sizeof(buffer), &found) == 0 &&
      found != nullptr)
    homes.emplace_back(found->pw_dir);
  return homes;
}

// Places that no flag makes a result folder.
Status CheckPlace(const FolderRequest& request, const FileIdentity& identity) {
  const auto refuse = [&](const char* what) {
    return Fail(ErrorCode::kUsage, what, request.path,
                "name a folder of its own with " + request.flag);
  };
  const auto is = [&](const std::string& path) {
    return FindIdentity(path) == identity;
  };
  if (is("/")) return refuse("the root of all folders is no result folder");
  for (const std::string& home : Homes())
    if (is(home)) return refuse("the home folder is no result folder");
  std::error_code error;
  const std::string here = fs::current_path(error).string();
  if (error) return {};
  if (is(here)) return refuse("the folder that you are in is no result folder");
  if (IsBelow(here, identity))
    return refuse("a folder above the one that you are in is no result folder");
  return {};
}

// Makes `path` and the folders above it; those made, outermost first.
Result<std::vector<std::string>> MakeFolders(const FolderRequest& request,
                                             const std::string& path) {
  std::vector<std::string> made;
  for (fs::path at = path; !LinkStat(at.string()) && at != at.parent_path();
       at = at.parent_path())
    made.push_back(at.string());
  std::reverse(made.begin(), made.end());
  for (const std::string& folder : made) {
    const mode_t mode = request.is_own && folder == path ? 0700 : 0777;
    if (::mkdir(folder.c_str(), mode) == 0) continue;
    // Somebody else may have been faster.
    if (errno == EEXIST && !request.is_own) continue;
    return tl::unexpected(IoError("create folder", request.path, errno));
  }
  return made;
}

// The first name in the folder but the marker's, in byte order.
Result<std::string> FirstName(const std::string& path) {
  std::string first;
  std::error_code error;
  for (fs::directory_iterator it(path, error), end; !error && it != end;
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name == FolderMarker::kFileName) continue;
    if (first.empty() || name < first) first = name;
  }
  if (error) return tl::unexpected(IoError("list", path, error.value()));
  return first;
}

tl::unexpected<Error> Foreign(const FolderRequest& request,
                              const std::string& name) {
  if (!request.overwrite && !request.resume) {
    return Fail(
        ErrorCode::kUsage,
        "the folder exists already and holds '" + NameText(name) +
            "', which twinset did not make",
        request.path,
        "choose another " + request.flag + ": --overwrite would not remove it");
  }
  return Fail(
      ErrorCode::kUsage,
      "the folder holds '" + NameText(name) + "', which twinset did not make",
      request.path, "move it away, or choose another " + request.flag);
}

tl::unexpected<Error> Exists(const FolderRequest& request,
                             const std::string& path) {
  const bool unfinished =
      request.resumable && !LinkStat(path + "/" + request.done);
  return Fail(ErrorCode::kUsage, "the folder exists already", request.path,
              unfinished
                  ? "it holds an unfinished run: add --resume to go on "
                    "or --overwrite"
                  : "choose another " + request.flag + " or add --overwrite");
}

// What is not there need not go.
Status RemoveEntry(const std::string& path) {
  if (::unlink(path.c_str()) == 0 || errno == ENOENT || errno == ENOTDIR)
    return {};
  return tl::unexpected(IoError("remove", path, errno));
}

// The folders that this process has open.
struct OpenFolders {
  std::mutex mutex;
  std::set<FileIdentity> folders;
};
OpenFolders& Opened() {
  static OpenFolders opened;
  return opened;
}

void NoteOpen(const FileIdentity& folder, bool is_open) {
  OpenFolders& opened = Opened();
  const std::lock_guard lock(opened.mutex);
  if (is_open) {
    opened.folders.insert(folder);
  } else {
    opened.folders.erase(folder);
  }
}

}  // namespace

bool ResultFolder::IsOpenHere(const std::string& folder) {
  const auto identity = FindIdentity(folder);
  OpenFolders& opened = Opened();
  const std::lock_guard lock(opened.mutex);
  return identity && opened.folders.contains(*identity);
}

Result<ResultFolder> ResultFolder::Open(FolderRequest request) {
  TWINSET_TRY(RefuseAddress(request.path, request.flag));
  if (request.is_own)
    TWINSET_TRY(CheckOwnFolder(
        request.path,
        "remove it, or name another folder with " + request.flag));
  auto info = Stat(request.path);
  if (!info && errno != ENOENT && errno != ENOTDIR)
    return tl::unexpected(IoError("look at", request.path, errno));
  if (!info && LinkStat(request.path)) {
    return Fail(ErrorCode::kUsage, "a link that leads nowhere", request.path,
                "choose another " + request.flag);
  }
  if (info && !S_ISDIR(info->st_mode)) {
    return Fail(ErrorCode::kUsage, "this is a file, and a folder is wanted",
                request.path, "choose another " + request.flag);
  }
  TWINSET_ASSIGN(const std::string path, CanonicalPath(request.path));
  std::vector<std::string> made;
  if (info) {
    TWINSET_TRY(CheckPlace(request, IdentityOf(*info)));
    if (!LinkStat(path + "/" + FolderMarker::kFileName)) {
      TWINSET_ASSIGN(const std::string first, FirstName(path));
      if (!first.empty()) return Foreign(request, first);
    }
  } else {
    TWINSET_ASSIGN(made, MakeFolders(request, path));
  }
  auto marker = FolderMarker::Lock(path, request.path);
  if (!marker) {
    for (auto it = made.rbegin(); it != made.rend(); ++it) ::rmdir(it->c_str());
    return tl::unexpected(marker.error());
  }
  if (request.resume && marker->state() == FolderMarker::State::kOurs)
    TWINSET_TRY(
        CheckBegunByUser(path + "/" + FolderMarker::kFileName, request.path));
  ResultFolder folder(std::move(request), path, *std::move(marker));
  folder.made_ = std::move(made);
  info = Stat(path);
  if (!info) return tl::unexpected(IoError("look at", path, errno));
  folder.identity_ = IdentityOf(*info);
  NoteOpen(folder.identity_, true);
  TWINSET_TRY(folder.ReadMarker());
  TWINSET_TRY(folder.CheckEntries());
  return folder;
}

ResultFolder::ResultFolder(ResultFolder&& other) noexcept
    : request_(std::move(other.request_)),
      path_(std::move(other.path_)),
      marker_(std::move(other.marker_)),
      identity_(std::move(other.identity_)),
      made_(std::move(other.made_)),
      is_open_(std::exchange(other.is_open_, false)),
      mode_(other.mode_),
      listed_(std::move(other.listed_)),
      trees_(std::move(other.trees_)),
      folders_(std::move(other.folders_)),
      staged_(std::move(other.staged_)),
      inside_(std::move(other.inside_)),
      above_(std::move(other.above_)) {}

ResultFolder::~ResultFolder() {
  if (!is_open_) return;
  NoteOpen(identity_, false);
  ForgetModes(request_.path);
  ForgetModes(path_);
  Abandon();
}

// A folder in which nothing came to stand goes again.
void ResultFolder::Abandon() {
  if (marker_.state() == FolderMarker::State::kForeign) return;
  const auto first = FirstName(path_);
  if (!first || !first->empty()) return;
  (void)marker_.Remove();
  for (auto it = made_.rbegin(); it != made_.rend(); ++it)
    if (::rmdir(it->c_str()) != 0) return;
}

Status ResultFolder::ReadMarker() {
  if (marker_.state() != FolderMarker::State::kOurs) return {};
  TWINSET_TRY(marker_.ForEach([&](const FolderMarker::Entry& entry) -> Status {
    if (entry.is_tree) {
      trees_.insert(entry.name);
    } else {
      listed_.push_back(EqualityHash::OfProcess().Short(entry.name));
    }
    for (fs::path at = fs::path(entry.name).parent_path(); !at.empty();
         at = at.parent_path())
      if (!folders_.insert(at.string()).second) break;
    return {};
  }));
  std::sort(listed_.begin(), listed_.end());
  listed_.erase(std::unique(listed_.begin(), listed_.end()), listed_.end());
  return {};
}

bool ResultFolder::IsListed(const std::string& name) const {
  const auto has = [&](std::string_view file) {
    return std::binary_search(listed_.begin(), listed_.end(),
                              EqualityHash::OfProcess().Short(file));
  };
  if (has(name)) return true;
  return std::any_of(
      std::begin(kParts), std::end(kParts), [&](std::string_view part) {
        return name.ends_with(part) &&
               has(std::string_view(name).substr(0, name.size() - part.size()));
      });
}

Status ResultFolder::CheckEntries() {
  if (marker_.state() == FolderMarker::State::kForeign)
    return Foreign(request_, FolderMarker::kFileName);
  std::string foreign;  // the first in byte order
  bool any = false;
  std::error_code error;
  int tree_depth = trees_.contains(".") ? -1 : INT32_MAX;
  for (fs::recursive_directory_iterator it(path_, error), end;
       !error && it != end; it.increment(error)) {
    const std::string full = it->path().string();
    const std::string name = full.substr(path_.size() + 1);
    if (name == FolderMarker::kFileName) continue;
    any |= name != kQuarantine;
    const auto info = LinkStat(full);
    if (!info) continue;  // gone meanwhile
    if (it.depth() <= tree_depth && tree_depth >= 0)
      tree_depth = trees_.contains(name) ? it.depth() : INT32_MAX;
    const bool in_tree = it.depth() >= tree_depth;
    inside_.push_back(HashOf(IdentityOf(*info)));
    if (IsMountPoint(full)) {
      it.disable_recursion_pending();
      if (foreign.empty() || name < foreign) foreign = name;
      continue;
    }
    if (S_ISDIR(info->st_mode)) {
      // Nothing that is not listed goes with it; what it holds decides.
      if (!in_tree && FolderMarker::StandsIn(full))
        it.disable_recursion_pending();
      continue;
    }
    const bool ours = S_ISREG(info->st_mode) && (in_tree || IsListed(name));
    if (!ours && (foreign.empty() || name < foreign)) foreign = name;
  }
  if (error) return tl::unexpected(IoError("list", path_, error.value()));
  std::sort(inside_.begin(), inside_.end());
  if (!foreign.empty()) return Foreign(request_, foreign);
  const bool may_stay = request_.overwrite || request_.resume;
  if (any && !may_stay) return Exists(request_, path_);
  return {};
}

bool ResultFolder::Holds(const std::string& path) {
  const auto is_here = [this](const FileIdentity& identity) {
    return identity == identity_ || HoldsIdentity(identity);
  };
  while (!above_.empty() && path != above_.back().path &&
         !path.starts_with(above_.back().path + "/"))
    above_.pop_back();
  if (!above_.empty() && path == above_.back().path)
    return above_.back().is_held;
  // A real folder stands in the one that its path says; what stands behind a
  // link or "..", the whole path of it tells.
  const fs::path name = fs::path(path).filename();
  const std::string parent = fs::path(path).parent_path().string();
  const auto info = LinkStat(path);
  const bool is_plain = info && S_ISDIR(info->st_mode) && !parent.empty() &&
                        parent.size() < path.size() && !name.empty() &&
                        name != "." && name != "..";
  const bool is_held = is_plain ? Holds(parent) || is_here(IdentityOf(*info))
                                : AnyAbove(path, is_here);
  above_.push_back({path, is_held});
  return is_held;
}

bool ResultFolder::HoldsIdentity(const FileIdentity& identity) const {
  return std::binary_search(inside_.begin(), inside_.end(), HashOf(identity));
}

// Programs that make files by themselves do not ask for modes, so a folder that
// is new denies as much as its files.
Status ResultFolder::NarrowBelow() const {
  NarrowModes(request_.path, mode_);
  NarrowModes(path_, mode_);
  if (made_.empty() || mode_ == kResultMode) return {};
  const auto info = Stat(path_);
  if (!info) return tl::unexpected(IoError("look at", request_.path, errno));
  mode_t kept = info->st_mode & 07777;
  if ((mode_ & 0040) == 0) kept &= ~mode_t{0070};
  if ((mode_ & 0004) == 0) kept &= ~mode_t{0007};
  if (kept == (info->st_mode & 07777) || ::chmod(path_.c_str(), kept) == 0)
    return {};
  return tl::unexpected(IoError("set the mode of", request_.path, errno));
}

Status ResultFolder::Protect(const std::string& any_input, bool is_told) {
  const std::string input = PathOfInput(any_input);
  const auto named = LinkStat(input);
  if (!named) return {};
  const auto parent_of = [](const std::string& path) {
    return fs::path(path).parent_path().string();
  };
  bool held = !S_ISDIR(named->st_mode) && Holds(parent_of(input));
  if (S_ISDIR(named->st_mode)) held = Holds(input);
  if (!held && S_ISLNK(named->st_mode)) {
    std::error_code error;
    const fs::path target = fs::canonical(input, error);
    if (error) return {};
    held = fs::is_directory(target, error) ? Holds(target.string())
                                           : Holds(parent_of(target.string()));
  }
  const auto info = S_ISLNK(named->st_mode) ? Stat(input) : named;
  // The key of a saved run is nobody else's, and no result tells of it.
  if (info && is_told && S_ISREG(info->st_mode) &&
      fs::path(input).filename() != SavedRun::kKey)
    mode_ &= 0600 | info->st_mode;
  if (info && HoldsIdentity(IdentityOf(*info))) held = true;
  if (!held) return {};
  return Fail(ErrorCode::kUsage,
              "the folder is or holds the input " + NameText(any_input),
              request_.path,
              "choose another " + request_.flag +
                  ": inputs are never changed or removed");
}

bool ResultFolder::IsReachable(const std::string& name) const {
  for (fs::path at = fs::path(name).parent_path(); !at.empty();
       at = at.parent_path()) {
    const std::string folder = path_ + "/" + at.string();
    const auto info = LinkStat(folder);
    if (!info || !S_ISDIR(info->st_mode) || FolderMarker::StandsIn(folder))
      return false;
  }
  return true;
}

Status ResultFolder::RemoveListed() {
  std::string parent;  // of the entry before, and what is known of it
  bool is_reachable = true;
  TWINSET_TRY(marker_.ForEach([&](const FolderMarker::Entry& entry) -> Status {
    std::string above = fs::path(entry.name).parent_path().string();
    if (above != parent) {
      parent = std::move(above);
      is_reachable = IsReachable(entry.name);
    }
    if (!is_reachable) return {};
    if (!entry.is_tree) {
      TWINSET_TRY(RemoveEntry(path_ + "/" + entry.name));
      for (const std::string_view part : kParts)
        TWINSET_TRY(RemoveEntry(path_ + "/" + entry.name + std::string(part)));
      return {};
    }
    if (entry.name == staged_) return {};
    if (entry.name != ".") return RemoveTree(path_ + "/" + entry.name);
    for (;;) {
      TWINSET_ASSIGN(const std::string name, FirstName(path_));
      if (name.empty()) return {};
      TWINSET_TRY(RemoveTree(path_ + "/" + name));
    }
  }));
  // Innermost first; one that holds a folder with its own marker stays.
  for (auto it = folders_.rbegin(); it != folders_.rend(); ++it)
    ::rmdir((path_ + "/" + *it).c_str());
  return {};
}

Status ResultFolder::Stage(const std::string& tree) {
  TWINSET_TRY(NarrowBelow());
  if (!is_old()) TWINSET_TRY(marker_.Restart(request_.command, ""));
  if (!trees_.contains(tree)) TWINSET_TRY(marker_.Add({true, tree}));
  TWINSET_TRY(marker_.Sync());
  TWINSET_TRY(RemoveTree(path_ + "/" + tree));
  staged_ = tree;
  return MakeDirectories(path_ + "/" + tree);
}

Status ResultFolder::Begin(const std::vector<std::string>& files,
                           const std::vector<std::string>& trees) {
  return Begin(files, trees, "");
}

Status ResultFolder::Begin(const std::vector<std::string>& files,
                           const std::vector<std::string>& trees,
                           const std::string& holds) {
  TWINSET_TRY(NarrowBelow());
  const bool goes_on = request_.resume && is_old();
  if (!goes_on) {
    TWINSET_TRY(RemoveListed());
    listed_.clear();
    trees_.clear();
    folders_.clear();
    TWINSET_TRY(marker_.Restart(request_.command, holds));
  }
  for (const std::string& file : files) TWINSET_TRY(Add(file));
  for (const std::string& tree : trees) {
    if (trees_.insert(tree).second) TWINSET_TRY(marker_.Add({true, tree}));
  }
  return marker_.Sync();
}

Status ResultFolder::Add(const std::string& file) {
  // listed_ holds what an earlier run listed: no name twice.
  if (std::binary_search(listed_.begin(), listed_.end(),
                         EqualityHash::OfProcess().Short(file)))
    return {};
  return marker_.Add({false, file});
}

Status ResultFolder::Remove() {
  // What this run listed is on the marker alone.
  TWINSET_TRY(marker_.Sync());
  TWINSET_TRY(ReadMarker());
  TWINSET_TRY(RemoveListed());
  TWINSET_TRY(marker_.Remove());
  is_open_ = false;
  NoteOpen(identity_, false);
  ForgetModes(request_.path);
  ForgetModes(path_);
  ::rmdir(path_.c_str());
  return {};
}

}  // namespace twinset
