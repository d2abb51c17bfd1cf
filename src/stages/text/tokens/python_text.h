// The text stages of packages written in Python: str.lower, \w of re, and the
// splitting of text by them (docs/methods/tokens.md). By Unicode 15.0, which is
// that of Python 3.12; characters that another Python knows more or less of are
// treated as 15.0 has them.
#ifndef TWINSET_SRC_STAGES_TEXT_TOKENS_PYTHON_TEXT_H_
#define TWINSET_SRC_STAGES_TEXT_TOKENS_PYTHON_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace twinset {

// The full lower case of `c`, which stands at byte `at` of `text`: one or two
// code points. Amortised O(1) over a text: from U+03A3 it looks to the next
// character on either side that is not case-ignorable, and U+03A3 is not.
size_t LowerCase(std::string_view text, size_t at, uint32_t c, uint32_t* out);

// \w of re for str: letters, numbers of every kind, and the underscore.
bool IsPythonWord(uint32_t c);

// re.split(r"\W", text): what stands between characters that are not \w, also
// where that is nothing. `first`: the text begins with a token; else with the
// character that ends the token before. Of an empty text with `first`: nothing.
// Arrays with room for text.size() + 1 entries.
size_t SplitAtNonwords(std::string_view text, bool first, uint32_t* begins,
                       uint32_t* ends);

// re.findall(r"\w+", text). Room for text.size() / 2 + 1 entries.
size_t FindWordRuns(std::string_view text, uint32_t* begins, uint32_t* ends);

// What stands between spaces (U+0020), unless it is nothing. Room as above.
size_t SplitAtSpaces(std::string_view text, uint32_t* begins, uint32_t* ends);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_TOKENS_PYTHON_TEXT_H_
