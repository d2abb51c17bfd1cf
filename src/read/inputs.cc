// Input arguments to files.
#include <fcntl.h>
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

namespace twinset::inline v1 {
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

// Adds the files below `root`/`below` by path bytes; `below` is empty or ends
// in '/'.
Status AddBelow(const std::string& root, const std::string& parent,
                const std::string& below, InputList* files) {
  TWINSET_ASSIGN(const Names names, Names::In(fs::path(root) / below));
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string relative = below + std::string(names[i]);
    if (relative.ends_with('/')) {
      TWINSET_TRY(AddBelow(root, parent, relative, files));
      continue;
    }
    const std::string path = (fs::path(root) / relative).native();
    TWINSET_TRY(CheckReadable(path));
    TWINSET_ASSIGN(const FileState state, StateOf(path));
    files->Add(path, parent, relative, state);
  }
  return {};
}

Status AddDirectory(const std::string& root, InputList* files) {
  std::string parent = Normal(root).filename().native();
  if (!parent.empty()) parent += '/';
  const size_t before = files->size();
  TWINSET_TRY(AddBelow(root, parent, "", files));
  if (files->size() > before) return {};
  return Fail(ErrorCode::kUsage, "no files in the folder", root,
              "hidden files are left out");
}

Status AddPath(const std::string& path, InputList* files) {
  struct stat info = {};
  const bool found = ::stat(path.c_str(), &info) == 0;
  if (found && S_ISDIR(info.st_mode)) return AddDirectory(path, files);
  TWINSET_TRY(RefuseDevice(path));
  TWINSET_TRY(CheckReadable(path));
  TWINSET_ASSIGN(const FileState state, StateOf(path));
  files->Add(path, "", Normal(path).filename().native(), state);
  return {};
}

Status AddStandardInput(InputList* files) {
  TWINSET_TRY(RefuseDevice("-"));
  files->Add("-", "", "-");
  return {};
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

Status AddArgument(const std::string& argument, InputList* files) {
  if (argument == "-") return AddStandardInput(files);
  if (argument.empty()) return Fail(ErrorCode::kUsage, "an empty input name");
  const bool pattern = argument.find_first_of("*?[") != std::string::npos;
  if (!pattern || FileExists(argument)) return AddPath(argument, files);
  TWINSET_ASSIGN(const std::vector<std::string> paths, Glob(argument));
  if (paths.empty()) {
    return Fail(ErrorCode::kUsage, "the pattern matches nothing", argument);
  }
  for (const std::string& path : paths) TWINSET_TRY(AddPath(path, files));
  return {};
}

}  // namespace

Result<InputList> ListInputs(const std::vector<std::string>& arguments,
                             const Listing& how) {
  InputList files;
  for (const std::string& argument : arguments) {
    TWINSET_TRY(AddArgument(argument, &files));
  }
  if (how.leave_out) {
    InputList kept;
    for (const InputFile& file : files)
      if (!how.leave_out(file.path)) kept.Add(file);
    files = std::move(kept);
  }
  const size_t second = std::min(how.first_side, files.size());
  NameApart(0, 0, second, &files);
  NameApart(second, second, files.size(), &files);
  return files;
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
  TWINSET_ASSIGN(const FileState now, StateOf(file.path));
  if (now == file.state) return {};
  return Fail(ErrorCode::kIo,
              now.inode != file.state.inode || now.device != file.state.device
                  ? "the file was replaced by another while it was in use"
                  : "the file was written while it was in use",
              file.path, "run the command again when it stays as it is");
}

}  // namespace twinset::inline v1
