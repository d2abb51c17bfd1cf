#include "sketch/fuzzy.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "base/bytes.h"
#include "base/hash.h"
#include "kernels/unicode_class.h"

namespace twinset {

namespace {

constexpr int kUniformClasses = 32, kHangulInitials = 19, kMostClasses = 64;
constexpr uint64_t kOne = 1 << 20;  // a share of 1
// No class is expected more rarely: the last ones hold what the reference text
// hardly has.
constexpr uint64_t kLeastShare = kOne / 1000;

// Words by their first letter in the reference texts: a to z and other Latin
// letters in the 88 English articles of the Article Extraction Benchmark's
// ground truth (56,883 words); U+0430 to U+044F and other Cyrillic letters in
// the Russian edition of Debian's installation guide for amd64 and 88 other
// pages (34,999 words).
constexpr std::array<uint32_t, 27> kLatinWords = {
    6414, 2599, 2864, 2287, 1724, 2421, 1156, 2109, 3855,
    432,  534,  1358, 2385, 1310, 3237, 2584, 158,  1577,
    4352, 8104, 938,  574,  2956, 20,   739,  122,  74};
constexpr std::array<uint32_t, 33> kCyrillicWords = {
    641, 801,  3554, 338,  1993, 674,  129,  1329, 2621, 2,   1778,
    345, 1321, 2626, 1977, 4509, 1386, 3348, 1291, 1939, 466, 138,
    35,  713,  155,  2,    0,    3,    0,    649,  8,    224, 4};

// Where the two intervals of a scheme meet: in hundredths of the root of the
// expected share, from the expected share on. Chosen so that texts of which 5 %
// of the words differ mostly meet and unrelated ones do not
// (tests/statistical/fuzzy_quality_test.cc).
constexpr std::array<int, kFuzzySchemes> kBounds = {0, 4, -4, 8};

// The greatest number whose square is at most x, below 2^32.
constexpr uint64_t Root(uint64_t x) {
  uint64_t root = 0;
  for (uint64_t bit = uint64_t{1} << 31; bit > 0; bit >>= 1) {
    if ((root + bit) * (root + bit) <= x) root += bit;
  }
  return root;
}

struct Range {
  char32_t first, last;
  PrefixScript script;
};
// By Unicode blocks; letters outside are kOther.
constexpr Range kRanges[] = {
    {0x00AA, 0x024F, PrefixScript::kLatin},
    {0x0250, 0x02AF, PrefixScript::kLatin},
    {0x0370, 0x03FF, PrefixScript::kGreek},
    {0x0400, 0x052F, PrefixScript::kCyrillic},
    {0x0590, 0x05FF, PrefixScript::kHebrew},
    {0x0600, 0x06FF, PrefixScript::kArabic},
    {0x0750, 0x077F, PrefixScript::kArabic},
    {0x08A0, 0x08FF, PrefixScript::kArabic},
    {0x0900, 0x0DFF, PrefixScript::kIndic},
    {0x0E00, 0x109F, PrefixScript::kSouthEast},
    {0x1100, 0x11FF, PrefixScript::kHangul},
    {0x1780, 0x17FF, PrefixScript::kSouthEast},
    {0x1E00, 0x1EFF, PrefixScript::kLatin},
    {0x1F00, 0x1FFF, PrefixScript::kGreek},
    {0x2E80, 0x312F, PrefixScript::kCjk},
    {0x3130, 0x318F, PrefixScript::kHangul},
    {0x31A0, 0x9FFF, PrefixScript::kCjk},
    {0xAC00, 0xD7FF, PrefixScript::kHangul},
    {0xF900, 0xFAFF, PrefixScript::kCjk},
    {0x20000, 0x323AF, PrefixScript::kCjk},
};

PrefixScript ScriptOf(char32_t c) {
  for (const Range& range : kRanges) {
    if (c >= range.first && c <= range.last) return range.script;
  }
  return PrefixScript::kOther;
}

// The share of words that is expected in a class, in 1 / kOne.
uint64_t ExpectedShare(PrefixScript script, int number) {
  const auto share = [number](std::span<const uint32_t> words) {
    uint64_t total = 0;
    for (const uint32_t count : words) total += count;
    return std::max(kLeastShare,
                    words[static_cast<size_t>(number)] * kOne / total);
  };
  if (script == PrefixScript::kLatin) return share(kLatinWords);
  if (script == PrefixScript::kCyrillic) return share(kCyrillicWords);
  return kOne / static_cast<uint64_t>(PrefixClasses(script));
}

struct ScriptWords {
  uint64_t total = 0;
  std::array<uint64_t, kMostClasses> words{};
};
using WordCounts = std::array<ScriptWords, kPrefixScripts>;

WordCounts CountWords(std::string_view tokens) {
  WordCounts counts{};
  const char* at = tokens.data();
  const char* const end = at + tokens.size();
  while (at < end) {
    const PrefixClass c = PrefixClassOf(kernels::DecodeUtf8(at, end).value);
    if (c.number >= 0) {
      ScriptWords& script = counts[static_cast<size_t>(c.script)];
      ++script.total;
      ++script.words[static_cast<size_t>(c.number)];
    }
    const void* space = std::memchr(at, ' ', static_cast<size_t>(end - at));
    if (space == nullptr) break;
    at = static_cast<const char*>(space) + 1;
  }
  return counts;
}

// The bound of every class, in 1 / kOne.
using Bounds =
    std::array<std::array<std::array<uint64_t, kMostClasses>, kPrefixScripts>,
               kFuzzySchemes>;

Bounds MakeBounds() {
  Bounds bounds{};
  for (size_t scheme = 0; scheme < kFuzzySchemes; ++scheme) {
    for (size_t s = 0; s < kPrefixScripts; ++s) {
      const auto script = static_cast<PrefixScript>(s);
      for (int number = 0; number < PrefixClasses(script); ++number) {
        const uint64_t share = ExpectedShare(script, number);
        const auto root = static_cast<int64_t>(Root(share * kOne));
        const int64_t bound =
            static_cast<int64_t>(share) + root * kBounds[scheme] / 100;
        bounds[scheme][s][static_cast<size_t>(number)] =
            static_cast<uint64_t>(std::max<int64_t>(bound, 0));
      }
    }
  }
  return bounds;
}

std::vector<FuzzyDigits> DigitsOf(const WordCounts& counts, int scheme) {
  static const Bounds bounds = MakeBounds();
  uint64_t all = 0;
  for (const ScriptWords& script : counts) all += script.total;
  std::vector<FuzzyDigits> digits;
  for (size_t s = 0; s < counts.size(); ++s) {
    if (counts[s].total == 0 || counts[s].total * 4 < all) continue;
    FuzzyDigits of_script;
    of_script.script = static_cast<PrefixScript>(s);
    const auto classes = static_cast<size_t>(PrefixClasses(of_script.script));
    for (size_t i = 0; i < classes; ++i) {
      // Both sides times the total: exact, and the same for a multiple of both.
      const uint64_t bound = bounds[static_cast<size_t>(scheme)][s][i];
      of_script.digits.push_back(counts[s].words[i] * kOne >
                                 bound * counts[s].total);
    }
    digits.push_back(std::move(of_script));
  }
  return digits;
}

uint64_t NumberOf(const std::vector<FuzzyDigits>& digits) {
  uint64_t scripts = 0;  // 0: Latin alone
  for (const FuzzyDigits& of_script : digits) {
    scripts |= uint64_t{1} << static_cast<int>(of_script.script);
  }
  uint64_t number = scripts == 1 ? 0 : Mix64(scripts);
  for (const FuzzyDigits& of_script : digits) {
    for (size_t i = of_script.digits.size(); i-- > 0;) {
      number = number * kFuzzyLevels + of_script.digits[i];
    }
  }
  return number;
}

class FuzzySketcher : public Sketcher {
 public:
  std::string name() const override { return "fuzzy"; }
  SketchLayout layout() const override { return {.value_bits = 64}; }
  void Compute(std::string_view features, Sketch* sketch) const override {
    sketch->clear();
    const WordCounts counts = CountWords(features);
    for (int scheme = 0; scheme < kFuzzySchemes; ++scheme) {
      const std::vector<FuzzyDigits> digits = DigitsOf(counts, scheme);
      if (digits.empty()) return;
      const uint64_t number = NumberOf(digits);
      sketch->push_back(static_cast<uint32_t>(number));
      sketch->push_back(static_cast<uint32_t>(number >> 32));
    }
  }
};

}  // namespace

int PrefixClasses(PrefixScript script) {
  switch (script) {
    case PrefixScript::kLatin:
      return static_cast<int>(kLatinWords.size());
    case PrefixScript::kCyrillic:
      return static_cast<int>(kCyrillicWords.size());
    case PrefixScript::kHangul:
      return kHangulInitials + 1;
    case PrefixScript::kCjk:
      return 2 * kUniformClasses;
    default:
      return kUniformClasses;
  }
}

PrefixClass PrefixClassOf(char32_t first) {
  const auto number = [first](char32_t begin, int count, int divisor,
                              int other) {
    const bool inside = first >= begin &&
                        first < begin + static_cast<char32_t>(count * divisor);
    return inside ? static_cast<int>(first - begin) / divisor : other;
  };
  if (first >= 'A' && first <= 'Z') first += 'a' - 'A';
  if (first >= 'a' && first <= 'z') {
    return {PrefixScript::kLatin, static_cast<int>(first - 'a')};
  }
  const kernels::CodePointClass kind = kernels::ClassOf(first);
  if (kind != kernels::CodePointClass::kLetter &&
      kind != kernels::CodePointClass::kSingle) {
    return {};
  }
  const PrefixScript script = ScriptOf(first);
  const int uniform = static_cast<int>(first % kUniformClasses);
  switch (script) {
    case PrefixScript::kLatin:
      return {script, 26};
    case PrefixScript::kCyrillic:
      return {script, number(0x0430, 32, 1, 32)};
    case PrefixScript::kHangul:
      // 588 syllables begin with each initial (Unicode 15.0, 3.12).
      return {script, number(0xAC00, kHangulInitials, 588, kHangulInitials)};
    case PrefixScript::kCjk:
      return {script, first >= 0x3040 && first <= 0x30FF
                          ? uniform + kUniformClasses
                          : uniform};
    default:
      return {script, uniform};
  }
}

std::vector<FuzzyDigits> FuzzyDigitsOf(std::string_view tokens, int scheme) {
  return DigitsOf(CountWords(tokens), scheme);
}

std::unique_ptr<Sketcher> MakeFuzzySketcher() {
  return std::make_unique<FuzzySketcher>();
}

}  // namespace twinset
