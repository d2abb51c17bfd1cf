#include "sketch/simhash.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/hash.h"

namespace twinset {
namespace {

std::string_view Bytes(const std::vector<uint64_t>& hashes) {
  return {reinterpret_cast<const char*>(hashes.data()),
          hashes.size() * sizeof(uint64_t)};
}

std::vector<uint64_t> RandomFeatures(size_t count, uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<uint64_t> features(count);
  for (uint64_t& feature : features) feature = random.Next();
  return features;
}

// The definition, place by place.
std::vector<int64_t> NaiveVotes(int bits, const std::vector<uint64_t>& features,
                                const FrequencyTable* idf) {
  std::vector<int64_t> votes(static_cast<size_t>(bits));
  for (const uint64_t feature : features) {
    std::vector<uint64_t> numbers = {feature};
    SplitMix64 sequence(feature);
    while (numbers.size() < 6) numbers.push_back(sequence.Next());
    const int64_t weight = idf != nullptr ? idf->Idf(feature) : 1;
    for (int place = 0; place < bits; ++place) {
      const uint64_t number = numbers[static_cast<size_t>(place) / 64];
      const bool set = (number >> (63 - place % 64) & 1) != 0;
      votes[FingerprintBit(bits, place)] += set ? weight : -weight;
    }
  }
  return votes;
}

std::shared_ptr<const FrequencyTable> SomeFrequencies(
    const std::vector<uint64_t>& features) {
  std::vector<uint64_t> known(
      features.begin(),
      features.begin() + static_cast<long>(features.size() / 2));
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  std::vector<uint32_t> frequencies;
  for (size_t i = 0; i < known.size(); ++i) {
    frequencies.push_back(static_cast<uint32_t>(2 + i * 37 % 999));
  }
  return std::make_shared<FrequencyTable>(1000, known, frequencies);
}

const int kSizes[] = {1, 4, 8, 31, 32, 33, 48, 63, 64, 65, 96, 100, 128, 384};

TEST(SimHashTest, VotesAreTheDefinition) {
  for (const int bits : kSizes) {
    for (const size_t count : {0, 1, 2, 511, 512, 513, 1100}) {
      std::vector<uint64_t> features = RandomFeatures(count, 5);
      if (count > 100) {
        std::fill(features.begin() + 10, features.begin() + 40, features[9]);
      }
      const auto idf = SomeFrequencies(features);
      ASSERT_EQ(SimHash(bits).Votes(features),
                NaiveVotes(bits, features, nullptr))
          << bits << " bits, " << count << " features";
      ASSERT_EQ(SimHash(bits, idf).Votes(features),
                NaiveVotes(bits, features, idf.get()))
          << bits << " bits, " << count << " weighed features";
    }
  }
}

TEST(SimHashTest, BitsAreTheSignsAndTiesAreZero) {
  const SimHash simhash(40);
  std::vector<int64_t> votes(40, -1);
  votes[0] = 1;
  votes[1] = 0;
  votes[33] = int64_t{1} << 50;
  EXPECT_EQ(simhash.Fingerprint(votes), (Sketch{1, 2}));
}

TEST(SimHashTest, OrderOfFeaturesDoesNotMatter) {
  std::vector<uint64_t> features = RandomFeatures(301, 6);
  Sketch forward, backward;
  const auto sketcher = *MakeSimHashSketcher(128);
  sketcher->Compute(Bytes(features), &forward);
  std::reverse(features.begin(), features.end());
  sketcher->Compute(Bytes(features), &backward);
  EXPECT_EQ(forward, backward);
}

TEST(SimHashTest, EqualDocumentsAgreeAndOppositeOnesDoNot) {
  const std::vector<uint64_t> one = {0x00ff00ff12345678};
  const std::vector<uint64_t> opposite = {~one[0]};
  const auto sketcher = *MakeSimHashSketcher(64);
  Sketch a, b;
  sketcher->Compute(Bytes(one), &a);
  sketcher->Compute(Bytes(opposite), &b);
  EXPECT_EQ(sketcher->Estimate(a, a), 1.0);
  EXPECT_EQ(sketcher->Estimate(a, b), 0.0);
  EXPECT_EQ(sketcher->Written(a), "00ff00ff12345678");
}

TEST(SimHashTest, VoteSketchHoldsFingerprintAndMagnitudes) {
  const std::vector<uint64_t> features = RandomFeatures(75, 7);
  for (const int bits : kSizes) {
    Sketch plain, with_votes;
    const auto sketcher = *MakeVoteSketcher(bits);
    (*MakeSimHashSketcher(bits))->Compute(Bytes(features), &plain);
    sketcher->Compute(Bytes(features), &with_votes);
    ASSERT_EQ(with_votes.size(), plain.size() + static_cast<size_t>(bits));
    EXPECT_TRUE(std::equal(plain.begin(), plain.end(), with_votes.begin()));
    const auto votes = SimHash(bits).Votes(features);
    for (size_t bit = 0; bit < votes.size(); ++bit) {
      EXPECT_EQ(with_votes[plain.size() + bit],
                static_cast<uint32_t>(std::abs(votes[bit])));
    }
    EXPECT_EQ(sketcher->Estimate(with_votes, with_votes), 1.0);
    EXPECT_EQ(sketcher->Written(with_votes), FingerprintToHex(plain, bits));
  }
}

TEST(SimHashTest, LargeMagnitudesAreScaledTogether) {
  // Each occurrence weighs log2(2^60) in 1/65536, about 2^22.
  const auto idf = std::make_shared<FrequencyTable>(
      uint64_t{1} << 60, std::vector<uint64_t>{}, std::vector<uint32_t>{});
  std::vector<uint64_t> features(5000, 0x8000000000000000);
  features.insert(features.end(), 2500, 0xc000000000000000);
  Sketch sketch;
  (*MakeVoteSketcher(64, idf))->Compute(Bytes(features), &sketch);
  const uint64_t whole = 7500ull * 60 * 65536;
  EXPECT_EQ(sketch[2 + 63], static_cast<uint32_t>(whole >> 3));
  EXPECT_EQ(sketch[2 + 62], static_cast<uint32_t>(whole / 3 >> 3));
}

// A weight of w is w occurrences; fractions are weights in another unit.
TEST(SimHashTest, GivenWeightsAreOccurrences) {
  SplitMix64 random(8);
  for (const int bits : kSizes) {
    for (const size_t count : {0, 1, 3, 513, 1030}) {
      std::vector<uint64_t> pairs, repeated;
      for (size_t i = 0; i < count; ++i) {
        const uint64_t feature = random.Next(), weight = 1 + random.Below(9);
        pairs.insert(pairs.end(), {feature, weight});
        repeated.insert(repeated.end(), weight, feature);
      }
      const SimHash simhash(bits);
      ASSERT_EQ(simhash.WeightedVotes(pairs), simhash.Votes(repeated));
      Sketch plain, weighted, voted, voted_plain;
      (*MakeSimHashSketcher(bits))->Compute(Bytes(repeated), &plain);
      (*MakeWeightedSimHashSketcher(bits, false))
          ->Compute(Bytes(pairs), &weighted);
      EXPECT_EQ(weighted, plain);
      (*MakeVoteSketcher(bits))->Compute(Bytes(repeated), &voted_plain);
      (*MakeWeightedSimHashSketcher(bits, true))->Compute(Bytes(pairs), &voted);
      EXPECT_EQ(voted, voted_plain);
      for (size_t i = 1; i < pairs.size(); i += 2) pairs[i] *= 65536;
      (*MakeWeightedSimHashSketcher(bits, false))
          ->Compute(Bytes(pairs), &weighted);
      EXPECT_EQ(weighted, plain);
    }
  }
  // One heavy feature outvotes many; half a feature is not enough.
  const std::vector<uint64_t> heavy = {~uint64_t{0}, 0xffffffff, 0, 1, 0, 1};
  EXPECT_EQ(SimHash(1).WeightedVotes(heavy)[0], int64_t{0xfffffffd});
  EXPECT_FALSE(MakeWeightedSimHashSketcher(0, false));
  // A feature without its weight is none.
  EXPECT_EQ(SimHash(64).WeightedVotes(std::vector<uint64_t>{7}),
            std::vector<int64_t>(64, 0));
}

TEST(SimHashTest, WrongBitsAreRefused) {
  for (const int bits : {0, -1, 385, 1000000}) {
    for (const auto& made : {MakeSimHashSketcher, MakeVoteSketcher}) {
      const auto sketcher = made(bits, nullptr);
      ASSERT_FALSE(sketcher.has_value()) << bits;
      EXPECT_EQ(sketcher.error().code, ErrorCode::kUsage);
      EXPECT_FALSE(sketcher.error().remedy.empty());
    }
  }
}

TEST(FingerprintTest, PlacesAndBitsAreTheSameBothWays) {
  for (const int bits : kSizes) {
    for (int place = 0; place < bits; ++place) {
      const size_t bit = FingerprintBit(bits, place);
      ASSERT_LT(bit, static_cast<size_t>(bits));
      ASSERT_EQ(FingerprintBit(bits, static_cast<int>(bit)),
                static_cast<size_t>(place));
    }
  }
}

}  // namespace
}  // namespace twinset
