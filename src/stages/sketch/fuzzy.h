// Fuzzy-fingerprints: how far the first letters of a text's words deviate from
// what is usual, in coarse intervals; equal numbers mean similar texts (Stein,
// I-KNOW 2005).
// See docs/methods/fuzzy.md.
#ifndef TWINSET_SRC_STAGES_SKETCH_FUZZY_H_
#define TWINSET_SRC_STAGES_SKETCH_FUZZY_H_

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "sketch/sketcher.h"

namespace twinset {

// Scripts with prefix classes of their own.
enum class PrefixScript : uint8_t {
  kLatin,     // a to z, and one class for all other letters
  kCyrillic,  // U+0430 to U+044F, and one for all others
  kGreek,     // from here on, unless said otherwise, 32: code point mod 32
  kHebrew,
  kArabic,
  kIndic,      // Devanagari to Sinhala
  kSouthEast,  // Thai, Lao, Tibetan, Myanmar, Khmer
  kHangul,     // the 19 initial consonants, and one for all others
  kCjk,        // Han and kana, 32 classes each
  kOther,
};
inline constexpr int kPrefixScripts = 10;
// How many classes a script has.
int PrefixClasses(PrefixScript script);

// The class of a word by its first code point, normalised; none unless it is a
// letter (numbers and symbols have no class).
struct PrefixClass {
  PrefixScript script = PrefixScript::kLatin;
  int number = -1;  // -1: none
};
PrefixClass PrefixClassOf(char32_t first);

// The intervals of one script's classes in one scheme, from 0 to kFuzzyLevels
// - 1.
struct FuzzyDigits {
  PrefixScript script = PrefixScript::kLatin;
  std::vector<uint8_t> digits;  // one a class
};
inline constexpr int kFuzzySchemes = 4;
inline constexpr int kFuzzyLevels = 2;  // up to a bound near the usual, more

// The digits of `tokens` (joined by one space) in scheme 0 to kFuzzySchemes -
// 1, of every script that a quarter of the classed words is written in, or
// more. Empty when no word has a class. Depends on the shares of the classes
// alone: a text doubled has the same digits. Linear.
std::vector<FuzzyDigits> FuzzyDigitsOf(std::string_view tokens, int scheme);

// One 64-bit number a scheme: the digits read in base kFuzzyLevels, class 0
// lowest, mod 2^64; of several scripts, or of one that is not Latin, begun with
// a number that tells which. Empty when no word has a class. The features are
// tokens joined by one space; the estimate is the share of equal numbers.
std::unique_ptr<Sketcher> MakeFuzzySketcher();

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_SKETCH_FUZZY_H_
