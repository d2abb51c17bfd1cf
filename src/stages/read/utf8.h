// UTF-8 as the WHATWG Encoding Standard decodes it.
#ifndef TWINSET_SRC_STAGES_READ_UTF8_H_
#define TWINSET_SRC_STAGES_READ_UTF8_H_

#include <string>
#include <string_view>

namespace twinset {

inline constexpr std::string_view kUtf8Bom = "\xef\xbb\xbf";

bool IsUtf8(std::string_view bytes);

// `bytes` with each malformed sequence (maximal subpart) replaced by U+FFFD.
std::string ReplaceMalformedUtf8(std::string_view bytes);

// The same in place of valid UTF-8 costs one validation.
inline void MakeUtf8(std::string* text) {
  if (!IsUtf8(*text)) *text = ReplaceMalformedUtf8(*text);
}

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_UTF8_H_
