// ICU's NFKC_Casefold in the forms Normaliser needs: a table for what one code
// point decides alone, and whole segments.
#ifndef TWINSET_SRC_STAGES_TEXT_TOKENS_NORMALISE_ICU_H_
#define TWINSET_SRC_STAGES_TEXT_TOKENS_NORMALISE_ICU_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace twinset::normalise_internal {

// Built once from ICU (a few milliseconds), then constant.
class FoldTable {
 public:
  static const FoldTable& Get();

  // The BMP code point that `c` becomes when a boundary follows, or 0 when that
  // takes more than this table.
  uint32_t Folded(uint32_t c) const {
    return c < 0x10000 ? folded_[c] : Far(c);
  }
  // Returns true iff nothing before `c` can change with it (ICU's
  // hasBoundaryBefore; U+200B and U+2019 are boundaries because they are
  // replaced).
  bool BoundaryBefore(uint32_t c) const {
    return c < 0x10000 ? (boundary_[c >> 3] >> (c & 7) & 1) != 0
                       : FarBoundary(c);
  }

 private:
  FoldTable();
  static uint32_t Far(uint32_t c);
  static bool FarBoundary(uint32_t c);
  std::unique_ptr<uint16_t[]> folded_;
  std::unique_ptr<uint8_t[]> boundary_;
};

// NFKC_Casefold of one valid UTF-8 segment (one that begins and ends at
// boundaries) into out[0, capacity). Returns the size of the result; when that
// is above `capacity` nothing useful was written. O(segment).
size_t FoldSegment(std::string_view segment, char* out, size_t capacity);

// Longest segment that ICU gets as it is: its reordering of combining marks is
// quadratic in the length of a run.
inline constexpr size_t kLongSegmentBytes = 4096;

}  // namespace twinset::normalise_internal

#endif  // TWINSET_SRC_STAGES_TEXT_TOKENS_NORMALISE_ICU_H_
