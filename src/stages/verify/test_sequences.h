// Small inputs, all of them: for tests that compare with a naive reference.
#ifndef TWINSET_SRC_STAGES_VERIFY_TEST_SEQUENCES_H_
#define TWINSET_SRC_STAGES_VERIFY_TEST_SEQUENCES_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/hash.h"

namespace twinset {

using Sequence = std::vector<uint64_t>;

// All sequences of length <= max_length over an alphabet of `letters`.
inline std::vector<Sequence> AllSequences(size_t max_length, uint64_t letters) {
  std::vector<Sequence> all = {{}};
  for (size_t first = 0, length = 0; length < max_length; ++length) {
    const size_t last = all.size();
    for (; first < last; ++first) {
      for (uint64_t letter = 0; letter < letters; ++letter) {
        Sequence longer = all[first];
        longer.push_back(letter);
        all.push_back(longer);
      }
    }
  }
  return all;
}

// A sequence, and a copy of it with fewer than `most_edits` random insertions
// and deletions.
inline std::pair<Sequence, Sequence> RandomEdits(uint64_t most_length,
                                                 uint64_t most_letters,
                                                 uint64_t most_edits,
                                                 SplitMix64* random) {
  Sequence before(random->Below(most_length));
  const uint64_t letters = 2 + random->Below(most_letters);
  for (uint64_t& x : before) x = random->Below(letters);
  Sequence after = before;
  for (uint64_t edits = random->Below(most_edits); edits > 0; --edits) {
    const size_t at = random->Below(after.size() + 1);
    const auto place = after.begin() + static_cast<ptrdiff_t>(at);
    if (at < after.size() && random->Below(2) == 0) {
      after.erase(place);
    } else {
      after.insert(place, random->Below(letters));
    }
  }
  return {std::move(before), std::move(after)};
}

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_VERIFY_TEST_SEQUENCES_H_
