#include "read/codec.h"

#include <bzlib.h>
#include <lz4frame.h>
#include <lzma.h>
#include <zlib.h>

#include <algorithm>
#include <climits>
#include <cstring>

namespace twinset {
namespace {

// What liblzma holds beside the dictionary.
constexpr uint64_t kXzOwnBytes = 8 << 20;
unsigned ClampToUint(size_t n) {
  return static_cast<unsigned>(std::min<size_t>(n, UINT_MAX));
}

// RFC 1952 through zlib, which checks header CRC, CRC-32 and length.
class GzipCodec : public Codec {
 public:
  ~GzipCodec() override {
    if (ready_) inflateEnd(&z_);
  }
  bool Reset() override {
    if (ready_) return inflateReset(&z_) == Z_OK;
    ready_ = inflateInit2(&z_, 16 + MAX_WBITS) == Z_OK;
    return ready_;
  }
  Step Decode(std::string_view in, char* out, size_t out_size) override {
    Step step;
    z_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    z_.avail_in = ClampToUint(in.size());
    z_.next_out = reinterpret_cast<Bytef*>(out);
    z_.avail_out = ClampToUint(out_size);
    const unsigned had_in = z_.avail_in, had_out = z_.avail_out;
    const int code = inflate(&z_, Z_NO_FLUSH);
    step.consumed = had_in - z_.avail_in;
    step.produced = had_out - z_.avail_out;
    if (code == Z_STREAM_END) {
      step.state = State::kEnd;
    } else if (code != Z_OK && code != Z_BUF_ERROR) {
      const std::string_view message = z_.msg != nullptr ? z_.msg : "inflate";
      step.detail = message;
      step.state = State::kBadData;
      // zlib stops behind the CRC when that is wrong, behind the length when
      // only that is.
      if (message == "incorrect data check") {
        step.state = State::kBadChecksum;
        step.rest = 4;
      } else if (message == "incorrect length check") {
        step.state = State::kBadChecksum;
      }
      step.at_end = step.state == State::kBadChecksum;
    }
    return step;
  }

 private:
  z_stream z_ = {};
  bool ready_ = false;
};

// LZ4 frame format 1.6; the legacy frame is not read.
class Lz4Codec : public Codec {
 public:
  Lz4Codec() {
    if (LZ4F_isError(
            LZ4F_createDecompressionContext(&context_, LZ4F_VERSION))) {
      context_ = nullptr;
    }
  }
  ~Lz4Codec() override { LZ4F_freeDecompressionContext(context_); }
  bool Reset() override {
    if (context_ == nullptr) return false;
    LZ4F_resetDecompressionContext(context_);
    return true;
  }
  Step Decode(std::string_view in, char* out, size_t out_size) override {
    Step step;
    size_t consumed = in.size(), produced = out_size;
    const size_t code = LZ4F_decompress(context_, out, &produced, in.data(),
                                        &consumed, nullptr);
    if (LZ4F_isError(code)) {
      step.detail = LZ4F_getErrorName(code);
      step.state = step.detail.find("Checksum") != std::string::npos
                       ? State::kBadChecksum
                       : State::kBadData;
      return step;
    }
    step.consumed = consumed;
    step.produced = produced;
    if (code == 0) step.state = State::kEnd;
    return step;
  }

 private:
  LZ4F_dctx* context_ = nullptr;
};

// libbz2 does not tell a wrong block CRC from other damage.
class Bzip2Codec : public Codec {
 public:
  ~Bzip2Codec() override { End(); }
  bool Reset() override {
    End();
    z_ = {};
    ready_ = BZ2_bzDecompressInit(&z_, 0, 0) == BZ_OK;
    return ready_;
  }
  Step Decode(std::string_view in, char* out, size_t out_size) override {
    Step step;
    z_.next_in = const_cast<char*>(in.data());
    z_.avail_in = ClampToUint(in.size());
    z_.next_out = out;
    z_.avail_out = ClampToUint(out_size);
    const unsigned had_in = z_.avail_in, had_out = z_.avail_out;
    const int code = BZ2_bzDecompress(&z_);
    step.consumed = had_in - z_.avail_in;
    step.produced = had_out - z_.avail_out;
    if (code == BZ_STREAM_END) {
      step.state = State::kEnd;
    } else if (code != BZ_OK) {
      step.state = State::kBadData;
      step.detail =
          code == BZ_MEM_ERROR ? "out of memory" : "bad bzip2 data or checksum";
    }
    return step;
  }

 private:
  void End() {
    if (ready_) BZ2_bzDecompressEnd(&z_);
    ready_ = false;
  }
  bz_stream z_ = {};
  bool ready_ = false;
};

// liblzma does not tell a wrong check from other damage.
class XzCodec : public Codec {
 public:
  explicit XzCodec(uint64_t max_window_bytes)
      : max_window_bytes_(max_window_bytes) {}
  ~XzCodec() override { lzma_end(&z_); }
  bool Reset() override {
    return lzma_stream_decoder(&z_, max_window_bytes_ + kXzOwnBytes, 0) ==
           LZMA_OK;
  }
  Step Decode(std::string_view in, char* out, size_t out_size) override {
    Step step;
    z_.next_in = reinterpret_cast<const uint8_t*>(in.data());
    z_.avail_in = in.size();
    z_.next_out = reinterpret_cast<uint8_t*>(out);
    z_.avail_out = out_size;
    const lzma_ret code = lzma_code(&z_, LZMA_RUN);
    step.consumed = in.size() - z_.avail_in;
    step.produced = out_size - z_.avail_out;
    if (code == LZMA_STREAM_END) {
      step.state = State::kEnd;
    } else if (code != LZMA_OK && code != LZMA_BUF_ERROR) {
      step.state = State::kBadData;
      step.detail = code == LZMA_MEMLIMIT_ERROR
                        ? AboveMaxWindow("a dictionary", max_window_bytes_,
                                         lzma_memusage(&z_))
                    : code == LZMA_OPTIONS_ERROR ? "unsupported xz options"
                    : code == LZMA_FORMAT_ERROR  ? "no xz stream header"
                                                 : "bad xz data or checksum";
    }
    return step;
  }

 private:
  const uint64_t max_window_bytes_;
  lzma_stream z_ = LZMA_STREAM_INIT;
};

constexpr std::string_view kGzipMagic("\x1f\x8b\x08", 3);
constexpr std::string_view kZstdMagic("\x28\xb5\x2f\xfd", 4);
constexpr std::string_view kLz4Magic("\x04\x22\x4d\x18", 4);
constexpr std::string_view kXzMagic("\xfd\x37zXZ\0", 6);
constexpr std::string_view kLzwMagic("\x1f\x9d", 2);
constexpr std::string_view kBzip2Block("\x31\x41\x59\x26\x53\x59", 6);
constexpr std::string_view kBzip2End("\x17\x72\x45\x38\x50\x90", 6);

std::string_view FixedMagic(Compression compression) {
  switch (compression) {
    case Compression::kGzip:
      return kGzipMagic;
    case Compression::kZstd:
      return kZstdMagic;
    case Compression::kLz4:
      return kLz4Magic;
    case Compression::kXz:
      return kXzMagic;
    case Compression::kBzip2:
      return "BZh";
    case Compression::kLzw:
      return kLzwMagic;
    case Compression::kNone:
      break;
  }
  return {};
}

bool SamePrefix(std::string_view bytes, std::string_view magic) {
  const size_t n = std::min(bytes.size(), magic.size());
  return bytes.substr(0, n) == magic.substr(0, n);
}

// What follows the fixed magic, as far as `bytes` reach.
bool PlausibleHeader(Compression compression, std::string_view bytes) {
  if (compression == Compression::kGzip) {
    return bytes.size() < 4 || (bytes[3] & 0xe0) == 0;  // reserved flags
  }
  if (compression == Compression::kLzw) {
    return bytes.size() < 3 ||
           ((bytes[2] & 0x60) == 0 && (bytes[2] & 0x1f) >= 9 &&
            (bytes[2] & 0x1f) <= 16);
  }
  if (compression != Compression::kBzip2 || bytes.size() < 4) return true;
  if (bytes[3] < '1' || bytes[3] > '9') return false;
  const std::string_view block = bytes.substr(4);
  return SamePrefix(block, kBzip2Block) || SamePrefix(block, kBzip2End);
}

size_t WholeMagic(Compression compression) {
  if (compression == Compression::kBzip2) return kMagicBytes;
  return FixedMagic(compression).size() +
         (compression == Compression::kGzip || compression == Compression::kLzw
              ? 1
              : 0);
}

bool IsSkippable(std::string_view bytes) {
  return bytes.size() >= 4 && (bytes[0] & 0xf0) == 0x50 &&
         bytes.substr(1, 3) == std::string_view("\x2a\x4d\x18", 3);
}

constexpr Compression kAll[] = {Compression::kGzip,  Compression::kZstd,
                                Compression::kLz4,   Compression::kXz,
                                Compression::kBzip2, Compression::kLzw};

// Skippable frames belong to zstd and lz4 alike: the first other frame decides.
Compression BehindSkippable(std::string_view bytes) {
  while (IsSkippable(bytes) && bytes.size() >= 8) {
    uint32_t size;
    std::memcpy(&size, bytes.data() + 4, 4);
    if (bytes.size() - 8 < size) break;
    bytes.remove_prefix(8 + size_t{size});
  }
  const bool lz4 = bytes.size() >= 4 && SamePrefix(bytes, kLz4Magic);
  return lz4 ? Compression::kLz4 : Compression::kZstd;
}

bool LooksLikeText(std::string_view bytes) {
  return std::none_of(bytes.begin(), bytes.end(), [](char c) {
    const auto u = static_cast<unsigned char>(c);
    return u < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f';
  });
}

}  // namespace

std::string AboveMaxWindow(const std::string& what, uint64_t max_window_bytes,
                           uint64_t asked_bytes) {
  const auto mb = [](uint64_t bytes) {
    return std::to_string((bytes >> 20) + (bytes % (1 << 20) > 0));
  };
  return what + " of " + mb(asked_bytes) + " MB, above the " +
         mb(max_window_bytes) + " MB of --max-window: --max-window " +
         mb(asked_bytes) + "M reads it";
}

std::unique_ptr<Codec> MakeCodec(Compression compression,
                                 uint64_t max_window_bytes,
                                 ZstdDictionary* dictionary) {
  switch (compression) {
    case Compression::kGzip:
      return std::make_unique<GzipCodec>();
    case Compression::kZstd:
      return MakeZstdCodec(max_window_bytes, dictionary);
    case Compression::kLz4:
      return std::make_unique<Lz4Codec>();
    case Compression::kBzip2:
      return std::make_unique<Bzip2Codec>();
    case Compression::kXz:
      return std::make_unique<XzCodec>(max_window_bytes);
    case Compression::kLzw:
      return MakeLzwCodec();
    case Compression::kNone:
      break;
  }
  return nullptr;
}

bool BeginsMember(Compression compression, std::string_view bytes) {
  if (bytes.empty()) return false;
  if ((compression == Compression::kZstd || compression == Compression::kLz4) &&
      IsSkippable(bytes)) {
    return true;
  }
  return SamePrefix(bytes, FixedMagic(compression)) &&
         PlausibleHeader(compression, bytes);
}

namespace {

size_t FindData(Compression compression, std::string_view bytes) {
  const std::string_view magic = FixedMagic(compression);
  const size_t whole = WholeMagic(compression);
  size_t at = 0;
  while (at + whole <= bytes.size()) {
    const void* hit =
        std::memchr(bytes.data() + at, magic[0], bytes.size() - whole + 1 - at);
    if (hit == nullptr) break;
    at = static_cast<size_t>(static_cast<const char*>(hit) - bytes.data());
    const std::string_view rest = bytes.substr(at);
    if (SamePrefix(rest, magic) && PlausibleHeader(compression, rest)) {
      return at;
    }
    ++at;
  }
  return std::string_view::npos;
}

// The first frame in front of `end` that holds a dictionary.
size_t FindDictionary(std::string_view bytes, size_t end) {
  constexpr std::string_view kTail("\x2a\x4d\x18", 3);
  constexpr size_t kHeaderBytes = 8;
  for (size_t at = bytes.find(kTail); at < end; at = bytes.find(kTail, at + 1))
    if (at > 0 && ZstdDictionary::IsFrame(bytes.substr(at - 1)) &&
        ZstdDictionary::IsContent(
            bytes.substr(std::min(at - 1 + kHeaderBytes, bytes.size()))))
      return at - 1;
  return end;
}

}  // namespace

size_t FindMember(Compression compression, std::string_view bytes) {
  const size_t found = FindData(compression, bytes);
  if (compression != Compression::kZstd) return found;
  return FindDictionary(bytes, found);
}

Compression DetectCompression(std::string_view bytes, std::string_view path) {
  if (bytes.size() < 3) return Compression::kNone;
  for (const Compression c : kAll) {
    if (bytes.size() >= FixedMagic(c).size() && !IsSkippable(bytes) &&
        BeginsMember(c, bytes)) {
      return c;
    }
  }
  if (IsSkippable(bytes)) return BehindSkippable(bytes);
  if (LooksLikeText(bytes.substr(0, 512))) return Compression::kNone;
  for (const Compression c : kAll) {
    std::string magic(FixedMagic(c));
    if (c == Compression::kLzw) continue;  // too short to be guessed
    if (c == Compression::kBzip2) magic += bytes.size() > 3 ? bytes[3] : '9';
    if (c == Compression::kBzip2) magic += kBzip2Block;
    if (bytes.size() < magic.size()) continue;
    size_t wrong = 0;
    for (size_t i = 0; i < magic.size(); ++i) wrong += bytes[i] != magic[i];
    if (wrong <= 1) return c;
  }
  return CompressionOfPath(path);
}

namespace {
constexpr struct {
  std::string_view suffix;
  Compression compression;
} kSuffixes[] = {{".gz", Compression::kGzip}, {".zst", Compression::kZstd},
                 {".lz4", Compression::kLz4}, {".bz2", Compression::kBzip2},
                 {".xz", Compression::kXz},   {".Z", Compression::kLzw}};
}  // namespace

Compression CompressionOfPath(std::string_view path) {
  for (const auto& row : kSuffixes) {
    if (path.ends_with(row.suffix)) return row.compression;
  }
  return Compression::kNone;
}

std::string_view WithoutCompressionSuffix(std::string_view path) {
  for (const auto& row : kSuffixes) {
    if (path.size() > row.suffix.size() && path.ends_with(row.suffix)) {
      return path.substr(0, path.size() - row.suffix.size());
    }
  }
  return path;
}

}  // namespace twinset
