// How much of the machine is ours: what the kernel, the affinity mask and the
// control groups (v1 and v2) of this process leave it.
#ifndef TWINSET_SRC_BASE_MACHINE_H_
#define TWINSET_SRC_BASE_MACHINE_H_

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

}  // namespace twinset

#endif  // TWINSET_SRC_BASE_MACHINE_H_
