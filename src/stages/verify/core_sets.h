// Sets of which very many pairs are compared, in a form in which that is quick
// (docs/methods/verification.md, Many pairs of few documents).
#ifndef TWINSET_SRC_STAGES_VERIFY_CORE_SETS_H_
#define TWINSET_SRC_STAGES_VERIFY_CORE_SETS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace twinset {

// What many sets have in common, the *core*: each of its elements becomes a bit
// of a set; the others of a set, the *rest*, stay as they are. Sets are
// ascending and unique.
class SetCore {
 public:
  // By some of the sets: elements that many of them have. Empty where these are
  // not at least half of all. Cost: sorts the elements.
  static SetCore Of(std::span<const std::span<const uint64_t>> sample);

  bool empty() const { return words_ == 0; }
  size_t words() const { return words_; }
  // `set` as the words of its bits and, behind them, its rest, ascending.
  std::vector<uint64_t> Encode(std::span<const uint64_t> set) const;
  // |A & B| of two encoded sets if it is at least `least`, else 0: the bits
  // come first, and the rests are compared only if they can make up for what
  // lacks.
  size_t Common(std::span<const uint64_t> a, std::span<const uint64_t> b,
                size_t least) const;

 private:
  // The slot of an element in the table: its own, or the free one.
  size_t SlotOf(uint64_t element) const;

  struct Slot {
    uint64_t element = 0;
    uint32_t bit = 0;  // + 1; 0: free
  };
  size_t words_ = 0;
  int shift_ = 0;
  std::vector<Slot> slots_;  // open addressing, at most half full
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_VERIFY_CORE_SETS_H_
