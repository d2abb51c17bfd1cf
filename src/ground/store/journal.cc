#include "store/journal.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/bytes.h"
#include "base/hash.h"
#include "store/file_header.h"
#include "twinset/json.h"
#include "twinset/version.h"

namespace twinset {

namespace {

constexpr int kJournalVersion = 1;
constexpr size_t kMaxLineBytes = 16 << 20;
constexpr size_t kReadBytes = 64 << 10;

constexpr std::string_view kCheckBegin = ",\"check\":\"";
constexpr std::string_view kCheckEnd = "\"}";
constexpr size_t kCheckDigits = 16;
constexpr size_t kCheckBytes =
    kCheckBegin.size() + kCheckDigits + kCheckEnd.size();

// `json` is the text of an object; its closing brace gives way to the check.
uint64_t CheckOf(std::string_view json, uint64_t previous) {
  return Hash64(json.substr(0, json.size() - 1), previous);
}

// The string member `key`, or null.
const std::string* StringOf(const Json& object, const char* key) {
  return object[key].if_string();
}

std::string BeginLine(const std::string& begin) {
  return Json{{"entry", "begin"},
              {"version", kJournalVersion},
              {"spec", kSpecNumber},
              {"begin", begin}}
      .dump();
}

}  // namespace

Result<Journal> Journal::Create(const std::string& directory,
                                const std::string& begin) {
  Journal journal;
  journal.directory_ = directory;
  journal.begin_ = begin;
  // Written aside and renamed: a journal has its begin line or does not exist.
  const std::string path = journal.Path();
  TWINSET_ASSIGN(journal.file_, File::Create(path + ".part"));
  TWINSET_TRY(journal.AppendLine(BeginLine(begin)));
  TWINSET_TRY(RenameFile(path + ".part", path));
  TWINSET_TRY(SyncDirectory(directory));
  TWINSET_ASSIGN(journal.file_, File::OpenReadWrite(path));
  return journal;
}

Result<Journal> Journal::Open(const std::string& directory) {
  Journal journal;
  journal.directory_ = directory;
  TWINSET_ASSIGN(File file, File::OpenRead(journal.Path()));
  TWINSET_TRY(journal.ReadLines(file));
  if (journal.lines_ == 0) {
    return Fail(ErrorCode::kCorrupt, "the journal has no complete line",
                journal.Path());
  }
  TWINSET_ASSIGN(const uint64_t size, file.Size());
  TWINSET_ASSIGN(journal.file_, File::OpenReadWrite(journal.Path()));
  if (size > journal.length_) {
    TWINSET_TRY(journal.file_.Truncate(journal.length_));
    TWINSET_TRY(journal.file_.Sync());
  }
  return journal;
}

// Every complete line; what follows the last line feed is a line that was never
// acknowledged.
Status Journal::ReadLines(const File& file) {
  std::string pending;
  TWINSET_ASSIGN(const uint64_t size, file.Size());
  for (uint64_t offset = 0; offset < size;) {
    const size_t before = pending.size();
    if (before > kMaxLineBytes) {
      return Fail(ErrorCode::kCorrupt,
                  "a line longer than any this program writes",
                  PlaceInFile(Path(), length_));
    }
    const auto step =
        static_cast<size_t>(std::min<uint64_t>(kReadBytes, size - offset));
    pending.resize(before + step);
    TWINSET_TRY(file.ReadAt(offset, pending.data() + before, step));
    offset += step;
    size_t begin = 0;
    for (size_t from = before;;) {
      const size_t end = pending.find('\n', from);
      if (end == std::string::npos) break;
      TWINSET_TRY(
          ReadLine(std::string_view(pending).substr(begin, end - begin)));
      begin = from = end + 1;
    }
    pending.erase(0, begin);
  }
  return {};
}

Status Journal::ReadLine(std::string_view line) {
  const auto damaged = [&](const char* what) {
    return Fail(
        ErrorCode::kCorrupt,
        "line " + std::to_string(lines_ + 1) + " of the journal " + what,
        PlaceInFile(Path(), length_));
  };
  if (line.size() < kCheckBytes + 1) return damaged("is too short");
  std::string json(line.substr(0, line.size() - kCheckBytes));
  json += '}';
  const uint64_t check = CheckOf(json, check_);
  std::string tail(kCheckBegin);
  tail.append(ToHex(check)).append(kCheckEnd);
  if (line.substr(line.size() - kCheckBytes) != tail)
    return damaged("fails its check");
  Status applied = Apply(json);
  if (!applied) {
    applied.error().where = PlaceInFile(Path(), length_);
    return applied;
  }
  check_ = check;
  ++lines_;
  length_ += line.size() + 1;
  return {};
}

Status Journal::Apply(const std::string& text) {
  const auto bad = [] {
    return Fail(ErrorCode::kCorrupt,
                "the journal has a line of an unknown form");
  };
  const Json line = Json::Parse(text);
  if (!line.is_object()) return bad();
  const std::string* entry = StringOf(line, "entry");
  if (entry == nullptr || (*entry == "begin") != (lines_ == 0)) return bad();
  if (lines_ == 0) {
    const std::string* begin = StringOf(line, "begin");
    if (begin == nullptr) return bad();
    if (line["version"] != kJournalVersion ||
        line["spec"] != Json(kSpecNumber)) {
      return Fail(ErrorCode::kUnsupported,
                  "the journal is of another version or spec");
    }
    begin_ = *begin;
    return {};
  }
  const std::string* name = StringOf(line, "name");
  const std::string* state = StringOf(line, "state");
  if (name == nullptr || state == nullptr) return bad();
  if (*entry == "progress") {
    progress_[*name] = *state;
    return {};
  }
  Stage stage;
  if (*entry != "stage" || !FilesFromJson(line["files"], &stage.files))
    return bad();
  stage.state = *state;
  stages_[*name] = std::move(stage);
  progress_.erase(*name);
  return {};
}

Status Journal::AppendLine(std::string json) {
  if (!file_.is_open()) {
    return Fail(ErrorCode::kIo,
                "the journal could not be repaired after an earlier error",
                Path());
  }
  if (json.size() + kCheckBytes > kMaxLineBytes) {
    return Fail(
        ErrorCode::kInternal,
        "a line of " + std::to_string(json.size()) + " bytes is too long",
        Path());
  }
  const uint64_t check = CheckOf(json, check_);
  json.pop_back();
  json.append(kCheckBegin).append(ToHex(check)).append(kCheckEnd).append("\n");
  Status written = file_.WriteAt(length_, json);
  if (written) written = file_.Sync();
  if (!written) {
    // A part of the line must not stand before the next one.
    if (!file_.Truncate(length_)) file_ = File();
    return written;
  }
  check_ = check;
  ++lines_;
  length_ += json.size();
  return {};
}

Status Journal::FinishStage(const std::string& name,
                            const std::vector<std::string>& files,
                            const std::string& state) {
  Stage stage;
  stage.state = state;
  for (const std::string& file : files) {
    if (!IsInsideFolder(file)) {
      return Fail(ErrorCode::kInternal,
                  "\"" + file + "\" is not a name inside the work folder",
                  directory_);
    }
    TWINSET_ASSIGN(ManifestFile described, DescribeFile(directory_, file));
    stage.files.push_back(std::move(described));
  }
  TWINSET_TRY(AppendLine(Json{
      {"entry", "stage"},
      {"name", name},
      {"files", FilesToJson(stage.files)},
      {"state", state}}.dump()));
  stages_[name] = std::move(stage);
  progress_.erase(name);
  return {};
}

bool Journal::IsDone(const std::string& name) const {
  const auto stage = stages_.find(name);
  if (stage == stages_.end()) return false;
  return std::all_of(stage->second.files.begin(), stage->second.files.end(),
                     [&](const ManifestFile& file) {
                       const auto size = FileSize(directory_ + "/" + file.name);
                       return size && *size == file.bytes;
                     });
}

Result<const Journal::Stage*> Journal::FindStage(
    const std::string& name) const {
  const auto stage = stages_.find(name);
  if (stage != stages_.end()) return &stage->second;
  return Fail(ErrorCode::kInternal, "stage \"" + name + "\" is not done",
              Path());
}

Result<std::string> Journal::StageState(const std::string& name) const {
  TWINSET_ASSIGN(const Stage* stage, FindStage(name));
  return stage->state;
}

Status Journal::Verify(const std::string& name) const {
  TWINSET_ASSIGN(const Stage* stage, FindStage(name));
  for (const ManifestFile& file : stage->files) {
    TWINSET_ASSIGN(const ManifestFile now, DescribeFile(directory_, file.name));
    if (now.bytes != file.bytes || now.hash != file.hash) {
      return Fail(ErrorCode::kCorrupt,
                  "the file is not the one that stage \"" + name + "\" left (" +
                      std::to_string(now.bytes) + " bytes, " +
                      std::to_string(file.bytes) + " recorded)",
                  directory_ + "/" + file.name);
    }
  }
  return {};
}

Status Journal::SaveProgress(const std::string& stage,
                             const std::string& state) {
  TWINSET_TRY(AppendLine(
      Json{{"entry", "progress"}, {"name", stage}, {"state", state}}.dump()));
  progress_[stage] = state;
  return {};
}

std::string Journal::Progress(const std::string& stage) const {
  const auto at = progress_.find(stage);
  return at == progress_.end() ? std::string() : at->second;
}

}  // namespace twinset
