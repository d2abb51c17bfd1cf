// Numbers, names and guesses as a person reads them: every output writes them
// here.
#ifndef TWINSET_PLAIN_WORDS_H_
#define TWINSET_PLAIN_WORDS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace twinset {
inline namespace v1 {

// 1234567 -> "1,234,567".
std::string NumberText(uint64_t number);

// The value correctly rounded: .94736 with 4 decimals -> "0.9474". "–" for what
// is no finite number.
std::string FixedText(double value, int decimals);

// "1,416 documents", "1 document"; `many` where the word takes no s.
std::string CountText(uint64_t count, std::string_view one,
                      std::string_view many = {});

// "byte 17" for the offset of a record; "row 17" of a table.
std::string RecordPlace(uint64_t offset, bool is_table_row);

// The word that goes with a count which stands elsewhere: "is" or "are".
std::string_view WordFor(uint64_t count, std::string_view one,
                         std::string_view many);

// 687 of 1,416 -> "48.5 %"; "–" without a whole.
std::string ShareText(uint64_t part, uint64_t whole);

// "Nearly half", "About a third", "Very few", "Almost all": what goes before
// "of the documents". "None" for 0 and "All" for the whole.
std::string ShareInWords(uint64_t part, uint64_t whole);

// .8 -> "80 %", .9985 -> "99.85 %": two decimals where they are needed.
std::string PercentText(double share);

// 312 -> "312 bytes", 5,242,880 -> "5.2 MB": powers of 1000.
std::string BytesText(uint64_t bytes);
// .21 -> "0.21 s", 200 -> "3 min 20 s", 3725 -> "1 h 2 min".
std::string SecondsText(double seconds);

// The text with a capital in front, if it begins with a letter of ASCII.
std::string Capitalised(std::string text);

// The last name of a path, as NameText shows it: "/data/a.warc.gz" ->
// "a.warc.gz".
std::string FileName(std::string_view path);

// bucket_limit -> bucket limit
std::string WordsOf(std::string name);

// The name of a file, which may be any bytes, as every output shows it: bytes
// that are not UTF-8, control bytes (below 0x20, and 0x7F) and backslashes
// become \xHH, two lower-case digits. So it is printable UTF-8, and NameBytes
// gives the name back.
std::string NameText(std::string_view bytes);

// The name that NameText shows as `text`; nothing if no name is shown so.
std::optional<std::string> NameBytes(std::string_view text);

// A text as a terminal may show it: control characters, those that reorder a
// line, and malformed UTF-8 are replaced by U+FFFD; line feeds and tabs stay
// when `lines`. What a document says must not steer the terminal.
std::string Printable(std::string_view text, bool lines = false);

// Guesses the name that somebody mistyped, by one rule for commands, flags,
// values and fields: returns the one nearest to `word`, whatever its case, or
// an empty one when none is near enough. A name is near within two edits (one
// edit for words of up to three letters, a third of the letters for long words;
// swapped neighbours count as one), or if it begins with `word`. Among equally
// near names the first counts. Words above 64 bytes are near to nothing.
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

#endif  // TWINSET_PLAIN_WORDS_H_
