#include "store/file_header.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "base/bytes.h"
#include "base/hash.h"
#include "twinset/version.h"

namespace twinset {

namespace {

constexpr char kMagic[] = "twinset\n";
constexpr char kFooterMagic[] = "twinend\n";
constexpr size_t kMagicBytes = 8;
constexpr size_t kKindBytes = 8;

// Offsets of the fields; src/ground/store/FORMAT.md is the table.
constexpr size_t kSpecAt = 8;
constexpr size_t kVersionAt = 12;
constexpr size_t kKindAt = 16;
constexpr size_t kElementAt = 24;
constexpr size_t kParametersAt = 32;
constexpr size_t kChecksumAt = kFileHeaderBytes - 8;
constexpr size_t kFooterChecksumAt = kFileFooterBytes - 8;

template <size_t size>
uint64_t ChecksumOf(const std::array<char, size>& bytes) {
  return Hash64(std::string_view(bytes.data(), size - 8));
}

// The kind as text; what is not printable is shown as '?', since it goes into
// messages.
std::string KindText(const char* at) {
  std::string kind(at, strnlen(at, kKindBytes));
  for (char& c : kind) {
    if (c < ' ' || c > '~') c = '?';
  }
  return kind;
}

}  // namespace

std::string PlaceInFile(const std::string& path, uint64_t offset) {
  return path + " at byte " + std::to_string(offset);
}

std::array<char, kFileHeaderBytes> EncodeFileHeader(const FileHeader& header) {
  std::array<char, kFileHeaderBytes> bytes{};
  std::memcpy(bytes.data(), kMagic, kMagicBytes);
  StoreLE<uint32_t>(&bytes[kSpecAt], kSpecCode);
  StoreLE<uint32_t>(&bytes[kVersionAt], header.version);
  std::memcpy(&bytes[kKindAt], header.kind.data(),
              std::min(header.kind.size(), kKindBytes));
  StoreLE<uint32_t>(&bytes[kElementAt], header.element_bytes);
  StoreLE<uint64_t>(&bytes[kParametersAt], header.parameters_hash);
  StoreLE<uint64_t>(&bytes[kChecksumAt], ChecksumOf(bytes));
  return bytes;
}

Result<FileHeader> DecodeFileHeader(
    const std::array<char, kFileHeaderBytes>& bytes, const std::string& path) {
  if (std::memcmp(bytes.data(), kMagic, kMagicBytes) != 0) {
    return Fail(ErrorCode::kCorrupt, "this is not a binary file of twinset",
                PlaceInFile(path, 0));
  }
  if (LoadLE<uint64_t>(&bytes[kChecksumAt]) != ChecksumOf(bytes)) {
    return Fail(ErrorCode::kCorrupt, "the file header fails its checksum",
                PlaceInFile(path, 0));
  }
  const uint32_t spec = LoadLE<uint32_t>(&bytes[kSpecAt]);
  if (spec != kSpecCode) {
    return Fail(ErrorCode::kUnsupported,
                "written under spec " + std::to_string(spec & 0xFFFF) + "." +
                    std::to_string(spec >> 16) + ", this build reads spec " +
                    kSpecText,
                PlaceInFile(path, kSpecAt));
  }
  FileHeader header;
  header.version = LoadLE<uint32_t>(&bytes[kVersionAt]);
  header.kind = KindText(&bytes[kKindAt]);
  header.element_bytes = LoadLE<uint32_t>(&bytes[kElementAt]);
  header.parameters_hash = LoadLE<uint64_t>(&bytes[kParametersAt]);
  // Also refuses padding that is not zero and a kind that is not plain ASCII.
  if (EncodeFileHeader(header) != bytes) {
    return Fail(ErrorCode::kUnsupported,
                "the file header has fields unknown to this build",
                PlaceInFile(path, 0));
  }
  return header;
}

Status CheckFileHeader(const std::array<char, kFileHeaderBytes>& bytes,
                       const FileHeader& expected, const std::string& path) {
  TWINSET_ASSIGN(const FileHeader header, DecodeFileHeader(bytes, path));
  if (header.kind != expected.kind) {
    return Fail(ErrorCode::kCorrupt,
                "a file of kind \"" + header.kind + "\" where \"" +
                    expected.kind + "\" is expected",
                PlaceInFile(path, kKindAt));
  }
  if (header.version != expected.version) {
    return Fail(ErrorCode::kUnsupported,
                "layout version " + std::to_string(header.version) +
                    ", this build reads " + std::to_string(expected.version),
                PlaceInFile(path, kVersionAt));
  }
  if (header.element_bytes != expected.element_bytes) {
    return Fail(ErrorCode::kCorrupt,
                "records of " + std::to_string(header.element_bytes) +
                    " bytes where " + std::to_string(expected.element_bytes) +
                    " are expected",
                PlaceInFile(path, kElementAt));
  }
  if (header.parameters_hash != expected.parameters_hash) {
    return Fail(ErrorCode::kUnsupported,
                "written with other parameters (" +
                    ToHex(header.parameters_hash) + ", not " +
                    ToHex(expected.parameters_hash) + ")",
                PlaceInFile(path, kParametersAt));
  }
  return {};
}

Status ReadFileHeader(const File& file, const FileHeader& expected) {
  std::array<char, kFileHeaderBytes> bytes;
  TWINSET_TRY(file.ReadAt(0, bytes.data(), bytes.size()));
  return CheckFileHeader(bytes, expected, file.path());
}

std::array<char, kFileFooterBytes> EncodeFileFooter(const FileFooter& footer) {
  std::array<char, kFileFooterBytes> bytes{};
  std::memcpy(bytes.data(), kFooterMagic, kMagicBytes);
  StoreLE<uint64_t>(&bytes[8], footer.count);
  StoreLE<uint64_t>(&bytes[16], footer.detail);
  StoreLE<uint64_t>(&bytes[kFooterChecksumAt], ChecksumOf(bytes));
  return bytes;
}

Result<FileFooter> ReadFileFooter(const File& file, uint64_t size) {
  if (size < kFileHeaderBytes + kFileFooterBytes) {
    return Fail(ErrorCode::kCorrupt,
                "file of " + std::to_string(size) +
                    " bytes is too short to be complete",
                file.path());
  }
  const uint64_t offset = size - kFileFooterBytes;
  std::array<char, kFileFooterBytes> bytes;
  TWINSET_TRY(file.ReadAt(offset, bytes.data(), bytes.size()));
  if (std::memcmp(bytes.data(), kFooterMagic, kMagicBytes) != 0) {
    return Fail(ErrorCode::kCorrupt,
                "the file is not complete: it has no footer",
                PlaceInFile(file.path(), offset));
  }
  if (LoadLE<uint64_t>(&bytes[kFooterChecksumAt]) != ChecksumOf(bytes)) {
    return Fail(ErrorCode::kCorrupt, "the footer fails its checksum",
                PlaceInFile(file.path(), offset));
  }
  return FileFooter{LoadLE<uint64_t>(&bytes[8]), LoadLE<uint64_t>(&bytes[16])};
}

}  // namespace twinset
