#include "patch/patch_format.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/bytes.h"
#include "base/choice.h"

namespace twinset {

namespace {

// Bits of the first column.
constexpr uint8_t kKindBits = 7, kHasId = 8, kHasName = 16, kHasPlace = 32,
                  kHasSimilarity = 64, kSameSource = 128;

uint64_t ZigZag(uint64_t difference) {
  return (difference << 1) ^ (0 - (difference >> 63));
}
uint64_t UnZigZag(uint64_t value) { return (value >> 1) ^ (0 - (value & 1)); }

bool HasLink(PatchKind kind) {
  return kind == PatchKind::kDrop || kind == PatchKind::kRevisit ||
         kind == PatchKind::kNear || kind == PatchKind::kAnnotate;
}

tl::unexpected<Error> Damaged() {
  return Fail(ErrorCode::kCorrupt,
              "a part of the patch is not as it is written");
}

// Texts one after the other, each as what differs from the one before.
class TextColumn {
 public:
  explicit TextColumn(std::string* to) : to_(to) {}
  void Add(std::string_view text) {
    size_t shared = 0;
    const size_t most = std::min(text.size(), last_.size());
    while (shared < most && text[shared] == last_[shared]) ++shared;
    AppendVarint(to_, shared);
    AppendVarint(to_, text.size() - shared);
    to_->append(text.substr(shared));
    last_ = text;
  }

 private:
  std::string* to_;
  std::string last_;
};

class TextColumnReader {
 public:
  // `room`: bytes of texts that may still be decoded.
  TextColumnReader(ByteReader* from, uint64_t* room)
      : from_(from), room_(room) {}
  bool Next(std::string* text) {
    const uint64_t shared = from_->ReadVarint(), rest = from_->ReadVarint();
    if (!from_->ok() || shared > last_.size() || rest > *room_ ||
        shared + rest > *room_)
      return false;
    *room_ -= shared + rest;
    last_.resize(shared);
    last_ += from_->ReadBytes(rest);
    *text = last_;
    return from_->ok();
  }

 private:
  ByteReader* from_;
  uint64_t* room_;
  std::string last_;
};

bool HasSimilarity(const PatchEntry& entry) {
  return entry.similarity != 1 || entry.contained != 1;
}

uint8_t FlagsOf(const PatchEntry& entry, bool same_source) {
  uint8_t flags = static_cast<uint8_t>(entry.kind);
  if (!entry.id.empty()) flags |= kHasId;
  if (!entry.name.empty()) flags |= kHasName;
  if (!entry.url.empty() || !entry.date.empty()) flags |= kHasPlace;
  if (HasSimilarity(entry)) flags |= kHasSimilarity;
  if (same_source) flags |= kSameSource;
  return flags;
}

// Kinds, places and digests of the entries of a frame.
void AppendPlaces(std::span<const PatchEntry> entries, std::string* to) {
  std::string sources, ordinals, offsets;
  uint64_t source = 0, next = 0, offset = 0;
  bool is_first = true;
  for (const PatchEntry& entry : entries) {
    const bool same = !is_first && entry.source == source;
    to->push_back(static_cast<char>(FlagsOf(entry, same)));
    if (!same) {
      AppendVarint(&sources, entry.source - source);
      source = entry.source;
      next = offset = 0;
      is_first = false;
    }
    AppendVarint(&ordinals, entry.ordinal - next);
    AppendVarint(&offsets, ZigZag(entry.offset - offset));
    next = entry.ordinal + 1;
    offset = entry.offset;
  }
  *to += sources + ordinals + offsets;
  for (const PatchEntry& entry : entries) {
    AppendLE(to, entry.digest.low);
    AppendLE(to, entry.digest.high);
  }
}

bool ReadPlaces(ByteReader* from, const std::vector<uint8_t>& flags,
                std::vector<PatchEntry>* entries) {
  uint64_t source = 0;
  bool is_first = true;
  for (size_t i = 0; i < flags.size(); ++i) {
    if ((flags[i] & kSameSource) == 0) {
      const uint64_t more = from->ReadVarint();
      if (more > std::numeric_limits<uint32_t>::max() - source ||
          (more == 0 && !is_first))
        return false;
      source += more;
    } else if (is_first) {
      return false;
    }
    is_first = false;
    (*entries)[i].source = static_cast<uint32_t>(source);
  }
  uint64_t next = 0;
  for (size_t i = 0; i < flags.size(); ++i) {
    if ((flags[i] & kSameSource) == 0) next = 0;
    const uint64_t more = from->ReadVarint();
    // The largest number would have none behind it.
    if (more >= std::numeric_limits<uint64_t>::max() - next) return false;
    (*entries)[i].ordinal = next + more;
    next += more + 1;
  }
  uint64_t offset = 0;
  for (size_t i = 0; i < flags.size(); ++i) {
    if ((flags[i] & kSameSource) == 0) offset = 0;
    offset += UnZigZag(from->ReadVarint());
    (*entries)[i].offset = offset;
  }
  for (PatchEntry& entry : *entries) {
    entry.digest.low = from->Read<uint64_t>();
    entry.digest.high = from->Read<uint64_t>();
  }
  return from->ok();
}

// What entries say of clusters.
void AppendLinks(uint64_t first, std::span<const PatchEntry> entries,
                 std::string* to) {
  uint64_t number = first;
  for (const PatchEntry& entry : entries) {
    if (HasLink(entry.kind)) AppendVarint(to, ZigZag(number - entry.link));
    ++number;
  }
  for (const PatchEntry& entry : entries) {
    if (!HasSimilarity(entry)) continue;
    AppendLE(to, std::bit_cast<uint64_t>(entry.similarity));
    AppendLE(to, std::bit_cast<uint64_t>(entry.contained));
  }
  for (const PatchEntry& entry : entries)
    if (entry.kind == PatchKind::kAnnotate) AppendVarint(to, entry.size);
}

bool ReadLinks(ByteReader* from, uint64_t first,
               const std::vector<uint8_t>& flags,
               std::vector<PatchEntry>* entries) {
  uint64_t number = first;
  for (PatchEntry& entry : *entries) {
    entry.link = number;
    if (HasLink(entry.kind)) entry.link -= UnZigZag(from->ReadVarint());
    ++number;
  }
  for (size_t i = 0; i < flags.size(); ++i) {
    if ((flags[i] & kHasSimilarity) == 0) continue;
    for (double* share :
         {&(*entries)[i].similarity, &(*entries)[i].contained}) {
      *share = std::bit_cast<double>(from->Read<uint64_t>());
      if (!(*share >= 0 && *share <= 1)) return false;
    }
  }
  for (PatchEntry& entry : *entries)
    if (entry.kind == PatchKind::kAnnotate) entry.size = from->ReadVarint();
  return from->ok();
}

struct Texts {
  uint8_t flag;
  std::string PatchEntry::*member;
};
constexpr Texts kTextColumns[] = {{kHasId, &PatchEntry::id},
                                  {kHasName, &PatchEntry::name},
                                  {kHasPlace, &PatchEntry::url},
                                  {kHasPlace, &PatchEntry::date}};

}  // namespace

Hash128Value PatchDigest(std::string_view payload) {
  const std::string digest = Sha256(payload);
  return {LoadLE<uint64_t>(digest.data()), LoadLE<uint64_t>(digest.data() + 8)};
}

std::string EncodePatchHead(const PatchHead& head) {
  return Json({{"twinset", head.twinset},
               {"action", head.action},
               {"near", head.near},
               {"verified", head.is_verified},
               {"read", head.read},
               {"inputs", head.inputs},
               {"documents", head.documents},
               {"entries", head.entries},
               {"dropped", head.dropped},
               {"left_out", head.left_out}})
      .dump();
}

Result<PatchHead> DecodePatchHead(std::string_view bytes) {
  const Json json = Json::Parse(bytes);
  if (!json.is_object() || !json["read"].is_object()) return Damaged();
  PatchHead head;
  head.twinset = json["twinset"].get<std::string>();
  const auto action = FindChoice<Action>(json["action"].get<std::string>());
  const auto near = FindChoice<NearRule>(json["near"].get<std::string>());
  if (!action || *action == Action::kReport || !near) return Damaged();
  head.action = *action;
  head.near = *near;
  if (!json["verified"].is_boolean()) return Damaged();
  head.is_verified = json["verified"].get<bool>();
  head.read = json["read"];
  for (const auto& [name, to] : {std::pair{"inputs", &head.inputs},
                                 {"documents", &head.documents},
                                 {"entries", &head.entries},
                                 {"dropped", &head.dropped},
                                 {"left_out", &head.left_out}}) {
    if (!json[name].is_number_unsigned()) return Damaged();
    json[name].get_to(*to);
  }
  return head;
}

std::string EncodePatchInputs(std::span<const PatchInput> inputs) {
  std::string bytes;
  AppendVarint(&bytes, inputs.size());
  TextColumn names(&bytes);
  for (const PatchInput& input : inputs) {
    names.Add(input.name);
    AppendVarint(&bytes, input.bytes);
    bytes.append(input.digest.data(), input.digest.size());
  }
  return bytes;
}

Status DecodePatchInputs(std::string_view bytes,
                         std::vector<PatchInput>* inputs) {
  ByteReader from(bytes);
  uint64_t room = kMostFrameText;
  const uint64_t count = from.ReadVarint();
  TextColumnReader names(&from, &room);
  for (uint64_t i = 0; i < count; ++i) {
    PatchInput input;
    if (!names.Next(&input.name)) return Damaged();
    input.bytes = from.ReadVarint();
    const std::string_view digest = from.ReadBytes(input.digest.size());
    if (!from.ok()) return Damaged();
    std::copy(digest.begin(), digest.end(), input.digest.begin());
    inputs->push_back(std::move(input));
  }
  if (!from.ok() || !from.AtEnd()) return Damaged();
  return {};
}

std::string EncodePatchEntries(uint64_t first,
                               std::span<const PatchEntry> entries) {
  std::string bytes;
  AppendVarint(&bytes, entries.size());
  AppendPlaces(entries, &bytes);
  AppendLinks(first, entries, &bytes);
  for (const Texts& column : kTextColumns) {
    TextColumn texts(&bytes);
    for (const PatchEntry& entry : entries)
      if ((FlagsOf(entry, false) & column.flag) != 0)
        texts.Add(entry.*column.member);
  }
  return bytes;
}

Result<uint64_t> CountPatchEntries(std::string_view bytes) {
  ByteReader from(bytes);
  const uint64_t count = from.ReadVarint();
  // Each takes a byte of flags and a digest at least.
  if (!from.ok() || count > bytes.size() / 17 || count > kMostFrameEntries)
    return Damaged();
  return count;
}

Status DecodePatchEntries(uint64_t first, std::string_view bytes,
                          std::vector<PatchEntry>* entries) {
  entries->clear();
  TWINSET_ASSIGN(const uint64_t count, CountPatchEntries(bytes));
  ByteReader from(bytes);
  from.ReadVarint();
  std::vector<uint8_t> flags;
  entries->resize(count);
  for (PatchEntry& entry : *entries) {
    flags.push_back(from.Read<uint8_t>());
    const uint8_t kind = flags.back() & kKindBits;
    if (kind >= kPatchKinds) return Damaged();
    entry.kind = static_cast<PatchKind>(kind);
  }
  if (!ReadPlaces(&from, flags, entries) ||
      !ReadLinks(&from, first, flags, entries))
    return Damaged();
  uint64_t room = kMostFrameText;
  for (const Texts& column : kTextColumns) {
    TextColumnReader texts(&from, &room);
    for (size_t i = 0; i < count; ++i)
      if ((flags[i] & column.flag) != 0 &&
          !texts.Next(&((*entries)[i].*column.member)))
        return Damaged();
  }
  if (!from.ok() || !from.AtEnd()) return Damaged();
  return {};
}

}  // namespace twinset
