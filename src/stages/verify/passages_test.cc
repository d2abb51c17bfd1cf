#include "verify/passages.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/hash.h"

namespace twinset {
namespace {

using Tokens = std::vector<uint64_t>;

Tokens Random(uint64_t seed, size_t count, uint64_t vocabulary) {
  SplitMix64 random(seed);
  Tokens tokens(count);
  for (uint64_t& token : tokens) token = random.Below(vocabulary);
  return tokens;
}

Tokens Slice(const Tokens& tokens, size_t begin, size_t end) {
  return {tokens.begin() + begin, tokens.begin() + end};
}

void Append(Tokens* to, const Tokens& from) {
  to->insert(to->end(), from.begin(), from.end());
}

const PassageRules kRules;

TEST(PassagesTest, FindsACopiedStretchWhereItStands) {
  const Tokens source = Random(1, 500, 1u << 30);
  Tokens host = Random(2, 100, 1u << 30);
  Append(&host, Slice(source, 200, 260));
  Append(&host, Random(3, 100, 1u << 30));
  const auto passages = FindPassages(host, source, kRules);
  ASSERT_EQ(passages.size(), 1u);
  EXPECT_EQ(passages[0], (Passage{100, 160, 200, 260, 60}));
}

TEST(PassagesTest, MergesOverSmallEditsAndSplitsAtLargeOnes) {
  const Tokens source = Random(1, 500, 1u << 30);
  Tokens host = Slice(source, 100, 120);
  Append(&host, Random(4, 3, 1u << 30));  // three words for five
  Append(&host, Slice(source, 125, 150));
  Append(&host, Random(5, 9, 1u << 30));  // more than the gap
  Append(&host, Slice(source, 150, 170));
  const auto passages = FindPassages(host, source, kRules);
  ASSERT_EQ(passages.size(), 2u);
  EXPECT_EQ(passages[0], (Passage{0, 48, 100, 150, 45}));
  EXPECT_EQ(passages[1], (Passage{57, 77, 150, 170, 20}));
}

TEST(PassagesTest, ShortAndEmptyTexts) {
  const Tokens tokens = Random(7, 40, 1u << 30);
  EXPECT_TRUE(FindPassages({}, tokens, kRules).empty());
  EXPECT_TRUE(FindPassages(tokens, {}, kRules).empty());
  // Nine equal tokens are less than min_tokens of a longer text ...
  EXPECT_TRUE(FindPassages(tokens, Slice(tokens, 3, 12), kRules).empty());
  // ... but a text that stands in the other as a whole is a passage.
  const Tokens quote = Slice(tokens, 3, 6);
  const auto passages = FindPassages(quote, tokens, kRules);
  ASSERT_EQ(passages.size(), 1u);
  EXPECT_EQ(passages[0], (Passage{0, 3, 3, 6, 3}));
}

// The definition, by trying every place: the longest common run of the two.
size_t LongestCommonRun(const Tokens& a, const Tokens& b) {
  size_t best = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t j = 0; j < b.size(); ++j) {
      size_t length = 0;
      while (i + length < a.size() && j + length < b.size() &&
             a[i + length] == b[j + length])
        ++length;
      best = std::max(best, length);
    }
  }
  return best;
}

TEST(PassagesTest, EveryPassageHoldsAndNoLongRunIsMissed) {
  for (uint64_t seed = 0; seed < 400; ++seed) {
    // Few different tokens: many accidental matches.
    const uint64_t vocabulary = seed % 2 == 0 ? 3 : 40;
    const Tokens a = Random(2 * seed, 60, vocabulary);
    Tokens b = Random(2 * seed + 1, 60, vocabulary);
    if (seed % 3 == 0) std::copy_n(a.begin() + 20, 25, b.begin() + 5);
    const auto passages = FindPassages(a, b, kRules);
    uint32_t end = 0;
    for (const Passage& p : passages) {
      EXPECT_GE(p.a_begin, end);
      end = p.a_end;
      ASSERT_LE(p.a_end, a.size());
      ASSERT_LE(p.b_end, b.size());
      EXPECT_GE(p.a_end - p.a_begin, kRules.min_tokens);
      EXPECT_LE(p.equal, std::min(p.a_end - p.a_begin, p.b_end - p.b_begin));
      EXPECT_EQ(a[p.a_begin], b[p.b_begin]);
      EXPECT_EQ(a[p.a_end - 1], b[p.b_end - 1]);
    }
    if (LongestCommonRun(a, b) >= 20 + kRules.min_tokens) {
      EXPECT_FALSE(passages.empty()) << seed;
    }
  }
}

// By the definition: all places of `b` are compared token by token.
std::vector<Passage> NaivePassages(const Tokens& a, const Tokens& b,
                                   const PassageRules& rules) {
  const size_t k = std::clamp<size_t>(rules.seed_tokens, 1, a.size());
  const auto equal_from = [&](size_t i, size_t j) {
    size_t length = 0;
    while (i + length < a.size() && j + length < b.size() &&
           a[i + length] == b[j + length])
      ++length;
    return length;
  };
  std::vector<Passage> passages;
  size_t a_end = 0, b_end = 0;  // of the last run
  bool any = false;
  for (size_t i = 0; i + k <= a.size();) {
    size_t best = 0, at = 0;
    const auto consider = [&](size_t j) {
      const size_t length = equal_from(i, j);
      if (length >= k && length > best) best = length, at = j;
    };
    if (any && i - a_end <= rules.max_gap)
      for (size_t j = b_end; j <= b_end + rules.max_gap && j < b.size(); ++j)
        consider(j);
    size_t tried = 0;
    for (size_t j = 0; j < b.size() && tried < kMaxPlaces; ++j) {
      tried += equal_from(i, j) >= k;
      consider(j);
    }
    if (best == 0) {
      ++i;
      continue;
    }
    if (!any || i - a_end > rules.max_gap || at < b_end ||
        at - b_end > rules.max_gap)
      passages.push_back(
          {static_cast<uint32_t>(i), 0, static_cast<uint32_t>(at), 0, 0});
    any = true;
    a_end = i + best;
    b_end = at + best;
    passages.back().a_end = static_cast<uint32_t>(a_end);
    passages.back().b_end = static_cast<uint32_t>(b_end);
    passages.back().equal += static_cast<uint32_t>(best);
    i = a_end;
  }
  std::erase_if(passages, [&](const Passage& passage) {
    return passage.a_end - passage.a_begin <
           std::min<size_t>(rules.min_tokens, a.size());
  });
  return passages;
}

TEST(PassagesTest, AreThoseOfTheDefinition) {
  SplitMix64 random(11);
  size_t found = 0;
  for (int round = 0; round < 3000; ++round) {
    const uint64_t vocabulary = 2 + random.Below(30);
    const Tokens b = Random(random.Next(), random.Below(90), vocabulary);
    Tokens a = Random(random.Next(), 1 + random.Below(30), vocabulary);
    for (int part = 0; part < 3 && !b.empty(); ++part) {
      const size_t begin = random.Below(b.size());
      Append(&a, Slice(b, begin, std::min(b.size(), begin + random.Below(25))));
      Append(&a, Random(random.Next(), random.Below(12), vocabulary));
    }
    PassageRules rules;
    rules.seed_tokens = 1 + static_cast<uint32_t>(random.Below(7));
    rules.max_gap = static_cast<uint32_t>(random.Below(10));
    rules.min_tokens = 1 + static_cast<uint32_t>(random.Below(12));
    const auto passages = FindPassages(a, b, rules);
    found += passages.size();
    ASSERT_EQ(passages,
              b.empty() ? std::vector<Passage>() : NaivePassages(a, b, rules))
        << round;
  }
  EXPECT_GT(found, 3000u);
}

TEST(PassagesTest, RepetitiveTextsStayLinear) {
  // A quadratic search would take 10^11 steps here.
  const Tokens a(300000, 7);
  Tokens b(300000, 7);
  b[150000] = 8;
  const auto passages = FindPassages(a, b, kRules);
  ASSERT_FALSE(passages.empty());
  uint64_t covered = 0;
  for (const Passage& p : passages) covered += p.a_end - p.a_begin;
  EXPECT_GT(covered, 299000u);
}

}  // namespace
}  // namespace twinset
