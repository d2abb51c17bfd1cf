// The vocabularies of main content: names of elements, words of a page's frame,
// words without a subject.
#ifndef TWINSET_SRC_STAGES_TEXT_CONTENT_CONTENT_WORDS_H_
#define TWINSET_SRC_STAGES_TEXT_CONTENT_CONTENT_WORDS_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace twinset {

// What an element's class, id, role or itemprop says it is.
enum class ContentGroup : uint8_t {
#define TWINSET_CONTENT_GROUP(enumerator, reason, patterns) enumerator,
#include "text/content/content_words.inc"
#undef TWINSET_CONTENT_GROUP
  kCount,
};
inline constexpr size_t kContentGroups =
    static_cast<size_t>(ContentGroup::kCount);
static_assert(kContentGroups <= 64);

// "in ..." of the group.
std::string_view ContentGroupReason(size_t group);

// Finds the patterns of content_words.inc in attribute values: Aho and Corasick
// (Efficient string matching, CACM 1975), so the time is linear in the value
// whatever the vocabulary.
class ContentNames {
 public:
  static const ContentNames& Get();
  // Groups (bits) with a pattern in `value`, which is taken to have borders on
  // both sides.
  uint64_t Match(std::string_view value) const;

 private:
  static constexpr size_t kSymbols = 32;  // a..z are 1..26, a border is 0
  ContentNames();
  std::vector<uint16_t> next_;  // state * kSymbols + symbol
  std::vector<uint64_t> groups_;
};

// What a word of a text is.
enum ContentWord : uint16_t {
#define TWINSET_CONTENT_CUE(enumerator, words) enumerator,
#include "text/content/content_cues.inc"
#undef TWINSET_CONTENT_CUE
  kContentCues,
};
inline constexpr uint16_t kStopWord = 1 << 15;

// Hash of bytes, one after the other (FNV-1a, 32 bits).
inline constexpr uint32_t kWordSeed = 0x811C9DC5u;
inline uint32_t WordHash(uint32_t hash, unsigned char lower) {
  return (hash ^ lower) * 0x01000193u;
}

// Hash of a word of a text in pieces: up to eight letters and digits of ASCII
// in small letters, else what stands for one character, by eights; zeros fill
// the last eight. The word's hash is the lower half.
inline constexpr uint64_t kWordPieceSeed = kWordSeed;
inline uint64_t WordPieceHash(uint64_t hash, uint64_t bytes) {
  hash = (hash ^ bytes) * 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 32;
}

// Words of content_cues.inc and stop_words.inc by hash.
class ContentWords {
 public:
  static const ContentWords& Get();
  // Bit of each cue the word of this hash belongs to, and kStopWord. O(1).
  // All slots are looked at, because whether a word is here is not to be
  // foreseen, and a wrong guess costs more.
  uint16_t Find(uint32_t hash) const {
    const Slot* const slots = &slots_[Place(hash)];
    uint32_t kinds = 0;
    for (size_t i = 0; i < kReach; ++i) {
      kinds |= slots[i].hash == hash ? slots[i].kinds : 0;
    }
    return static_cast<uint16_t>(kinds);
  }

 private:
  static constexpr size_t kSlotBits = 13;
  static constexpr size_t kSlots = size_t{1} << kSlotBits;
  static constexpr size_t kReach = 4;  // slots from its place that hold a word
  struct Slot {
    uint32_t hash = 0, kinds = 0;
  };
  ContentWords();
  size_t Place(uint32_t hash) const {
    return (hash * multiplier_) >> (32 - kSlotBits);
  }
  bool Fill();
  bool Add(std::string_view words, uint16_t kind);
  uint32_t multiplier_ = 0x9E3779B1u;
  std::vector<Slot> slots_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_CONTENT_CONTENT_WORDS_H_
