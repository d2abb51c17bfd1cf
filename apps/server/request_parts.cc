#include "server/request_parts.h"

#include <algorithm>

namespace twinset::server {
namespace {

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

}  // namespace

std::optional<std::string> PercentDecoded(std::string_view text, bool form) {
  std::string decoded;
  decoded.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && form) {
      decoded += ' ';
    } else if (text[i] != '%') {
      decoded += text[i];
    } else {
      if (i + 2 >= text.size()) return {};
      const int high = HexDigit(text[i + 1]), low = HexDigit(text[i + 2]);
      if (high < 0 || low < 0) return {};
      decoded += static_cast<char>(high << 4 | low);
      i += 2;
    }
  }
  return decoded;
}

std::optional<Parameters> ParseParameters(std::string_view text) {
  Parameters parameters;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(text.size(), one.size() + 1));
    if (one.empty()) continue;
    const size_t sign = one.find('=');
    const auto name = PercentDecoded(one.substr(0, sign), true);
    const auto value =
        PercentDecoded(sign == std::string_view::npos ? std::string_view()
                                                      : one.substr(sign + 1),
                       true);
    if (!name || !value) return {};
    parameters.emplace_back(*name, *value);
  }
  return parameters;
}

const std::string* FindParameterNamed(const Parameters& parameters,
                                      std::string_view name) {
  const auto at =
      std::find_if(parameters.rbegin(), parameters.rend(),
                   [&](const auto& one) { return one.first == name; });
  return at == parameters.rend() ? nullptr : &at->second;
}

std::string MediaType(std::string_view header) {
  header = header.substr(0, header.find(';'));
  while (!header.empty() && (header.back() == ' ' || header.back() == '\t'))
    header.remove_suffix(1);
  while (!header.empty() && (header.front() == ' ' || header.front() == '\t'))
    header.remove_prefix(1);
  return Lower(header);
}

std::string HostName(std::string_view host) {
  if (!host.empty() && host.front() == '[')
    return Lower(host.substr(0, host.find(']') + 1));
  return Lower(host.substr(0, host.find(':')));
}

std::string_view HostOfOrigin(std::string_view origin) {
  for (const std::string_view scheme : {"http://", "https://"})
    if (origin.substr(0, scheme.size()) == scheme)
      return origin.substr(scheme.size());
  return {};
}

}  // namespace twinset::server
