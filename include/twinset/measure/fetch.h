// What commands may ask of the network, and how
// (docs/methods/polite-fetching.md).
#ifndef TWINSET_MEASURE_FETCH_H_
#define TWINSET_MEASURE_FETCH_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace twinset {
inline namespace v1 {

// The same for every command that fetches. By default commands ask only the
// public internet: they refuse loopback, private, link-local and other special
// addresses, and the metadata services of clouds, whatever name, link or
// redirect leads there.
struct FetchOptions {
  std::vector<std::string> networks;  // CIDR blocks that may be asked as well
  // Least time between two requests to one host; not given: 1 s, or what the
  // description of an engine says.
  std::optional<uint32_t> delay_ms;
  std::optional<uint32_t> timeout_ms;  // for an answer; not given: 20 s to 30 s
  // Run the program that the description of an engine names.
  bool allow_programs = false;
  // Most requests to all engines of a run together: questions and fetches of
  // their pages. Recorded answers do not count. 0: no limit.
  uint64_t max_requests = 0;
};

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_MEASURE_FETCH_H_
