#include "report/corpus_writer.h"

#include <bzlib.h>
#include <libdeflate.h>
#include <lz4frame.h>
#include <lzma.h>
#include <zstd.h>

#include <memory>
#include <utility>

namespace twinset {

namespace {

Error Failed(const char* library) {
  return Error{ErrorCode::kInternal,
               std::string(library) + " could not compress"};
}

// libdeflate gives the same bytes on every processor. Its header has no time
// stamp.
Result<std::string> Gzip(std::string_view bytes, int level) {
  const std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)>
      compressor(libdeflate_alloc_compressor(level),
                 libdeflate_free_compressor);
  if (compressor == nullptr) return tl::unexpected(Failed("libdeflate"));
  std::string out(
      libdeflate_gzip_compress_bound(compressor.get(), bytes.size()), '\0');
  const size_t size = libdeflate_gzip_compress(
      compressor.get(), bytes.data(), bytes.size(), out.data(), out.size());
  if (size == 0) return tl::unexpected(Failed("libdeflate"));
  out.resize(size);
  return out;
}

Result<std::string> Zstd(std::string_view bytes, int level) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const size_t size =
      ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), level);
  if (ZSTD_isError(size)) return tl::unexpected(Failed("zstd"));
  out.resize(size);
  return out;
}

Result<std::string> Bzip2(std::string_view bytes, int level) {
  auto size =
      static_cast<unsigned int>(bytes.size() + bytes.size() / 64 + 1024);
  std::string out(size, '\0');
  const int result = BZ2_bzBuffToBuffCompress(
      out.data(), &size, const_cast<char*>(bytes.data()),
      static_cast<unsigned int>(bytes.size()), level, 0, 0);
  if (result != BZ_OK) return tl::unexpected(Failed("bzip2"));
  out.resize(size);
  return out;
}

Result<std::string> Xz(std::string_view bytes, int level) {
  std::string out(lzma_stream_buffer_bound(bytes.size()), '\0');
  size_t size = 0;
  const lzma_ret result = lzma_easy_buffer_encode(
      static_cast<uint32_t>(level), LZMA_CHECK_CRC64, nullptr,
      reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size(),
      reinterpret_cast<uint8_t*>(out.data()), &size, out.size());
  if (result != LZMA_OK) return tl::unexpected(Failed("xz"));
  out.resize(size);
  return out;
}

Result<std::string> Lz4(std::string_view bytes, int level) {
  LZ4F_preferences_t preferences{};
  preferences.compressionLevel = level;
  preferences.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
  std::string out(LZ4F_compressFrameBound(bytes.size(), &preferences), '\0');
  const size_t size = LZ4F_compressFrame(out.data(), out.size(), bytes.data(),
                                         bytes.size(), &preferences);
  if (LZ4F_isError(size)) return tl::unexpected(Failed("lz4"));
  out.resize(size);
  return out;
}

}  // namespace

OutputCompression CompressionOf(std::string_view path) {
  if (path.ends_with(".gz")) return OutputCompression::kGzip;
  if (path.ends_with(".zst")) return OutputCompression::kZstd;
  if (path.ends_with(".bz2")) return OutputCompression::kBzip2;
  if (path.ends_with(".xz")) return OutputCompression::kXz;
  if (path.ends_with(".lz4")) return OutputCompression::kLz4;
  return OutputCompression::kNone;
}

Result<std::string> CompressMember(OutputCompression compression,
                                   std::string_view bytes, int level) {
  if (bytes.size() >= (size_t{1} << 31)) {
    return Fail(ErrorCode::kUnsupported,
                "a record of 2 GB or more cannot be compressed");
  }
  switch (compression) {
    case OutputCompression::kNone:
      return std::string(bytes);
    case OutputCompression::kGzip:
      return Gzip(bytes, level == 0 ? 3 : level);
    case OutputCompression::kZstd:
      return Zstd(bytes, level == 0 ? 3 : level);
    case OutputCompression::kBzip2:
      return Bzip2(bytes, level == 0 ? 9 : level);
    case OutputCompression::kXz:
      return Xz(bytes, level == 0 ? 6 : level);
    case OutputCompression::kLz4:
      return Lz4(bytes, level);
  }
  return std::string(bytes);
}

void MemberCutter::Append(std::string_view bytes) {
  if (members_.empty() || members_.back().is_copy()) members_.emplace_back();
  members_.back().bytes += bytes;
  bytes_ += bytes.size();
}

void MemberCutter::StopFollowing() {
  packed_begin_.reset();
  bytes_ -= std::exchange(followed_bytes_, 0);
  for (const std::string& record : std::exchange(followed_, {})) Add(record);
}

void MemberCutter::AddRaw(const Record& record) {
  const uint64_t ordinal = record.document.provenance.ordinal;
  if (packed_begin_ && ordinal != next_ordinal_) StopFollowing();
  if (!packed_begin_ && copies_ && array_begun_ == nullptr)
    packed_begin_ = record.member_begin;
  if (!packed_begin_) return Add(record.raw);
  next_ordinal_ = ordinal + 1;
  followed_.push_back(record.raw);
  followed_bytes_ += record.raw.size();
  bytes_ += record.raw.size();
  if (record.member_end && (!per_record_ || followed_.size() == 1)) {
    WrittenMember& copy = members_.emplace_back();
    copy.packed_begin = *packed_begin_;
    copy.packed_end = *record.member_end;
    packed_begin_.reset();
    followed_.clear();
    followed_bytes_ = 0;
  } else if (per_record_ || followed_bytes_ > kMostFollowedBytes) {
    StopFollowing();
  }
}

void MemberCutter::Add(std::string_view record) {
  if (packed_begin_) StopFollowing();
  if (record.empty()) return;
  if (array_begun_ != nullptr) {
    Append(std::exchange(*array_begun_, true) ? ",\n" : "[\n");
    while (record.ends_with('\n') || record.ends_with('\r'))
      record.remove_suffix(1);
  } else if (per_record_) {
    members_.emplace_back();
  }
  Append(record);
}

void MemberCutter::CloseArray() { Append(*array_begun_ ? "\n]\n" : "[]\n"); }

std::vector<WrittenMember> MemberCutter::Take() {
  if (packed_begin_) StopFollowing();
  bytes_ = 0;
  return std::exchange(members_, {});
}

}  // namespace twinset
