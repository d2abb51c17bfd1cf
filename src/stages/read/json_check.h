// Is a line JSON (RFC 8259)? simdjson's on-demand parser reads only what it is
// asked for, so a value it skips may be anything; its DOM parser refuses
// numbers beyond 64 bits and takes up to nine times the line in memory. This
// walk has neither fault and tells where the line goes wrong.
#ifndef TWINSET_SRC_STAGES_READ_JSON_CHECK_H_
#define TWINSET_SRC_STAGES_READ_JSON_CHECK_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace twinset {

inline constexpr size_t kMaxJsonDepth = 1000;

struct JsonCheck {
  bool ok = false;
  bool lone_surrogate = false;    // an escaped surrogate without its partner
  bool escaped_key = false;       // a member's name is written with a backslash
  size_t error_at = 0;            // 0-based byte
  std::string_view message = {};  // what was wrong there
};

// One value with white space around it. UTF-8 inside strings is not checked.
// Linear time, one bit a nesting level.
JsonCheck CheckJson(std::string_view json);

// The same of the value that `json` begins with; behind it may be anything,
// from byte *end on.
JsonCheck CheckJsonValue(std::string_view json, size_t* end);

// Replaces each \u escape of a surrogate without its partner by \ufffd, in
// place. `json` must have passed CheckJson.
void ReplaceLoneSurrogates(std::string* json);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_JSON_CHECK_H_
