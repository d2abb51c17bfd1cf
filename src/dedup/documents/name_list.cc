#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "base/lists/list_text.h"
#include "base/machine.h"
#include "base/stop.h"
#include "documents/text_lines.h"
#include "read/byte_stream.h"
#include "twinset/lists.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

constexpr uint64_t kMostSettingsBytes = 1 << 20;
constexpr size_t kLookedAt = 64 << 10;  // where a NUL tells what parts names
// Memory of a name beside its bytes: the string, what the allocator adds, and
// the room that a vector has in reserve.
constexpr uint64_t kNameBytes = 112;

// Collects names within the memory.
class Names {
 public:
  Names(std::string path, uint64_t memory_bytes)
      : path_(std::move(path)), most_bytes_(MemoryOr(memory_bytes) / 4) {}

  Status Add(std::string_view name) {
    if (name.empty()) return {};
    bytes_ += kNameBytes + name.size();
    if (bytes_ > most_bytes_)
      return Fail(ErrorCode::kMemory,
                  "more than " + std::to_string(names.size()) +
                      " names do not fit into a quarter of the memory",
                  NameText(path_),
                  "give more --memory, or the folder that holds the files");
    names.emplace_back(name);
    return {};
  }
  std::vector<std::string> names;

 private:
  const std::string path_;
  const uint64_t most_bytes_;
  uint64_t bytes_ = 0;
};

// One name in front of each NUL byte.
Status TakeParted(const std::string& path, ByteStream* stream, Names* names) {
  for (;;) {
    TWINSET_ASSIGN(const std::string_view view,
                   stream->Peek(kMaxTextLineBytes));
    if (stream->UpcomingFault() != nullptr || (view.empty() && stream->AtGap()))
      return Fail(ErrorCode::kCorrupt, "the compressed list is damaged",
                  NameText(path));
    if (view.empty()) return {};
    const bool is_last = view.size() < kMaxTextLineBytes;
    const size_t end = view.find('\0');
    if (end == view.npos && !is_last)
      return Fail(ErrorCode::kCorrupt, "a name is longer than 64 KB",
                  NameText(path));
    TWINSET_TRY(names->Add(WithoutMark(view.substr(0, end))));
    stream->Consume(end == view.npos ? view.size() : end + 1);
  }
}

}  // namespace

Result<std::vector<std::string>> v1::ReadNameList(const std::string& path,
                                                  uint64_t memory_bytes) try {
  Names names(path, memory_bytes);
  TWINSET_ASSIGN(const auto stream, OpenByteStream(path, {}));
  TWINSET_ASSIGN(const std::string_view head, stream->Peek(kLookedAt));
  const bool is_wide =
      head.starts_with("\xff\xfe") || head.starts_with("\xfe\xff");
  if (!is_wide && head.find('\0') != head.npos) {
    TWINSET_TRY(TakeParted(path, stream.get(), &names));
    return std::move(names.names);
  }
  Status status;
  TWINSET_TRY(ForEachTextLineOf(
      NameText(path), stream.get(), [&](const TextLine& line) {
        const std::string where =
            NameText(path) + ":" + std::to_string(line.number);
        status = line.problem.empty()
                     ? names.Add(line.text)
                     : Fail(ErrorCode::kCorrupt, line.problem, where,
                            "a list has one name a line");
        return status.has_value();
      }));
  TWINSET_TRY(status);
  return std::move(names.names);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<std::string> v1::ReadSettings(const std::string& path) try {
  return ReadListText(path, kMostSettingsBytes);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
