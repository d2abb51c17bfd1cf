// Files of sketches (docs/formats/sketches.md).
#include <algorithm>
#include <limits>
#include <utility>

#include "base/bytes.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/stop.h"
#include "twinset/json.h"
#include "twinset/sketches.h"

namespace twinset {

namespace {

constexpr std::string_view kMagic = "twinskt\n";
constexpr uint32_t kFormat = 1;
constexpr uint32_t kMostHeadBytes = 1 << 20;
constexpr size_t kBlockBytes = 64 << 10;  // a block ends behind so many
constexpr size_t kBlockHeadBytes = 16;    // rows, zero, bytes

Error Damaged(const std::string& path) {
  return Error{ErrorCode::kCorrupt, "the file of sketches is damaged", path,
               "make it anew"};
}

std::string HeadOf(const SketchSet& set) {
  Json head;
  head["parameters"] = Json::object();
  for (const auto& [name, value] : set.parameters)
    head["parameters"][name] = value;
  head["ids"] = !set.ids.empty();
  return head.dump();
}

// Writes rows in blocks.
class BlockWriter {
 public:
  explicit BlockWriter(OutputFile* file) : file_(file) {}

  Status Add(std::string_view id, std::span<const uint32_t> sketch) {
    AppendLE<uint32_t>(&rows_, static_cast<uint32_t>(id.size()));
    AppendLE<uint32_t>(&rows_, static_cast<uint32_t>(sketch.size()));
    rows_.append(id);
    rows_.append(reinterpret_cast<const char*>(sketch.data()),
                 sketch.size_bytes());
    ++count_;
    return rows_.size() < kBlockBytes ? Status() : Flush();
  }
  // The end: a block without rows, whose bytes are the number of all rows.
  Status End() {
    if (count_ != 0) TWINSET_TRY(Flush());
    return Put(0, all_, {});
  }

 private:
  Status Flush() {
    all_ += count_;
    TWINSET_TRY(Put(count_, rows_.size(), rows_));
    count_ = 0;
    rows_.clear();
    return {};
  }
  Status Put(uint32_t rows, uint64_t bytes, std::string_view payload) {
    std::string block;
    AppendLE<uint32_t>(&block, rows);
    AppendLE<uint32_t>(&block, 0);
    AppendLE<uint64_t>(&block, bytes);
    block.append(payload);
    AppendLE<uint64_t>(&block, Hash64(block, number_++));
    return file_->Write(block);
  }

  OutputFile* const file_;
  std::string rows_;
  uint32_t count_ = 0;
  uint64_t all_ = 0, number_ = 0;
};

// Reads a file front to back.
class SketchReader {
 public:
  static Result<SketchSet> Read(const std::string& path) {
    TWINSET_ASSIGN(File file, File::OpenRead(path));
    TWINSET_ASSIGN(const uint64_t size, file.Size());
    SketchReader reader(std::move(file), size);
    TWINSET_TRY(reader.ReadHead());
    for (bool more = true; more;) {
      TWINSET_ASSIGN(more, reader.ReadBlock());
    }
    return std::move(reader.set_);
  }

 private:
  SketchReader(File file, uint64_t size)
      : file_(std::move(file)), left_(size) {}

  // Appends the next bytes of the file to `to`.
  Status Take(uint64_t bytes, std::string* to) {
    if (bytes > left_) return tl::unexpected(Damaged(file_.path()));
    const size_t before = to->size();
    to->resize(before + bytes);
    TWINSET_TRY(file_.ReadAt(at_, to->data() + before, bytes));
    at_ += bytes;
    left_ -= bytes;
    return {};
  }
  // Takes the checksum of `bytes`.
  Status Check(const std::string& bytes, uint64_t seed) {
    std::string check;
    TWINSET_TRY(Take(sizeof(uint64_t), &check));
    if (LoadLE<uint64_t>(check.data()) == Hash64(bytes, seed)) return {};
    return tl::unexpected(Damaged(file_.path()));
  }

  Status ReadHead() {
    std::string head;
    TWINSET_TRY(Take(kMagic.size() + 8, &head));
    if (!head.starts_with(kMagic)) {
      return Fail(ErrorCode::kCorrupt, "this is no file of sketches",
                  file_.path());
    }
    const auto version = LoadLE<uint32_t>(head.data() + kMagic.size());
    if (version != kFormat) {
      return Fail(ErrorCode::kUnsupported,
                  "the file of sketches is of format " +
                      std::to_string(version) + ", and this build reads " +
                      std::to_string(kFormat),
                  file_.path(),
                  version > kFormat ? "use a later twinset" : "make it anew");
    }
    const auto bytes = LoadLE<uint32_t>(head.data() + kMagic.size() + 4);
    if (bytes > kMostHeadBytes) return tl::unexpected(Damaged(file_.path()));
    TWINSET_TRY(Take(bytes, &head));
    TWINSET_TRY(Check(head, 0));
    const Json json =
        Json::Parse(std::string_view(head).substr(kMagic.size() + 8));
    if (!json.is_object() || !json["parameters"].is_object() ||
        !json["ids"].is_boolean())
      return tl::unexpected(Damaged(file_.path()));
    has_ids_ = json["ids"].get<bool>();
    for (const auto& [name, value] : json["parameters"].items()) {
      if (!value.is_string()) return tl::unexpected(Damaged(file_.path()));
      set_.parameters[name] = value.get<std::string>();
    }
    return {};
  }

  // False at the end.
  Result<bool> ReadBlock() {
    block_.clear();
    TWINSET_TRY(Take(kBlockHeadBytes, &block_));
    const auto rows = LoadLE<uint32_t>(block_.data());
    const auto zero = LoadLE<uint32_t>(block_.data() + 4);
    const auto bytes = LoadLE<uint64_t>(block_.data() + 8);
    if (rows != 0) TWINSET_TRY(Take(bytes, &block_));
    TWINSET_TRY(Check(block_, number_++));
    const bool is_good =
        zero == 0 && (rows != 0 ? TakeRows(rows)
                                : bytes == set_.sketches.size() && left_ == 0);
    if (!is_good) return tl::unexpected(Damaged(file_.path()));
    return rows != 0;
  }

  bool TakeRows(uint32_t rows) {
    ByteReader reader(std::string_view(block_).substr(kBlockHeadBytes));
    SketchMatrix& sketches = set_.sketches;
    for (uint32_t i = 0; i < rows && reader.ok(); ++i) {
      const auto id_bytes = reader.Read<uint32_t>();
      const auto words = reader.Read<uint32_t>();
      const std::string_view id = reader.ReadBytes(id_bytes);
      const std::string_view values =
          reader.ReadBytes(uint64_t{words} * sizeof(uint32_t));
      if (!has_ids_ && !id.empty()) return false;
      if (has_ids_) set_.ids.emplace_back(id);
      const size_t before = sketches.values.size();
      sketches.values.resize(before + values.size() / sizeof(uint32_t));
      values.copy(reinterpret_cast<char*>(sketches.values.data() + before),
                  values.size());
      sketches.offsets.push_back(sketches.values.size());
    }
    return reader.ok() && reader.AtEnd();
  }

  const File file_;
  uint64_t at_ = 0, left_;
  uint64_t number_ = 0;  // of the block
  bool has_ids_ = false;
  std::string block_;
  SketchSet set_;
};

// Can the format hold the set?
Status CheckSet(const SketchSet& set, const std::string& path) {
  const auto wrong = [&](const std::string& what) {
    return Fail(ErrorCode::kUsage, what, path);
  };
  const SketchMatrix& sketches = set.sketches;
  if (sketches.offsets.empty() || sketches.offsets.front() != 0 ||
      !std::is_sorted(sketches.offsets.begin(), sketches.offsets.end()) ||
      sketches.offsets.back() != sketches.values.size())
    return wrong("the offsets of the sketches are none of their values");
  if (!set.ids.empty() && set.ids.size() != sketches.size()) {
    return wrong("there are " + std::to_string(set.ids.size()) + " ids and " +
                 std::to_string(sketches.size()) + " sketches");
  }
  constexpr uint64_t kMost = std::numeric_limits<uint32_t>::max();
  for (const std::string& id : set.ids)
    if (id.size() > kMost) return wrong("an id has more than 4 GB");
  for (size_t i = 0; i < sketches.size(); ++i)
    if (sketches[i].size() > kMost)
      return wrong("a sketch has more than 2^32 values");
  return {};
}

}  // namespace

Status v1::CheckComparable(const SketchParameters& a, const SketchParameters& b,
                           const std::string& where) try {
  if (a == b) return {};
  SketchParameters names = a;
  names.insert(b.begin(), b.end());
  const auto value = [](const SketchParameters& of, const std::string& name) {
    const auto found = of.find(name);
    return found == of.end() ? "none" : "'" + found->second + "'";
  };
  // A different method has other parameters, so it comes first.
  for (const char* first : {"spec", "method"}) {
    if (value(a, first) == value(b, first)) continue;
    names = {{first, ""}};
    break;
  }
  for (const auto& [name, unused] : names) {
    if (value(a, name) == value(b, name)) continue;
    return Fail(ErrorCode::kUnsupported,
                "sketches of different parameters cannot be compared: " + name +
                    " is " + value(a, name) + " and " + value(b, name),
                where, "make both with the same");
  }
  return {};
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Status v1::WriteSketches(const std::string& path, const SketchSet& set) try {
  TWINSET_TRY(CheckSet(set, path));
  const std::string head = HeadOf(set);
  if (head.size() > kMostHeadBytes)
    return Fail(ErrorCode::kUsage, "the parameters have more than 1 MB", path);
  TWINSET_ASSIGN(OutputFile file, OutputFile::Create(path));
  std::string begin(kMagic);
  AppendLE<uint32_t>(&begin, kFormat);
  AppendSized(&begin, head);
  AppendLE<uint64_t>(&begin, Hash64(begin));
  TWINSET_TRY(file.Write(begin));
  BlockWriter blocks(&file);
  for (size_t i = 0; i < set.sketches.size(); ++i) {
    TWINSET_TRY(blocks.Add(set.ids.empty() ? "" : set.ids[i], set.sketches[i]));
  }
  TWINSET_TRY(blocks.End());
  return file.Commit();
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<SketchSet> v1::ReadSketches(const std::string& path) try {
  return SketchReader::Read(path);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
