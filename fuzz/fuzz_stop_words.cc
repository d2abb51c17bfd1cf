// A list of stop words of any bytes is refused or read: none of its words is a
// token of a text any more, and what is left keeps its order.
#include <algorithm>
#include <string>
#include <vector>

#include "scratch_file.h"
#include "text/tokens/features.h"
#include "text/tokens/token_filter.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  twinset::FuzzInput input(data, size);
  const auto rule = static_cast<twinset::TokenRule>(input.Number(1) % 5);
  const std::string list(input.Rest());
  const auto words = twinset::ParseStopWords(list, rule, "list");
  if (!words) return 0;
  for (const std::string& word : *words) twinset::Require(!word.empty());
  // The stems of whatever it says end.
  for (const char* name : {"porter", "snowball:de", "snowball:tr"}) {
    const auto stemmer = twinset::Stemmer::Make(name);
    for (const std::string& word : *words) (void)stemmer->Stem(word);
  }
  // A text through the lists that twinset has.
  static const auto filter = *twinset::TokenFilter::Make(
      "en+de", "snowball:en", twinset::TokenRule::kUnicode);
  static const twinset::FeatureExtractor filtered(
      twinset::TokenRule::kUnicode, *twinset::ParseShingles("word:2+char:3"),
      twinset::FeatureHash::kSpec, filter);
  for (const twinset::Token& token : filtered.Tokens(list))
    twinset::Require(token.begin < token.end && token.end <= list.size());
  (void)filtered.Spans(list);
  return 0;
}
