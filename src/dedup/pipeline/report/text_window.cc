#include "pipeline/report/text_window.h"

#include "base/utf8.h"

namespace twinset {

namespace {

constexpr uint64_t kContext = 160;  // code points around a window
constexpr uint64_t kTail = 160;

// Where code point `wanted` of the text begins; its end if there are fewer.
// Goes on from `*at`, which is code point `*number`.
size_t Find(std::string_view text, uint64_t wanted, size_t* at,
            uint64_t* number) {
  while (*at < text.size() && *number < wanted) {
    do {
      ++*at;
    } while (*at < text.size() && IsContinuation(text[*at]));
    ++*number;
  }
  return *at;
}

}  // namespace

void FillWindow(std::string_view text, TextWindow* window) {
  const uint64_t length = window->end - window->begin;
  const uint64_t head = window->most_head;
  const bool is_cut = length > head + kTail;
  const uint64_t begin = window->begin, end = window->end;
  const uint64_t cuts[] = {begin > kContext ? begin - kContext : 0,
                           begin,
                           is_cut ? begin + head : end,
                           is_cut ? end - kTail : end,
                           end,
                           end + kContext};
  size_t places[6], at = 0;
  uint64_t number = 0;
  for (size_t i = 0; i < 6; ++i) places[i] = Find(text, cuts[i], &at, &number);
  const auto part = [&](size_t i) {
    return std::string(text.substr(places[i], places[i + 1] - places[i]));
  };
  window->before = part(0);
  window->head = part(1);
  window->left_out = is_cut ? length - head - kTail : 0;
  window->tail = part(3);
  window->after = part(4);
  window->more_before = places[0] > 0;
  window->more_after = places[5] < text.size();
}

}  // namespace twinset
