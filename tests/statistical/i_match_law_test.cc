// The law of lexicon randomisation: two documents that differ in n words of the
// lexicon match with probability 1 - (1 - p^n)^K over the draw of K lexica that
// each drop a word with probability p (docs/methods/i-match.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "base/hash.h"
#include "sketch/learnt/i_match.h"

namespace twinset {
namespace {

std::vector<uint64_t> Terms(uint64_t count) {
  std::vector<uint64_t> terms;
  for (uint64_t i = 0; i < count; ++i) terms.push_back(Mix64(i + 1));
  std::sort(terms.begin(), terms.end());
  return terms;
}

Sketch Of(const Sketcher& sketcher, const std::vector<uint64_t>& terms) {
  Sketch sketch;
  sketcher.Compute({reinterpret_cast<const char*>(terms.data()),
                    terms.size() * sizeof(uint64_t)},
                   &sketch);
  return sketch;
}

double Law(double p, int n, int lexica) {
  return 1 - std::pow(1 - std::pow(p, n), lexica);
}

// 40 terms, and the same without n of them.
bool Matches(uint64_t seed, double p, int n, int lexica) {
  static const std::vector<uint64_t> all = Terms(40);
  IMatchOptions options;
  options.lexicons = lexica;
  options.drop = p;
  options.seed = seed;
  const auto sketcher = *MakeIMatchSketcher(all, options);
  std::vector<uint64_t> fewer;
  // Which terms go differs from draw to draw.
  for (size_t i = 0; i < all.size(); ++i) {
    if ((i + seed) % all.size() >= static_cast<size_t>(n))
      fewer.push_back(all[i]);
  }
  return sketcher->Estimate(Of(*sketcher, all), Of(*sketcher, fewer)) == 1;
}

// 3000 draws each, within three standard deviations (fixed seeds; a rare law
// gets at least two matches of room).
TEST(IMatchLaw, RandomisedLexica) {
  constexpr int kDraws = 3000, kLexica = 10;
  for (const double p : {0.01, 0.05, 0.1, 0.33}) {
    for (int n = 1; n <= 4; ++n) {
      const double law = Law(p, n, kLexica);
      int matches = 0;
      for (int draw = 0; draw < kDraws; ++draw)
        matches += Matches(static_cast<uint64_t>(draw), p, n, kLexica);
      const double sigma = std::sqrt(kDraws * law * (1 - law));
      EXPECT_NEAR(matches, kDraws * law, std::max(2.0, 3 * sigma))
          << "p " << p << " n " << n;
    }
  }
}

TEST(IMatchLaw, GoldenNumbers) {
  const double expected[][3] = {
      {0.1, 1, .6513}, {0.1, 2, .0956}, {0.1, 3, .0100}, {.33, 1, .9818},
      {.33, 2, .6843}, {.33, 3, .3065}, {.33, 4, .1125}};
  for (const auto& [p, n, value] : expected)
    EXPECT_NEAR(Law(p, static_cast<int>(n), 10), value, 5e-5);
}

TEST(IMatchLaw, WithoutRandomisedLexicaOneWordDecides) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    EXPECT_FALSE(Matches(seed, 0.1, 1, 0));
    EXPECT_TRUE(Matches(seed, 0.1, 0, 0));
  }
}

// Every lexicon drops its share of the terms: binomial, three sigma.
TEST(IMatchLaw, SharesOfDroppedTerms) {
  constexpr int kTerms = 20000;
  for (const double p : {0.01, 0.1, 0.33, 0.9}) {
    for (int index = 0; index < 20; ++index) {
      const LexiconDraw draw(17, index, p);
      int dropped = 0;
      for (uint64_t term = 0; term < kTerms; ++term)
        dropped += draw.Drops(Mix64(term));
      EXPECT_NEAR(dropped, kTerms * p, 3.3 * std::sqrt(kTerms * p * (1 - p)))
          << p << " " << index;
    }
  }
}

}  // namespace
}  // namespace twinset
