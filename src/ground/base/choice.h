// Names to choose from.
#ifndef TWINSET_SRC_GROUND_BASE_CHOICE_H_
#define TWINSET_SRC_GROUND_BASE_CHOICE_H_

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twinset/choices.h"
#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/plain_words.h"

namespace twinset {

// kUsage for a `word` that is no choice, with the name that is nearest to it
// and the names of all that could have been chosen, in their order: `name_of`
// says the name of a row.
template <typename Rows, typename NameOf = std::identity>
tl::unexpected<Error> NoSuchChoice(std::string_view word, std::string message,
                                   const Rows& rows, NameOf name_of = {}) {
  std::vector<std::string_view> names;
  std::string known;
  for (const auto& row : rows) {
    names.push_back(std::string_view(std::invoke(name_of, row)));
    known += (known.empty() ? "" : ", ") + std::string(names.back());
  }
  std::string remedy = DidYouMean(word, names);
  if (!remedy.empty()) remedy += " ";
  return Fail(ErrorCode::kUsage, std::move(message), "",
              remedy + "use one of: " + known);
}

// The value of that name. `flag`: what it is a value of, for the message.
template <ChoiceEnum Enum>
Result<Enum> ParseChoice(std::string_view flag, std::string_view name) {
  if (const auto found = FindChoice<Enum>(name)) return *found;
  return NoSuchChoice(
      name, std::string(flag) + " does not know '" + std::string(name) + "'",
      kChoices<Enum>, &NamedChoice<Enum>::name);
}

// Sets `value` to what member `name` of an object says; leaves it alone where
// there is none, or an empty text.
template <ChoiceEnum Enum>
Status TakeChoice(const Json& object, std::string_view name, Enum* value) {
  const std::string* text = object[name].if_string();
  if (text == nullptr || text->empty()) return {};
  TWINSET_ASSIGN(*value, ParseChoice<Enum>(name, *text));
  return {};
}

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_CHOICE_H_
