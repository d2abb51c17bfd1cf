#include "server/guard.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <utility>

#include "server/problem.h"
#include "server/request_parts.h"
#include "twinset/lists.h"

namespace twinset::server {
namespace {

constexpr size_t kLeastToken = 16;

int SixBits(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// Up to the first character that is none of base64.
std::string FromBase64(std::string_view text) {
  std::string bytes;
  unsigned held = 0;
  int bits = 0;
  for (const char c : text) {
    const int value = SixBits(c);
    if (value < 0) break;
    held = held << 6 | static_cast<unsigned>(value);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(held >> bits & 0xFF);
  }
  return bytes;
}

// What follows the name of a scheme of authentication, whatever its case.
std::optional<std::string_view> AfterScheme(std::string_view value,
                                            std::string_view scheme) {
  if (value.size() <= scheme.size() || value[scheme.size()] != ' ' ||
      MediaType(value.substr(0, scheme.size())) != scheme)
    return {};
  value.remove_prefix(scheme.size());
  while (!value.empty() && value.front() == ' ') value.remove_prefix(1);
  return value;
}

std::string TokenOf(const HttpRequest& request) {
  const std::string* const value = request.Header("Authorization");
  if (value == nullptr) return {};
  if (const auto bearer = AfterScheme(*value, "bearer"))
    return std::string(*bearer);
  if (const auto basic = AfterScheme(*value, "basic")) {
    const std::string both = FromBase64(*basic);
    const size_t colon = both.find(':');
    return colon == std::string::npos ? "" : both.substr(colon + 1);
  }
  return {};
}

// All are compared, so that the time does not tell which one was near.
bool IsAmong(std::string_view token, const std::vector<std::string>& tokens) {
  bool found = false;
  for (const std::string& one : tokens) found |= IsEqualSecret(token, one);
  return found;
}

}  // namespace

bool IsEqualSecret(std::string_view x, std::string_view y) {
  if (x.size() != y.size()) return false;
  volatile unsigned char difference = 0;
  for (size_t i = 0; i < x.size(); ++i)
    difference = static_cast<unsigned char>(
        difference |
        (static_cast<unsigned char>(x[i]) ^ static_cast<unsigned char>(y[i])));
  return difference == 0;
}

Result<std::vector<std::string>> ReadTokens(const std::string& path) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0)
    return Fail(ErrorCode::kUsage, "the file of tokens cannot be read", path);
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    return Fail(ErrorCode::kUsage, "others than its owner may use the tokens",
                path, "chmod 600 it");
  TWINSET_ASSIGN(const std::vector<std::string> tokens, ReadNameList(path, 0));
  for (const std::string& token : tokens) {
    if (token.size() < kLeastToken) {
      return Fail(ErrorCode::kUsage,
                  "a token has fewer than " + std::to_string(kLeastToken) +
                      " characters",
                  path, "openssl rand -hex 32 makes one");
    }
  }
  if (tokens.empty())
    return Fail(ErrorCode::kUsage, "no token is in the file", path,
                "openssl rand -hex 32 makes one");
  return tokens;
}

Guard::Guard(GuardOptions options) : options_(std::move(options)) {
  for (std::string& host : options_.hosts) host = HostName(host);
}

bool Guard::IsHost(std::string_view host) const {
  constexpr std::array<std::string_view, 3> kLoopback = {"localhost",
                                                         "127.0.0.1", "[::1]"};
  const std::string name = HostName(host);
  return std::find(kLoopback.begin(), kLoopback.end(), name) !=
             kLoopback.end() ||
         std::find(options_.hosts.begin(), options_.hosts.end(), name) !=
             options_.hosts.end();
}

bool Guard::HasToken(const HttpRequest& request, Scope scope) const {
  if (scope == Scope::kOpen) return true;
  const bool reads = scope == Scope::kRead;
  if ((reads ? options_.read_tokens : options_.write_tokens).empty())
    return true;
  const std::string token = TokenOf(request);
  const bool writes = IsAmong(token, options_.write_tokens);
  return writes | (reads && IsAmong(token, options_.read_tokens));
}

std::optional<HttpResponse> Guard::Refuse(const HttpRequest& request,
                                          Scope scope) const {
  const std::string* const host = request.Header("Host");
  if (host == nullptr || !IsHost(*host)) {
    return Problem(403, "the server is not called so", "start it with --host");
  }
  const std::string* const origin = request.Header("Origin");
  if (origin != nullptr && request.method != "GET" &&
      request.method != "HEAD" && !IsHost(HostOfOrigin(*origin)))
    return Problem(403, "the request comes from a page of another server");
  if (HasToken(request, scope)) return {};
  const bool reads = scope == Scope::kRead;
  if (!reads && HasToken(request, Scope::kRead) && !TokenOf(request).empty() &&
      !options_.read_tokens.empty())
    return Problem(403, "the token is one for reading");
  HttpResponse refusal =
      Problem(401,
              std::string("a token for ") + (reads ? "reading" : "writing") +
                  " is needed",
              "send Authorization: Bearer TOKEN");
  refusal.headers.emplace_back("WWW-Authenticate", "Bearer");
  refusal.headers.emplace_back("WWW-Authenticate", "Basic realm=\"twinset\"");
  return refusal;
}

}  // namespace twinset::server
