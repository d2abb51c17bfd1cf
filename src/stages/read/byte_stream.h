// Decompressed bytes of one source, with damage made visible instead of fatal.
#ifndef TWINSET_SRC_STAGES_READ_BYTE_STREAM_H_
#define TWINSET_SRC_STAGES_READ_BYTE_STREAM_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "twinset/error.h"

namespace twinset {

enum class Compression { kNone, kGzip, kZstd, kLz4, kBzip2, kXz, kLzw };

// Damage of the compression framing. The stream goes on behind it with the next
// member that can be found; between the two there is a gap.
struct StreamFault {
  enum Kind {
    kChecksum,
    kData,
    kTruncated,
    kRatio,
    kTrailingJunk
  } kind = kData;
  uint64_t compressed_offset = 0;  // where the damage was noticed
  uint64_t member_begin =
      0;  // stream offset at which the damaged member (gzip member, zstd
          // or lz4 frame, bzip2 or xz stream) began
  std::string detail;
};

// A pull stream. Bytes in front of a gap are delivered first; then Peek returns
// nothing and AtGap() is true until TakeFault() is called; then the bytes
// behind the gap follow. Nothing is ever glued across a gap. A compressed
// member is decompressed and its checksum checked before the bytes behind it
// are delivered, so a reader that sees no gap right behind a record knows that
// the member which ends there is sound. Memory: O(max peek) + 1 MB + the
// decoder's own window (gzip 400 KB, bzip2 4 MB, lz4 8 MB, zstd and xz as
// ByteStreamOptions allow, xz 8 MB more). One thread at a time.
class ByteStream {
 public:
  virtual ~ByteStream() = default;

  // At least `want` unread bytes, fewer only before a gap or the end. The view
  // lives until the next call of a non-const member. Error: the source itself
  // failed.
  virtual Result<std::string_view> Peek(size_t want) = 0;
  // Drops n bytes, n <= size of the last view.
  virtual void Consume(size_t n) = 0;
  virtual bool AtGap() const = 0;
  virtual StreamFault TakeFault() = 0;
  // The fault of the gap right behind the last view, null when there is none or
  // when it was not noticed yet: readers that peek ahead can hold back what a
  // damaged member has yielded. After Peek(want) returned fewer than `want`
  // bytes, null means that the stream ends there.
  virtual const StreamFault* UpcomingFault() const { return nullptr; }

  // Offset of the first unread byte, counted in decompressed bytes delivered.
  virtual uint64_t offset() const = 0;
  virtual uint64_t compressed_offset() const = 0;
  virtual Compression compression() const = 0;

  // Compressed offset of the sound member whose first, or behind its last, byte
  // stands at `offset` of what is decompressed, as long as it is among the last
  // few thousand members.
  virtual std::optional<uint64_t> MemberBeginAt(uint64_t) const { return {}; }
  virtual std::optional<uint64_t> MemberEndAt(uint64_t) const { return {}; }

  // From now on a member that yields more than so many times its compressed
  // bytes is abandoned (ByteStreamOptions). Only for who holds a member whole.
  virtual void SetMaxRatio(uint64_t) {}
};

// What decompressors hold of a source at most, unless more is allowed.
inline constexpr uint64_t kUsualWindowBytes = 128 << 20;

struct ByteStreamOptions {
  // Limit of a zstd frame's window and an xz stream's dictionary: a larger one
  // is a kData fault, whose detail names its size.
  uint64_t max_window_bytes = kUsualWindowBytes;
  uint64_t max_ratio =
      0;  // beyond it (checked per member, after 1 MB of output) the member
          // is abandoned with kRatio; 0: no limit
  const std::atomic<bool>* stop = nullptr;  // set: Peek is kInterrupted
  bool quick = true;  // decoders that are not the definition, for sound members
  bool once = false;  // as OpenByteSource has it
  // Threads that decode what is to come of a compressed file (member_stream.h);
  // 0: the reader does. Nothing that the stream yields depends on it.
  int ahead_threads = 0;
  uint64_t ahead_from = 4 << 20;  // decompressed bytes in front of them
};

// Opens a file ("-": standard input) and recognises the compression by its
// magic bytes.
Result<std::unique_ptr<ByteStream>> OpenByteStream(
    const std::string& path, const ByteStreamOptions& options);
// The same of an input, which may be remote.
struct InputFile;
Result<std::unique_ptr<ByteStream>> OpenByteStream(
    const InputFile& input, const ByteStreamOptions& options);
std::unique_ptr<ByteStream> ByteStreamFromMemory(
    std::string bytes, const ByteStreamOptions& options);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_BYTE_STREAM_H_
