// The addresses that a page names.
#ifndef TWINSET_SRC_GROUND_NET_PAGE_LINKS_H_
#define TWINSET_SRC_GROUND_NET_PAGE_LINKS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/inspect.h"

namespace twinset {

// Addresses of files that have none of their own: folders of pages link among
// each other as they would on a server.
inline constexpr std::string_view kFileScheme = "file:///";

// Returns true iff the address is one of the web, or of such a file.
bool IsPageUrl(std::string_view url);

// Which links of a page are arcs.
struct LinkRules {
  bool follow_nofollow = true, follow_hidden = true;
};
struct LinkCounts {
  uint64_t links = 0, nofollow = 0, hidden = 0, unresolved = 0;
};

// Normalised addresses that a page leads to, in page order, repetitions
// included; a meta refresh counts as a link. Only http, https and file.
std::vector<std::string> LinksOf(const DocumentText& page,
                                 const std::string& url, const LinkRules& rules,
                                 LinkCounts* counts);

// Normalised addresses that a page says are itself or shows in its place:
// rel=canonical, the target of a meta refresh, its frames. Distinct, without
// `url`.
std::vector<std::string> OtherAddressesOf(const DocumentText& page,
                                          const std::string& url);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_NET_PAGE_LINKS_H_
