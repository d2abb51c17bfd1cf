// Rabin fingerprints over GF(2) as a sketch of raw bytes: the polynomials and
// the rolling form are in base, where the text stage has them too.
#ifndef TWINSET_SRC_STAGES_SKETCH_RABIN_H_
#define TWINSET_SRC_STAGES_SKETCH_RABIN_H_

#include <cstdint>

#include "base/math/rabin.h"  // IWYU pragma: export

namespace twinset {

// The polynomial of `--polynomial drawn`: of degree 64, uniform among the
// irreducible ones, the same for a seed on every machine. About 64 candidates
// are tried.
Gf2Polynomial SeededPolynomial(uint64_t seed);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_SKETCH_RABIN_H_
