#include "text/tokens/terms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace twinset {
namespace {

// Tokens as Tokens() says, hashes as word:1 shingles of the text and of each
// token alone.
TEST(Terms, AreTokensWithTheirShingles) {
  std::string text =
      "The Quick brown-fox's 1,000 jumps. Straße \xe6\x97\xa5\xe6\x9c\xac";
  for (int i = 0; i < 20000; ++i) text += " word" + std::to_string(i % 7000);
  for (const TokenRule rule : {TokenRule::kUnicode, TokenRule::kWhitespace}) {
    const FeatureExtractor words(rule, *ParseShingles("word:1"));
    FeatureScratch scratch, other;
    Features features;
    std::vector<std::string> terms;
    std::vector<uint64_t> hashes;
    ForEachTerm(
        text, rule, &scratch, [&](std::string_view term, uint64_t hash) {
          terms.emplace_back(term);
          hashes.push_back(hash);
          if (terms.size() % 100 != 1) return;
          words.Extract(term, &other, &features);
          EXPECT_EQ(features.shingles, std::vector<uint64_t>{hash}) << term;
        });
    const std::vector<Token> tokens = words.Tokens(text);
    ASSERT_EQ(terms.size(), tokens.size());
    for (size_t i = 0; i < terms.size(); ++i)
      ASSERT_EQ(terms[i], tokens[i].text);
    words.Extract(text, &scratch, &features);
    std::sort(hashes.begin(), hashes.end());
    hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
    EXPECT_EQ(features.shingles, hashes);
  }
}

TEST(Terms, NoTokenNoCall) {
  FeatureScratch scratch;
  for (const char* text : {"", " ... "}) {
    ForEachTerm(text, TokenRule::kUnicode, &scratch,
                [](std::string_view, uint64_t) { ADD_FAILURE(); });
  }
}

}  // namespace
}  // namespace twinset
