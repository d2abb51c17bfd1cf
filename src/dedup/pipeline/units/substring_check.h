// Compares what was found equal by its hash with the place where it stands
// first, byte for byte and in two passes over the corpus in order.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_UNITS_SUBSTRING_CHECK_H_
#define TWINSET_SRC_DEDUP_PIPELINE_UNITS_SUBSTRING_CHECK_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "pipeline/run/run.h"
#include "store/external_sort.h"
#include "twinset/error.h"

namespace twinset {

class SubstringCheck {
 public:
  explicit SubstringCheck(Run* run)
      : run_(run), pieces_(run->SortOptions("run-pieces", 8), &run->budget) {}

  // `text`: tokens at `place`, each with a space behind it.
  Status Add(uint64_t first, uint64_t place, std::string_view text);
  // Returns true iff all that was added stands at its first place, too. Once.
  Result<bool> AreEqual();

 private:
  struct Piece {
    static constexpr uint32_t kBytes = 104;
    uint64_t first = 0, place = 0;
    uint32_t number = 0;  // within the text, from 0
    uint32_t bytes = 0;
    char text[kBytes] = {};
    std::array<uint64_t, 3> SortWords() const { return {first, place, number}; }
  };
  Run* run_;
  ExternalSorter<Piece> pieces_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_UNITS_SUBSTRING_CHECK_H_
