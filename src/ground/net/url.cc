#include "net/url.h"

#include <uriparser/Uri.h>

#include <utility>

#include "base/ascii.h"

namespace twinset {

namespace {

// Longer ones are no addresses: servers refuse them and lists would grow.
constexpr size_t kLongestUrl = 65536;

// Length of "scheme" in "scheme:...", or 0.
size_t SchemeSize(std::string_view url) {
  if (url.empty() || !IsAsciiLetter(url[0])) return 0;
  size_t i = 1;
  while (i < url.size() && (IsAsciiLetter(url[i]) || IsAsciiDigit(url[i]) ||
                            url[i] == '+' || url[i] == '-' || url[i] == '.'))
    ++i;
  return i < url.size() && url[i] == ':' ? i : 0;
}

// Where the parts of an address stand, without judging what is in them.
struct UrlParts {
  std::string_view scheme, authority, path;
  bool has_authority = false;
};

UrlParts SplitUrl(std::string_view url) {
  UrlParts parts;
  if (const size_t size = SchemeSize(url); size > 0) {
    parts.scheme = url.substr(0, size);
    url.remove_prefix(size + 1);
  }
  if (url.starts_with("//")) {
    url.remove_prefix(2);
    parts.has_authority = true;
    parts.authority = url.substr(0, url.find_first_of("/?#"));
    url.remove_prefix(parts.authority.size());
  }
  parts.path = url.substr(0, url.find_first_of("?#"));
  return parts;
}

// host[:port] of an authority.
std::string_view HostAndPort(std::string_view authority) {
  const size_t at = authority.rfind('@');
  return at == std::string_view::npos ? authority : authority.substr(at + 1);
}

std::string_view HostOf(std::string_view authority) {
  const std::string_view both = HostAndPort(authority);
  if (both.starts_with('[')) return both.substr(0, both.find(']') + 1);
  return both.substr(0, both.find(':'));
}

// Returns true iff RFC 3986 lets the byte stand as it is outside an escape.
bool MayStand(char c, bool in_authority) {
  if (IsAsciiLetter(c) || IsAsciiDigit(c)) return true;
  if (c == '[' || c == ']') return in_authority;
  constexpr std::string_view kOthers = "-._~:/?@!$&'()*+,;=";
  return kOthers.find(c) != std::string_view::npos;
}

// What pages write, made what RFC 3986 reads: outer blanks and inner line
// breaks dropped, the fragment cut off, bytes that may not stand escaped.
std::string Escape(std::string_view url) {
  const auto blank = [](char c) { return static_cast<unsigned char>(c) <= 32; };
  while (!url.empty() && blank(url.front())) url.remove_prefix(1);
  while (!url.empty() && blank(url.back())) url.remove_suffix(1);
  std::string kept;
  for (const char c : url.substr(0, url.find('#'))) {
    if (c != '\t' && c != '\n' && c != '\r') kept += c;
  }
  const UrlParts parts = SplitUrl(kept);
  const char* const begin = parts.authority.data();
  std::string escaped;
  escaped.reserve(kept.size());
  for (size_t i = 0; i < kept.size(); ++i) {
    const char c = kept[i];
    const bool in_authority =
        parts.has_authority && &kept[i] >= begin &&
        &kept[i] < begin + static_cast<std::ptrdiff_t>(parts.authority.size());
    const bool escape = c == '%' && i + 2 < kept.size() &&
                        IsAsciiHexDigit(kept[i + 1]) &&
                        IsAsciiHexDigit(kept[i + 2]);
    if (escape || MayStand(c, in_authority)) {
      escaped += c;
      continue;
    }
    constexpr char kDigits[] = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(c);
    escaped += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return escaped;
}

// A parsed address; points into the text, which outlives it.
class Uri {
 public:
  Uri() = default;
  Uri(const Uri&) = delete;
  Uri& operator=(const Uri&) = delete;
  ~Uri() { uriFreeUriMembersA(&uri_); }

  bool Parse(const std::string& text) {
    return uriParseSingleUriExA(&uri_, text.data(), text.data() + text.size(),
                                nullptr) == URI_SUCCESS;
  }
  bool absolute() const { return uri_.scheme.first != nullptr; }
  UriUriA* get() { return &uri_; }

 private:
  UriUriA uri_ = {};
};

std::string_view View(const UriTextRangeA& range) {
  if (range.first == nullptr) return {};
  return {range.first, static_cast<size_t>(range.afterLast - range.first)};
}

// Before anything is normalised: the parts are views of the text still.
void DropDefaultPort(UriUriA* uri) {
  const std::string scheme = ToLowerAscii(View(uri->scheme));
  const std::string_view port = View(uri->portText);
  if (port.empty() || (scheme == "http" && port == "80") ||
      (scheme == "https" && port == "443"))
    uri->portText = {nullptr, nullptr};
}

// The library is not of one mind about letters of escapes in hosts, nor about
// those that escapes hid: the host in lower case, its escapes in upper case.
void FixHostCase(std::string* text) {
  const std::string_view host = HostOf(SplitUrl(*text).authority);
  if (host.empty()) return;
  const auto begin = static_cast<size_t>(host.data() - text->data());
  int in_escape = 0;
  for (size_t i = begin; i < begin + host.size(); ++i) {
    char& c = (*text)[i];
    const bool upper = in_escape > 0 && c >= 'a' && c <= 'f';
    c = upper ? static_cast<char>(c - 32) : in_escape > 0 ? c : ToLowerAscii(c);
    in_escape = c == '%' ? 2 : in_escape - (in_escape > 0);
  }
}

// The normalised text of an absolute address, or "".
std::string Compose(UriUriA* uri) {
  const bool has_host = uri->hostText.first != nullptr;
  DropDefaultPort(uri);
  if (uriNormalizeSyntaxA(uri) != URI_SUCCESS) return "";
  int size = 0;
  if (uriToStringCharsRequiredA(uri, &size) != URI_SUCCESS || size < 0)
    return "";
  std::string text(static_cast<size_t>(size) + 1, '\0');
  int written = 0;
  if (uriToStringA(text.data(), uri, size + 1, &written) != URI_SUCCESS)
    return "";
  text.resize(static_cast<size_t>(written) - 1);
  FixHostCase(&text);
  const UrlParts parts = SplitUrl(text);
  // Without a host, dot segments before an empty one (x:/.//y) have no normal
  // form that means the same.
  if (!has_host &&
      (parts.has_authority || parts.path.find("//") != std::string_view::npos))
    return "";
  if (!parts.authority.empty() && parts.path.empty()) {
    const auto at = parts.authority.data() + parts.authority.size();
    text.insert(static_cast<size_t>(at - text.data()), "/");
  }
  return text;
}

}  // namespace

std::string NormaliseUrl(std::string_view url) {
  if (url.size() > kLongestUrl) return std::string(url);
  const std::string escaped = Escape(url);
  Uri uri;
  if (!uri.Parse(escaped) || !uri.absolute()) return std::string(url);
  std::string text = Compose(uri.get());
  return text.empty() ? std::string(url) : text;
}

Result<std::string> ResolveUrl(std::string_view base,
                               std::string_view reference) {
  if (base.size() > kLongestUrl || reference.size() > kLongestUrl) {
    return Fail(ErrorCode::kUsage, "an address is longer than " +
                                       std::to_string(kLongestUrl) + " bytes");
  }
  const std::string base_text = Escape(base);
  const std::string reference_text = Escape(reference);
  Uri base_uri, reference_uri, resolved;
  if (!base_uri.Parse(base_text) || !base_uri.absolute()) {
    return Fail(ErrorCode::kUsage, "the base is no absolute address",
                std::string(base));
  }
  if (!reference_uri.Parse(reference_text) ||
      uriAddBaseUriExA(resolved.get(), reference_uri.get(), base_uri.get(),
                       URI_RESOLVE_STRICTLY) != URI_SUCCESS) {
    return Fail(ErrorCode::kUsage, "the link is no address",
                std::string(reference));
  }
  std::string text = Compose(resolved.get());
  if (text.empty()) {
    return Fail(ErrorCode::kUsage, "the link is no address",
                std::string(reference));
  }
  return text;
}

std::string UrlHost(std::string_view url) {
  return ToLowerAscii(HostOf(SplitUrl(url).authority));
}

std::string UrlOrigin(std::string_view url) {
  const std::string normal = NormaliseUrl(url);
  const UrlParts parts = SplitUrl(normal);
  if (parts.scheme.empty() || HostOf(parts.authority).empty()) return "";
  return std::string(parts.scheme) + "://" +
         std::string(HostAndPort(parts.authority));
}

int UrlDepth(std::string_view url) {
  const std::string_view path = SplitUrl(url).path;
  int depth = 0;
  for (size_t i = 0; i < path.size(); ++i)
    depth += path[i] != '/' && (i == 0 || path[i - 1] == '/');
  return depth;
}

bool IsHttpUrl(std::string_view url) {
  const UrlParts parts = SplitUrl(url);
  const std::string scheme = ToLowerAscii(parts.scheme);
  return (scheme == "http" || scheme == "https") &&
         !HostOf(parts.authority).empty();
}

std::string EscapeValue(std::string_view text) {
  std::string escaped;
  constexpr char kDigits[] = "0123456789ABCDEF";
  for (const char c : text) {
    const bool plain = IsAsciiLetter(c) || IsAsciiDigit(c) || c == '-' ||
                       c == '.' || c == '_' || c == '~';
    const auto byte = static_cast<unsigned char>(c);
    if (plain) {
      escaped += c;
    } else {
      escaped += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return escaped;
}

}  // namespace twinset
