// The first 64 bytes of every binary file twinset writes and the last 32 of
// those that are written front to back (src/ground/store/FORMAT.md).
#ifndef TWINSET_SRC_GROUND_STORE_FILE_HEADER_H_
#define TWINSET_SRC_GROUND_STORE_FILE_HEADER_H_

#include <array>
#include <cstdint>
#include <string>

#include "base/file.h"
#include "twinset/error.h"

namespace twinset {

// What a file claims to be. A reader states what it expects and refuses
// anything else.
struct FileHeader {
  std::string
      kind;  // up to 8 ASCII characters: "run", "blob", "blobidx", "model"
  uint32_t version = 1;          // of the layout of this kind
  uint32_t element_bytes = 0;    // of a fixed-size record, else 0
  uint64_t parameters_hash = 0;  // of the parameters that decide the content
  friend bool operator==(const FileHeader&, const FileHeader&) = default;
};

inline constexpr size_t kFileHeaderBytes = 64;

// Magic "twinset\n", spec, the fields, zero padding, checksum of all that
// precedes it.
std::array<char, kFileHeaderBytes> EncodeFileHeader(const FileHeader& header);
// kCorrupt when damaged, kUnsupported when of another spec or version; `path`
// is for messages.
Result<FileHeader> DecodeFileHeader(
    const std::array<char, kFileHeaderBytes>& bytes, const std::string& path);
// Decodes and compares with what the caller expects: kUnsupported for another
// version or other parameters, kCorrupt for another kind or record size.
Status CheckFileHeader(const std::array<char, kFileHeaderBytes>& bytes,
                       const FileHeader& expected, const std::string& path);
// Reads the header at the start of `file` and checks it.
Status ReadFileHeader(const File& file, const FileHeader& expected);

// The end of a file that was finished. Its absence means that the writer did
// not finish.
struct FileFooter {
  uint64_t count = 0;   // of records or blobs
  uint64_t detail = 0;  // the kind says what
  friend bool operator==(const FileFooter&, const FileFooter&) = default;
};

inline constexpr size_t kFileFooterBytes = 32;

// Magic "twinend\n", the fields, checksum of all that precedes it in the
// footer.
std::array<char, kFileFooterBytes> EncodeFileFooter(const FileFooter& footer);
// Reads the last 32 bytes of `file`, whose length is `size`. kCorrupt unless
// there is room for a header before it and it is undamaged.
Result<FileFooter> ReadFileFooter(const File& file, uint64_t size);

// "PATH at byte OFFSET": the `where` of an error.
std::string PlaceInFile(const std::string& path, uint64_t offset);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_STORE_FILE_HEADER_H_
