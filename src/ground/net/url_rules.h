// Addresses under named rules, each of which takes away one difference of
// spelling (docs/methods/addresses.md).
#ifndef TWINSET_SRC_GROUND_NET_URL_RULES_H_
#define TWINSET_SRC_GROUND_NET_URL_RULES_H_

#include <span>
#include <string>
#include <string_view>

#include "twinset/text_choices.h"

namespace twinset {

// Where the parts of an address stand in it. An address may lack its scheme, or
// scheme and "//"; its host is then what stands in front of the path.
struct UrlPlaces {
  size_t host = 0, host_end = 0;  // without user and port
  size_t authority_end = 0;
  size_t path_end = 0;   // the path begins at authority_end
  size_t query_end = 0;  // with its '?'; the fragment is behind it
  bool has_scheme = false;
};
UrlPlaces FindUrlPlaces(std::string_view url);
// The host as it is written there; empty when there is none.
std::string_view HostIn(std::string_view url, const UrlPlaces& at);

// Applies one rule to the address as it is written; whether that changed it.
// Addresses that are none (CheckAddress) are only kept from harm.
bool ApplyUrlRule(UrlRule rule, std::string* url);

// The rules in their order, over and over until none changes anything. What one
// rule alone makes of an address leads to the same result as the address; so
// who joins by this result, and looks at each rule within it, misses nothing.
void ApplyUrlRules(std::span<const UrlRule> rules, std::string* url);

// Why the text is no address that a join can use ("no-host", ...); empty when
// it is one. Texts without a scheme count when they begin like a host name.
std::string_view WhyNoAddress(std::string_view text);

// NormaliseUrl changes nothing, told by one look at the bytes; false when that
// does not tell.
bool IsPlainlyNormal(std::string_view url);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_NET_URL_RULES_H_
