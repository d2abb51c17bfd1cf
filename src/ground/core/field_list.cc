#include "core/field_list.h"

#include <charconv>

namespace twinset {

std::string PackCounts(const std::vector<uint64_t>& counts) {
  std::string text;
  for (size_t i = 0; i < counts.size();) {
    size_t end = i;
    while (end < counts.size() && counts[end] == counts[i]) ++end;
    if (!text.empty()) text += ',';
    text += std::to_string(counts[i]);
    if (end - i > 1) text += "x" + std::to_string(end - i);
    i = end;
  }
  return text;
}

bool UnpackCounts(std::string_view text, size_t sources,
                  std::vector<uint64_t>* counts) {
  counts->clear();
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto number = [&](uint64_t* value) {
    const auto [behind, error] = std::from_chars(at, end, *value);
    at = behind;
    return error == std::errc();
  };
  while (at < end) {
    uint64_t value = 0, times = 1;
    if (!number(&value)) return false;
    if (at < end && *at == 'x') {
      ++at;
      if (!number(&times)) return false;
    }
    if (times > sources - counts->size()) return false;
    counts->insert(counts->end(), times, value);
    if (at < end && (*at++ != ',' || at == end)) return false;
  }
  return counts->size() == sources;
}

}  // namespace twinset
