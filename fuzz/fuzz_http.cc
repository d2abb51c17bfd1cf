// HTTP messages in any state: heads, media types, chunks and encodings.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "read/http_body.h"
#include "read/http_message.h"
#include "target.h"

TWINSET_FUZZ_TARGET(http) {
  using namespace twinset;
  const std::string block(reinterpret_cast<const char*>(data), size);
  ParseMediaType(block);
  SniffMime(block);
  std::string joined;
  JoinChunks(block, &joined);
  if (joined.size() > block.size()) std::abort();
  const auto head = ParseHttpHead(block);
  if (!head) return 0;
  if (head->size > block.size()) std::abort();
  BodyLimits limits;
  limits.max_bytes = 2 << 20;
  const DecodedBody body =
      DecodeBody(*head, std::string_view(block).substr(head->size), limits);
  if (body.payload.size() > limits.max_bytes) std::abort();
  if (!body.refused.empty() && !body.payload.empty()) std::abort();
  return 0;
}
