// Known answers of the methods that learn from the corpus: what they hash may
// not change under one spec.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "base/hash.h"
#include "sketch/learnt/i_match.h"
#include "sketch/learnt/rare_chunks.h"
#include "sketch/learnt/spex.h"
#include "text/tokens/terms.h"

namespace twinset {
namespace {

TEST(LexiconGolden, TermsOfText) {
  FeatureScratch scratch;
  std::string terms;
  ForEachTerm("A rose is a ROSE", TokenRule::kUnicode, &scratch,
              [&](std::string_view term, uint64_t hash) {
                char row[64];
                std::snprintf(row, sizeof(row), "%.*s %016llx\n",
                              static_cast<int>(term.size()), term.data(),
                              static_cast<unsigned long long>(hash));
                terms += row;
              });
  EXPECT_EQ(terms,
            "a 5000626dc86e97d7\nrose 08a58c61e023a38d\nis 8138f411fc1d0515\n"
            "a 5000626dc86e97d7\nrose 08a58c61e023a38d\n");
}

TEST(LexiconGolden, IMatch) {
  const std::vector<uint64_t> terms = {1, 2, 3, 4, 5, 6, 7, 8};
  const std::vector<uint64_t> document = {2, 3, 5, 7, 11, 13};
  IMatchOptions options;
  options.lexicons = 2;
  options.drop = 0.25;
  options.min_terms = 3;
  const auto sketcher = *MakeIMatchSketcher(terms, options);
  Sketch sketch;
  sketcher->Compute({reinterpret_cast<const char*>(document.data()),
                     document.size() * sizeof(uint64_t)},
                    &sketch);
  EXPECT_EQ(sketcher->Written(sketch),
            "ae378aa0188d9c64ae378aa0188d9c641279da79fc08942c");
}

TEST(LexiconGolden, RareChunks) {
  const auto sketcher =
      *MakeRareChunkSketcher(3, ChunkChoice::kRarest, PrefixRarity({}));
  Sketch sketch;
  sketcher->Compute("the quick brown fox jumps over the lazy dog", &sketch);
  EXPECT_EQ(sketcher->Written(sketch),
            "af8ef77790af0298bb7cb18dd35fb29ed779693e6faf3099");
  std::vector<uint64_t> prefixes;
  ChunkPrefixes("the quick brown fox jumps", &prefixes);
  ASSERT_FALSE(prefixes.empty());
  EXPECT_EQ(prefixes[0], 11246808546095115u);
}

TEST(LexiconGolden, Spex) {
  const uint64_t tokens[] = {1, 2, 3};
  EXPECT_EQ(SpexChunk(tokens, 3), 4938984932393925294u);
  EXPECT_NE(SpexChunk(tokens, 2), SpexChunk(tokens, 3));
}

}  // namespace
}  // namespace twinset
