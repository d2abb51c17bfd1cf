#include "text/tokens/token_places.h"

#include <algorithm>

#include "text/tokens/tokens.h"

namespace twinset {

namespace {

// Where in `gap`, which stands between two tokens, the first white space ends;
// the end of the gap if it has none.
size_t FirstSpaceEnd(std::string_view gap) {
  const char *p = gap.data(), *const end = p + gap.size();
  bool in_space = false;
  while (p < end) {
    const size_t space = WhiteSpaceAt(p, end);
    if (space == 0 && in_space) break;
    in_space |= space > 0;
    p += std::max<size_t>(space, 1);
  }
  return static_cast<size_t>(p - gap.data());
}

}  // namespace

UnitCounts ForEachToken(
    std::string_view clean, TokenRule rule, UnitScratch* scratch,
    const std::function<void(std::string_view token, uint32_t begin)>& body) {
  scratch->map.Clear();
  TokenStream stream(clean, rule, &scratch->features, kTokenWindowBytes,
                     &scratch->map);
  UnitCounts counts;
  TokenWindow window;
  uint32_t begin = 0;
  while (stream.Next(&window)) {
    size_t gap_begin = 0;
    for (size_t i = 0; i < window.count; ++i) {
      const size_t token = window.begins[i], end = window.ends[i];
      if (counts.tokens++ > 0) {
        const std::string_view gap(window.text + gap_begin, token - gap_begin);
        const size_t at =
            gap.size() <= 1 ? token : gap_begin + FirstSpaceEnd(gap);
        begin =
            std::max(begin, scratch->map.CleanBegin(static_cast<uint32_t>(at)));
      }
      body({window.text + token, end - token}, begin);
      gap_begin = end;
    }
  }
  counts.units = counts.tokens;
  counts.code_points = stream.code_points();
  return counts;
}

}  // namespace twinset
