#include "base/machine.h"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "base/file.h"

namespace twinset {

namespace {

// The number at the begin of `text`; none for "max" and the like.
std::optional<uint64_t> Number(std::string_view text) {
  uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end == text.data()) return std::nullopt;
  return value;
}

// Calls `body` with each line of a file of the kernel until it returns false;
// with none where the file cannot be read. std::ifstream would bring all of the
// standard library's locales into a program, .14 MB of a packed wheel.
void ForEachLine(const std::string& path,
                 const std::function<bool(std::string_view line)>& body) {
  const auto text = ReadWholeFile(path, 1 << 20);
  std::string_view rest = text ? std::string_view(*text) : std::string_view();
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    if (!body(rest.substr(0, end))) return;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

std::string FirstLine(const std::string& path) {
  std::string first;
  ForEachLine(path, [&](std::string_view line) {
    first = line;
    return false;
  });
  return first;
}

// The number behind `key` in a file of "key number" lines.
std::optional<uint64_t> Entry(const std::string& path, std::string_view key) {
  std::optional<uint64_t> value;
  ForEachLine(path, [&](std::string_view line) {
    if (!line.starts_with(key)) return true;
    const size_t at = line.find_first_of("0123456789", key.size());
    if (at == std::string_view::npos) return true;
    value = Number(line.substr(at));
    return false;
  });
  return value;
}

bool Names(std::string_view list, std::string_view controller) {
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    if (list.substr(0, comma) == controller) return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

// Calls `body` with the folder of each control group of this process that
// `controller` counts in, the outer ones too, and whether it is of version 2.
// Inside a container the path may be the host's: then only the root is there.
void ForEachGroup(
    const std::string& root, std::string_view controller,
    const std::function<void(const std::string& folder, bool v2)>& body) {
  ForEachLine(root + "/proc/self/cgroup", [&](std::string_view line) {
    const size_t first = line.find(':');
    const size_t second = line.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos)
      return true;
    const std::string_view list = line.substr(first + 1, second - first - 1);
    const bool v2 = list.empty();
    if (!v2 && !Names(list, controller)) return true;
    const std::string base =
        root + "/sys/fs/cgroup" + (v2 ? "" : "/" + std::string(controller));
    std::string path(line.substr(second + 1));
    while (path.size() > 1) {
      body(base + path, v2);
      path.resize(path.rfind('/'));
    }
    body(base, v2);
    return true;
  });
}

// What is left to a group below its limit; none without a limit.
std::optional<uint64_t> Left(const std::string& folder, bool v2) {
  const auto limit = Number(
      FirstLine(folder + (v2 ? "/memory.max" : "/memory.limit_in_bytes")));
  if (!limit) return std::nullopt;
  const uint64_t used =
      Number(FirstLine(folder +
                       (v2 ? "/memory.current" : "/memory.usage_in_bytes")))
          .value_or(0);
  const uint64_t cache = Entry(folder + "/memory.stat",
                               v2 ? "inactive_file " : "total_inactive_file ")
                             .value_or(0);
  const uint64_t held = used - std::min(used, cache);
  return *limit - std::min(*limit, held);
}

// Processors that the quota of a group is worth, rounded up; none without one.
std::optional<uint64_t> Quota(const std::string& folder, bool v2) {
  std::optional<uint64_t> quota, period;
  if (v2) {
    const std::string line = FirstLine(folder + "/cpu.max");
    const size_t space = line.find(' ');
    quota = Number(line);
    if (space != std::string::npos) period = Number(line.substr(space + 1));
  } else {
    quota = Number(FirstLine(folder + "/cpu.cfs_quota_us"));
    period = Number(FirstLine(folder + "/cpu.cfs_period_us"));
  }
  if (!quota || !period || *period == 0) return std::nullopt;
  return (*quota + *period - 1) / *period;
}

uint64_t Affinity() {
  cpu_set_t set;
  // More processors than the set can name: all of them then.
  if (sched_getaffinity(0, sizeof(set), &set) == 0)
    return static_cast<uint64_t>(CPU_COUNT(&set));
  return std::thread::hardware_concurrency();
}

}  // namespace

int UsableThreads(const std::string& root) {
  uint64_t threads = Affinity();
  ForEachGroup(root, "cpu", [&](const std::string& folder, bool v2) {
    threads = std::min(threads, Quota(folder, v2).value_or(threads));
  });
  return static_cast<int>(std::clamp<uint64_t>(threads, 1, 4096));
}

uint64_t AvailableMemory(const std::string& root) {
  const auto kilobytes = Entry(root + "/proc/meminfo", "MemAvailable:");
  uint64_t bytes = kilobytes ? *kilobytes << 10 : uint64_t{4} << 30;
  ForEachGroup(root, "memory", [&](const std::string& folder, bool v2) {
    bytes = std::min(bytes, Left(folder, v2).value_or(bytes));
  });
  return bytes;
}

uint64_t PeakResidentMemory() {
  return Entry("/proc/self/status", "VmHWM:").value_or(0) << 10;
}

uint64_t DefaultMemory() {
  return std::max(kMinimumMemoryBytes, AvailableMemory() / 10 * 6);
}

uint64_t MemoryOr(uint64_t named_bytes) {
  return named_bytes != 0 ? named_bytes : DefaultMemory();
}

}  // namespace twinset
