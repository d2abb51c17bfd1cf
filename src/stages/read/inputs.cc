// Input arguments to files.
#include <fcntl.h>
#include <fnmatch.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "base/file.h"
#include "read/look.h"
#include "read/reader.h"
#include "read/table_helpers.h"
#include "store/file_identity.h"
#include "store/folder_marker.h"
#include "store/result_folder.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

namespace fs = std::filesystem;

// `path` made absolute and normal, without a slash at its end: only to name
// what is below it.
fs::path Normal(const std::string& path) {
  std::error_code error;
  fs::path absolute = fs::absolute(path, error).lexically_normal();
  if (!absolute.has_filename() && absolute.has_relative_path()) {
    absolute = absolute.parent_path();
  }
  return absolute;
}

// A pipe must not be opened and closed again, so only the permission is asked
// for.
Status CheckReadable(const std::string& path) {
  if (access(path.c_str(), R_OK) == 0) return {};
  return tl::unexpected<Error>(IoError("open", path, errno));
}

Result<FileState> StateOf(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0)
    return tl::unexpected<Error>(IoError("read", path, errno));
  FileState state;
  if (!S_ISREG(info.st_mode)) return state;
  state.regular = true;
  state.device = info.st_dev;
  state.inode = info.st_ino;
  state.size = static_cast<uint64_t>(info.st_size);
  state.mtime_ns = info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec;
  return state;
}

// The names in one folder that count, in one piece of memory: a folder may have
// millions.
class Names {
 public:
  // Regular files, and folders with '/' behind: so their order is that of the
  // paths below them. Links to files are followed, links to folders are not, so
  // there are no circles.
  static Result<Names> In(const fs::path& folder) {
    Names names;
    std::error_code error, ignored;
    fs::directory_iterator it(folder, error), end;
    while (!error && it != end) {
      const std::string name = it->path().filename().native();
      const bool directory =
          it->symlink_status(ignored).type() == fs::file_type::directory;
      if (!name.starts_with('.') &&
          (directory || it->is_regular_file(ignored))) {
        names.begins_.push_back(names.text_.size());
        names.text_.append(name).append(directory ? "/" : "").push_back('\0');
      }
      it.increment(error);
    }
    if (error) {
      return tl::unexpected<Error>(
          IoError("list", folder.native(), error.value()));
    }
    std::sort(names.begins_.begin(), names.begins_.end(),
              [&](size_t a, size_t b) { return names.At(a) < names.At(b); });
    return names;
  }
  size_t size() const { return begins_.size(); }
  std::string_view operator[](size_t i) const { return At(begins_[i]); }

 private:
  std::string_view At(size_t begin) const { return text_.c_str() + begin; }
  std::string text_;  // each with a NUL behind
  std::vector<size_t> begins_;
};

Status Refuse(const std::string& folder, const MarkedFolder& marked) {
  return Fail(ErrorCode::kUsage,
              "this is " + marked.what + ", and is not read as documents",
              folder, marked.remedy);
}

// Matches of a pattern by path bytes; not in the order of a locale.
Result<std::vector<std::string>> Glob(const std::string& pattern) {
  glob_t matches = {};
  const int code = glob(pattern.c_str(), GLOB_NOSORT, nullptr, &matches);
  std::vector<std::string> paths(matches.gl_pathv,
                                 matches.gl_pathv + matches.gl_pathc);
  globfree(&matches);
  if (code != 0 && code != GLOB_NOMATCH) {
    return Fail(ErrorCode::kIo, "cannot expand the pattern", pattern);
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

class Listing {
 public:
  explicit Listing(const ListingOptions& options) : options_(options) {
    for (const std::string& folder : options.own)
      if (const auto identity = FindIdentity(folder)) own_.push_back(*identity);
  }

  Status AddWord(const std::string& argument) {
    TWINSET_TRY(AddArgument(argument));
    files_.EndWord();
    return {};
  }

  InputList Take() {
    if (helpers_ == nullptr)
      files_.SetHelpers(std::make_shared<TableHelpers>(options_.networks));
    return std::move(files_);
  }

 private:
  Status AddArgument(const std::string& argument) {
    if (argument == "-") return AddStandardInput();
    if (IsRemote(argument)) return AddRemote(argument);
    if (argument.empty()) return Fail(ErrorCode::kUsage, "an empty input name");
    if (!SchemeOf(argument).empty() && !FileExists(argument))
      return RefuseScheme(argument);
    const bool pattern = argument.find_first_of("*?[") != std::string::npos;
    if (!pattern || FileExists(argument)) return AddPath(argument);
    TWINSET_ASSIGN(const std::vector<std::string> paths, Glob(argument));
    if (paths.empty())
      return Fail(ErrorCode::kUsage, "the pattern matches nothing", argument);
    for (const std::string& path : paths) TWINSET_TRY(AddPath(path));
    return {};
  }

  Status AddStandardInput() {
    TWINSET_TRY(RefuseDevice("-"));
    files_.Add("-", "", "-");
    return {};
  }

  // What is read of addresses is said by a scheme in small letters.
  static Status RefuseScheme(const std::string& argument) {
    const std::string usual = UsualAddress(argument);
    const std::string name = std::string(SchemeOf(argument)) + "://";
    if (IsRemote(usual))
      return Fail(ErrorCode::kUsage, name + " is not read", argument,
                  "write " + usual);
    return Fail(ErrorCode::kUsage,
                name + " is not read; s3://, gs://, http:// and https:// are",
                argument, WayFromAddress(argument));
  }

  // Messages and results name an address as it is, so it holds no secret. The
  // names of buckets have no ':', behind which a secret may have any byte.
  static Status RefuseSecret(const std::string& address) {
    const size_t begin = SchemeOf(address).size() + 3;
    const std::string host =
        address.substr(begin, address.find('/', begin) - begin);
    const bool is_web = address.starts_with("http");
    if (host.find_first_of(is_web ? "@" : "@:") == host.npos) return {};
    const size_t at = address.rfind('@');
    return Fail(ErrorCode::kUsage, "an address with a name or a password",
                address.substr(0, begin) +
                    (at == address.npos ? "" : address.substr(at + 1)),
                "leave out what stands before the @; for s3://, "
                "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY hold the key");
  }

  // An object, all below a name, or those that a pattern names.
  Status AddRemote(const std::string& argument) {
    TWINSET_TRY(RefuseSecret(argument));
    if (helpers_ == nullptr) {
      helpers_ = std::make_shared<TableHelpers>(options_.networks);
      files_.SetHelpers(helpers_);
    }
    const bool is_web = argument.starts_with("http");
    const size_t pattern =
        is_web ? argument.npos : argument.find_first_of("*?[");
    const std::string root = argument.substr(
        0,
        pattern == argument.npos ? pattern : argument.rfind('/', pattern) + 1);
    TWINSET_ASSIGN(const std::vector<RemoteFile> found,
                   ListRemote(root, helpers_, options_.stop));
    const size_t before = files_.size();
    for (const RemoteFile& file : found)
      AddFound(argument, root, pattern, file);
    files_.EndArgument();
    if (files_.size() > before) return {};
    return Fail(ErrorCode::kUsage,
                pattern == argument.npos ? "no objects below this name"
                                         : "the pattern matches nothing",
                argument);
  }

  void AddFound(const std::string& argument, const std::string& root,
                size_t pattern, const RemoteFile& file) {
    if (pattern != argument.npos) {
      if (fnmatch(argument.c_str(), file.path.c_str(), FNM_PATHNAME) == 0)
        files_.Add(file.path, "", LastPart(file.path), file.state);
      return;
    }
    std::string folder = root;
    while (folder.ends_with('/')) folder.pop_back();
    if (file.path.size() <= folder.size()) {
      files_.Add(file.path, "", LastPart(file.path), file.state);
      return;
    }
    const std::string below = file.path.substr(folder.size() + 1);
    if (below.starts_with('.') || below.find("/.") != below.npos) return;
    files_.Add(file.path, LastPart(folder) + "/", below, file.state);
  }

  static std::string LastPart(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
  }

  Status AddPath(const std::string& path) {
    struct stat info = {};
    const bool found = ::stat(path.c_str(), &info) == 0;
    if (found && S_ISDIR(info.st_mode)) return AddDirectory(path);
    TWINSET_TRY(RefuseDevice(path));
    TWINSET_TRY(CheckReadable(path));
    TWINSET_ASSIGN(const FileState state, StateOf(path));
    files_.Add(path, "", Normal(path).filename().native(), state);
    return {};
  }

  Status AddDirectory(const std::string& root) {
    TWINSET_TRY(CheckAbove(root));
    std::string parent = Normal(root).filename().native();
    if (!parent.empty()) parent += '/';
    const size_t before = files_.size();
    TWINSET_TRY(AddBelow(root, parent, ""));
    files_.EndArgument();
    if (files_.size() > before) return {};
    return Fail(ErrorCode::kUsage, "no files in the folder", root,
                "hidden files are left out");
  }

  // Adds the files below `root`/`below` by path bytes; `below` is empty or ends
  // in '/'.
  Status AddBelow(const std::string& root, const std::string& parent,
                  const std::string& below) {
    const std::string folder = (fs::path(root) / below).native();
    TWINSET_ASSIGN(const bool is_own, Check(folder));
    if (is_own) return {};
    TWINSET_ASSIGN(const Names names, Names::In(folder));
    for (size_t i = 0; i < names.size(); ++i) {
      const std::string relative = below + std::string(names[i]);
      if (relative.ends_with('/')) {
        TWINSET_TRY(AddBelow(root, parent, relative));
        continue;
      }
      const std::string path = (fs::path(root) / relative).native();
      TWINSET_TRY(CheckReadable(path));
      TWINSET_ASSIGN(const FileState state, StateOf(path));
      files_.Add(path, parent, relative, state);
    }
    return {};
  }

  // kUsage for a folder of ours; true for one of the run itself, or of any
  // command that is at work in this process.
  Result<bool> Check(const std::string& folder) const {
    if (!options_.checks_marks) return false;
    if (ResultFolder::IsOpenHere(folder)) return true;
    const auto identity = FindIdentity(folder);
    if (identity &&
        std::find(own_.begin(), own_.end(), *identity) != own_.end())
      return true;
    auto marked = FolderMarker::Find(folder, options_.holding);
    if (!marked) marked = FolderMarker::FindUnmarked(folder);
    if (!marked) return false;
    std::string shown = folder;
    while (shown.size() > 1 && shown.back() == '/') shown.pop_back();
    TWINSET_TRY(Refuse(shown, *marked));
    return false;
  }

  // A folder without a mark of its own may stand in one of ours.
  Status CheckAbove(const std::string& root) const {
    if (!options_.checks_marks || FolderMarker::StandsIn(root)) return {};
    std::error_code error;
    fs::path folder = fs::canonical(root, error);
    while (!error && folder.has_relative_path()) {
      folder = folder.parent_path();
      const auto marked = FolderMarker::Find(folder.native(), options_.holding);
      if (!marked) continue;
      MarkedFolder above = *marked;
      above.what = "in " + above.what + ", " + NameText(folder.native());
      return Refuse(root, above);
    }
    return {};
  }

  const ListingOptions& options_;
  std::vector<FileIdentity> own_;
  InputList files_;
  std::shared_ptr<TableHelpers> helpers_;
};

}  // namespace

Result<InputList> ListInputs(const std::vector<std::string>& arguments) {
  return ListInputs(arguments, {});
}

Result<InputList> ListInputs(const std::vector<std::string>& arguments,
                             const ListingOptions& options) {
  Listing listing(options);
  for (const std::string& argument : arguments)
    TWINSET_TRY(listing.AddWord(argument));
  InputList files = listing.Take();
  const size_t second = options.first_words > 0
                            ? files.FilesOf(options.first_words)
                            : std::min(options.first_side, files.size());
  NameApart(0, 0, second, &files);
  NameApart(second, second, files.size(), &files);
  return files;
}

Result<InputList> ListInputs(const InputOptions& input, ListingOptions how) {
  how.networks = input.networks;
  return ListInputs(input.inputs, how);
}

namespace {

void CountBelow(const fs::path& folder, LeftOutFiles* left_out) {
  std::error_code error, ignored;
  fs::directory_iterator it(folder, error), end;
  for (; !error && it != end; it.increment(error)) {
    const bool is_link =
        it->symlink_status(ignored).type() == fs::file_type::symlink;
    if (it->path().filename().native().starts_with('.')) {
      ++left_out->hidden;
    } else if (it->is_directory(ignored)) {
      if (is_link)
        ++left_out->folder_links;
      else
        CountBelow(it->path(), left_out);
    } else if (!it->is_regular_file(ignored)) {
      ++left_out->others;
    }
  }
}

}  // namespace

LeftOutFiles CountLeftOut(const std::vector<std::string>& arguments) {
  LeftOutFiles left_out;
  std::error_code ignored;
  for (const std::string& argument : arguments)
    if (fs::is_directory(argument, ignored)) CountBelow(argument, &left_out);
  return left_out;
}

Status CheckUnchanged(const InputFile& file) {
  if (!file.state.regular) return {};
  TWINSET_ASSIGN(const FileState now,
                 IsRemote(file.path) ? StateOfRemote(file.path, file.helpers)
                                     : StateOf(file.path));
  if (now == file.state) return {};
  return Fail(ErrorCode::kIo,
              now.inode != file.state.inode || now.device != file.state.device
                  ? "the file was replaced by another while it was in use"
                  : "the file was written while it was in use",
              file.path, "run the command again when it stays as it is");
}

}  // namespace twinset
