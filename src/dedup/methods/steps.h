// What the rows of the registry add to `explain --steps`
// (include/twinset/steps.h): each function appends its steps to one text.
#ifndef TWINSET_SRC_DEDUP_METHODS_STEPS_H_
#define TWINSET_SRC_DEDUP_METHODS_STEPS_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "methods/registry.h"
#include "report/step_text.h"
#include "sketch/permutations.h"
#include "text/tokens/features.h"
#include "twinset/error.h"
#include "twinset/explain.h"
#include "twinset/options.h"
#include "twinset/steps.h"
#include "verify/measures.h"

namespace twinset {

// One document of the steps.
struct StepDocument {
  // A feature in the order of the text.
  struct Window {
    uint64_t hash = 0;
    uint32_t begin = 0, end = 0;  // bytes of the text
  };
  std::string name;
  std::string text;  // clean
  std::string payload;
  std::vector<Token> tokens;
  std::vector<uint64_t> token_hashes;
  std::vector<Window> windows;
  std::vector<uint64_t> set;  // ascending, distinct hashes
  bool is_query = false;

  // The tokens of a window joined by one space, or its characters.
  std::string TextOf(const Window& window) const;
};

struct StepInput {
  FeatureOptions features;
  MethodOptions method;
  StepOptions steps;
  InputOptions corpus;                  // where the documents are, if not files
  std::vector<StepDocument> documents;  // queries last
  // Where a feature is met first: document and window.
  std::map<uint64_t, std::pair<size_t, size_t>> places;

  // Are the documents sets of numbers, or fingerprints?
  bool is_numbers() const {
    return method.feature_hash == FeatureHash::kDecimal;
  }
  bool is_fingerprints() const {
    return method.feature_hash == FeatureHash::kBinary;
  }
  size_t stored() const;            // documents that are no queries
  bool Shows(StepPart part) const;  // StepOptions::parts
};

// The documents as the method sketches them.
struct StepSketches {
  const MethodOptions& options;
  const MethodParts& parts;
  const CorpusModel* model;  // what was learnt; null: nothing
  // By sketcher; null where what it reads is no hashes.
  std::vector<const FeatureExtractor*> extractors;
  // The pass over the corpus: the views of its documents that are not empty.
  FeaturePass for_each_views;
  std::vector<std::vector<std::string>> views;  // by document, as stored
  std::vector<std::vector<Sketch>> of;          // by document, then sketcher

  // The view that sketcher number `sketcher` reads.
  size_t ViewOf(size_t sketcher) const {
    return parts.sketch_views.empty() ? 0 : parts.sketch_views[sketcher];
  }
  // What sketcher number `sketcher` reads of a document, where it is hashed.
  std::span<const uint64_t> Hashes(size_t document, size_t sketcher) const {
    return AsHashes(views[document][ViewOf(sketcher)]);
  }
};

// The texts of the features that one sketcher reads.
class FeatureTexts {
 public:
  FeatureTexts(const StepInput& input, const StepSketches& sketches,
               size_t sketcher);
  std::string Of(uint64_t feature) const;

 private:
  std::map<uint64_t, std::string> texts_;
};

// At most four decimals, without zeros at the end.
std::string Decimal(double value);
// "3/8 = 0.375"; "0/0" is not defined and stays so.
std::string Ratio(uint64_t part, uint64_t whole);
// {1, 3, 4}: elements by their labels.
std::string SetText(const StepInput& input, const std::vector<uint64_t>& set);
std::string Label(const StepInput& input, uint64_t feature);
Overlap OverlapOfSets(const std::vector<uint64_t>& a,
                      const std::vector<uint64_t>& b);
// Calls body(a, b) for each pair of stored documents, a first.
template <typename Body>
void ForEachStepPair(const StepInput& input, const Body& body) {
  for (size_t a = 0; a < input.stored(); ++a)
    for (size_t b = a + 1; b < input.stored(); ++b) body(a, b);
}

// Rows of the universe and every feature of the documents, ascending.
std::vector<uint64_t> UniverseOf(const StepInput& input);
// Numbers ascending, other features as they are met in the texts.
std::vector<uint64_t> FeaturesInOrder(const StepInput& input);

// Windows, sets, which feature is where (steps_sets.cc).
void AddShingleSteps(const StepInput& input, StepText* text);
void AddMembershipSteps(const StepInput& input, StepText* text);
void AddMeasureSteps(const StepInput& input, StepText* text);

// Least images, signatures by orders of the rows, slots row by row and by the
// union (steps_minhash.cc).
Status AddImageSteps(const StepInput& input, StepText* text);
Status AddOrderSteps(const StepInput& input, StepText* text);
Status AddSlotSteps(const StepInput& input, StepText* text);
// The same with the first functions of classic MinHash, kMethodSlots of them.
// Returns the slots of each document at the end: the first values of its
// sketch.
inline constexpr size_t kMethodSlots = 3;
std::vector<std::vector<uint64_t>> AddMethodSlots(const StepInput& input,
                                                  StepText* text);

// What rows of the registry name as their steps (MethodSteps). `how`: what a
// value is, in a sentence.
// Values at places, and the features that they come from (steps_place.cc).
MethodSteps::Add PlaceSteps(std::string how);
Status AddFunctionSteps(const StepInput&, const StepSketches&, StepText*);
Status AddBandSteps(const StepInput&, const StepSketches&, StepText*);
Status AddMinimaSteps(const StepInput&, const StepSketches&, StepText*);
Status AddSuperShingleSteps(const StepInput&, const StepSketches&, StepText*);
Status AddModulusSteps(const StepInput&, const StepSketches&, StepText*);
// Terms, chunks and prefixes that a corpus tells apart (steps_corpus.cc).
Status AddLexiconSteps(const StepInput&, const StepSketches&, StepText*);
Status AddChunkSteps(const StepInput&, const StepSketches&, StepText*);
Status AddSpexSteps(const StepInput&, const StepSketches&, StepText*);
// Scores of a pair: the containment of either document in the other, estimated;
// the co-derivative scores of Bernstein and Zobel (scores.cc).
Result<std::vector<PairScore>> ContainmentEstimates(const ScoredPair& pair);
Result<std::vector<PairScore>> CoDerivativeScores(const ScoredPair& pair);

// Values that are equal or not (steps_copies.cc).
MethodSteps::Add CopySteps(std::string how);
Status AddProfileSteps(const StepInput&, const StepSketches&, StepText*);
Status AddFuzzySteps(const StepInput&, const StepSketches&, StepText*);
Status AddPrefixSteps(const StepInput&, const StepSketches&, StepText*);

// Votes, fingerprints, look-up tables, candidates (steps_simhash.cc).
Result<bool> AddSimHashSteps(const StepInput& input, StepText* text);

// Remainders modulo the prime of --functions; without it, false
// (steps_rabin.cc).
Result<bool> AddRabinSteps(const StepInput& input, StepText* text);

// "2x+1 mod 5", "(2x + 1) mod 5", "x mod 5". kUsage for others.
Result<LinearFunction> ParseLinearFunction(const std::string& text);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_METHODS_STEPS_H_
