// What stands in a request, taken apart: addresses, forms, types, hosts. Bytes
// of clients; nothing is trusted.
#ifndef TWINSET_APPS_SERVER_REQUEST_PARTS_H_
#define TWINSET_APPS_SERVER_REQUEST_PARTS_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace twinset::server {

// "%41" -> "A". Nothing for an escape that is none. With `form` a plus is a
// blank.
std::optional<std::string> PercentDecoded(std::string_view text,
                                          bool form = false);

using Parameters = std::vector<std::pair<std::string, std::string>>;

// "a=1&b=%20" -> (a, 1), (b, " "), in order; nothing for a bad escape.
std::optional<Parameters> ParseParameters(std::string_view text);
// The value of the last parameter of this name; null when there is none.
const std::string* FindParameterNamed(const Parameters& parameters,
                                      std::string_view name);

// "Application/JSON; charset=utf-8" -> "application/json".
std::string MediaType(std::string_view header);

// "Example.org:8080" -> "example.org", "[::1]:80" -> "[::1]".
std::string HostName(std::string_view host);
// The host of an origin, "https://example.org:8080" -> "example.org:8080";
// empty for what is none.
std::string_view HostOfOrigin(std::string_view origin);

}  // namespace twinset::server

#endif  // TWINSET_APPS_SERVER_REQUEST_PARTS_H_
