// Memory and threads of a command, as asked for and as the machine has them.
#ifndef TWINSET_SRC_OPTIONS_RESOURCES_H_
#define TWINSET_SRC_OPTIONS_RESOURCES_H_

#include <cstdint>

#include "twinset/error.h"

namespace twinset::inline v1 {

// kUsage: less than what any command works with, or too little for documents of
// that size.
Status CheckMemory(uint64_t memory_bytes, uint64_t max_document_bytes);
// As many as are asked for (0: one a processor), and no more than
// `memory_bytes` have room for: a thread holds a batch and the buffers of its
// allocator.
int ResolveThreads(int asked, uint64_t memory_bytes);
}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_OPTIONS_RESOURCES_H_
