// The MinHash values of other packages, bit for bit (docs/methods/presets.md).
#ifndef TWINSET_SRC_STAGES_SKETCH_PEER_MINHASH_H_
#define TWINSET_SRC_STAGES_SKETCH_PEER_MINHASH_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sketch/sketcher.h"
#include "twinset/error.h"
#include "twinset/method_choices.h"

namespace twinset {

// The constants of the hash functions: h_i(x) = a_i x + b_i.
struct PeerConstants {
  std::vector<uint64_t> a, b;
};

// Families, with x the feature hash, a and b drawn as NumPy's
// RandomState(seed).randint draws them:
//   datasketch     datasketch before 2.0, scheme "legacy" since:
//                  ((a x + b mod 2^64) mod 2^61 - 1) mod 2^32,
//                  a_0, b_0, a_1, b_1, ... in [1, 2^61 - 1) and [0, 2^61 - 1)
//   text-dedup     the same, all a before all b
//   datasketch-2   datasketch 2.0, scheme "affine32": a f(x) + b mod 2^32 with
//   f
//                  the finaliser of MurmurHash3, all a (odd) before all b
// kUsage for kSpec and kMixed, and for a seed of 2^32 or more, which NumPy
// refuses.
Result<PeerConstants> MakePeerConstants(HashFamily family, int permutations,
                                        uint64_t seed);

// Sketches of those values over stored shingle hashes, which are what the
// package hashes features to (--feature-hash) only if the text stage is the
// package's too. Estimates by the share of equal values, as the packages do.
// kUsage also unless 1 <= permutations <= 4096.
Result<std::unique_ptr<Sketcher>> MakePeerMinHashSketcher(HashFamily family,
                                                          int permutations,
                                                          uint64_t seed);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_SKETCH_PEER_MINHASH_H_
