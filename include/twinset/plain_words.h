// Numbers as a person says them: every output writes them here.
#ifndef TWINSET_PLAIN_WORDS_H_
#define TWINSET_PLAIN_WORDS_H_

#include <cstdint>
#include <string>
#include <string_view>

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

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_PLAIN_WORDS_H_
