// The bytes of one file of an archive, as a stream of its own.
#ifndef TWINSET_SRC_STAGES_READ_BUNDLE_MEMBER_BYTES_H_
#define TWINSET_SRC_STAGES_READ_BUNDLE_MEMBER_BYTES_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "read/byte_source.h"
#include "read/byte_stream.h"

namespace twinset {

// What is known of a member's bytes while, and after, somebody reads them.
struct MemberState {
  uint64_t left = 0;     // bytes that the archive says are still to come
  bool is_lost = false;  // a gap or the end came first
  // The fault of a gap that was not reported yet, because the member itself is
  // compressed.
  std::optional<StreamFault> untold;
};

// The next `state->left` bytes of `archive`, with its gaps; behind one nothing
// more, because how much is missing is not known. That the archive ends first
// is a kTruncated fault. `archive` outlives the stream and is used by nobody
// else until then.
std::unique_ptr<ByteStream> MemberOf(ByteStream* archive,
                                     std::shared_ptr<MemberState> state);

// `bytes` decompressed if they are compressed themselves, else as they are.
// `name`: of the member. Gaps of `bytes` in front of which a decompressor reads
// are noted in `state`.
Result<std::unique_ptr<ByteStream>> Decompressed(
    std::unique_ptr<ByteStream> bytes, const std::string& name,
    std::shared_ptr<MemberState> state, const ByteStreamOptions& options);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_BUNDLE_MEMBER_BYTES_H_
