#include "pipeline/units/window_hash.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

namespace twinset {
namespace {

constexpr HashKey kKey = {1, 2};
using Numbers = std::vector<uint64_t>;

Numbers RandomNumbers(SplitMix64* random, size_t count, uint64_t distinct) {
  Numbers numbers(count);
  for (uint64_t& number : numbers)
    number = kWindowPrime - 1 - random->Below(distinct);
  return numbers;
}

TEST(RollingPolynomialTest, IsThePolynomialOfTheWindow) {
  SplitMix64 random(1);
  for (const uint64_t n : {1, 2, 5, 50}) {
    const uint64_t base = kWindowPrime - 1 - random.Below(1000);
    RollingPolynomial rolling(base, n);
    const Numbers numbers = RandomNumbers(&random, 200, kWindowPrime - 1);
    for (size_t i = 0; i < numbers.size(); ++i) {
      const uint64_t found =
          rolling.Add(numbers[i], i >= n ? numbers[i - n] : 0);
      unsigned __int128 naive = 0;
      for (size_t j = i + 1 >= n ? i + 1 - n : 0; j <= i; ++j)
        naive = (naive * base + numbers[j]) % kWindowPrime;
      ASSERT_EQ(found, static_cast<uint64_t>(naive)) << n << " " << i;
    }
  }
}

// The hash depends on the window, not on what stands in front of it.
TEST(WindowHashTest, EqualWindowsHaveEqualHashes) {
  SplitMix64 random(2);
  for (const uint64_t n : {1, 3, 8}) {
    WindowHash hash(kKey, 0, n), other(kKey, 1, n);
    std::map<Numbers, Hash128Value> known;
    std::set<std::pair<uint64_t, uint64_t>> values;
    for (int round = 0; round < 40; ++round) {
      hash.Clear();
      const Numbers numbers = RandomNumbers(&random, 60, 3);
      for (size_t i = 0; i < numbers.size(); ++i) {
        const Hash128Value value = hash.Add(numbers[i]);
        if (i + 1 < n) continue;
        const Numbers window(numbers.begin() + static_cast<long>(i + 1 - n),
                             numbers.begin() + static_cast<long>(i + 1));
        EXPECT_EQ(known.try_emplace(window, value).first->second, value);
        values.insert({value.low, value.high});
      }
    }
    EXPECT_EQ(values.size(), known.size());
    // Another attempt has other numbers of tokens, and other hashes of windows
    // of equal numbers.
    EXPECT_NE(TokenNumbers(kKey, 0)("word"), TokenNumbers(kKey, 1)("word"));
    hash.Clear();
    for (uint64_t i = 1; i < n; ++i) {
      hash.Add(i);
      other.Add(i);
    }
    if (n > 1) {
      EXPECT_NE(hash.Add(n), other.Add(n));
    }
  }
}

// By definition: the value is the least of those in the window, stands where
// the anchor says, and hangs on the window alone.
TEST(AnchorPickerTest, AnchorsAreTheLeastOfTheirWindows) {
  SplitMix64 random(3);
  for (const uint64_t n : {1, 2, 3, 7, 50}) {
    const uint64_t gram = std::max<uint64_t>(1, n / 2);
    AnchorPicker anchors(kKey, n);
    std::map<Numbers, uint64_t> value_of_gram, value_of_window;
    for (int round = 0; round < 30; ++round) {
      anchors.Clear();
      const Numbers numbers = RandomNumbers(&random, 150, 2);
      const auto part = [&](size_t end, size_t size) {
        return Numbers(numbers.begin() + static_cast<long>(end - size),
                       numbers.begin() + static_cast<long>(end));
      };
      uint64_t last = 0;
      for (size_t i = 0; i < numbers.size(); ++i) {
        const AnchorPicker::Anchor* anchor = anchors.Add(numbers[i]);
        ASSERT_EQ(anchor == nullptr, i + 1 < n);
        if (anchor == nullptr) continue;
        ASSERT_LE(anchor->token, i);
        ASSERT_GE(anchor->token + n, i + gram);
        ASSERT_GE(anchor->token, last);
        last = anchor->token;
        EXPECT_EQ(value_of_gram
                      .try_emplace(part(anchor->token + 1, gram), anchor->value)
                      .first->second,
                  anchor->value);
        EXPECT_EQ(value_of_window.try_emplace(part(i + 1, n), anchor->value)
                      .first->second,
                  anchor->value);
        for (size_t end = i + 1 - n + gram; end <= i + 1; ++end) {
          const auto other = value_of_gram.find(part(end, gram));
          if (other != value_of_gram.end()) {
            EXPECT_LE(anchor->value, other->second);
          }
        }
      }
    }
  }
}

TEST(AnchorPickerTest, AreFewWhateverTheTextIs) {
  SplitMix64 random(4);
  constexpr uint64_t kN = 50, kTokens = 20'000;
  for (const uint64_t distinct : {1, 2, 1'000'000}) {
    AnchorPicker anchors(kKey, kN);
    std::set<uint64_t> found;
    for (const uint64_t number : RandomNumbers(&random, kTokens, distinct)) {
      const AnchorPicker::Anchor* anchor = anchors.Add(number);
      if (anchor != nullptr) found.insert(anchor->token);
    }
    EXPECT_LT(found.size(), kTokens / 11) << distinct;
    EXPECT_GT(found.size(), kTokens / 40) << distinct;
  }
}

}  // namespace
}  // namespace twinset
