// Small inputs, all of them: for tests that compare with a naive reference.
#ifndef TWINSET_SRC_VERIFY_TEST_SEQUENCES_H_
#define TWINSET_SRC_VERIFY_TEST_SEQUENCES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace twinset::inline v1 {

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

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_VERIFY_TEST_SEQUENCES_H_
