// NFKC_Casefold of Unicode 15.0 in the forms Normaliser needs: a table for what
// one code point decides alone, and whole segments.
#ifndef TWINSET_SRC_STAGES_TEXT_TOKENS_NORMALISE_FOLD_H_
#define TWINSET_SRC_STAGES_TEXT_TOKENS_NORMALISE_FOLD_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace twinset::normalise_internal {

// Built once from utf8proc (a few milliseconds), then constant.
class FoldTable {
 public:
  // What a code point leaves nothing of (default ignorable ones).
  static constexpr uint8_t kIgnored = 255;

  static const FoldTable& Get();

  // The code point that `c` becomes when a boundary follows, or 0 when it
  // becomes several or is no boundary itself.
  uint32_t Folded(uint32_t c) const {
    if (c < kCodePoints) return folded_[c];
    return IsFarAndSame(c) ? c : Compute(c).folded;
  }
  // Returns true iff nothing before `c` can change with it: what it folds to is
  // not empty and begins with a code point that has combining class 0 and is
  // never the second one of a composition. U+200B and U+2019 are boundaries
  // because they are replaced.
  bool BoundaryBefore(uint32_t c) const {
    if (c < kCodePoints) return (boundary_[c >> 3] >> (c & 7) & 1) != 0;
    return IsFarAndSame(c) || Compute(c).boundary;
  }
  // Returns true iff `c` folds to itself and does not decompose.
  bool IsPlain(uint32_t c) const {
    return c < kCodePoints && (plain_[c >> 3] >> (c & 7) & 1) != 0;
  }
  // The combining class of a mark that is plain and composes with nothing
  // before it, kIgnored, or 0 for all else.
  uint8_t QuietMark(uint32_t c) const {
    return c < kMarkPoints ? marks_[c] : Compute(c).mark;
  }

 private:
  static constexpr uint32_t kCodePoints = 0x20000, kMarkPoints = 0x10000;
  struct Fold {
    bool boundary = false;
    bool plain = false;
    uint8_t mark = 0;
    uint32_t folded = 0;
  };

  // Behind the table only compatibility ideographs and the ignorable code
  // points of plane 14 change.
  static bool IsFarAndSame(uint32_t c) {
    return c >> 12 != 0x2F && c >> 16 != 0xE;
  }

  FoldTable();
  void FindSeconds();
  Fold Compute(uint32_t c) const;

  std::unique_ptr<uint32_t[]> folded_;
  std::unique_ptr<uint8_t[]> marks_;
  std::unique_ptr<uint8_t[]> boundary_, plain_;  // bits
  std::vector<int32_t> seconds_;                 // of compositions, ascending
};

// NFKC_Casefold of one valid UTF-8 segment (one that begins and ends at
// boundaries), as code points in place of those in *points. O(segment), also
// for unbounded runs of combining marks.
void FoldSegment(std::string_view segment, std::vector<int32_t>* points);

}  // namespace twinset::normalise_internal

#endif  // TWINSET_SRC_STAGES_TEXT_TOKENS_NORMALISE_FOLD_H_
