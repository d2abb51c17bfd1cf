// Addresses of anything that is read: lists of them, and records that have one.
#ifndef TWINSET_SRC_STAGES_READ_ROWS_ADDRESS_READER_H_
#define TWINSET_SRC_STAGES_READ_ROWS_ADDRESS_READER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "read/byte_stream.h"
#include "read/reader.h"
#include "twinset/error.h"

namespace twinset {

struct FoundAddress {
  std::string address, id;
  std::string date, digest;  // of a line of CDX or CDXJ
  uint64_t number = 0;       // of the line from 1, of the record from 0
  uint64_t offset = 0;       // in the decompressed source
  // Why there is no address here: "no-url", "bad-json", the reason of a
  // quarantined record, ... Empty: there is one, good or not.
  std::string why;
};

// Addresses of one source in its order. One thread at a time.
class AddressReader {
 public:
  virtual ~AddressReader() = default;
  // False at the end of the source.
  virtual Result<bool> Next(FoundAddress* found) = 0;
  virtual bool is_list() const = 0;
};

// Lists are told from other text by options.format or, for kAuto, by content:
// what the reader of documents takes for text is a list, and so are tables that
// begin with an address instead of names of columns. Rows need no text.
// Memory: buffers of at most 1 MB, and a record.
Result<std::unique_ptr<AddressReader>> OpenAddressReader(
    const InputFile& input, uint32_t source, const ReadOptions& options);

// The lines of a stream that is a list.
std::unique_ptr<AddressReader> ReadAddressList(
    std::unique_ptr<ByteStream> stream, const std::string& path,
    const ReadOptions& options);

// The same over a list in memory: for tests and fuzzing.
std::unique_ptr<AddressReader> ReadAddressListFromMemory(
    std::string bytes, const ReadOptions& options);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_ROWS_ADDRESS_READER_H_
