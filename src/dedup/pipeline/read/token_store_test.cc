#include "pipeline/read/token_store.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/hash.h"
#include "base/utf8.h"
#include "text/tokens/token_places.h"

namespace twinset {
namespace {

// Random text, the source of which has other offsets where it is not ASCII and
// where markup was left out.
CleanText RandomText(SplitMix64* random) {
  const std::vector<std::string> pieces = {
      "word", "A", " ", ". ", "\n", "\xC3\xA9", "\xE5\xA4\xA9", "("};
  CleanText clean;
  uint32_t source = static_cast<uint32_t>(random->Below(9));
  for (uint64_t n = random->Below(60); n > 0; --n) {
    if (random->Below(5) == 0 || clean.offsets.empty()) {
      clean.offsets.push_back(
          {static_cast<uint32_t>(clean.text.size()), source});
      source += static_cast<uint32_t>(random->Below(20));
    }
    const std::string& piece = pieces[random->Below(pieces.size())];
    clean.text += piece;
    source += static_cast<uint32_t>(piece.size());
  }
  return clean;
}

TEST(TokenStore, KeepsTokensAndTheirPlaces) {
  SplitMix64 random(3);
  UnitScratch scratch;
  for (int round = 0; round < 200; ++round) {
    const CleanText clean = RandomText(&random);
    std::string bytes;
    const UnitCounts counts =
        EncodeTokens(TokenRule::kUnicode, clean, &scratch, &bytes);
    std::vector<std::string> tokens;
    std::vector<uint32_t> begins;
    ForEachToken(clean.text, TokenRule::kUnicode, &scratch,
                 [&](std::string_view token, uint32_t begin) {
                   tokens.emplace_back(token);
                   begins.push_back(begin);
                 });
    begins.push_back(static_cast<uint32_t>(clean.text.size()));
    ASSERT_EQ(counts.tokens, tokens.size());
    ASSERT_EQ(CountStoredTokens(bytes), tokens.size());
    auto stored = StoredTokens::Open(bytes);
    auto places = StoredTokenPlaces::Open(bytes);
    ASSERT_TRUE(stored && places);
    for (size_t i = 0; i < tokens.size(); i += 1 + random.Below(3)) {
      ASSERT_TRUE(stored->SkipTo(i));
      ASSERT_EQ(stored->number(), i);
      StoredTokens copy = *stored;
      EXPECT_EQ(copy.Next(), tokens[i]);
    }
    for (size_t i = 0; i < begins.size(); i += 1 + random.Below(3)) {
      if (tokens.empty()) break;
      const auto place = places->At(i);
      ASSERT_TRUE(place);
      EXPECT_EQ(place->code_point,
                CountCodePoints(clean.text.substr(0, begins[i])));
      EXPECT_EQ(place->source, SourceOffset(clean, begins[i]));
    }
    EXPECT_FALSE(stored->SkipTo(tokens.size() + 1));
    EXPECT_FALSE(places->At(tokens.size() + 1));
  }
}

TEST(TokenStore, DamageIsAnErrorOrAnotherText) {
  SplitMix64 random(4);
  UnitScratch scratch;
  for (int round = 0; round < 300; ++round) {
    std::string bytes;
    EncodeTokens(TokenRule::kUnicode, RandomText(&random), &scratch, &bytes);
    if (round % 3 == 0) {
      bytes.resize(random.Below(bytes.size()));
    } else {
      bytes[random.Below(bytes.size())] ^=
          static_cast<char>(1 << random.Below(8));
    }
    auto tokens = StoredTokens::Open(bytes);
    auto places = StoredTokenPlaces::Open(bytes);
    while (tokens && !tokens->Next().empty()) {
    }
    for (uint64_t i = 0; places && i < 100 && places->At(i); ++i) {
    }
  }
  EXPECT_FALSE(StoredTokens::Open("short"));
  EXPECT_FALSE(StoredTokenPlaces::Open(std::string(16, '\0')));
}

}  // namespace
}  // namespace twinset
