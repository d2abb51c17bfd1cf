// Finds the parameters of a method for a recall target, with the law behind
// them and what a corpus says about it (docs/methods/tune.md).
#ifndef TWINSET_TUNE_H_
#define TWINSET_TUNE_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "twinset/choices.h"
#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/methods.h"
#include "twinset/options.h"
#include "twinset/results.h"

namespace twinset {
inline namespace v1 {

// What makes bands and rows good.
enum class BandRule : uint8_t {
  kCheapest,    // the most rows, then the fewest bands, that reach the recall
  kDatasketch,  // the least sum of errors: the rule of that package
};
template <>
inline constexpr auto kChoices<BandRule> = ChoiceTable<BandRule>(
    {{BandRule::kCheapest, "cheapest"}, {BandRule::kDatasketch, "datasketch"}});

// Asks how long fingerprints of whole texts must be so that different texts get
// different ones (docs/methods/tune.md).
struct CollisionQuestion {
  uint64_t documents = 1000000;    // different texts, at least 2
  uint64_t document_bytes = 1024;  // of the longest of them, at least 1
  double tolerated = 0.001;        // collisions that may be expected, above 0
};

struct TuneOptions {
  InputOptions input;  // no inputs: only the law is used
  FeatureOptions features;
  // Only these members are read: name (of a method whose candidates follow a
  // law), threshold, permutations, bits, groups, agree, lexicons, lexicon_drop,
  // seed.
  MethodOptions method;
  double recall = 0.99;                 // of the pairs at exactly the threshold
  CollisionQuestion collisions;         // of methods that find copies
  int differing_terms = 1;              // of i-match: 1 to 64
  BandRule rule = BandRule::kCheapest;  // with bands
  double floor = 0;  // measure from here on; 0: threshold - 0.3, at least 0.3
  ResourceOptions resources;
  std::function<void(const Progress&)> on_progress;
  const std::atomic<bool>* stop = nullptr;
};

// A point of the law and what was measured around it: pairs with a similarity
// in [similarity, similarity + 0.01), and how many of them were found.
struct TunePoint {
  double similarity = 0, expected = 0;
  uint64_t pairs = 0, found = 0;
  bool is_measured = false;  // there is a corpus

  static void Fields(auto& point, auto& field) {
    const auto if_measured = [&](uint64_t count) {
      return point.is_measured ? std::optional(count) : std::nullopt;
    };
    field("similarity", point.similarity);
    field.Rounded("expected", point.expected, 6);
    field.Derived("pairs", if_measured(point.pairs));
    field.Derived("found", if_measured(point.found));
  }
};

// A design of look-up tables of SimHash for the chosen number of bits.
struct TuneTables {
  std::string design;  // for --tables
  uint64_t tables = 0;
  int key_bits = 0;                    // of the shortest key
  double candidates_per_document = 0;  // by chance; needs a corpus

  static void Fields(auto& tables, auto& field) {
    field("design", tables.design);
    field("tables", tables.tables);
    field("key_bits", tables.key_bits);
    field.Rounded("candidates_per_document", tables.candidates_per_document, 6);
  }
};

// What is known about one kind of fingerprint. "uniform" is a hash whose values
// are as good as random; its figures are expectations. "polynomial" takes
// remainders by a random irreducible polynomial over GF(2), "prime" by a random
// prime; their figures are bounds that hold for any texts.
struct TuneFingerprint {
  std::string kind;
  bool is_bound = false;
  // For the tolerated collisions: how many values, polynomials or primes there
  // must be to draw from, and how long the fingerprint then is.
  double choices = 0, length = 0;
  int least_bits = 0;
  // With `bits`: the probability that two given texts collide, the expected
  // number of collisions, the probability of at least one, and the number of
  // texts for which the tolerated number is expected.
  int bits = 0;
  double fixed_pair = 0, expected = 0, probability = 0, documents = 0;

  static void Fields(auto& law, auto& field) {
    field("kind", law.kind);
    field("is_bound", law.is_bound);
    field("choices", law.choices);
    field.Rounded("length", law.length, 6);
    field("least_bits", law.least_bits);
    field("bits", law.bits);
    field("fixed_pair", law.fixed_pair);
    field("expected", law.expected);
    field("probability", law.probability);
    field("documents", law.documents);
  }
};

// How likely texts that differ in so many terms of the lexicon are found.
struct TuneTerms {
  uint64_t terms = 0;
  double expected = 0;

  static void Fields(auto& row, auto& field) {
    field("terms", row.terms);
    field.Rounded("expected", row.expected, 6);
  }
};

// What was measured on a corpus.
struct TuneMeasured {
  uint64_t documents = 0;
  uint64_t true_pairs = 0, found_pairs = 0;     // at the threshold and above
  double expected_candidates_per_document = 0;  // pairs from the floor on
  double measured_candidates_per_document = 0;  // all

  static void Fields(auto& measured, auto& field) {
    field("documents", measured.documents);
    field("true_pairs", measured.true_pairs);
    field("found_pairs", measured.found_pairs);
    field.Rounded("expected_candidates_per_document",
                  measured.expected_candidates_per_document, 6);
    field.Rounded("candidates_per_document",
                  measured.measured_candidates_per_document, 6);
  }
};

struct TuneResult {
  static constexpr bool kShowsAllRows = true;
  std::string method, flags;                  // flags: for the command line
  TuneOptions asked;                          // without its functions
  BandPlan bands;                             // of methods with bands
  int distance = 0;                           // of fingerprints: simhash
  int groups = 0, group_size = 0, agree = 0;  // of super-shingles
  double expected_recall = 0;                 // at the threshold, by the law
  uint64_t keys_per_document = 0;
  std::vector<TuneTables> tables;  // simhash: by number of tables
  std::vector<TunePoint> curve;
  std::vector<TuneFingerprint> fingerprints;  // of methods that find copies
  double tenth = 0;  // texts with a collision at 10 %, by a uniform hash
  int lexicons = 0;  // i-match: randomised lexica
  std::vector<TuneTerms> by_terms;  // i-match: of 1, 2, ... terms
  std::optional<TuneMeasured> measured;
  std::vector<std::string> warnings;  // one line each
  ResultPage page;

  // Each kind of method has the fields of its law.
  static void Fields(auto& result, auto& field) {
    const TuneOptions& asked = result.asked;
    field("method", result.method);
    if (!result.fingerprints.empty()) {
      field("documents", asked.collisions.documents);
      field("document_bytes", asked.collisions.document_bytes);
      field("collisions", asked.collisions.tolerated);
      field("documents_at_tenth", result.tenth);
      return field("fingerprints", result.fingerprints);
    }
    const bool is_of_terms = !result.by_terms.empty();
    if (!is_of_terms) field("threshold", asked.method.threshold);
    field("recall", asked.recall);
    if (is_of_terms) {
      field("differing_terms", asked.differing_terms);
      field("lexicon_drop", asked.method.lexicon_drop);
      field("lexicons", result.lexicons);
    } else {
      field("rule", asked.rule);
    }
    field("flags", result.flags);
    field.Rounded("expected_recall", result.expected_recall, 6);
    field("keys_per_document", result.keys_per_document);
    if (is_of_terms) return field("by_terms", result.by_terms);
    if (result.bands.bands > 0) {
      field("permutations", asked.method.permutations);
      field("bands", result.bands.bands);
      field("rows", result.bands.rows);
    } else if (result.groups == 0) {
      field("bits", asked.method.bits);
      field("distance", result.distance);
      field("tables", result.tables);
    } else {
      field("groups", result.groups);
      field("group_size", result.group_size);
      field("agree", result.agree);
    }
    field("curve", result.curve);
    field("measured", result.measured);
  }
};

// kUsage when no parameters reach the recall.
Result<TuneResult> Tune(const TuneOptions& options);
Json SummaryJson(const TuneResult& result);

// Returns the bands and rows with the least sum of false positives (below the
// threshold) and false negatives (above it), weighed equally, over all
// similarities. This is the rule of the package datasketch. Among equal sums
// the first counts, in order of bands, then rows.
BandPlan PlanBandsByError(double threshold, int permutations);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_TUNE_H_
