// The one loop over a reader: of a run, of blobs, of records, of a sorter.
#ifndef TWINSET_SRC_GROUND_BASE_FOR_EACH_H_
#define TWINSET_SRC_GROUND_BASE_FOR_EACH_H_

#include <type_traits>

#include "twinset/error.h"

namespace twinset {

// Calls `body` with everything that `reader->Next(&value)` still gives, until
// that or the body fails. A body that cannot fail returns nothing.
template <typename T, typename Reader, typename Body>
Status ForEach(Reader* reader, Body&& body) {
  T value;
  for (;;) {
    TWINSET_ASSIGN(const bool more, reader->Next(&value));
    if (!more) return {};
    if constexpr (std::is_void_v<std::invoke_result_t<Body&, T&>>)
      body(value);
    else
      TWINSET_TRY(body(value));
  }
}

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_FOR_EACH_H_
