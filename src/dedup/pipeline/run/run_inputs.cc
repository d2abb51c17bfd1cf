#include "pipeline/run/run_inputs.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <utility>

#include "base/bytes.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json_text.h"
#include "documents/deal.h"
#include "read/byte_stream.h"
#include "read/codec.h"
#include "read/line_reader.h"
#include "read/member_stream.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

constexpr uint64_t kEdgeBytes = 1 << 20;  // of a file that its digest covers

// Path, size, time and a digest of the first and last MiB: enough to notice a
// changed input. `use`: what the file is for.
Result<std::string> Describe(const char* use, const InputFile& input) {
  const std::string& path = input.path;
  JsonRow row;
  row.Text("use", use).Text("path", NameText(path));
  if (path == "-") return row.Take();
  if (IsRemote(path)) {  // its entity tag is a digest
    row.Integer("size", input.state.size);
    return row.Text("digest", ToHex(input.state.inode)).Take();
  }
  struct stat info;
  if (::stat(path.c_str(), &info) != 0)
    return tl::unexpected(IoError("stat", path, errno));
  row.Integer("size", static_cast<uint64_t>(info.st_size));
  row.Text("mtime", std::to_string(info.st_mtim.tv_sec));
  // A pipe must not be opened and closed again: its writer would be gone.
  if (!S_ISREG(info.st_mode)) return row.Take();
  TWINSET_ASSIGN(const File file, File::OpenRead(path));
  const auto size = static_cast<uint64_t>(info.st_size);
  std::string edge(std::min(size, kEdgeBytes), '\0');
  TWINSET_TRY(file.ReadAt(0, edge.data(), edge.size()));
  uint64_t digest = Hash64(edge);
  if (const uint64_t rest = std::min(size - edge.size(), kEdgeBytes)) {
    edge.resize(rest);
    TWINSET_TRY(file.ReadAt(size - rest, edge.data(), rest));
    digest = Hash64(edge, digest);
  }
  return row.Text("digest", ToHex(digest)).Take();
}

// Calls `body` with the line of every file that decides a result byte: the
// inputs, and what else is read whole (a frozen lexicon counts by its content).
Status ForEachLine(const Plan& plan,
                   const std::function<Status(const std::string&)>& body) {
  const auto one = [&](const char* use, const InputFile& file) -> Status {
    TWINSET_ASSIGN(const std::string line, Describe(use, file));
    return body(line + "\n");
  };
  const auto manifest = [&](const char* use, std::string path) -> Status {
    InputFile file;
    file.path = std::move(path);
    return one(use, file);
  };
  const auto all = [&](const char* use, const InputList& files) -> Status {
    for (const InputFile& file : files) TWINSET_TRY(one(use, file));
    return {};
  };
  for (const StoredInputs& stored : plan.inputs.stored) {
    TWINSET_TRY(manifest(stored.keeps ? "saved run, kept" : "saved run",
                         stored.run->Path(SavedRun::kManifest)));
  }
  for (const auto& shard : plan.inputs.shards)
    TWINSET_TRY(manifest("shard", shard->Path(kShardOfRun.manifest)));
  for (const auto& part : plan.inputs.parts)
    TWINSET_TRY(manifest("part", part->Path(kPartOfMerge.manifest)));
  TWINSET_TRY(ForEachReadInput(
      plan, [&](const InputFile& input) { return one("input", input); }));
  TWINSET_TRY(all("ignore", plan.inputs.ignored));
  TWINSET_TRY(all("fields", plan.inputs.tables));
  TWINSET_TRY(all("other input", plan.inputs.beside));
  return all("lexicon", plan.inputs.lexica);
}

std::string Named(const Json& line) {
  return line.value("use", "input") + " " + line.value("path", "");
}

// The first place where the lines of two runs differ, in words, for people who
// want to know which file it is. Lines go by one after the other.
class FirstDifference {
 public:
  // The lines of one place; empty: there is none.
  void Add(const std::string& was, const std::string& is) {
    if (is_found_) {
      is_gone_ = is_gone_ || HasName(was, is_);
      is_new_ = is_new_ || HasName(is, was_);
    } else if (was != is) {
      is_found_ = true;
      was_ = Json::Parse(was);
      is_ = Json::Parse(is);
    }
  }

  // Empty: none.
  std::string Text() const {
    if (!is_found_) return {};
    if (!is_.is_object()) return Named(was_) + " is gone";
    if (!was_.is_object()) return Named(is_) + " is new";
    if (Named(was_) == Named(is_)) return Changed();
    if (is_gone_ && is_new_)
      return "the inputs stand in another order, from " + Named(is_) + " on";
    if (is_gone_) return Named(was_) + " is gone";
    if (is_new_) return Named(is_) + " is new";
    return Named(was_) + " is gone, and " + Named(is_) + " is new";
  }

 private:
  static bool HasName(const std::string& line, const Json& other) {
    if (line.empty() || !other.is_object()) return false;
    const Json parsed = Json::Parse(line);
    return parsed.is_object() && Named(parsed) == Named(other);
  }

  std::string Changed() const {
    const auto size = [](const Json& line) {
      return CountText(line.value("size", uint64_t{0}), "byte");
    };
    const auto differs = [&](const char* key) {
      return was_.value(key, Json()) != is_.value(key, Json());
    };
    std::string text = Named(is_);
    if (differs("size"))
      return text + " was changed: it had " + size(was_) + " and has " +
             size(is_);
    if (IsRemote(is_.value("path", "")))
      return text + " was replaced: its entity tag is another";
    return text + (differs("digest") ? " was changed: its bytes are others"
                                     : " was written since: its time is later");
  }

  Json was_, is_;
  bool is_found_ = false;
  bool is_gone_ = false;  // what is there now stood further behind
  bool is_new_ = false;   // what was there stands further behind now
};

}  // namespace

Status ForEachReadInput(const Plan& plan,
                        const std::function<Status(const InputFile&)>& body) {
  if (!plan.inputs.shards.empty()) return {};
  Deal deal(plan.inputs.files, plan.options.shard);
  for (size_t i = 0; i < plan.inputs.files.size(); ++i)
    if (!plan.inputs.IsStored(i) && deal.Reads(i))
      TWINSET_TRY(body(plan.inputs.files[i]));
  return {};
}

Result<std::string> RecordRunInputs(const Plan& plan) {
  TWINSET_ASSIGN(OutputFile file,
                 OutputFile::Create(plan.machine.WorkPath(kRunInputs)));
  Hasher64 hasher;
  TWINSET_TRY(ForEachLine(plan, [&](const std::string& line) {
    hasher.Update(line);
    return file.Write(line);
  }));
  TWINSET_TRY(file.Commit());
  return ToHex(hasher.Digest());
}

Result<std::string> CompareRunInputs(const Plan& plan,
                                     const std::string& digest) {
  const std::string path = plan.machine.WorkPath(kRunInputs);
  TWINSET_ASSIGN(const auto stream, OpenByteStream(path, {}));
  LineReader lines(stream.get(), 1 << 20);
  Hasher64 hasher;
  uint64_t before = 0, now = 0;
  FirstDifference difference;
  const auto next = [&]() -> Result<std::string> {
    TWINSET_ASSIGN(const LineReader::Line line, lines.Next());
    hasher.Update(line.text);
    before += !line.text.empty();
    return std::string(line.text);
  };
  TWINSET_TRY(ForEachLine(plan, [&](const std::string& line) -> Status {
    ++now;
    TWINSET_ASSIGN(const std::string was, next());
    difference.Add(was, line);
    return {};
  }));
  for (bool more = true; more;) {
    TWINSET_ASSIGN(const std::string was, next());
    more = !was.empty();
    if (more) difference.Add(was, "");
  }
  if (ToHex(hasher.Digest()) != digest) {
    return Fail(ErrorCode::kCorrupt, "the list of inputs is damaged", path,
                "start anew with --overwrite");
  }
  std::string text = difference.Text();
  if (before != now)
    text += "; there were " + CountText(before, "input") + ", and there " +
            std::string(now == 1 ? "is " : "are ") + std::to_string(now);
  return text;
}

ReadOptions AheadThreads::Of(const InputFile& input, ReadOptions options) {
  if (input.state.size < kLeastFile ||
      CompressionOfPath(input.path) == Compression::kNone)
    return options;
  if (!memory_.ok()) {
    threads_ = plan_.machine.threads - 1;
    while (threads_ > 0 &&
           AheadBytes(threads_) > plan_.machine.memory_bytes / kShare)
      --threads_;
    if (threads_ > 0) memory_ = budget_->TryReserve(AheadBytes(threads_));
  }
  options.ahead_threads = memory_.ok() ? threads_ : 0;
  return options;
}

}  // namespace twinset
