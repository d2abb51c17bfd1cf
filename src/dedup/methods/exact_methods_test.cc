// Copies: what must be equal, and by which value equal documents are found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "methods/methods_testing.h"
#include "sketch/rabin_prime.h"

namespace twinset {
namespace {

std::string Hex(const Sketch& sketch) {
  return ToHex(sketch[0] | uint64_t{sketch[1]} << 32, 16);
}

// Rabin (1981): modulo x^64 + x^4 + x^3 + x + 1 behind a leading one;
// recomputed bit by bit.
TEST(ExactMethodsTest, TheFingerprintOfTheRose) {
  const MethodParts parts = PartsOf(Named("exact"));
  EXPECT_EQ(Hex(SketchOf(parts, "a rose is a rose")), "cb44421d4abb1734");
}

// The same by polynomial division, one bit after the other.
uint64_t NaiveRabin(const std::string& bytes) {
  uint64_t value = 1;
  for (const char c : bytes) {
    for (int bit = 7; bit >= 0; --bit) {
      const bool over = value >> 63;
      value = value << 1 | (static_cast<unsigned char>(c) >> bit & 1);
      if (over) value ^= 0x1b;
    }
  }
  return value;
}

TEST(ExactMethodsTest, FingerprintsAreRemaindersOfPolynomials) {
  const MethodParts parts = PartsOf(Named("exact"));
  SplitMix64 random(2);
  for (size_t length = 1; length < 80; ++length) {
    std::string bytes;
    for (size_t i = 0; i < length; ++i)
      bytes += static_cast<char>(random.Below(256));
    EXPECT_EQ(Hex(SketchOf(parts, bytes)), ToHex(NaiveRabin(bytes), 16));
  }
}

// Which of these are copies depends on the level alone.
TEST(ExactMethodsTest, TheLevelSaysWhatMustBeEqual) {
  const std::string text = "Straße und Weg";
  struct Case {
    CopyLevel level;
    const char* other;
    bool copy;
  };
  for (const Case& c : {Case{CopyLevel::kBytes, "Straße und Weg", true},
                        Case{CopyLevel::kBytes, "Straße  und Weg", false},
                        Case{CopyLevel::kText, "Straße und Weg.", false},
                        Case{CopyLevel::kTokens, "straße,  UND (weg)!", true},
                        Case{CopyLevel::kTokens, "Weg und Straße", false},
                        Case{CopyLevel::kTokens, "Straße undWeg", false}}) {
    MethodOptions options = Named("exact");
    options.level = c.level;
    const MethodOnTexts seen(MethodCalled("exact"), options, {text, c.other});
    EXPECT_EQ(seen.ShareKey(0, 1), c.copy) << c.other;
    EXPECT_EQ(seen.Compare(0, 1).accepted, c.copy) << c.other;
  }
}

// Equal fingerprints are no proof: the bytes decide.
TEST(ExactMethodsTest, EqualValuesOfOtherBytesAreNoCopies) {
  for (const char* name : {"exact", "rabin-mod-prime"}) {
    const MethodParts parts = PartsOf(Named(name));
    EXPECT_FALSE(parts.verifier->Compare("one", "two").accepted);
    EXPECT_FALSE(parts.verifier->Compare("one", "one ").accepted);
    EXPECT_TRUE(parts.verifier->Compare("one", "one").accepted);
    EXPECT_EQ(parts.expected_recall, 1.0);
  }
}

TEST(ExactMethodsTest, ADrawnPolynomialIsTheSeeds) {
  MethodOptions options = Named("exact");
  const Method& exact = MethodCalled("exact");
  EXPECT_FALSE(exact.fingerprint(options))
      << "the spec's needs none of its own";
  options.polynomial = RabinModulus::kDrawn;
  std::set<std::string> values;
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    options.seed = seed;
    const MethodParts parts = PartsOf(options);
    values.insert(Hex(SketchOf(parts, "a rose is a rose")));
    // Documents are told apart by the value that the sketch shows.
    const auto fingerprint = exact.fingerprint(options);
    ASSERT_TRUE(fingerprint);
    const Hash128Value value = fingerprint("a rose is a rose");
    EXPECT_EQ(ToHex(value.low, 16), Hex(SketchOf(parts, "a rose is a rose")));
    EXPECT_EQ(value.high, 16u);
  }
  EXPECT_EQ(values.size(), 5u);
  EXPECT_FALSE(values.contains("cb44421d4abb1734"));
}

// Texts that differ only in leading zero bytes are different numbers.
TEST(ExactMethodsTest, RemaindersKnowTheLength) {
  const Method& method = MethodCalled("rabin-mod-prime");
  const MethodParts parts = PartsOf(Named("rabin-mod-prime"));
  const auto fingerprint = method.fingerprint(Named("rabin-mod-prime"));
  const std::string one("\1", 1), zero_one("\0\1", 2), zeros("\0\0", 2);
  std::set<Sketch> sketches;
  std::set<Hash128Value> values;
  for (const std::string& bytes : {one, zero_one, zeros}) {
    const Sketch sketch = SketchOf(parts, bytes);
    ASSERT_EQ(sketch.size(), 3u);
    sketches.insert(sketch);
    const Hash128Value value = fingerprint(bytes);
    EXPECT_EQ(value.low, sketch[0] | uint64_t{sketch[1]} << 32);
    EXPECT_EQ(value.high, sketch[2]);
    values.insert(value);
  }
  EXPECT_EQ(sketches.size(), 3u);
  EXPECT_EQ(values.size(), 3u);
}

TEST(ExactMethodsTest, RemaindersAreThoseOfTheNumber) {
  const MethodParts parts = PartsOf(Named("rabin-mod-prime"));
  const Uint128 prime = SeededRabinPrime(1).prime();
  SplitMix64 random(6);
  for (size_t length = 1; length < 60; length += 7) {
    std::string bytes;
    for (size_t i = 0; i < length; ++i)
      bytes += static_cast<char>(random.Below(256));
    Uint128 rest = 1;  // the leading one
    for (const char c : bytes)
      for (int bit = 7; bit >= 0; --bit)
        rest = (2 * rest + (static_cast<unsigned char>(c) >> bit & 1)) % prime;
    const Sketch sketch = SketchOf(parts, bytes);
    EXPECT_EQ(sketch[0] | uint64_t{sketch[1]} << 32,
              static_cast<uint64_t>(rest));
    EXPECT_EQ(sketch[2], static_cast<uint32_t>(rest >> 64));
  }
}

// What is rounded away may differ, what is frequent may not.
TEST(ExactMethodsTest, AProfileForgetsRareWordsAndTheirOrder) {
  std::string text;
  for (int i = 0; i < 30; ++i) text += "apple pear ";
  const MethodOnTexts seen(
      MethodCalled("text-profile"), Named("text-profile"),
      {text + "once", text + "other words that stand alone", "Pear " + text,
       text + "apple apple", "of to in it", "of to in is"});
  EXPECT_TRUE(seen.ShareKey(0, 1));
  EXPECT_TRUE(seen.ShareKey(0, 2)) << "31 rounds down to 30";
  EXPECT_FALSE(seen.ShareKey(0, 3)) << "32 does not";
  EXPECT_FALSE(seen.ShareKey(4, 5)) << "without long words all tokens count";
}

}  // namespace
}  // namespace twinset
