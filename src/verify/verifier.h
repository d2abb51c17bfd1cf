// Exact verification of candidate pairs from their stored features.
#ifndef TWINSET_SRC_VERIFY_VERIFIER_H_
#define TWINSET_SRC_VERIFY_VERIFIER_H_

#include <cstdint>
#include <memory>
#include <string_view>

#include "verify/measures.h"

namespace twinset {

// Compares two stored feature blobs exactly. Stateless: one object serves all
// threads.
class Verifier {
 public:
  struct Verdict {
    double score = 0;
    Overlap overlap;        // in elements: shingles, or bytes
    bool accepted = false;  // the two are a pair at the threshold
  };
  virtual ~Verifier();
  // Cost: linear in both blobs.
  virtual Verdict Compare(std::string_view a, std::string_view b) const = 0;
  // Sizes in elements; false only if Compare cannot accept blobs of these
  // sizes.
  virtual bool CanReach(uint64_t size_a, uint64_t size_b) const = 0;
};

// Blobs are little-endian u64 arrays, ascending and unique, 8-byte aligned
// (BlobBatch gives them so; others are copied first). Trailing bytes that fill
// no element are ignored.
std::unique_ptr<Verifier> MakeSetVerifier(Measure measure, double threshold);

// Blobs are bytes; equal ones score 1 and are accepted, others score 0.
std::unique_ptr<Verifier> MakeBytesVerifier();

}  // namespace twinset

#endif  // TWINSET_SRC_VERIFY_VERIFIER_H_
