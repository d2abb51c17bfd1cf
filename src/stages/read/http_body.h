// From the body of an HTTP message as archived to its payload: chunks joined,
// encodings undone.
#ifndef TWINSET_SRC_STAGES_READ_HTTP_BODY_H_
#define TWINSET_SRC_STAGES_READ_HTTP_BODY_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "read/http_message.h"

namespace twinset {

struct BodyLimits {
  uint64_t max_bytes = 8 << 20;  // of each decoded layer
  uint64_t max_ratio =
      1000;  // decoded / encoded, checked beyond 1 MB of output; 0: off
  uint64_t max_window_bytes = uint64_t{128} << 20;  // of zstd
  bool keep_stored = false;                         // fill DecodedBody::stored
  bool quick = true;  // as ByteStreamOptions has it
};

struct DecodedBody {
  std::string payload;
  std::string stored;   // before content codings were undone; empty without any
  std::string refused;  // "", "too-large" or "ratio": then the payload is empty
  bool damaged =
      false;  // an encoding was not what the head says, or ended early
  // The coding that is left as it stands, and why, for a person: `br, which the
  // body is not`. Many bodies under such a head were decoded before they were
  // stored, and are fine.
  std::string undone;
};

// Joins the chunks of a chunked body (RFC 9112, 7.1). From the first place on
// that is not chunked after all the bytes are kept as they stand; a chunk that
// is cut off keeps what is there. False if anything of that kind was found.
bool JoinChunks(std::string_view body, std::string* joined);

// Undoes Transfer-Encoding and Content-Encoding as `head` declares them:
// chunked, gzip, x-gzip, compress, x-compress, deflate (zlib or raw), br and
// zstd, several in order; aws-chunked where the body is so. A
// layer that is not what it claims to be (many crawlers store decoded bodies
// under the original head) is left as it stands; one that breaks off or fails
// its checksum keeps what was decoded. Unknown encodings are left alone.
// Memory: at most two layers of limits.max_bytes. Linear time in body and
// output.
DecodedBody DecodeBody(const HttpHead& head, std::string_view body,
                       const BodyLimits& limits);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_HTTP_BODY_H_
