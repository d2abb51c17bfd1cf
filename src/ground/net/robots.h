// robots.txt (RFC 9309): what a host asks robots not to fetch
// (docs/methods/polite-fetching.md).
#ifndef TWINSET_SRC_GROUND_NET_ROBOTS_H_
#define TWINSET_SRC_GROUND_NET_ROBOTS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace twinset {

struct RobotsRule {
  std::string pattern;  // "/a*b$", in the form that targets are compared in
  bool allow = false;
  friend bool operator==(const RobotsRule&, const RobotsRule&) = default;
};
// The rules for one robot; empty: everything may be fetched.
using RobotsRules = std::vector<RobotsRule>;

// What is behind these bytes is not read.
inline constexpr size_t kMostRobotsBytes = 500 << 10;

// The rules of all groups whose name is `agent` (without regard to case), else
// of those for "*". Any bytes; what is no rule is skipped.
RobotsRules ParseRobots(std::string_view text, std::string_view agent);

// Returns true iff `url` may be fetched: by the matching rule with the most
// octets, an allowing one if there are two. O(bytes of the url) per rule.
bool RobotsAllow(const RobotsRules& rules, std::string_view url);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_NET_ROBOTS_H_
