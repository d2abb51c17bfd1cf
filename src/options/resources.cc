#include "options/resources.h"

#include <algorithm>
#include <string>

#include "base/machine.h"
#include "base/parallel.h"

namespace twinset::inline v1 {

Status CheckMemory(uint64_t memory_bytes, uint64_t max_document_bytes) {
  const uint64_t needed = std::max(kMinimumMemoryBytes, 8 * max_document_bytes);
  if (memory_bytes >= needed) return {};
  return Fail(ErrorCode::kUsage,
              "--memory is too small for --max-document " +
                  std::to_string(max_document_bytes),
              "",
              "the smallest that works is --memory " +
                  std::to_string(needed >> 20) + "M");
}

int ResolveThreads(int asked, uint64_t memory_bytes) {
  constexpr uint64_t kThreadBytes = 8 << 20;
  const uint64_t most =
      std::min<uint64_t>(kMostThreads, memory_bytes / kThreadBytes);
  return std::clamp(asked > 0 ? asked : UsableThreads(), 1,
                    static_cast<int>(most));
}

}  // namespace twinset::inline v1
