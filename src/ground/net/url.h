// Addresses (RFC 3986): their normal form, links and parts
// (docs/methods/addresses.md).
#ifndef TWINSET_SRC_GROUND_NET_URL_H_
#define TWINSET_SRC_GROUND_NET_URL_H_

#include <string>
#include <string_view>

#include "twinset/error.h"

namespace twinset {

// One spelling for the spellings of one address: scheme and host in lower case,
// default port and fragment gone, dot segments removed, escapes in upper case
// and those of unreserved characters undone, empty path "/". The query stays.
// Any bytes; what is no absolute address comes back unchanged.
std::string NormaliseUrl(std::string_view url);

// `reference` against `base` (RFC 3986, 5.2), normalised. kUsage when base is
// not absolute or either cannot be read.
Result<std::string> ResolveUrl(std::string_view base,
                               std::string_view reference);

// Host in lower case without port ("" when there is none, as in paths).
std::string UrlHost(std::string_view url);
// "http://host:port", the scope of robots.txt; "" when there is no host.
std::string UrlOrigin(std::string_view url);
// Path segments that are not empty: 0 for "http://a/", 2 for "http://a/b/c?d".
int UrlDepth(std::string_view url);
bool IsHttpUrl(std::string_view url);
// A text as a value in a query: all but unreserved characters escaped.
std::string EscapeValue(std::string_view text);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_NET_URL_H_
