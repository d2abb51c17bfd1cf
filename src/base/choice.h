// Names to choose from.
#ifndef TWINSET_SRC_BASE_CHOICE_H_
#define TWINSET_SRC_BASE_CHOICE_H_

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "twinset/error.h"

namespace twinset {

// kUsage, with the names of all that could have been chosen, in their order:
// `name_of` says the name of a row.
template <typename Rows, typename NameOf = std::identity>
tl::unexpected<Error> NoSuchChoice(std::string message, const Rows& rows,
                                   NameOf name_of = {}) {
  std::string known;
  for (const auto& row : rows) {
    if (!known.empty()) known += ", ";
    known += std::string_view(std::invoke(name_of, row));
  }
  return Fail(ErrorCode::kUsage, std::move(message), "",
              "use one of: " + known);
}

}  // namespace twinset

#endif  // TWINSET_SRC_BASE_CHOICE_H_
