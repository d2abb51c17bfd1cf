#include "options/resources.h"

#include <algorithm>
#include <string>

#include "base/machine.h"
#include "base/parallel.h"

namespace twinset {
namespace {

constexpr uint64_t kMiB = 1 << 20;

}  // namespace

uint64_t WindowMemory(const InputOptions& input) {
  const uint64_t usual = InputOptions().max_window_bytes;
  return input.max_window_bytes - std::min(input.max_window_bytes, usual);
}

Result<uint64_t> WorkingMemory(const ResourceOptions& resources,
                               const InputOptions& input) {
  const uint64_t window = WindowMemory(input);
  const uint64_t memory = MemoryOr(resources.memory_bytes);
  const uint64_t needed =
      window + std::max(kMinimumMemoryBytes, 8 * input.max_document_bytes);
  if (memory >= needed) return memory - window;
  return Fail(ErrorCode::kUsage,
              "--memory is too small for --max-document " +
                  std::to_string(input.max_document_bytes) +
                  (window == 0 ? ""
                               : " and --max-window " +
                                     std::to_string(input.max_window_bytes)),
              "",
              "the smallest that works is --memory " +
                  std::to_string((needed + kMiB - 1) / kMiB) + "M");
}

uint64_t MemoryBesideWindow(const ResourceOptions& resources,
                            const InputOptions& input) {
  const uint64_t memory = MemoryOr(resources.memory_bytes);
  return memory - std::min(memory, WindowMemory(input));
}

int ResolveThreads(int asked, uint64_t memory_bytes) {
  constexpr uint64_t kThreadBytes = 16 * kMiB;
  const uint64_t most =
      std::min<uint64_t>(kMostThreads, memory_bytes / kThreadBytes);
  return std::clamp(asked > 0 ? asked : UsableThreads(), 1,
                    static_cast<int>(most));
}

}  // namespace twinset
