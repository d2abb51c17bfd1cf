// Members of a compressed source, decoded by other threads before its reader
// comes to them.
#ifndef TWINSET_SRC_STAGES_READ_AHEAD_MEMBERS_H_
#define TWINSET_SRC_STAGES_READ_AHEAD_MEMBERS_H_

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "read/byte_source.h"
#include "read/codec.h"

namespace twinset {

// Cuts the source into chunks. A thread looks in its chunk for what begins like
// a member, and keeps what decodes to its end without a fault: from that
// position on every decoder gives these bytes, so whoever asks for a position
// at which a member does begin may take them. What it lacks (damaged, large and
// truncated members, those with a dictionary) the reader decodes itself.
//
// One thread asks. Memory: BytesOf(threads).
class AheadMembers {
 public:
  struct Member {
    uint64_t end = 0;  // its position in the source, behind the last byte
    std::string bytes;
  };

  // `source` can be sought and outlives it. Chunks behind `position`.
  AheadMembers(const ByteSource* source, Compression compression,
               uint64_t position, const ByteStreamOptions& options);
  ~AheadMembers();

  // The sound member that begins at `position`, of those that are kept; no
  // smaller position is asked for later.
  std::optional<Member> Take(uint64_t position);

  static constexpr uint64_t BytesOf(int threads) {
    const auto n = static_cast<uint64_t>(threads);
    return (n + kFurther) * kMostChunkOutput +
           n * (2 * kMostChunkOutput + kChunk + kBeyond + kCodecBytes);
  }

 private:
  static constexpr uint64_t kChunk = 512 << 10, kBeyond = 512 << 10;
  static constexpr uint64_t kMostChunkOutput = 8 << 20;
  static constexpr uint64_t kMostWindow = 8 << 20, kCodecBytes = 16 << 20;
  static constexpr uint64_t kFurther = 2;  // chunks begun beyond the threads

  using Members = std::map<uint64_t, Member>;  // by position
  struct Chunk {
    bool is_done = false;
    Members members;
  };

  void Work();
  // `scratch`: of the calling thread.
  Members Decode(uint64_t chunk, Codec* codec, ByteBuffer* scratch) const;
  std::unique_ptr<Codec> NewCodec() const;

  const ByteSource* const source_;
  const Compression compression_;
  const ByteStreamOptions options_;
  uint64_t size_ = 0;  // of the source

  std::mutex mutex_;
  std::condition_variable changed_;
  bool quits_ = false;
  uint64_t asked_;                    // chunk of the last position
  uint64_t next_;                     // chunk to be begun
  std::map<uint64_t, Chunk> chunks_;  // begun, from asked_ on
  // Last, so that it ends first.
  std::vector<std::unique_ptr<SideThread>> threads_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_AHEAD_MEMBERS_H_
