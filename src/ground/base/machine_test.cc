#include "base/machine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/test_dir.h"

namespace twinset {
namespace {

constexpr uint64_t kMegabyte = 1 << 20;

class Machine : public testing::Test {
 protected:
  void Write(const std::string& path, const std::string& text) {
    const std::string whole = root() + path;
    std::filesystem::create_directories(
        std::filesystem::path(whole).parent_path());
    std::ofstream(whole) << text;
  }
  std::string root() const { return dir_.path(); }

 private:
  TestDir dir_;
};

TEST_F(Machine, WithoutGroupsItIsWhatTheKernelSays) {
  Write("/proc/meminfo", "MemTotal: 9000 kB\nMemAvailable:   2048 kB\n");
  EXPECT_EQ(AvailableMemory(root()), 2 * kMegabyte);
  EXPECT_EQ(AvailableMemory(root() + "/nowhere"), uint64_t{4} << 30);
  EXPECT_GE(UsableThreads(root()), 1);
  EXPECT_GE(UsableThreads(), 1);
  EXPECT_GT(AvailableMemory(), 0u);
}

TEST_F(Machine, TheTightestGroupOfVersion2Counts) {
  Write("/proc/meminfo", "MemAvailable: 4194304 kB\n");
  Write("/proc/self/cgroup", "0::/outer/inner\n");
  Write("/sys/fs/cgroup/outer/inner/memory.max", "max\n");
  Write("/sys/fs/cgroup/outer/memory.max", std::to_string(300 * kMegabyte));
  Write("/sys/fs/cgroup/outer/memory.current", std::to_string(250 * kMegabyte));
  EXPECT_EQ(AvailableMemory(root()), 50 * kMegabyte);
  // Page cache that can go is not in the way.
  Write("/sys/fs/cgroup/outer/memory.stat",
        "anon 1\ninactive_file " + std::to_string(50 * kMegabyte) + "\n");
  EXPECT_EQ(AvailableMemory(root()), 100 * kMegabyte);
  Write("/sys/fs/cgroup/outer/inner/cpu.max", "50000 100000\n");
  Write("/sys/fs/cgroup/outer/cpu.max", "max 100000\n");
  EXPECT_EQ(UsableThreads(root()), 1);
}

// A group that is over its limit has nothing left, which is no huge number.
TEST_F(Machine, OverTheLimitIsNothing) {
  Write("/proc/self/cgroup", "0::/\n");
  Write("/sys/fs/cgroup/memory.max", "1000");
  Write("/sys/fs/cgroup/memory.current", "2000");
  EXPECT_EQ(AvailableMemory(root()), 0u);
}

TEST_F(Machine, MemoryThatNobodyNamesIsAShareOfWhatIsAvailable) {
  EXPECT_EQ(MemoryOr(1), 1u);
  EXPECT_EQ(MemoryOr(UINT64_MAX), UINT64_MAX);
  // What is available changes while other processes work.
  const uint64_t before = AvailableMemory();
  const uint64_t named = MemoryOr(0), memory = DefaultMemory();
  const uint64_t after = AvailableMemory();
  const uint64_t slack = uint64_t{1} << 30;
  const uint64_t most = std::max(before, after) + slack;
  const uint64_t least = std::min(before, after);
  for (const uint64_t bytes : {named, memory}) {
    EXPECT_GE(bytes, kMinimumMemoryBytes);
    EXPECT_LE(bytes, std::max(kMinimumMemoryBytes, most / 10 * 6));
    EXPECT_GE(bytes, least < slack ? 0 : (least - slack) / 10 * 6);
  }
}

// In a container the path is the host's, and only the root of it is mounted.
TEST_F(Machine, GroupsOfVersion1) {
  Write("/proc/meminfo", "MemAvailable: 4194304 kB\n");
  Write("/proc/self/cgroup",
        "5:cpu,cpuacct:/docker/1\n4:memory:/docker/1\n1:name=systemd:/\n");
  Write("/sys/fs/cgroup/memory/memory.limit_in_bytes",
        std::to_string(200 * kMegabyte));
  Write("/sys/fs/cgroup/memory/memory.usage_in_bytes",
        std::to_string(80 * kMegabyte));
  Write("/sys/fs/cgroup/memory/memory.stat",
        "inactive_file 7\ntotal_inactive_file " +
            std::to_string(30 * kMegabyte) + "\n");
  EXPECT_EQ(AvailableMemory(root()), 150 * kMegabyte);
  Write("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  Write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  const int all = UsableThreads(root());
  Write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "90000\n");
  EXPECT_EQ(UsableThreads(root()), 1);
  EXPECT_GE(all, 1);
}

}  // namespace
}  // namespace twinset
