#include "store/folder_marker.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "twinset/plain_words.h"

namespace twinset {

namespace {

constexpr std::string_view kHead = "twinset result folder 1";
constexpr std::string_view kCommand = "command ", kFile = "file ",
                           kTree = "tree ", kHolds = "holds ";
constexpr std::string_view kSavedManifest = "saved-run.json";
constexpr char kShardManifest[] = "shard.json", kPartManifest[] = "part.json";
constexpr size_t kBufferBytes = 64 << 10;
constexpr int kLockTries = 16;

// Inside the folder, by whatever way it is spelled.
bool IsLocal(const std::string& name) {
  if (name == FolderMarker::kFileName || name.empty() || name.front() == '/' ||
      name.find('\0') != std::string::npos)
    return false;
  const std::filesystem::path path(name);
  return std::none_of(path.begin(), path.end(),
                      [](const auto& part) { return part == ".."; });
}

}  // namespace

Result<FolderMarker> FolderMarker::Lock(const std::string& folder,
                                        const std::string& shown) {
  const std::string path = folder + "/" + kFileName;
  for (int i = 0; i < kLockTries; ++i) {
    struct stat named;
    if (::lstat(path.c_str(), &named) == 0 && !S_ISREG(named.st_mode)) {
      FolderMarker foreign;
      foreign.state_ = State::kForeign;
      return foreign;
    }
    FolderMarker marker;
    TWINSET_ASSIGN(marker.file_, File::OpenToLock(path));
    TWINSET_ASSIGN(const bool locked, marker.file_.Lock());
    if (!locked) {
      return Fail(ErrorCode::kIo, "another run is at work in the folder", shown,
                  "wait until it has ended, or name another folder");
    }
    // The run that held the lock may have removed the file meanwhile.
    if (!marker.file_.HasName()) continue;
    TWINSET_TRY(marker.file_.Unshare(/*lock=*/true));
    TWINSET_TRY(marker.ReadHead());
    return marker;
  }
  return Fail(ErrorCode::kIo, "other runs come and go in the folder", shown,
              "name another folder");
}

bool FolderMarker::StandsIn(const std::string& folder) {
  const std::string path = folder + "/" + kFileName;
  struct stat info;
  if (::lstat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return false;
  const auto file = File::OpenRead(path);
  std::string head(kHead.size() + 1, '\0');
  return file && file->ReadAt(0, head.data(), head.size()) &&
         head == std::string(kHead) + "\n";
}

namespace {

MarkedFolder SavedRunFolder(bool is_whole) {
  return is_whole ? MarkedFolder{"a saved run",
                                 "dedup --add, match --against and recut take "
                                 "it; else give the inputs that it was made of"}
                  : MarkedFolder{"a saved run without its saved-run.json",
                                 "make it again with dedup --save"};
}

}  // namespace

std::optional<MarkedFolder> FolderMarker::Find(const std::string& folder,
                                               std::string_view input) {
  const bool has_manifest =
      FileExists(folder + "/" + std::string(kSavedManifest));
  if (FileExists(folder + "/" + kShardManifest)) {
    return MarkedFolder{"a shard of a run",
                        "twinset merge takes it; else give the inputs"};
  }
  if (FileExists(folder + "/" + kPartManifest)) {
    return MarkedFolder{"a part of a merge",
                        "twinset merge takes it; else give the inputs"};
  }
  if (!StandsIn(folder))
    return has_manifest ? std::optional(SavedRunFolder(true)) : std::nullopt;
  FolderMarker marker;
  auto file = File::OpenRead(folder + "/" + kFileName);
  if (!file) return {};
  marker.file_ = *std::move(file);
  bool is_saved = has_manifest, is_work = false;
  std::string holds;
  if (!marker.ReadHead()) return {};
  (void)marker.ForEachLine([&](std::string_view line) -> Status {
    if (line.starts_with(kHolds)) holds = line.substr(kHolds.size());
    is_saved |= line == std::string(kFile) + std::string(kSavedManifest);
    is_work |= line == std::string(kTree) + ".";
    return {};
  });
  if (holds == input) return {};
  if (is_saved) return SavedRunFolder(has_manifest);
  constexpr const char* kName = "give the inputs, or a file of it by its name";
  if (is_work) return MarkedFolder{"a work folder of twinset", kName};
  return MarkedFolder{
      (holds.empty() ? "the result folder of twinset "
                     : "the folder of " + holds + " of twinset ") +
          marker.command_,
      kName};
}

std::optional<MarkedFolder> FolderMarker::FindUnmarked(
    const std::string& folder) {
  // Files that a result has at the latest, and what each begins with.
  constexpr std::pair<std::string_view, std::string_view> kOurs[] = {
      {"page.json", "\"twinset-page\""},
      {"engine.json", "\"twinset-engine\""},
      {"summary.json", "\"twinset\""},
      {"sample.json", "\"twinset-assess"}};
  constexpr uint64_t kHeadBytes = 64;
  for (const auto& [name, mark] : kOurs) {
    const std::string path = folder + "/" + std::string(name);
    struct stat info;
    if (::lstat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
    const auto file = File::OpenRead(path);
    if (!file) continue;
    std::string head(std::min(kHeadBytes, static_cast<uint64_t>(info.st_size)),
                     '\0');
    if (file->ReadAt(0, head.data(), head.size()) &&
        head.find(mark) != std::string::npos)
      return MarkedFolder{"a result folder of twinset without its hidden files",
                          "give the inputs, or a file of it by its name"};
  }
  return {};
}

Status FolderMarker::ForEachLine(
    const std::function<Status(std::string_view line)>& each) const {
  TWINSET_ASSIGN(const uint64_t size, file_.Size());
  std::string pending;
  for (uint64_t offset = 0; offset < size;) {
    const size_t before = pending.size();
    const auto step =
        static_cast<size_t>(std::min<uint64_t>(kBufferBytes, size - offset));
    pending.resize(before + step);
    TWINSET_TRY(file_.ReadAt(offset, pending.data() + before, step));
    offset += step;
    size_t begin = 0;
    for (size_t end; (end = pending.find('\n', begin)) != std::string::npos;
         begin = end + 1)
      TWINSET_TRY(each(std::string_view(pending).substr(begin, end - begin)));
    pending.erase(0, begin);
  }
  return {};
}

Status FolderMarker::ReadHead() {
  uint64_t lines = 0;
  bool ours = true;
  TWINSET_TRY(ForEachLine([&](std::string_view line) -> Status {
    if (lines == 0) ours = line == kHead;
    if (lines == 1 && line.starts_with(kCommand))
      command_ = line.substr(kCommand.size());
    ++lines;
    length_ += line.size() + 1;
    return {};
  }));
  if (lines > 0) {
    state_ = ours ? State::kOurs : State::kForeign;
    return {};
  }
  TWINSET_ASSIGN(const uint64_t size, file_.Size());
  std::string begun(std::min<uint64_t>(size, kHead.size()), '\0');
  TWINSET_TRY(file_.ReadAt(0, begun.data(), begun.size()));
  const bool cut_off = size == begun.size() && kHead.starts_with(begun);
  state_ = cut_off ? State::kBlank : State::kForeign;
  return {};
}

Status FolderMarker::ForEach(
    const std::function<Status(const Entry&)>& each) const {
  return ForEachLine([&](std::string_view line) -> Status {
    const bool is_tree = line.starts_with(kTree);
    if (!is_tree && !line.starts_with(kFile)) return {};
    auto name = NameBytes(line.substr(is_tree ? kTree.size() : kFile.size()));
    if (!name || !IsLocal(*name)) return {};
    return each({is_tree, *std::move(name)});
  });
}

Status FolderMarker::Restart(const std::string& command,
                             const std::string& holds) {
  TWINSET_TRY(file_.Truncate(0));
  length_ = 0;
  state_ = State::kOurs;
  command_ = command;
  buffer_ = std::string(kHead) + "\n" + std::string(kCommand) +
            NameText(command) + "\n";
  if (!holds.empty()) buffer_ += std::string(kHolds) + holds + "\n";
  return {};
}

Status FolderMarker::Add(const Entry& entry) {
  if (!IsLocal(entry.name)) {
    return Fail(ErrorCode::kInternal,
                "'" + NameText(entry.name) + "' is no name inside the folder",
                file_.path());
  }
  buffer_ += entry.is_tree ? kTree : kFile;
  buffer_ += NameText(entry.name) + "\n";
  return buffer_.size() < kBufferBytes ? Status() : Flush();
}

Status FolderMarker::Flush() {
  if (buffer_.empty()) return {};
  TWINSET_TRY(file_.WriteAt(length_, buffer_));
  length_ += buffer_.size();
  buffer_.clear();
  return {};
}

Status FolderMarker::Sync() {
  if (buffer_.empty()) return {};
  TWINSET_TRY(Flush());
  TWINSET_TRY(file_.Truncate(length_));  // of a line that was cut off
  TWINSET_TRY(file_.Sync());
  return SyncDirectory(
      std::filesystem::path(file_.path()).parent_path().string());
}

Status FolderMarker::Remove() {
  if (::unlink(file_.path().c_str()) != 0 && errno != ENOENT)
    return tl::unexpected(IoError("remove", file_.path(), errno));
  return {};
}

}  // namespace twinset
