// A list of stop words of any bytes is refused or read; what it and a stemmer
// leave of a text is what the definition leaves: its tokens without those of
// the list, each reduced to its stem, where they stood.
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratch_file.h"
#include "target.h"
#include "text/tokens/features.h"
#include "text/tokens/token_filter.h"

namespace {

using namespace twinset;  // NOLINT: the target's subject

FeatureExtractor ExtractorOf(TokenRule rule,
                             std::shared_ptr<const TokenFilter> filter) {
  return FeatureExtractor(rule, *ParseShingles("word:2+char:3"),
                          FeatureHash::kSpec, std::move(filter));
}

std::vector<Token> Left(TokenRule rule, const std::string& text,
                        const std::vector<std::string>& words,
                        Stemmer* stemmer) {
  std::vector<Token> left;
  for (Token& token : ExtractorOf(rule, nullptr).Tokens(text)) {
    if (std::find(words.begin(), words.end(), token.text) != words.end())
      continue;
    if (stemmer != nullptr) token.text = std::string(stemmer->Stem(token.text));
    left.push_back(std::move(token));
  }
  return left;
}

}  // namespace

TWINSET_FUZZ_TARGET(stop_words) {
  FuzzInput input(data, size);
  const auto rule = static_cast<TokenRule>(input.Number(1) % 5);
  const std::string stem = std::vector{"none", "porter", "snowball:de",
                                       "snowball:tr"}[input.Number(1) % 4];
  std::string list(input.Rest());
  const std::string text = list.substr(list.size() / 2);
  list.resize(list.size() / 2);
  // The door for lists of lines takes byte order marks away before it parses.
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  for (size_t at = list.find(kMark); at != list.npos; at = list.find(kMark))
    list.erase(at, kMark.size());
  const auto words = ParseStopWords(list, rule, "list");
  if (!words) return 0;
  for (const std::string& word : *words) Require(!word.empty());
  const std::string path = ScratchFolder() + "/list";
  WriteScratch(path, list);
  auto filter = TokenFilter::Make(path, stem, rule);
  if (!filter) return 0;  // an empty list, or tokens that are no words
  const auto stemmer = stem == "none" ? nullptr : Stemmer::Make(stem);
  const auto expected = Left(rule, text, *words, stemmer.get());
  const FeatureExtractor filtered = ExtractorOf(rule, *std::move(filter));
  const auto tokens = filtered.Tokens(text);
  Require(tokens.size() == expected.size());
  for (size_t i = 0; i < tokens.size(); ++i)
    Require(tokens[i].text == expected[i].text &&
            tokens[i].begin == expected[i].begin &&
            tokens[i].end == expected[i].end);
  (void)filtered.Spans(text);
  return 0;
}
