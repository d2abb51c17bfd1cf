// Any text, any hint: a language that may be asked for, or none; and a tag that
// is canonical stays so.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "target.h"
#include "text/charset/charset.h"
#include "text/page/language.h"

TWINSET_FUZZ_TARGET(language) {
  using namespace twinset;
  std::string text;
  AppendValidUtf8({reinterpret_cast<const char*>(data), size}, &text);
  const std::string hint = text.substr(0, text.find('\n'));
  for (const std::string& declared : {std::string(), hint}) {
    const LanguageGuess guess = IdentifyLanguage(text, declared);
    if (CanonicalLanguageTag(guess.code) != guess.code) std::abort();
    if (!ParseLanguageRanges({guess.code})) std::abort();
    const bool unsure = guess.code == kUnknownLanguage;
    if (unsure != (guess.share_percent == 0)) std::abort();
    if (guess.share_percent < 0 || guess.share_percent > 100) std::abort();
  }
  const std::string tag = CanonicalLanguageTag(hint);
  if (CanonicalLanguageTag(tag) != tag) std::abort();
  return 0;
}
