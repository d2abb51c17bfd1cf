// Guesses the name that somebody mistyped, by one rule for commands, flags,
// values and fields.
#ifndef TWINSET_NEAREST_H_
#define TWINSET_NEAREST_H_

#include <string>
#include <string_view>
#include <vector>

namespace twinset {
inline namespace v1 {

// Returns the name that is nearest to `word`, whatever its case, or an empty
// one when none is near enough. A name is near within two edits (one edit for
// words of up to three letters, a third of the letters for long words; swapped
// neighbours count as one), or if it begins with `word`. Among equally near
// names the first counts. Words above 64 bytes are near to nothing.
// O(names * word * name).
std::string_view NearestName(std::string_view word,
                             const std::vector<std::string_view>& names);

// Says how to write a number that was written in another way: "80 % is 0.8" for
// "80%", "write 0.8" for "0,8"; empty if it was not.
std::string NumberMeant(std::string_view text);

// "did you mean 'NAME'?", or empty. `names` is any list of strings.
template <typename Names>
std::string DidYouMean(std::string_view word, const Names& names) {
  const std::string_view near = NearestName(
      word, std::vector<std::string_view>(names.begin(), names.end()));
  return near.empty() ? std::string()
                      : "did you mean '" + std::string(near) + "'?";
}

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_NEAREST_H_
