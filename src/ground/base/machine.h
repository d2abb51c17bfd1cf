// How much of the machine is ours: what the kernel, the affinity mask and the
// control groups (v1 and v2) of this process leave it.
#ifndef TWINSET_SRC_GROUND_BASE_MACHINE_H_
#define TWINSET_SRC_GROUND_BASE_MACHINE_H_

#include <cstdint>
#include <string>

namespace twinset {

// Processors that this process may run on, at most what the quota of its
// control groups buys, at least 1. `root` stands in front of /proc and /sys:
// empty but in tests.
int UsableThreads(const std::string& root = "");

// Bytes that are free for this process: the kernel's estimate, and what is left
// below the limit of each of its control groups, page cache not counted. 4 GB
// when nobody says.
uint64_t AvailableMemory(const std::string& root = "");

// The most that this process has held in memory at once, since it began or
// since /proc/self/clear_refs was told to forget it; 0 when nobody says.
uint64_t PeakResidentMemory();

// The least that any command works with, and what it may use when nobody says:
// 60 % of AvailableMemory, at least that.
inline constexpr uint64_t kMinimumMemoryBytes = uint64_t{64} << 20;
uint64_t DefaultMemory();
// `named_bytes`, or DefaultMemory where it is 0.
uint64_t MemoryOr(uint64_t named_bytes);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_MACHINE_H_
