// Records of an archive that revisits may refer to, and the revisits
// themselves.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_READ_CAPTURES_H_
#define TWINSET_SRC_DEDUP_PIPELINE_READ_CAPTURES_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "pipeline/run/run.h"
#include "read/reader.h"
#include "twinset/error.h"

namespace twinset {

// A record of revisits.blob.
struct Capture {
  std::string skipped;  // why it was skipped; empty: it is a revisit
  uint32_t source = 0;
  uint64_t ordinal = 0;
  std::string id, url, date, digest;
  std::string refers_to_id, refers_to_url, refers_to_date, refers_to_digest;
};

// A record of revisits.blob: a revisit, or, with the reason in `skipped`, a
// record that revisits may refer to although it is no document.
void EncodeCapture(const Record& record, const std::string& skipped,
                   std::string* bytes);

// The stored form of a capture, and back; kCorrupt when the bytes are not what
// the first wrote.
void EncodeCapture(const Capture& capture, std::string* bytes);
Result<Capture> DecodeCapture(std::string_view bytes);

// Calls `body` for every record of revisits.blob, in input order.
Status ForEachCapture(const Run& run,
                      const std::function<Status(const Capture&)>& body);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_READ_CAPTURES_H_
