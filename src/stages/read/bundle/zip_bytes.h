// What a zip archive says of a file in it, and the file's bytes.
#ifndef TWINSET_SRC_STAGES_READ_BUNDLE_ZIP_BYTES_H_
#define TWINSET_SRC_STAGES_READ_BUNDLE_ZIP_BYTES_H_

#include <cstdint>
#include <memory>
#include <string>

#include "read/byte_source.h"
#include "read/byte_stream.h"

namespace twinset {

struct ZipFile {
  std::string name;
  uint16_t flags = 0, method = 0;
  uint32_t crc = 0;
  uint64_t packed = 0, size = 0;
  uint64_t header = 0;  // where its local header stands
};

// How the bytes that ZipBytes gives are compressed; kNone for methods that are
// not read.
Compression CompressionOfZip(uint16_t method);

// The bytes of `entry`, which begin at `begin` of `archive`, as a source for a
// decompressor. What is stored or deflated comes as a gzip member, so its
// checksum is checked, and its damage told, as that of any other. `archive` can
// be sought and outlives the source.
std::unique_ptr<ByteSource> ZipBytes(ByteSource* archive, uint64_t begin,
                                     const ZipFile& entry);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_BUNDLE_ZIP_BYTES_H_
