// What a public function returns where memory that it asks for is not there:
// nothing is thrown across the API.
//
//   Result<Answer> v1::Ask(const Options& options) try {
//     ...
//   } catch (const std::bad_alloc&) {
//     return NoMemory();
//   }
#ifndef TWINSET_SRC_GROUND_BASE_NO_MEMORY_H_
#define TWINSET_SRC_GROUND_BASE_NO_MEMORY_H_

#include <new>  // IWYU pragma: export

#include "twinset/error.h"

namespace twinset {

inline tl::unexpected<Error> NoMemory() {
  return Fail(ErrorCode::kMemory, "out of memory", "",
              "give a smaller memory budget, or the process more memory");
}

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_NO_MEMORY_H_
