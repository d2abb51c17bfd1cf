// Arbitrary bytes through the token rules and feature hashes of other packages:
// no crash, the same set from Extract, Sequence and Spans, the same tokens
// whatever the window, and places that lie in the text. The first two bytes
// choose rule, hash and shingle.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "target.h"
#include "text/tokens/features.h"
#include "text/tokens/tokens.h"

namespace {

using twinset::FeatureHash;
using twinset::TokenRule;
using Hashes = std::vector<uint64_t>;

void Check(bool condition) {
  if (!condition) std::abort();
}

std::vector<std::string> TokensOf(std::string_view text, TokenRule rule,
                                  size_t window) {
  twinset::FeatureScratch scratch;
  twinset::TokenStream stream(text, rule, &scratch, window);
  twinset::TokenWindow tokens;
  std::vector<std::string> words;
  while (stream.Next(&tokens)) {
    for (size_t i = 0; i < tokens.count; ++i) {
      words.emplace_back(tokens.text + tokens.begins[i],
                         tokens.ends[i] - tokens.begins[i]);
    }
  }
  return words;
}

}  // namespace

TWINSET_FUZZ_TARGET(feature_hash) {
  if (size < 2) return 0;
  const auto rule = static_cast<TokenRule>(data[0] % 6);
  const auto hash = static_cast<FeatureHash>(data[0] / 6 % 10);
  const char* const kShingles[] = {"word:1",   "word:3", "char:4",
                                   "sentence", "line",   "word:2+char:3"};
  const char* shingle = kShingles[data[1] % 6];
  const std::string_view text(reinterpret_cast<const char*>(data) + 2,
                              size - 2);
  const twinset::FeatureExtractor extractor(
      rule, *twinset::ParseShingles(shingle), hash);
  twinset::FeatureScratch scratch;
  twinset::Features set, sequence;
  extractor.Extract(text, &scratch, &set);
  extractor.Sequence(text, &scratch, &sequence);
  Check(set.token_count == sequence.token_count);
  Hashes spans;
  for (const twinset::ShingleSpan& span : extractor.Spans(text)) {
    Check(span.begin <= span.end && span.end <= text.size());
    spans.push_back(span.hash);
  }
  Hashes all = sequence.shingles;
  std::sort(all.begin(), all.end());
  std::sort(spans.begin(), spans.end());
  Check(all == spans);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  Check(all == set.shingles);
  const auto tokens = TokensOf(text, rule, 1 << 20);
  Check(tokens.size() == set.token_count);
  Check(TokensOf(text, rule, 1) == tokens);
  Check(TokensOf(text, rule, 5) == tokens);
  return 0;
}
