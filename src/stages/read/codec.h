// One compression format: how a member begins and how it is decoded.
#ifndef TWINSET_SRC_STAGES_READ_CODEC_H_
#define TWINSET_SRC_STAGES_READ_CODEC_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "read/byte_stream.h"

struct ZSTD_DDict_s;

namespace twinset {

// A decoder of one member at a time (gzip member, zstd or lz4 frame, bzip2 or
// xz stream, a whole .Z file). It never looks beyond the member's last byte.
// Memory: the format's own window (gzip 32 KB, or 90 KB where it is quick, zstd
// max_window_bytes, lz4 8 MB, bzip2 4 MB, xz max_window_bytes + 8 MB; what asks
// for more is kBadData).
class Codec {
 public:
  enum class State { kMore, kEnd, kBadData, kBadChecksum };
  struct Step {
    State state = State::kMore;
    size_t consumed = 0;
    size_t produced = 0;
    // kBadChecksum: the member's framing was read to its end, of which `rest`
    // bytes were not consumed.
    bool at_end = false;
    size_t rest = 0;
    std::string detail = {};
  };

  virtual ~Codec() = default;
  // Starts a new member. False when the library cannot allocate.
  virtual bool Reset() = 0;
  // Decodes as much as fits. kMore without progress: more input is needed.
  virtual Step Decode(std::string_view in, char* out, size_t out_size) = 0;
  // Returns true iff the source may end here: of formats without an end mark.
  virtual bool MayEnd() const { return false; }
};

// The dictionary of a source whose frames share one: it stands in front of them
// in a skippable frame of its own ("Zstandard for WARC", a draft of the IIPC),
// as it is or as a zstd frame. Of joined sources each may bring its own.
class ZstdDictionary {
 public:
  // Larger ones are not read: this much is held twice while one is taken.
  static constexpr size_t kMostBytes = 16 << 20;

  // Returns true iff `frame` begins a skippable frame of the kind that holds
  // dictionaries.
  static bool IsFrame(std::string_view frame);

  // Returns true iff the content of such a frame may be a dictionary.
  static bool IsContent(std::string_view content);

  // Takes the content of such a frame; what it holds replaces the dictionary
  // before it. Content that is none is passed over. Empty, or what is wrong.
  std::string Take(std::string_view content);

  // Null without one.
  const ZSTD_DDict_s* get() const { return dictionary_.get(); }

 private:
  struct Free {
    void operator()(ZSTD_DDict_s* dictionary) const;
  };
  std::unique_ptr<ZSTD_DDict_s, Free> dictionary_;
};

// `dictionary`: of all decoders of one source, which it outlives; null: frames
// that hold one are passed over.
std::unique_ptr<Codec> MakeZstdCodec(uint64_t max_window_bytes,
                                     ZstdDictionary* dictionary);

// The window that a zstd frame asks for, of its first bytes: that of the frame
// header (RFC 8878, 3.1.1.1); nothing when they are too few or begin no frame.
std::optional<uint64_t> ZstdWindowBytes(std::string_view frame);

std::unique_ptr<Codec> MakeLzwCodec();

// `max_window_bytes`: as in ByteStreamOptions. `dictionary`: as in
// MakeZstdCodec.
std::unique_ptr<Codec> MakeCodec(Compression compression,
                                 uint64_t max_window_bytes = kUsualWindowBytes,
                                 ZstdDictionary* dictionary = nullptr);

// "a window of 512 MB, above the 128 MB of --max-window: --max-window 512M
// reads it".
std::string AboveMaxWindow(const std::string& what, uint64_t max_window_bytes,
                           uint64_t asked_bytes);

// How deflated bytes are wrapped: RFC 1952, RFC 1950, or not.
enum class DeflateFraming { kGzip, kZlib, kNone };
// A decoder of sound members that is quicker than that of MakeCodec; null where
// there is none, and without framing: only a checksum tells for sure that what
// it took for sound was so. It gives the same bytes. It says of a damaged or
// truncated member that it is one, by kBadData or by kMore without progress,
// but may have given bytes that the definition does not give: at most
// kMostUnsureBytes behind those that it does, in all that was ever seen
// (inflate_test.cc).
std::unique_ptr<Codec> MakeQuickCodec(DeflateFraming framing);
inline constexpr size_t kMostUnsureBytes = 256 << 10;

// Longest member start that Magic functions look at.
inline constexpr size_t kMagicBytes = 10;

// Returns true iff `bytes` begin like a member, or, when shorter than the
// magic, like its first bytes. Skippable frames count for zstd and lz4.
bool BeginsMember(Compression compression, std::string_view bytes);

// First position of `bytes` at which a whole magic (of data or of a zstd
// dictionary, not of another skippable frame) stands; npos if none.
size_t FindMember(Compression compression, std::string_view bytes);

// The compression of a source by its first bytes (as many as there are, up to
// kLookahead). A magic with one wrong byte is still recognised: the first
// member is then found damaged, and the others are read. `path` decides only
// for bytes that are neither that nor text.
Compression DetectCompression(std::string_view bytes, std::string_view path);

// The compression that the last suffix of `path` names (.gz .zst .lz4 .bz2
// .xz .Z), kNone if none.
Compression CompressionOfPath(std::string_view path);
// `path` without that suffix.
std::string_view WithoutCompressionSuffix(std::string_view path);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_CODEC_H_
