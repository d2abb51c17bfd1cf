// Arbitrary bytes through normaliser, tokeniser and shingles: no crash, every
// SIMD target equal to the scalar reference, and the tokens equal to those of
// the naive tokeniser written with ICU calls.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/kernels.h"
#include "target.h"
#include "text/tokens/features.h"
#include "text/tokens/tokens_reference.h"

namespace {

using twinset::FeatureExtractor;
using twinset::TokenRule;

void Check(bool condition) {
  if (!condition) std::abort();
}

// Everything the extractor says about `clean`.
struct Outcome {
  std::string tokens;
  std::vector<uint64_t> shingles;
  uint64_t token_count = 0, code_points = 0;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome Observe(const FeatureExtractor& extractor, TokenRule rule,
                std::string_view clean) {
  static twinset::FeatureScratch scratch;
  twinset::Features features;
  extractor.Extract(clean, &scratch, &features);
  Outcome outcome{
      {}, features.shingles, features.token_count, features.code_points};
  twinset::JoinTokens(clean, rule, &scratch, &outcome.tokens);
  return outcome;
}

void CheckSpans(const FeatureExtractor& extractor, std::string_view clean,
                const std::vector<uint64_t>& shingles) {
  std::vector<uint64_t> hashes;
  for (const twinset::ShingleSpan& span : extractor.Spans(clean)) {
    Check(span.begin < span.end && span.end <= clean.size());
    hashes.push_back(span.hash);
  }
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  Check(hashes == shingles);
}

void CheckRule(const FeatureExtractor& extractor, TokenRule rule,
               std::string_view clean) {
  Check(twinset::kernels::ForceTarget("scalar").has_value());
  const Outcome expected = Observe(extractor, rule, clean);
  const auto naive_tokens = rule == TokenRule::kUnicode
                                ? twinset::naive::UnicodeTokens(clean)
                                : twinset::naive::WhitespaceTokens(clean);
  Check(expected.tokens == twinset::naive::Join(naive_tokens));
  Check(expected.token_count == naive_tokens.size());
  for (const std::string& target : twinset::kernels::Targets()) {
    Check(twinset::kernels::ForceTarget(target).has_value());
    Check(Observe(extractor, rule, clean) == expected);
  }
  CheckSpans(extractor, clean, expected.shingles);
}

}  // namespace

TWINSET_FUZZ_TARGET(tokens) {
  // Beyond this the oracle, not the engine, is slow.
  if (size > 16384) return 0;
  static const auto kinds = twinset::ParseShingles(
      "word:2+word:5+char:3+line+sentence+paragraph+chunk:2-5");
  static const FeatureExtractor unicode(TokenRule::kUnicode, kinds.value());
  static const FeatureExtractor whitespace(TokenRule::kWhitespace,
                                           kinds.value());
  const std::string_view clean(reinterpret_cast<const char*>(data), size);
  CheckRule(unicode, TokenRule::kUnicode, clean);
  CheckRule(whitespace, TokenRule::kWhitespace, clean);
  return 0;
}
