// Captures that lists tell of, without their records: CDX, CDXJ, and the
// indexes of a WACZ.
#ifndef TWINSET_SRC_STAGES_READ_BUNDLE_CAPTURE_LIST_H_
#define TWINSET_SRC_STAGES_READ_BUNDLE_CAPTURE_LIST_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "read/reader.h"
#include "twinset/error.h"

namespace twinset {

struct ListedCapture {
  std::string url, date;
  // What the list says of the payload: "sha1:" in base 32, or "sha256:" in
  // small hexadecimal digits.
  std::string digest;
  std::string file;     // of the archive; empty: the source itself
  uint64_t number = 0;  // of the line, from 1
  uint64_t offset = 0;  // in the decompressed file
  // Why the line says nothing that can be used: "no-url", "no-digest",
  // "bad-digest", "bad-json", ... Empty: it does.
  std::string why, detail;
};

// In the order of the source. One thread at a time.
class CaptureList {
 public:
  virtual ~CaptureList() = default;
  // False at the end.
  virtual Result<bool> Next(ListedCapture* capture) = 0;
};

// kUnsupported for what is no list, and for an archive without one.
Result<std::unique_ptr<CaptureList>> OpenCaptureList(
    const InputFile& input, const ReadOptions& options);
// The same over bytes in memory: for tests and fuzzing.
Result<std::unique_ptr<CaptureList>> ReadCaptureListFromMemory(
    std::string bytes, const ReadOptions& options);

// A digest as lists write it, as ListedCapture has it; empty for any other: a
// payload is asked for by what can be made of it.
std::string DigestOfList(std::string_view digest);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_BUNDLE_CAPTURE_LIST_H_
