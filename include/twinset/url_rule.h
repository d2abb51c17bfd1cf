// Rules by which two spellings of an address count as one
// (docs/methods/addresses.md).
#ifndef TWINSET_URL_RULE_H_
#define TWINSET_URL_RULE_H_

#include <array>
#include <cstdint>

#include "twinset/choices.h"

namespace twinset {
inline namespace v1 {

// In the order in which they are applied.
enum class UrlRule : uint8_t {
  kRfc3986,        // the normal form of RFC 3986; the fragment goes
  kFinalDot,       // the dot at the end of the host
  kScheme,         // http and https
  kWww,            // www. and www2. in front of a host of two labels or more
  kPort,           // any port
  kDefaultPage,    // index.html, default.asp, ... at the end of the path
  kSession,        // PHPSESSID, ;jsessionid=, ...
  kTracking,       // utm_source, gclid, ...
  kEmptyQuery,     // a question mark that nothing follows
  kQueryOrder,     // the order of parameters
  kTrailingSlash,  // slashes at the end of the path
  kCase,           // upper and lower case
};
template <>
inline constexpr auto kChoices<UrlRule> = std::to_array<NamedChoice<UrlRule>>(
    {{UrlRule::kRfc3986, "rfc3986"},
     {UrlRule::kFinalDot, "final-dot"},
     {UrlRule::kScheme, "scheme"},
     {UrlRule::kWww, "www"},
     {UrlRule::kPort, "port"},
     {UrlRule::kDefaultPage, "default-page"},
     {UrlRule::kSession, "session"},
     {UrlRule::kTracking, "tracking"},
     {UrlRule::kEmptyQuery, "empty-query"},
     {UrlRule::kQueryOrder, "query-order"},
     {UrlRule::kTrailingSlash, "trailing-slash"},
     {UrlRule::kCase, "case"}});

inline constexpr size_t kUrlRules = 12;

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_URL_RULE_H_
