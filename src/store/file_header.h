// The first 64 bytes of every binary file twinset writes (docs/formats/file-header.md).
#ifndef TWINSET_SRC_STORE_FILE_HEADER_H_
#define TWINSET_SRC_STORE_FILE_HEADER_H_

#include <array>
#include <cstdint>
#include <string>

#include "twinset/error.h"

namespace twinset {

// What a file claims to be. A reader states what it expects and refuses anything else.
struct FileHeader {
  std::string kind;              // up to 8 ASCII characters: "run", "blob", "blobidx", "model"
  uint32_t version = 1;          // of the layout of this kind
  uint32_t element_bytes = 0;    // of a fixed-size record, else 0
  uint64_t parameters_hash = 0;  // of the parameters that decide the content
  friend bool operator==(const FileHeader&, const FileHeader&) = default;
};

inline constexpr size_t kFileHeaderBytes = 64;

// Magic "twinset\n", spec, the fields, zero padding, checksum of all that precedes it.
std::array<char, kFileHeaderBytes> EncodeFileHeader(const FileHeader& header);
// kCorrupt when damaged, kUnsupported when of another spec or version; `path` is for messages.
Result<FileHeader> DecodeFileHeader(const std::array<char, kFileHeaderBytes>& bytes,
                                    const std::string& path);
// Decodes and compares with what the caller expects.
Status CheckFileHeader(const std::array<char, kFileHeaderBytes>& bytes, const FileHeader& expected,
                       const std::string& path);

}  // namespace twinset

#endif  // TWINSET_SRC_STORE_FILE_HEADER_H_
