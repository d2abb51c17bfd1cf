// Keys of sketches that are sets, as few as a share of common values allows
// (prefix filter: Chaudhuri, Ganti and Kaushik, ICDE 2006;
// docs/methods/spex.md).
#ifndef TWINSET_SRC_STAGES_CANDIDATE_PREFIX_KEYS_H_
#define TWINSET_SRC_STAGES_CANDIDATE_PREFIX_KEYS_H_

#include <cstddef>
#include <memory>

#include "candidate/bands.h"

namespace twinset {

// Sketch number `sketch` is a set of n 64-bit values, ascending, two words
// each. Its first n - ceil(share n) + 1 values are keys: two sets of
// resemblance at least `share` have a key in common. No value, no key. kUsage
// unless share is in (0, 1].
Result<std::unique_ptr<KeyGenerator>> MakePrefixKeys(size_t sketch,
                                                     double share);

// How many of `count` values are keys.
size_t PrefixLength(size_t count, double share);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_PREFIX_KEYS_H_
