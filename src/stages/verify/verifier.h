// Exact verification of candidate pairs from their stored features.
#ifndef TWINSET_SRC_STAGES_VERIFY_VERIFIER_H_
#define TWINSET_SRC_STAGES_VERIFY_VERIFIER_H_

#include <cstdint>
#include <memory>
#include <string_view>

#include "core/one_plus_idf.h"
#include "core/values.h"
#include "verify/measures.h"

namespace twinset {

// Compares two stored feature blobs exactly. Stateless: one object serves all
// threads. Blobs that are not empty and equal score 1 under every measure.
class Verifier {
 public:
  struct Verdict {
    double score = 0;
    Overlap overlap;        // in elements: shingles, tokens, or bytes
    SharedFeatures shared;  // the same, each different element counted once
    bool accepted = false;  // the two are a pair at the threshold
  };
  virtual ~Verifier();
  // If the pair is not accepted, score, overlap.common and shared say nothing
  // more: comparing stops when the threshold is out of reach. Cost: linear in
  // both blobs but for edit distances (verify/edit.h).
  virtual Verdict Compare(std::string_view a, std::string_view b) const = 0;
  // The same, exact however small the score is.
  virtual Verdict CompareFully(std::string_view a, std::string_view b) const {
    return Compare(a, b);
  }
  // Sizes in elements; false only if Compare cannot accept blobs of these
  // sizes.
  virtual bool CanReach(uint64_t size_a, uint64_t size_b) const = 0;

  // Returns true iff the verifier decides by the number of elements that two
  // sets share; blobs may then be compared in another way (verify/core_sets.h).
  virtual bool GoesByCommon() const { return false; }
  // The least number that makes a pair of sets of these sizes.
  virtual uint64_t LeastCommon(uint64_t size_a, uint64_t size_b) const {
    return (void)size_a, (void)size_b, 0;
  }
  // What Compare says of sets that share so many; 0 stands for any number below
  // LeastCommon.
  virtual Verdict VerdictOf(const Overlap& overlap) const {
    return (void)overlap, Verdict();
  }
};

// Blobs of 64-bit hashes are little-endian u64 arrays, 8-byte aligned
// (BlobBatch gives them so; others are copied first). Trailing bytes that fill
// no element are ignored.

// Set measures: hashes ascending and unique.
std::unique_ptr<Verifier> MakeSetVerifier(Measure measure, double threshold);

// |A & B| / |A|, A the first argument: how much of A is in B (Broder 1997).
// Hashes ascending and unique. Not symmetric.
std::unique_ptr<Verifier> MakeContainmentVerifier(double threshold);

// Cosine of frequency vectors; hashes ascending, each as often as it occurs.
// overlap.common counts repeats.
std::unique_ptr<Verifier> MakeCosineTfVerifier(double threshold);
// Frequencies weighted by 1 + idf, so that no feature weighs nothing. Null:
// that of no corpus.
std::unique_ptr<Verifier> MakeCosineTfIdfVerifier(FeatureIdf idf,
                                                  double threshold);

// Hashes in the order of the text. (longer - distance) / longer; overlap.common
// is longer - distance. CompareFully takes time O(longer * distance).
std::unique_ptr<Verifier> MakeEditVerifier(double threshold);
// Share of the places with equal tokens; 0 for sequences of different lengths.
std::unique_ptr<Verifier> MakeHammingVerifier(double threshold);

// Blobs are bytes; equal ones score 1 and are accepted, others score 0.
std::unique_ptr<Verifier> MakeBytesVerifier();

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_VERIFY_VERIFIER_H_
