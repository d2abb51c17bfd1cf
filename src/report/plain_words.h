// Numbers as a person says them.
#ifndef TWINSET_SRC_REPORT_PLAIN_WORDS_H_
#define TWINSET_SRC_REPORT_PLAIN_WORDS_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace twinset {

// "1,416 documents", "1 document"; `many` where the word takes no s.
std::string CountText(uint64_t count, std::string_view one,
                      std::string_view many = {});

// "Nearly half", "About a third", "Very few", "Almost all": what goes before
// "of the documents". "None" for 0 and "All" for the whole.
std::string ShareInWords(uint64_t part, uint64_t whole);

// .8 -> "80 %", .9985 -> "99.85 %": two decimals where they are needed.
std::string PercentText(double share);

// 5,242,880 -> "5.2 MB".
std::string BytesText(uint64_t bytes);
// 0.21 -> "0.21 s", 3725 -> "1 h 2 min".
std::string SecondsText(double seconds);

// The last name of a path, as it is shown: "/data/a.warc.gz" -> "a.warc.gz".
std::string FileName(std::string_view path);

// bucket_limit -> bucket limit
std::string WordsOf(std::string name);

}  // namespace twinset

#endif  // TWINSET_SRC_REPORT_PLAIN_WORDS_H_
