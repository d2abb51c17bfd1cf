#include "change/page_names.h"

#include <chrono>
#include <cstdio>

#include "base/bytes.h"
#include "net/public_suffix.h"
#include "net/url_rules.h"

namespace twinset {

size_t DepthOf(std::string_view address) {
  const UrlPlaces places = FindUrlPlaces(address);
  const size_t begin = places.has_scheme ? places.authority_end : 0;
  size_t depth = 0;
  bool in_segment = false;
  for (size_t i = begin; i < places.path_end && i < address.size(); ++i) {
    depth += address[i] != '/' && !in_segment;
    in_segment = address[i] != '/';
  }
  return depth;
}

std::string_view HostOfAddress(std::string_view address) {
  const UrlPlaces places = FindUrlPlaces(address);
  return places.has_scheme ? HostIn(address, places) : std::string_view();
}

std::string_view TopLevelOfAddress(std::string_view address) {
  const std::string_view host = HostOfAddress(address);
  return host.empty() ? "(none)" : TopLevelOf(host);
}

std::string UtcText(int64_t seconds) {
  using std::chrono::days, std::chrono::sys_days;
  const std::chrono::sys_seconds time{std::chrono::seconds(seconds)};
  const sys_days day = std::chrono::floor<days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  char text[64];
  std::snprintf(text, sizeof(text), "%04d-%02u-%02uT%02d:%02d:%02dZ",
                static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()),
                static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return text;
}

std::string DigitsText(int64_t seconds) {
  std::string text = UtcText(seconds);
  std::erase_if(text, [](char c) { return c < '0' || c > '9'; });
  return text;
}

std::string Base64Of(uint64_t value) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(value >> (8 * i));
  return ToBase64(bytes);
}

}  // namespace twinset
