// How long it takes to forge the public hash of a shingle (docs/methods/
// verification.md): for each five words of a text, five other words whose
// shingle has the same public hash. They are the data of
// tests/differential/forged_test.cc, and why verification hashes under a
// secret.
//
//   bench_forge_shingles 'a text of five words or more'
//
// The hash is a bijection of salt + sum of w[j] u[j], so four free words and a
// fixed fifth make a sum over four lists: Wagner, "A generalized birthday
// problem", CRYPTO 2002. Lists of 2^22 words, merged on 22 bits, then on 42.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "kernels/kernels.h"
#include "text/tokens/features.h"
#include "text/tokens/features_shingles.h"

namespace twinset {
namespace {

constexpr uint32_t kWords = 1 << 22;
constexpr uint64_t kLowMask = (1 << 22) - 1;
constexpr size_t kLetters = 12;

// Word `number` of list `list`: letters that spell both.
std::string Word(size_t list, uint32_t number) {
  std::string word = {'x', static_cast<char>('a' + list)};
  for (size_t i = 0; i < kLetters; ++i, number >>= 2)
    word += static_cast<char>('a' + (number & 3));
  return word;
}

uint64_t HashOf(std::string word) {
  const uint32_t begin = 0, end = static_cast<uint32_t>(word.size());
  word.resize(word.size() + kernels::kPaddingBytes);
  uint64_t hash;
  kernels::HashTokens(word.data(), &begin, &end, 1, &hash);
  return hash;
}

struct Entry {
  uint64_t sum;
  uint32_t x, y;
};

std::vector<Entry> List(size_t list, uint64_t weight) {
  std::vector<Entry> entries(kWords);
  for (uint32_t i = 0; i < kWords; ++i)
    entries[i] = {weight * HashOf(Word(list, i)), i, 0};
  return entries;
}

// Sums x + y whose masked bits are those of `target`.
std::vector<Entry> Merge(std::vector<Entry> xs, std::vector<Entry> ys,
                         uint64_t target) {
  const auto by_low = [](const Entry& a, const Entry& b) {
    return (a.sum & kLowMask) < (b.sum & kLowMask);
  };
  for (Entry& y : ys) y.sum = target - y.sum;  // what x must be, in low bits
  std::sort(xs.begin(), xs.end(), by_low);
  std::sort(ys.begin(), ys.end(), by_low);
  std::vector<Entry> sums;
  for (size_t i = 0, j = 0; i < xs.size() && j < ys.size();) {
    if (by_low(xs[i], ys[j])) {
      ++i;
    } else if (by_low(ys[j], xs[i])) {
      ++j;
    } else {
      for (size_t k = j; k < ys.size() && !by_low(xs[i], ys[k]); ++k)
        sums.push_back({xs[i].sum + target - ys[k].sum, xs[i].x, ys[k].x});
      ++i;
    }
  }
  return sums;
}

// Four words, the last `tail` fixed, with sum `target`; "" if none is found.
std::string FourLists(const ShingleKeys& keys, uint64_t target) {
  auto left = Merge(List(0, keys.weights[0]), List(1, keys.weights[1]), 0);
  auto right =
      Merge(List(2, keys.weights[2]), List(3, keys.weights[3]), target);
  for (Entry& entry : right) entry.sum = target - entry.sum;
  const auto by_sum = [](const Entry& a, const Entry& b) {
    return a.sum < b.sum;
  };
  std::sort(left.begin(), left.end(), by_sum);
  std::sort(right.begin(), right.end(), by_sum);
  for (size_t i = 0, j = 0; i < left.size() && j < right.size();) {
    if (left[i].sum == right[j].sum) {
      return Word(0, left[i].x) + " " + Word(1, left[i].y) + " " +
             Word(2, right[j].x) + " " + Word(3, right[j].y);
    }
    left[i].sum < right[j].sum ? ++i : ++j;
  }
  return "";
}

std::string Forge(const ShingleKeys& keys, const std::vector<Token>& tokens,
                  size_t first) {
  uint64_t target = 0;
  for (size_t j = 0; j < 5; ++j)
    target += keys.weights[j] * HashOf(tokens[first + j].text);
  for (uint32_t fifth = 0;; ++fifth) {
    const std::string tail = Word(4, fifth);
    const std::string four =
        FourLists(keys, target - keys.weights[4] * HashOf(tail));
    if (!four.empty()) return four + " " + tail;
  }
}

int Run(const std::string& text) {
  const ShingleKind kind;
  const FeatureExtractor extractor(TokenRule::kUnicode, {kind});
  const ShingleKeys keys = features_internal::MakeKeys(kind);
  const auto tokens = extractor.Tokens(text);
  for (size_t i = 0; i + 5 <= tokens.size(); ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const std::string forged = Forge(keys, tokens, i);
    std::string window;
    for (size_t j = 0; j < 5; ++j) window += tokens[i + j].text + " ";
    const bool equal =
        extractor.Spans(window)[0].hash == extractor.Spans(forged)[0].hash;
    std::printf(
        "%s  %s %016llx  %.1f s\n", forged.c_str(), equal ? "=" : "WRONG",
        static_cast<unsigned long long>(extractor.Spans(window)[0].hash),
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
            .count());
    if (!equal) return 1;
  }
  return 0;
}

}  // namespace
}  // namespace twinset

int main(int count, char** arguments) {
  return twinset::Run(count > 1 ? arguments[1]
                                : "President signs climate bill today");
}
