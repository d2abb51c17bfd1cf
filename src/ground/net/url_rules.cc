#include "net/url_rules.h"

#include <algorithm>
#include <vector>

#include "base/ascii.h"
#include "net/url.h"

namespace twinset {
namespace {

constexpr size_t kLongestUrl = 65536;
constexpr size_t kLongestHost = 255;
// More rounds than any address needs that was not made to need them.
constexpr int kMostRounds = 16;

bool IsWordByte(char c) { return IsAsciiLetter(c) || IsAsciiDigit(c); }

// Length of "scheme" in "scheme://", or 0. With a dot it is a host whose port
// is empty.
size_t SchemeSize(std::string_view url) {
  if (url.empty() || !IsAsciiLetter(url[0])) return 0;
  size_t i = 1;
  while (i < url.size() &&
         (IsWordByte(url[i]) || url[i] == '+' || url[i] == '-'))
    ++i;
  return url.substr(i).starts_with("://") ? i : 0;
}

bool Normalise(std::string* url) {
  if (IsPlainlyNormal(*url)) return false;
  std::string normal;
  if (FindUrlPlaces(*url).has_scheme) {
    normal = NormaliseUrl(*url);
  } else {
    // As http; the default port of https says nothing either.
    constexpr std::string_view kScheme = "http:";
    const bool has_slashes = url->starts_with("//");
    const std::string whole =
        std::string(kScheme) + (has_slashes ? "" : "//") + *url;
    normal = NormaliseUrl(whole);
    if (!normal.starts_with("http://")) return false;  // no address
    normal.erase(0, kScheme.size() + (has_slashes ? 0 : 2));
    const UrlPlaces at = FindUrlPlaces(normal);
    if (std::string_view(normal).substr(
            at.host_end, at.authority_end - at.host_end) == ":443")
      normal.erase(at.host_end, 4);
  }
  if (normal == *url) return false;
  *url = std::move(normal);
  return true;
}

bool DropFinalDot(std::string* url) {
  const UrlPlaces at = FindUrlPlaces(*url);
  const std::string_view host = HostIn(*url, at);
  if (host.size() < 2 || !host.ends_with('.')) return false;
  url->erase(at.host_end - 1, 1);
  return true;
}

bool DropOneScheme(std::string* url) {
  for (const std::string_view scheme : {"http://", "https://", "//"}) {
    if (!StartsWithIgnoreCase(*url, scheme)) continue;
    url->erase(0, scheme.size());
    return true;
  }
  return false;
}

bool DropOneWww(std::string* url) {
  const UrlPlaces at = FindUrlPlaces(*url);
  const std::string_view host = HostIn(*url, at);
  if (!StartsWithIgnoreCase(host, "www")) return false;
  size_t size = 3;
  while (size < host.size() && size < 5 && IsAsciiDigit(host[size])) ++size;
  if (!host.substr(size).starts_with('.')) return false;
  std::string_view rest = host.substr(++size);
  if (rest.ends_with('.')) rest.remove_suffix(1);
  if (rest.find('.') == std::string_view::npos) return false;
  url->erase(at.host, size);
  return true;
}

// What a rule takes from the front may stand there many times.
template <bool (*kDropOne)(std::string*)>
bool DropAll(std::string* url) {
  bool changed = false;
  while (kDropOne(url)) changed = true;
  return changed;
}

bool DropPort(std::string* url) {
  const UrlPlaces at = FindUrlPlaces(*url);
  if (at.host_end == at.authority_end || at.host == at.host_end) return false;
  const std::string_view port = std::string_view(*url).substr(
      at.host_end + 1, at.authority_end - at.host_end - 1);
  if (!std::all_of(port.begin(), port.end(),
                   [](char c) { return IsAsciiDigit(c); }))
    return false;
  url->erase(at.host_end, at.authority_end - at.host_end);
  return true;
}

bool IsDefaultPage(std::string_view segment) {
  static constexpr std::string_view kStems[] = {"index.", "default.", "home."};
  static constexpr std::string_view kEnds[] = {
      "html", "htm", "php",  "asp",  "aspx", "jsp",   "cfm", "cgi",  "shtml",
      "pl",   "do",  "php3", "php4", "php5", "xhtml", "jsf", "phtml"};
  for (const std::string_view stem : kStems) {
    if (!StartsWithIgnoreCase(segment, stem)) continue;
    const std::string_view end = segment.substr(stem.size());
    return std::any_of(
        std::begin(kEnds), std::end(kEnds),
        [&](std::string_view other) { return EqualsIgnoreCase(end, other); });
  }
  return false;
}

bool DropDefaultPage(std::string* url) {
  const UrlPlaces at = FindUrlPlaces(*url);
  const std::string_view path = std::string_view(*url).substr(
      at.authority_end, at.path_end - at.authority_end);
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos || !IsDefaultPage(path.substr(slash + 1)))
    return false;
  const size_t begin = at.authority_end + slash + 1;
  url->erase(begin, at.path_end - begin);
  return true;
}

bool IsOneOf(std::string_view name, std::span<const std::string_view> names) {
  return std::any_of(names.begin(), names.end(), [&](std::string_view other) {
    return other.ends_with('*')
               ? StartsWithIgnoreCase(name, other.substr(0, other.size() - 1))
               : EqualsIgnoreCase(name, other);
  });
}

// A parameter "name=value".
bool IsSession(std::string_view parameter) {
  static constexpr std::string_view kNames[] = {
      "phpsessid", "jsessionid", "aspsessionid*", "asp.net_sessionid",
      "sessionid", "session_id", "sess_id",       "cfid",
      "cftoken",   "oscsid",     "zenid",         "sessid"};
  const std::string_view name = parameter.substr(0, parameter.find('='));
  if (IsOneOf(name, kNames)) return true;
  // Forums: a short name counts with a value that looks drawn at random.
  static constexpr std::string_view kShort[] = {"sid", "s"};
  if (!IsOneOf(name, kShort) || name.size() == parameter.size()) return false;
  const std::string_view value = parameter.substr(name.size() + 1);
  return value.size() >= 16 &&
         std::all_of(value.begin(), value.end(), IsWordByte) &&
         std::any_of(value.begin(), value.end(), IsAsciiDigit);
}

bool IsTracking(std::string_view parameter) {
  static constexpr std::string_view kNames[] = {
      "utm_*", "gclid",  "gclsrc", "dclid",  "fbclid", "msclkid", "yclid",
      "_ga",   "mc_cid", "mc_eid", "igshid", "twclid", "wbraid",  "gbraid"};
  return IsOneOf(parameter.substr(0, parameter.find('=')), kNames);
}

// Cuts parameters out of the query, and the query when none is left.
template <typename Drops>
bool DropParameters(std::string* url, const Drops& drops) {
  const UrlPlaces at = FindUrlPlaces(*url);
  if (at.query_end - at.path_end < 2) return false;
  const std::string_view query = std::string_view(*url).substr(
      at.path_end + 1, at.query_end - at.path_end - 1);
  std::string kept;
  bool any = false, drops_any = false;
  for (size_t begin = 0; begin <= query.size();) {
    const size_t end = std::min(query.find('&', begin), query.size());
    const std::string_view parameter = query.substr(begin, end - begin);
    begin = end + 1;
    if (drops(parameter)) {
      drops_any = true;
      continue;
    }
    kept += any ? '&' : '?';
    kept += parameter;
    any = true;
  }
  if (!drops_any) return false;
  url->replace(at.path_end, at.query_end - at.path_end, kept);
  return true;
}

// ";jsessionid=1" in the path, up to the next segment or parameter.
bool DropPathSession(std::string* url) {
  const UrlPlaces at = FindUrlPlaces(*url);
  for (size_t begin = url->find(';', at.authority_end); begin < at.path_end;
       begin = url->find(';', begin + 1)) {
    const size_t end =
        std::min(url->find_first_of(";/", begin + 1), at.path_end);
    if (!IsSession(std::string_view(*url).substr(begin + 1, end - begin - 1)))
      continue;
    url->erase(begin, end - begin);
    return true;
  }
  return false;
}

bool DropSession(std::string* url) {
  bool changed = false;
  while (DropPathSession(url)) changed = true;
  return DropParameters(url, IsSession) || changed;
}

bool DropEmptyQuery(std::string* url) {
  const UrlPlaces at = FindUrlPlaces(*url);
  if (at.query_end - at.path_end != 1) return false;
  url->erase(at.path_end, 1);
  return true;
}

bool SortQuery(std::string* url) {
  const UrlPlaces at = FindUrlPlaces(*url);
  if (at.query_end - at.path_end < 2) return false;
  const std::string_view query = std::string_view(*url).substr(
      at.path_end + 1, at.query_end - at.path_end - 1);
  if (query.find('&') == std::string_view::npos) return false;
  std::vector<std::string_view> parameters;
  for (size_t begin = 0; begin <= query.size();) {
    const size_t end = std::min(query.find('&', begin), query.size());
    parameters.push_back(query.substr(begin, end - begin));
    begin = end + 1;
  }
  if (std::is_sorted(parameters.begin(), parameters.end())) return false;
  std::sort(parameters.begin(), parameters.end());
  std::string sorted;
  for (const std::string_view parameter : parameters) {
    sorted += sorted.empty() ? '?' : '&';
    sorted += parameter;
  }
  url->replace(at.path_end, at.query_end - at.path_end, sorted);
  return true;
}

// The root keeps its slash, and gets one.
bool DropTrailingSlash(std::string* url) {
  const UrlPlaces at = FindUrlPlaces(*url);
  if (at.host == at.host_end) return false;
  if (at.authority_end == at.path_end) {
    url->insert(at.authority_end, 1, '/');
    return true;
  }
  size_t end = at.path_end;
  while (end > at.authority_end + 1 && (*url)[end - 1] == '/') --end;
  if (end == at.path_end) return false;
  url->erase(end, at.path_end - end);
  return true;
}

// Escapes keep their case, which the normal form decides.
bool LowerCase(std::string* url) {
  bool changed = false;
  for (size_t i = 0; i < url->size(); ++i) {
    char& c = (*url)[i];
    if (c == '%' && i + 2 < url->size() && IsAsciiHexDigit((*url)[i + 1]) &&
        IsAsciiHexDigit((*url)[i + 2])) {
      i += 2;
      continue;
    }
    const char lower = ToLowerAscii(c);
    changed |= lower != c;
    c = lower;
  }
  return changed;
}

bool IsHostByte(char c) {
  return IsWordByte(c) || c == '-' || c == '.' || c == '_' || c == '%' ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::string_view WhyNoHost(std::string_view host) {
  if (host.empty() || host == ".") return "no-host";
  if (host.size() > kLongestHost) return "host-too-long";
  if (host.starts_with('[')) return host.ends_with(']') ? "" : "bad-host";
  if (host.starts_with('.') || host.find("..") != std::string_view::npos)
    return "bad-host";
  return std::all_of(host.begin(), host.end(), IsHostByte) ? "" : "bad-host";
}

}  // namespace

std::string_view HostIn(std::string_view url, const UrlPlaces& at) {
  return url.substr(at.host, at.host_end - at.host);
}

UrlPlaces FindUrlPlaces(std::string_view url) {
  UrlPlaces at;
  if (const size_t scheme = SchemeSize(url); scheme > 0) {
    at.host = scheme + 3;
    at.has_scheme = true;
  } else if (url.starts_with("//")) {
    at.host = 2;
  }
  at.authority_end = std::min(url.find_first_of("/?#", at.host), url.size());
  at.path_end = std::min(url.find_first_of("?#", at.authority_end), url.size());
  at.query_end = std::min(url.find('#', at.path_end), url.size());
  const std::string_view authority =
      url.substr(at.host, at.authority_end - at.host);
  const size_t user = authority.rfind('@');
  if (user != std::string_view::npos) at.host += user + 1;
  const std::string_view both = url.substr(at.host, at.authority_end - at.host);
  const size_t inner = both.starts_with('[') ? both.find(']') : 0;
  const size_t colon =
      inner == std::string_view::npos ? inner : both.find(':', inner);
  at.host_end = at.host + std::min(colon, both.size());
  return at;
}

bool ApplyUrlRule(UrlRule rule, std::string* url) {
  switch (rule) {
    case UrlRule::kRfc3986:
      return Normalise(url);
    case UrlRule::kFinalDot:
      return DropFinalDot(url);
    case UrlRule::kScheme:
      return DropAll<DropOneScheme>(url);
    case UrlRule::kWww:
      return DropAll<DropOneWww>(url);
    case UrlRule::kPort:
      return DropPort(url);
    case UrlRule::kDefaultPage:
      return DropDefaultPage(url);
    case UrlRule::kSession:
      return DropSession(url);
    case UrlRule::kTracking:
      return DropParameters(url, IsTracking);
    case UrlRule::kEmptyQuery:
      return DropEmptyQuery(url);
    case UrlRule::kQueryOrder:
      return SortQuery(url);
    case UrlRule::kTrailingSlash:
      return DropTrailingSlash(url);
    case UrlRule::kCase:
      return LowerCase(url);
  }
  return false;
}

void ApplyUrlRules(std::span<const UrlRule> rules, std::string* url) {
  for (int round = 0; round < kMostRounds; ++round) {
    bool changed = false;
    for (const UrlRule rule : rules) changed |= ApplyUrlRule(rule, url);
    if (!changed) return;
  }
}

std::string_view WhyNoAddress(std::string_view text) {
  if (text.size() > kLongestUrl) return "too-long";
  const std::string_view trimmed = Trim(text);
  if (trimmed.empty()) return "empty";
  const UrlPlaces at = FindUrlPlaces(trimmed);
  const std::string_view host = HostIn(trimmed, at);
  if (!at.has_scheme && !trimmed.starts_with("//")) {
    // "mailto:x", "/path", words: a host name has a dot and its port is digits.
    const std::string_view port = trimmed.substr(
        std::min(at.host_end + 1, at.authority_end),
        at.authority_end - std::min(at.host_end + 1, at.authority_end));
    if (host.find('.') == std::string_view::npos || host.ends_with('.') ||
        !std::all_of(port.begin(), port.end(), IsAsciiDigit) ||
        !WhyNoHost(host).empty())
      return "no-address";
  }
  return WhyNoHost(host);
}

bool IsPlainlyNormal(std::string_view url) {
  size_t at = 0;
  for (const std::string_view scheme : {"http://", "https://"})
    if (url.starts_with(scheme)) at = scheme.size();
  if (at == 0 || url.size() > kLongestUrl) return false;
  const size_t host = at;
  while (at < url.size() &&
         ((url[at] >= 'a' && url[at] <= 'z') || IsAsciiDigit(url[at]) ||
          url[at] == '-' || url[at] == '.'))
    ++at;
  if (at == host || at == url.size() || url[at] != '/') return false;
  // Only digits and dots: an address, whose spelling may have more than one
  // form.
  if (std::none_of(url.begin() + static_cast<std::ptrdiff_t>(host),
                   url.begin() + static_cast<std::ptrdiff_t>(at),
                   IsAsciiLetter))
    return false;
  char before = '/';
  for (; at < url.size(); ++at) {
    const char c = url[at];
    constexpr std::string_view kPlain = "-._~:/?@!$&'()*+,;=";
    if (!IsWordByte(c) && kPlain.find(c) == std::string_view::npos)
      return false;
    if (c == '.' && before == '/') return false;
    before = c;
  }
  return true;
}

}  // namespace twinset
