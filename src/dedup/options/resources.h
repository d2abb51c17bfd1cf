// Memory and threads of a command, as asked for and as the machine has them.
#ifndef TWINSET_SRC_DEDUP_OPTIONS_RESOURCES_H_
#define TWINSET_SRC_DEDUP_OPTIONS_RESOURCES_H_

#include <cstdint>

#include "twinset/error.h"
#include "twinset/options.h"

namespace twinset {

// What windows of decompressors may take beyond the usual (a reader's buffers
// are beside the budget).
uint64_t WindowMemory(const InputOptions& input);
// What is left of the memory beside that for one reader. kUsage: less than what
// any command works with, or too little for documents of that size.
Result<uint64_t> WorkingMemory(const ResourceOptions& resources,
                               const InputOptions& input);
// The same of commands that say themselves when it is too little.
uint64_t MemoryBesideWindow(const ResourceOptions& resources,
                            const InputOptions& input);
// As many as are asked for (0: one a processor), and no more than
// `memory_bytes` have room for: a thread holds a batch and the buffers of its
// allocator.
int ResolveThreads(int asked, uint64_t memory_bytes);
}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_OPTIONS_RESOURCES_H_
