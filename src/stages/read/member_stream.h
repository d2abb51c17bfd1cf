// The stream of a compressed source: member after member, gaps where one is
// damaged.
#ifndef TWINSET_SRC_STAGES_READ_MEMBER_STREAM_H_
#define TWINSET_SRC_STAGES_READ_MEMBER_STREAM_H_

#include <algorithm>
#include <cstdint>
#include <deque>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "read/byte_source.h"
#include "read/byte_stream.h"
#include "read/codec.h"

namespace twinset {

// A sound member: its bytes decompressed and compressed.
struct WholeMember {
  uint64_t begin = 0, end = 0, packed_begin = 0, packed_end = 0;
};

// The last of the sound members of a stream, in order.
class WholeMembers {
 public:
  void Add(const WholeMember& member) {
    if (members_.size() == kMost) members_.pop_front();
    members_.push_back(member);
  }
  // Where one begins or ends in the source that does so at `offset` of what is
  // decompressed. If several are at one place, as empty ones are, the last
  // begins what follows and the first ends what was before.
  std::optional<uint64_t> BeginAt(uint64_t offset) const {
    const auto at = std::upper_bound(
        members_.begin(), members_.end(), offset,
        [](uint64_t o, const WholeMember& member) { return o < member.begin; });
    if (at == members_.begin() || std::prev(at)->begin != offset) return {};
    return std::prev(at)->packed_begin;
  }
  std::optional<uint64_t> EndAt(uint64_t offset) const {
    const auto at = std::lower_bound(
        members_.begin(), members_.end(), offset,
        [](const WholeMember& member, uint64_t o) { return member.end < o; });
    if (at == members_.end() || at->end != offset) return {};
    return at->packed_end;
  }

 private:
  static constexpr size_t kMost = 4096;
  std::deque<WholeMember> members_;
};

// What was decoded and not yet read, and the gap behind it.
class BufferedMembers : public ByteStream {
 public:
  void Consume(size_t n) override {
    offset_ += n;
    out_.Consume(n);
  }
  bool AtGap() const override { return out_.size() == 0 && fault_; }
  StreamFault TakeFault() override {
    StreamFault fault = *std::move(fault_);
    fault_.reset();
    return fault;
  }
  const StreamFault* UpcomingFault() const override {
    return fault_ ? &*fault_ : nullptr;
  }
  uint64_t offset() const override { return offset_; }
  std::optional<uint64_t> MemberBeginAt(uint64_t offset) const override {
    return whole_.BeginAt(offset);
  }
  std::optional<uint64_t> MemberEndAt(uint64_t offset) const override {
    return whole_.EndAt(offset);
  }

 protected:
  uint64_t end_offset() const { return offset_ + out_.size(); }

  ByteBuffer out_;
  uint64_t offset_ = 0;               // of the first unread byte of out_
  std::optional<StreamFault> fault_;  // a gap behind all of out_
  WholeMembers whole_;
};

class MemberByteStream : public BufferedMembers {
 public:
  // The sound members that were noticed since the last call.
  virtual std::vector<WholeMember> TakeWhole() = 0;
  // From now on other threads look for sound members that are to come
  // (ByteStreamOptions::ahead_threads).
  virtual void DecodeAhead() = 0;
};

// Never kNone. With `ahead_threads` the stream of a source that can be sought
// is decoded by other threads (MakeAheadStream); what it yields stays the same.
// How it finds its way behind damage: from the beginning of the damaged member
// (a decoder that lost the thread often runs on into sound members) it looks
// for the next magic whose member really decodes. Going back is paid from a
// budget of eight times the bytes read so far + 16 MB, so time stays linear;
// when that is spent the search starts at the damage.
std::unique_ptr<ByteStream> MakeMemberStream(SourceWindow window,
                                             Compression compression,
                                             const ByteStreamOptions& options);

// Hands out what `stream` yields, step by step, as it would be by itself: the
// same bytes, faults and members, noticed by the reader at the same places.
// A thread makes the steps ahead; it begins behind the first bytes
// (ByteStreamOptions::ahead_from). Memory: that of `stream` and AheadBytes.
std::unique_ptr<ByteStream> MakeAheadStream(
    std::unique_ptr<MemberByteStream> stream, const ByteStreamOptions& options);

// What a stream holds in addition when `threads` decode ahead.
uint64_t AheadBytes(int threads);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_MEMBER_STREAM_H_
