// What commands may ask of the network, and how
// (docs/methods/polite-fetching.md).
#ifndef TWINSET_FETCH_H_
#define TWINSET_FETCH_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace twinset {

// The same for every command that fetches. By default only the public internet
// is asked: loopback, private, link-local and other special addresses, and the
// metadata services of clouds, are refused, whatever name, link or redirect
// leads there.
struct FetchOptions {
  std::vector<std::string> networks;  // CIDR blocks that may be asked as well
  // Least time between two requests to one host; not given: 1 s, or what the
  // description of an engine says.
  std::optional<uint32_t> delay_ms;
  std::optional<uint32_t> timeout_ms;  // for an answer; not given: 20 s to 30 s
  // The description of an engine may name a program, which is then run.
  bool allow_programs = false;
  // Questions to engines and pages of theirs, all engines of a run together;
  // recorded answers are none. 0: no limit.
  uint64_t max_requests = 0;
};

}  // namespace twinset

#endif  // TWINSET_FETCH_H_
