// The stream of a compressed source: member after member, gaps where one is
// damaged.
#ifndef TWINSET_SRC_STAGES_READ_MEMBER_STREAM_H_
#define TWINSET_SRC_STAGES_READ_MEMBER_STREAM_H_

#include <memory>

#include "read/byte_source.h"
#include "read/byte_stream.h"
#include "read/codec.h"

namespace twinset {

// Never kNone. How it finds its way behind damage: from the beginning of the
// damaged member (a decoder that lost the thread often runs on into sound
// members) it looks for the next magic whose member really decodes. Going back
// is paid from a budget of eight times the bytes read so far + 16 MB, so time
// stays linear; when that is spent the search starts at the damage.
std::unique_ptr<ByteStream> MakeMemberStream(SourceWindow window,
                                             Compression compression,
                                             const ByteStreamOptions& options);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_MEMBER_STREAM_H_
