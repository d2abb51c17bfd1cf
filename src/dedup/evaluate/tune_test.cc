// The choices of `tune` against searching all that could be chosen.
#include "twinset/tune.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "evaluate/tune_laws.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;

TuneOptions Of(const std::string& method, double threshold, double recall) {
  TuneOptions options;
  options.method.name = method;
  options.method.threshold = threshold;
  options.recall = recall;
  return options;
}

double OfBands(double s, int bands, int rows) {
  return 1 - std::pow(1 - std::pow(s, rows), bands);
}

// Most rows, then fewest bands, with the recall within the permutations.
TEST(TuneChoiceTest, BandsAreTheCheapestThatReachTheRecall) {
  for (const double threshold : {0.5, 0.7, 0.9}) {
    for (const double recall : {0.8, 0.95, 0.999}) {
      for (const int permutations : {16, 100, 256}) {
        int best_bands = 0, best_rows = 0;
        for (int rows = 1; rows <= permutations; ++rows) {
          for (int bands = 1; bands * rows <= permutations; ++bands) {
            if (OfBands(threshold, bands, rows) < recall) continue;
            best_rows = rows;
            best_bands = bands;
            break;
          }
        }
        TuneOptions options = Of("minhash", threshold, recall);
        options.method.permutations = permutations;
        const auto tuned = Tune(options);
        ASSERT_EQ(tuned.has_value(), best_rows > 0);
        if (!tuned) continue;
        EXPECT_EQ(tuned->bands.rows, best_rows) << threshold << recall;
        EXPECT_EQ(tuned->bands.bands, best_bands) << threshold << recall;
        EXPECT_EQ(tuned->keys_per_document, static_cast<uint64_t>(best_bands));
        EXPECT_EQ(tuned->flags, "--permutations " +
                                    std::to_string(permutations) + " --bands " +
                                    std::to_string(best_bands) + " --rows " +
                                    std::to_string(best_rows));
        EXPECT_NEAR(tuned->expected_recall,
                    OfBands(threshold, best_bands, best_rows), 1e-12);
      }
    }
  }
}

// The rule of datasketch: the least sum of the area of false positives below
// the threshold and of false negatives above it.
TEST(TuneChoiceTest, BandsByErrorHaveTheLeastError) {
  for (const double threshold : {0.3, 0.5, 0.8}) {
    TuneOptions options = Of("minhash", threshold, 0.99);
    options.method.permutations = 32;
    options.rule = BandRule::kDatasketch;
    const auto tuned = Tune(options);
    ASSERT_TRUE(tuned);
    const auto error = [&](int bands, int rows) {
      double sum = 0;
      const int steps = 4000;
      for (int i = 0; i < steps; ++i) {
        const double s = (i + .5) / steps;
        const double found = OfBands(s, bands, rows);
        sum += (s < threshold ? found : 1 - found) / steps;
      }
      return sum;
    };
    const double chosen = error(tuned->bands.bands, tuned->bands.rows);
    for (int bands = 1; bands <= 32; ++bands)
      for (int rows = 1; bands * rows <= 32; ++rows)
        EXPECT_GE(error(bands, rows), chosen - 2e-4) << bands << " " << rows;
  }
  EXPECT_FALSE(Tune([] {
    TuneOptions options = Of("simhash", 0.8, 0.9);
    options.rule = BandRule::kDatasketch;
    return options;
  }()));
}

// Charikar 2002: a bit differs with the share of the angle; the cosine of sets
// of one size is 2 s / (1 + s).
double OfDistance(double s, int bits, int distance) {
  const double share = std::acos(2 * s / (1 + s)) / std::acos(-1.0);
  double sum = 0;
  for (int d = 0; d <= distance; ++d) {
    const double log = std::lgamma(bits + 1) - std::lgamma(d + 1) -
                       std::lgamma(bits - d + 1) + d * std::log(share) +
                       (bits - d) * std::log1p(-share);
    sum += std::exp(log);
  }
  return sum;
}

TEST(TuneChoiceTest, TheDistanceIsTheLeastThatReachesTheRecall) {
  for (const int bits : {32, 64, 128, 384}) {
    for (const double threshold : {0.6, 0.9, 0.98}) {
      TuneOptions options = Of("simhash", threshold, 0.95);
      options.method.bits = bits;
      const auto tuned = Tune(options);
      ASSERT_TRUE(tuned);
      EXPECT_GE(OfDistance(threshold, bits, tuned->distance), 0.95 - 1e-9);
      if (tuned->distance > 0) {
        EXPECT_LT(OfDistance(threshold, bits, tuned->distance - 1), 0.95);
      }
      EXPECT_NEAR(tuned->expected_recall,
                  OfDistance(threshold, bits, tuned->distance), 1e-9);
      EXPECT_THAT(tuned->flags,
                  HasSubstr("--distance " + std::to_string(tuned->distance)));
      // Fewer blocks are fewer tables with shorter keys.
      for (size_t i = 1; i < tuned->tables.size(); ++i) {
        EXPECT_GE(tuned->tables[i].tables, tuned->tables[i - 1].tables);
        EXPECT_LE(tuned->tables[i].tables, 64u);
      }
    }
  }
  // All texts that are equal have no bit that differs.
  const auto copies = Tune(Of("simhash", 1, 1));
  ASSERT_TRUE(copies);
  EXPECT_EQ(copies->distance, 0);
}

double OfGroups(double s, int groups, int size, int agree) {
  const double p = std::pow(s, size);
  double sum = 0;
  for (int k = agree; k <= groups; ++k)
    sum += std::exp(std::lgamma(groups + 1) - std::lgamma(k + 1) -
                    std::lgamma(groups - k + 1) + k * std::log(p) +
                    (groups - k) * std::log1p(-p));
  return sum;
}

TEST(TuneChoiceTest, GroupsAreTheLargestThatReachTheRecall) {
  for (const double threshold : {0.7, 0.85, 0.95}) {
    for (const int agree : {0, 1, 3}) {
      TuneOptions options = Of("super-shingle", threshold, 0.9);
      options.method.permutations = 84;
      options.method.agree = agree;
      const auto tuned = Tune(options);
      ASSERT_TRUE(tuned) << threshold << agree;
      const int least = agree == 0 ? 2 : agree;
      EXPECT_EQ(tuned->agree, least);
      EXPECT_GE(OfGroups(threshold, tuned->groups, tuned->group_size, least),
                0.9 - 1e-9);
      for (int size = tuned->group_size; size <= 84; ++size) {
        for (int groups = least; groups * size <= 84 && groups <= 64;
             ++groups) {
          if (size == tuned->group_size && groups >= tuned->groups) continue;
          EXPECT_LT(OfGroups(threshold, groups, size, least), 0.9 + 1e-9)
              << groups << " " << size;
        }
      }
    }
  }
}

// Texts that are nearly equal take groups of very many values.
TEST(TuneChoiceTest, GroupsMayTakeHalfOfTheValues) {
  TuneOptions options = Of("super-shingle", 0.999, 0.9);
  options.method.permutations = 128;
  const auto tuned = Tune(options);
  ASSERT_TRUE(tuned);
  EXPECT_EQ(tuned->groups, 2);
  EXPECT_EQ(tuned->group_size, 52);  // 0.999^(2 * 52) is 0.901, two more 0.899
  EXPECT_LT(OfGroups(0.999, 2, 53, 2), 0.9);
}

TEST(TuneChoiceTest, LexicaAreTheFewestThatReachTheRecall) {
  for (const int terms : {1, 2, 3}) {
    TuneOptions options;
    options.method.name = "i-match";
    options.method.lexicon_drop = 0.4;
    options.differing_terms = terms;
    options.recall = 0.9;
    const auto tuned = Tune(options);
    ASSERT_TRUE(tuned);
    const double one = std::pow(0.4, terms);
    EXPECT_GE(1 - std::pow(1 - one, tuned->lexicons), 0.9);
    EXPECT_LT(1 - std::pow(1 - one, tuned->lexicons - 1), 0.9);
    EXPECT_EQ(tuned->keys_per_document,
              static_cast<uint64_t>(tuned->lexicons) + 1);
    EXPECT_EQ(tuned->by_terms.size(), 8u);
    EXPECT_DOUBLE_EQ(tuned->by_terms[static_cast<size_t>(terms) - 1].expected,
                     tuned->expected_recall);
    EXPECT_EQ(tuned->flags, "--lexicons " + std::to_string(tuned->lexicons) +
                                " --lexicon-drop 0.4");
  }
  TuneOptions never;
  never.method.name = "i-match";
  never.differing_terms = 60;
  const auto none = Tune(never);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().remedy, HasSubstr("raise --lexicon-drop"));
  for (const int terms : {0, 65, -3}) {
    never.differing_terms = terms;
    EXPECT_FALSE(Tune(never)) << terms;
  }
}

// A fingerprint one bit longer halves what is expected of a uniform hash and of
// a polynomial; least_bits is where what is tolerated is reached.
TEST(TuneChoiceTest, CollisionsFallWithEachBit) {
  TuneOptions options;
  options.method.name = "exact";
  options.collisions = {1000, 100, 0.5};
  std::vector<double> before(3, 1e300);
  for (int bits = 5; bits <= 384; bits += 11) {
    options.method.bits = bits;
    options.method.given = {"bits"};
    const auto tuned = Tune(options);
    ASSERT_TRUE(tuned) << bits;
    for (size_t i = 0; i < 3; ++i) {
      const TuneFingerprint& law = tuned->fingerprints[i];
      EXPECT_EQ(law.bits, bits);
      EXPECT_LT(law.expected, before[i]);
      before[i] = law.expected;
      EXPECT_EQ(law.expected <= 0.5, bits >= law.least_bits)
          << law.kind << bits;
      EXPECT_LE(law.probability, 1);
      EXPECT_LE(law.fixed_pair, 1);
      EXPECT_LE(law.probability, law.expected * (1 + 1e-12));
    }
    EXPECT_DOUBLE_EQ(tuned->fingerprints[0].expected,
                     1000.0 * 999 / 2 * std::ldexp(1, -bits));
  }
}

// The least length is where the tolerated collisions are reached, not before.
TEST(TuneChoiceTest, TheLeastBitsAreTheFewestThatAreEnough) {
  TuneOptions options;
  options.method.name = "exact";
  options.collisions = {1000, 100, 0.5};
  const auto tuned = Tune(options);
  ASSERT_TRUE(tuned);
  for (size_t i = 0; i < 3; ++i) {
    options.method.bits = tuned->fingerprints[i].least_bits;
    EXPECT_LE(Tune(options)->fingerprints[i].expected, 0.5);
    --options.method.bits;
    EXPECT_GT(Tune(options)->fingerprints[i].expected, 0.5);
  }
}

TEST(TuneChoiceTest, QuestionsThatALawDoesNotAnswerAreRefused) {
  struct Case {
    const char* method;
    void (*ask)(TuneOptions*);
    const char* flag;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"minhash", [](TuneOptions* o) { o->collisions.documents = 5; },
            "--documents"},
           {"simhash", [](TuneOptions* o) { o->collisions.document_bytes = 5; },
            "--document-bytes"},
           {"i-match", [](TuneOptions* o) { o->collisions.tolerated = 5; },
            "--collisions"},
           {"exact", [](TuneOptions* o) { o->recall = 0.5; }, "--recall"},
           {"exact", [](TuneOptions* o) { o->differing_terms = 2; },
            "--differing-terms"},
           {"minhash", [](TuneOptions* o) { o->differing_terms = 2; },
            "--differing-terms"}}) {
    TuneOptions options;
    options.method.name = c.method;
    EXPECT_TRUE(Tune(options)) << c.method;
    c.ask(&options);
    const auto tuned = Tune(options);
    ASSERT_FALSE(tuned) << c.flag;
    EXPECT_EQ(tuned.error().code, ErrorCode::kUsage);
    EXPECT_EQ(tuned.error().message,
              std::string(c.flag) + " is no question of the law of method " +
                  c.method);
  }
}

TEST(TuneChoiceTest, MethodsWithoutALawAreNamed) {
  for (const char* name : {"complete", "mod-m", "fuzzy", "spex"}) {
    const auto tuned = Tune(Of(name, 0.8, 0.9));
    ASSERT_FALSE(tuned) << name;
    EXPECT_THAT(tuned.error().message, HasSubstr(name));
    EXPECT_THAT(tuned.error().remedy, HasSubstr("minhash"));
    EXPECT_THAT(tuned.error().remedy, HasSubstr("or i-match"));
  }
  EXPECT_FALSE(Tune(Of("nonsense", 0.8, 0.9)));
  // No name is the standard method of sketches.
  const auto standard = Tune(Of("", 0.8, 0.9));
  ASSERT_TRUE(standard);
  EXPECT_EQ(standard->method, "minhash");
}

TEST(TuneChoiceTest, NumbersOutsideTheLawsAreRefused) {
  for (const auto& [threshold, recall] :
       {std::pair(0.0, 0.9), {1.1, 0.9}, {0.8, 0.0}, {0.8, 1.5}})
    EXPECT_FALSE(Tune(Of("minhash", threshold, recall)));
  for (const int bits : {0, 385}) {
    TuneOptions options = Of("simhash", 0.8, 0.9);
    options.method.bits = bits;
    EXPECT_FALSE(Tune(options)) << bits;
  }
  for (const int permutations : {0, 4097}) {
    TuneOptions options = Of("minhash", 0.8, 0.9);
    options.method.permutations = permutations;
    EXPECT_FALSE(Tune(options)) << permutations;
  }
  TuneOptions copies;
  copies.method.name = "exact";
  for (const CollisionQuestion& question :
       {CollisionQuestion{1, 1024, .001}, CollisionQuestion{2, 0, .001},
        CollisionQuestion{2, 1, 0}, CollisionQuestion{2, 1, -1},
        CollisionQuestion{2, 1, std::nan("")}, CollisionQuestion{2, 1, 1e31}}) {
    copies.collisions = question;
    EXPECT_FALSE(Tune(copies));
  }
  copies.collisions = {2, 1, 1e30};
  EXPECT_TRUE(Tune(copies));
  copies = {};
  copies.method.name = "exact";
  copies.input.inputs = {"corpus.jsonl"};
  const auto with_input = Tune(copies);
  ASSERT_FALSE(with_input);
  EXPECT_THAT(with_input.error().remedy, HasSubstr("twinset evaluate"));
}

TEST(TuneChoiceTest, TheCurveIsTheLawAtEachHundredth) {
  const auto tuned = Tune(Of("minhash", 0.8, 0.99));
  ASSERT_TRUE(tuned);
  ASSERT_EQ(tuned->curve.size(), 101u);
  for (size_t i = 0; i <= 100; ++i) {
    const TunePoint& point = tuned->curve[i];
    EXPECT_DOUBLE_EQ(point.similarity, static_cast<double>(i) / 100);
    EXPECT_NEAR(
        point.expected,
        OfBands(point.similarity, tuned->bands.bands, tuned->bands.rows),
        1e-12);
    EXPECT_EQ(point.pairs + point.found, 0u) << "nothing was measured";
  }
  EXPECT_EQ(tuned->curve[0].expected, 0);
  EXPECT_EQ(tuned->curve[100].expected, 1);
}

}  // namespace
}  // namespace twinset
