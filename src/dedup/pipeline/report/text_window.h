// A range of a text with what surrounds it, as a page quotes it.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_REPORT_TEXT_WINDOW_H_
#define TWINSET_SRC_DEDUP_PIPELINE_REPORT_TEXT_WINDOW_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace twinset {

// Each part is cut to a few hundred characters, `head` to `most_head`.
struct TextWindow {
  static constexpr uint64_t kHead = 480;

  uint64_t begin = 0, end = 0;  // in code points
  uint64_t most_head = kHead;
  std::string before, head, tail, after;
  uint64_t left_out = 0;  // code points between head and tail
  bool more_before = false, more_after = false;  // text beyond these parts

  static void Fields(auto& window, auto& field) {
    field("begin", window.begin);
    field("end", window.end);
    field("most_head", window.most_head);
    field("before", window.before);
    field("head", window.head);
    field("tail", window.tail);
    field("after", window.after);
    field("left_out", window.left_out);
    field("more_before", window.more_before);
    field("more_after", window.more_after);
  }
};

// Fills all parts from `begin`, `end` and `most_head`.
void FillWindow(std::string_view text, TextWindow* window);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_REPORT_TEXT_WINDOW_H_
