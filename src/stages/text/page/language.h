// Which language a text is in, as far as the text itself tells
// (docs/methods/language.md).
#ifndef TWINSET_SRC_STAGES_TEXT_PAGE_LANGUAGE_H_
#define TWINSET_SRC_STAGES_TEXT_PAGE_LANGUAGE_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/error.h"

namespace twinset {

inline constexpr std::string_view kUnknownLanguage = "und";  // ISO 639-2

// Longer texts are judged by kLanguageSlices pieces spread evenly over them, of
// so many bytes together: the cost is bounded. First by kFirstLanguageBytes; if
// that leaves doubt, by kLanguageBytes.
inline constexpr size_t kFirstLanguageBytes = 3 << 9;
inline constexpr size_t kLanguageBytes = 16 << 10;
inline constexpr size_t kLanguageSlices = 4;

struct LanguageGuess {
  // BCP 47: the primary subtag, with the script only for zh-Hant (zh alone is
  // written in simplified characters); kUnknownLanguage when unsure.
  std::string code = std::string(kUnknownLanguage);
  int share_percent = 0;  // of the letters looked at; 0 when unsure
};

// The main language of `clean_utf8` (valid UTF-8). `declared` is what the page
// says of itself (html lang), any bytes, or empty: it tips the scale between
// close languages and never outweighs the text. Pure, thread-safe, the same
// everywhere for one version of the library; bounded cost (kLanguageBytes).
LanguageGuess IdentifyLanguage(std::string_view clean_utf8,
                               std::string_view declared);
// Without the first look: kLanguageBytes of every text. For tests.
LanguageGuess ReferenceLanguage(std::string_view clean_utf8,
                                std::string_view declared);

// The tag as IdentifyLanguage would write it: lower case but for the script,
// '-' for '_', the first of a list, codes that ISO 639 has withdrawn replaced
// (iw: he). Empty when `tag` has not the form of a language tag.
std::string CanonicalLanguageTag(std::string_view tag);

// Language ranges as a user writes them, canonical: "de", "zh-Hant", "und".
// kUsage for what no text is ever identified as (regions, misspellings).
Result<std::vector<std::string>> ParseLanguageRanges(
    const std::vector<std::string>& ranges);

// Returns true iff `code` is in one of the ranges (basic filtering, RFC 4647
// section 3.3.1: "zh" takes zh-Hant). No range takes everything.
bool LanguageInRanges(std::string_view code,
                      const std::vector<std::string>& ranges);

// Version of the language data: a part of what results depend on.
std::string LanguageDataVersion();

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_PAGE_LANGUAGE_H_
