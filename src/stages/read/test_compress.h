// Compressors for tests: each call yields one member, with a content checksum.
#ifndef TWINSET_SRC_STAGES_READ_TEST_COMPRESS_H_
#define TWINSET_SRC_STAGES_READ_TEST_COMPRESS_H_

#include <bzlib.h>
#include <lz4frame.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <string>

#include "read/byte_stream.h"

namespace twinset::test {

inline std::string Gzip(const std::string& text, gz_header* header = nullptr) {
  z_stream z = {};
  deflateInit2(&z, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
  if (header != nullptr) deflateSetHeader(&z, header);
  std::string out(deflateBound(&z, text.size()) + 1000, '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  z.avail_in = static_cast<unsigned>(text.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<unsigned>(out.size());
  deflate(&z, Z_FINISH);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

inline std::string GzipWithAllFields(const std::string& text) {
  std::string extra = "sl\x04", name = "name.txt", comment = "a comment";
  extra += std::string("\0abcd", 5);
  gz_header header = {};
  header.extra = reinterpret_cast<Bytef*>(extra.data());
  header.extra_len = static_cast<unsigned>(extra.size());
  header.name = reinterpret_cast<Bytef*>(name.data());
  header.comment = reinterpret_cast<Bytef*>(comment.data());
  header.hcrc = 1;
  return Gzip(text, &header);
}

inline std::string ZstdWithWindow(const std::string& text, int window_log) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  if (window_log > 0) {
    ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
  }
  // Streaming without a known size, so that the frame declares its window.
  std::string out(ZSTD_compressBound(text.size()) + 100, '\0');
  ZSTD_outBuffer output = {out.data(), out.size(), 0};
  ZSTD_inBuffer input = {text.data(), text.size(), 0};
  ZSTD_compressStream2(context, &output, &input, ZSTD_e_continue);
  ZSTD_compressStream2(context, &output, &input, ZSTD_e_end);
  out.resize(output.pos);
  ZSTD_freeCCtx(context);
  return out;
}

inline std::string Lz4(const std::string& text) {
  LZ4F_preferences_t preferences = {};
  preferences.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
  std::string out(LZ4F_compressFrameBound(text.size(), &preferences), '\0');
  out.resize(LZ4F_compressFrame(out.data(), out.size(), text.data(),
                                text.size(), &preferences));
  return out;
}

inline std::string Bzip2(const std::string& text) {
  unsigned size = static_cast<unsigned>(text.size() + text.size() / 50 + 1000);
  std::string out(size, '\0');
  BZ2_bzBuffToBuffCompress(out.data(), &size, const_cast<char*>(text.data()),
                           static_cast<unsigned>(text.size()), 1, 0, 0);
  out.resize(size);
  return out;
}

inline std::string Xz(const std::string& text) {
  std::string out(lzma_stream_buffer_bound(text.size()), '\0');
  size_t size = 0;
  lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, nullptr,
                          reinterpret_cast<const uint8_t*>(text.data()),
                          text.size(), reinterpret_cast<uint8_t*>(out.data()),
                          &size, out.size());
  out.resize(size);
  return out;
}

inline std::string Compress(Compression compression, const std::string& text) {
  switch (compression) {
    case Compression::kGzip:
      return Gzip(text);
    case Compression::kZstd:
      return ZstdWithWindow(text, 0);
    case Compression::kLz4:
      return Lz4(text);
    case Compression::kBzip2:
      return Bzip2(text);
    case Compression::kXz:
      return Xz(text);
    case Compression::kLzw:  // lzw_codec_test.cc has it
    case Compression::kNone:
      break;
  }
  return text;
}

}  // namespace twinset::test

#endif  // TWINSET_SRC_STAGES_READ_TEST_COMPRESS_H_
