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
#include "read/codec.h"
#include "read/reader.h"
#include "twinset/names.h"

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

Status AddFile(const std::string& path, const std::string& parent_relative,
               const std::string& relative, std::vector<InputFile>* files) {
  TWINSET_TRY(CheckReadable(path));
  TWINSET_ASSIGN(const FileState state, StateOf(path));
  files->push_back({path, NameText(WithoutCompressionSuffix(parent_relative)),
                    NameText(relative), state});
  return {};
}

bool IsHidden(const fs::path& path) {
  return path.filename().native().starts_with('.');
}

// Regular files below `root`, as paths relative to it. Links to files are
// followed, links to folders are not, so there are no circles.
Result<std::vector<std::string>> FilesBelow(const std::string& root) {
  std::vector<std::string> found;
  std::error_code error;
  fs::recursive_directory_iterator it(root, error), end;
  while (!error && it != end) {
    std::error_code ignored;
    if (IsHidden(it->path())) {
      if (it->is_directory(ignored)) it.disable_recursion_pending();
    } else if (it->is_regular_file(ignored)) {
      found.push_back(it->path().lexically_relative(root).native());
    }
    it.increment(error);
  }
  if (error) {
    return tl::unexpected<Error>(IoError("list", root, error.value()));
  }
  std::sort(found.begin(), found.end());
  return found;
}

Status AddDirectory(const std::string& root, std::vector<InputFile>* files) {
  TWINSET_ASSIGN(const std::vector<std::string> found, FilesBelow(root));
  if (found.empty()) {
    return Fail(ErrorCode::kUsage, "no files in the folder", root,
                "hidden files are left out");
  }
  const std::string name = Normal(root).filename().native();
  for (const std::string& relative : found) {
    const std::string parent_relative =
        name.empty() ? relative : name + "/" + relative;
    TWINSET_TRY(AddFile((fs::path(root) / relative).native(), parent_relative,
                        relative, files));
  }
  return {};
}

Status AddPath(const std::string& path, std::vector<InputFile>* files) {
  std::error_code error;
  if (fs::is_directory(path, error)) return AddDirectory(path, files);
  const std::string name = Normal(path).filename().native();
  return AddFile(path, name, name, files);
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

Status AddArgument(const std::string& argument, std::vector<InputFile>* files) {
  if (argument == "-") {
    files->push_back({"-", "-", "-", {}});
    return {};
  }
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

Result<std::vector<InputFile>> ListInputs(
    const std::vector<std::string>& arguments) {
  std::vector<InputFile> files;
  for (const std::string& argument : arguments) {
    TWINSET_TRY(AddArgument(argument, &files));
  }
  return files;
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

}  // namespace twinset
