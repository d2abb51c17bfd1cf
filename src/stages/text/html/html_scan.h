// Small things the text of markup is read with.
#ifndef TWINSET_SRC_STAGES_TEXT_HTML_HTML_SCAN_H_
#define TWINSET_SRC_STAGES_TEXT_HTML_HTML_SCAN_H_

#include <cstddef>
#include <string_view>

namespace twinset {

// U+00AD: where a word may be broken. No text has it.
inline constexpr std::string_view kSoftHyphen = "\xC2\xAD";
inline constexpr char32_t kSoftHyphenPoint = 0xAD;
inline bool IsSoftHyphen(std::string_view utf8, size_t at) {
  return utf8[at] == kSoftHyphen[0] && at + 1 < utf8.size() &&
         utf8[at + 1] == kSoftHyphen[1];
}

// True for the attribute `hidden` and for a style whose last display is none;
// `value` may be raw or decoded. (Input elements of type hidden have no text to
// hide.)
bool IsHidingAttribute(std::string_view name, std::string_view value);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_HTML_HTML_SCAN_H_
