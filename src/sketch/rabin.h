// Rabin fingerprints over GF(2) as a sketch of raw bytes: the polynomials and
// the rolling form are in base, where the text stage has them too.
#ifndef TWINSET_SRC_SKETCH_RABIN_H_
#define TWINSET_SRC_SKETCH_RABIN_H_

#include "base/math/rabin.h"  // IWYU pragma: export

#endif  // TWINSET_SRC_SKETCH_RABIN_H_
