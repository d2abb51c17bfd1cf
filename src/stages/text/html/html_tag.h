// Elements by number.
#ifndef TWINSET_SRC_STAGES_TEXT_HTML_HTML_TAG_H_
#define TWINSET_SRC_STAGES_TEXT_HTML_HTML_TAG_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace twinset {

enum class HtmlTag : uint8_t {
  kUnknown,  // all that is not listed: plain inline elements
#define TWINSET_HTML_TAG(enumerator, name, flags) enumerator,
#include "text/html/html_tag_list.inc"
#undef TWINSET_HTML_TAG
  kCount,
};

// The element of this name (any case). A look-up by hash and one comparison:
// O(length). Thread-safe.
HtmlTag TagOf(std::string_view name);
// The same, faster: at least 8 bytes are readable from name.data() on.
HtmlTag TagOfReadable(std::string_view name);

// Its name in lower case, static storage; empty for kUnknown.
std::string_view TagName(HtmlTag tag);

// A hash of a name in which case does not count: identity of unknown elements.
uint32_t NameHash(std::string_view name);

// Its TagFlag bits (text/html/html_tags.h); 0 for kUnknown.
inline uint32_t TagFlags(HtmlTag tag);

namespace internal {
extern const uint32_t kTagFlags[static_cast<size_t>(HtmlTag::kCount)];
}  // namespace internal

inline uint32_t TagFlags(HtmlTag tag) {
  return internal::kTagFlags[static_cast<size_t>(tag)];
}

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_HTML_HTML_TAG_H_
