// How much of an input the search for traps may hold.
#ifndef TWINSET_SRC_MEASURE_TRAPS_TRAP_MEMORY_H_
#define TWINSET_SRC_MEASURE_TRAPS_TRAP_MEMORY_H_

#include <cstdint>
#include <string>

#include "base/machine.h"
#include "twinset/error.h"

namespace twinset {

// The addresses of the input and the words of their pages are held in memory: a
// trap is judged by all addresses of its host. Half of --memory is theirs, the
// other half is for reading.
class AddressMemory {
 public:
  explicit AddressMemory(uint64_t memory_bytes)
      : most_bytes_(MemoryOr(memory_bytes) / 2) {}

  // An address of a cluster: in it, by cluster, by host, by shape and in parts.
  Status AddClustered(const std::string& url) {
    return Add(5 * url.size() + 600);
  }
  // One of its host.
  Status AddOfHost(const std::string& url) { return Add(2 * url.size() + 400); }
  Status Add(uint64_t bytes) {
    used_bytes_ += bytes;
    if (used_bytes_ <= most_bytes_) return {};
    return Fail(ErrorCode::kMemory,
                "the addresses of the input and the words of their pages need "
                "more than half of the memory",
                {}, "raise --memory, or give the pages of fewer hosts at once");
  }

 private:
  const uint64_t most_bytes_;
  uint64_t used_bytes_ = 0;
};

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_TRAPS_TRAP_MEMORY_H_
