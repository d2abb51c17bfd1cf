// zstd (RFC 8878), with dictionaries that stand in the source itself.
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <bit>

#include "base/bytes.h"
#include "base/free_string.h"
#include "read/codec.h"

namespace twinset {
namespace {

constexpr std::string_view kFrameMagic("\x28\xb5\x2f\xfd", 4);
constexpr std::string_view kDictionaryMagic("\x37\xa4\x30\xec", 4);
constexpr std::string_view kDictionaryFrame("\x5d\x2a\x4d\x18", 4);
constexpr size_t kSkippableHeader = 8;
constexpr size_t kZstdHeaderBytes = 18;  // the longest header of a frame

// What libzstd holds of a frame at most.
constexpr uint64_t kMostZstdWindow = uint64_t{1} << 31;

// A zstd frame of at most ZstdDictionary::kMostBytes. Empty, or what is wrong.
std::string Decompress(std::string_view frame, std::string* bytes) {
  const std::unique_ptr<ZSTD_DCtx, size_t (*)(ZSTD_DCtx*)> context(
      ZSTD_createDCtx(), ZSTD_freeDCtx);
  if (context == nullptr) return "out of memory";
  constexpr int kMostWindowLog = 25;
  ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, kMostWindowLog);
  constexpr size_t kChunk = 64 << 10;
  ZSTD_inBuffer in = {frame.data(), frame.size(), 0};
  for (;;) {
    const size_t had = bytes->size();
    bytes->resize(had + kChunk);
    ZSTD_outBuffer out = {bytes->data() + had, kChunk, 0};
    const size_t code = ZSTD_decompressStream(context.get(), &out, &in);
    bytes->resize(had + out.pos);
    if (ZSTD_isError(code)) return ZSTD_getErrorName(code);
    if (bytes->size() > ZstdDictionary::kMostBytes)
      return "it has more than 16 MB";
    if (code == 0) return "";
    if (out.pos < kChunk && in.pos == in.size) return "it is cut off";
  }
}

// RFC 8878.
class ZstdCodec : public Codec {
 public:
  ZstdCodec(uint64_t max_window_bytes, ZstdDictionary* dictionary)
      : max_window_bytes_(max_window_bytes),
        dictionary_(dictionary),
        context_(ZSTD_createDCtx()) {
    if (context_ == nullptr) return;
    // The least power of two that is not below it: Decode holds the header
    // against the exact number.
    const auto log = static_cast<int>(
        std::bit_width(std::max<uint64_t>(max_window_bytes, 1) - 1));
    const ZSTD_bounds bounds = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax);
    ZSTD_DCtx_setParameter(
        context_, ZSTD_d_windowLogMax,
        std::clamp(log, bounds.lowerBound, bounds.upperBound));
  }
  ~ZstdCodec() override { ZSTD_freeDCtx(context_); }
  bool Reset() override {
    header_.clear();
    place_ = Place::kBegin;
    return context_ != nullptr &&
           !ZSTD_isError(ZSTD_DCtx_reset(context_, ZSTD_reset_session_only)) &&
           (dictionary_ == nullptr ||
            !ZSTD_isError(ZSTD_DCtx_refDDict(context_, dictionary_->get())));
  }
  Step Decode(std::string_view in, char* out, size_t out_size) override {
    Step step;
    if (place_ == Place::kBegin && !in.empty()) {
      const bool holds = dictionary_ != nullptr && ZstdDictionary::IsFrame(in);
      place_ = holds ? Place::kDictionary : Place::kFrame;
    }
    if (place_ == Place::kDictionary) return DecodeDictionary(in);
    if (header_.size() < kZstdHeaderBytes) {
      header_.append(in.substr(0, kZstdHeaderBytes - header_.size()));
      const auto window = ZstdWindowBytes(header_);
      if (window && *window > std::min(max_window_bytes_, kMostZstdWindow)) {
        step.state = State::kBadData;
        step.detail =
            *window > kMostZstdWindow
                ? "a window above the 2 GB that libzstd reads"
                : AboveMaxWindow("a window", max_window_bytes_, *window);
        return step;
      }
    }
    ZSTD_inBuffer input = {in.data(), in.size(), 0};
    ZSTD_outBuffer output = {out, out_size, 0};
    const size_t code = ZSTD_decompressStream(context_, &output, &input);
    step.consumed = input.pos;
    step.produced = output.pos;
    if (ZSTD_isError(code)) {
      step.state = ZSTD_getErrorCode(code) == ZSTD_error_checksum_wrong
                       ? State::kBadChecksum
                       : State::kBadData;
      step.detail = ZSTD_getErrorName(code);
      if (ZSTD_getErrorCode(code) == ZSTD_error_dictionary_wrong)
        step.detail = "it needs a dictionary that does not stand in front";
    } else if (code == 0) {
      step.state = State::kEnd;
    }
    return step;
  }

 private:
  enum class Place { kBegin, kFrame, kDictionary };

  // Reads a skippable frame: its header, then its content as far as it may be
  // held. A fault in it is reported behind it, where the next frame begins.
  Step DecodeDictionary(std::string_view in) {
    Step step;
    if (header_.size() < kSkippableHeader) {
      step.consumed = std::min(in.size(), kSkippableHeader - header_.size());
      header_.append(in.substr(0, step.consumed));
      if (header_.size() < kSkippableHeader) return step;
      size_ = left_ = LoadLE<uint32_t>(header_.data() + 4);
      in.remove_prefix(step.consumed);
    }
    const std::string_view part =
        in.substr(0, static_cast<size_t>(std::min<uint64_t>(left_, in.size())));
    left_ -= part.size();
    step.consumed += part.size();
    if (size_ <= ZstdDictionary::kMostBytes) content_ += part;
    if (left_ > 0) return step;
    step.state = State::kEnd;
    const std::string why = size_ > ZstdDictionary::kMostBytes
                                ? "it has " + std::to_string(size_) +
                                      " bytes, and more than 16 MB are not read"
                                : dictionary_->Take(content_);
    FreeString(&content_);
    if (!why.empty()) {
      step.state = State::kBadChecksum;
      step.at_end = true;
      step.detail = "the dictionary of the frames behind it: " + why;
    }
    return step;
  }

  const uint64_t max_window_bytes_;
  ZstdDictionary* const dictionary_;
  ZSTD_DCtx* context_;
  std::string header_;  // the first bytes of the frame
  Place place_ = Place::kBegin;
  std::string content_;           // of a frame that holds a dictionary
  uint64_t size_ = 0, left_ = 0;  // its bytes, and those to come
};

}  // namespace

bool ZstdDictionary::IsFrame(std::string_view frame) {
  return frame.starts_with(kDictionaryFrame);
}

bool ZstdDictionary::IsContent(std::string_view content) {
  return content.starts_with(kDictionaryMagic) ||
         content.starts_with(kFrameMagic);
}

std::string ZstdDictionary::Take(std::string_view content) {
  std::string bytes;
  if (content.starts_with(kFrameMagic)) {
    std::string why = Decompress(content, &bytes);
    if (!why.empty()) return why;
    content = bytes;
  }
  if (!content.starts_with(kDictionaryMagic)) return "";
  std::unique_ptr<ZSTD_DDict_s, Free> taken(
      ZSTD_createDDict(content.data(), content.size()));
  if (taken == nullptr) return "it is damaged";
  dictionary_ = std::move(taken);
  return "";
}

void ZstdDictionary::Free::operator()(ZSTD_DDict_s* dictionary) const {
  ZSTD_freeDDict(dictionary);
}

std::unique_ptr<Codec> MakeZstdCodec(uint64_t max_window_bytes,
                                     ZstdDictionary* dictionary) {
  return std::make_unique<ZstdCodec>(max_window_bytes, dictionary);
}

std::optional<uint64_t> ZstdWindowBytes(std::string_view frame) {
  constexpr size_t kDescriptorAt = 4;
  if (frame.size() <= kDescriptorAt + 1 || !frame.starts_with(kFrameMagic))
    return std::nullopt;
  const auto byte = [&](size_t at) {
    return uint64_t{static_cast<unsigned char>(frame[at])};
  };
  const uint64_t descriptor = byte(kDescriptorAt);
  if ((descriptor & 0x20) == 0) {
    const uint64_t base = uint64_t{1} << (10 + (byte(5) >> 3));
    return base + base / 8 * (byte(5) & 7);
  }
  // One segment: the window is the content, whose size stands behind the id of
  // the dictionary.
  constexpr size_t kIdBytes[] = {0, 1, 2, 4}, kSizeBytes[] = {1, 2, 4, 8};
  const size_t at = kDescriptorAt + 1 + kIdBytes[descriptor & 3];
  const size_t bytes = kSizeBytes[descriptor >> 6];
  if (frame.size() < at + bytes) return std::nullopt;
  uint64_t size = bytes == 2 ? 256 : 0;
  for (size_t i = 0; i < bytes; ++i) size += byte(at + i) << (8 * i);
  return size;
}

}  // namespace twinset
