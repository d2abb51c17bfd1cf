// A fixed number of chunks of a text, chosen by the rarity of how they begin
// (Heintze, Scalable document fingerprinting, USENIX Electronic Commerce 1996).
// See docs/methods/rare-chunks.md.
#ifndef TWINSET_SRC_STAGES_SKETCH_LEARNT_RARE_CHUNKS_H_
#define TWINSET_SRC_STAGES_SKETCH_LEARNT_RARE_CHUNKS_H_

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/frequency_table.h"
#include "sketch/sketcher.h"

namespace twinset {

// Consonants of a chunk, and of the prefix its rarity is known by.
inline constexpr size_t kChunkLetters = 20;
inline constexpr size_t kPrefixLetters = 5;

// A chunk of a text: 20 letters that follow each other when spaces and the
// vowels a, e, i, o, u are left out.
struct TextChunk {
  uint64_t hash = 0;    // of all letters
  uint64_t prefix = 0;  // of the first five
};

// The chunks of normalised tokens joined by one space, in order. Calls
// `sink(TextChunk)` for each. A text of fewer letters is one chunk; one without
// letters has none. `tokens` is valid UTF-8. O(1) a letter.
class ChunkStream {
 public:
  explicit ChunkStream(std::string_view tokens) : rest_(tokens) {}
  // False: there are no more.
  bool Next(TextChunk* chunk);

 private:
  bool NextLetter(uint64_t* letter);
  std::string_view rest_;
  uint64_t letters_ = 0;                 // so far
  uint64_t window_[kChunkLetters] = {};  // the last ones, as a ring
  uint64_t sum_ = 0;                     // of them, rolling
  bool ended_ = false;
};

// The distinct prefixes of a text, ascending: what a FrequencyCounter counts.
void ChunkPrefixes(std::string_view tokens, std::vector<uint64_t>* prefixes);

// How rare a prefix is, in classes: 0 for fewer than 16 documents, then one
// more with every doubling. Coarse, so that what two versions of a text share
// is not passed over for what only one of them has.
class PrefixRarity {
 public:
  explicit PrefixRarity(const FrequencyTable& frequencies);
  uint8_t Class(uint64_t prefix) const;

 private:
  std::vector<uint64_t> prefixes_;  // of class 1 and above, ascending
  std::vector<uint8_t> classes_;
  std::vector<uint32_t> starts_;  // of prefixes by their highest bits
};

// Which chunks stand for a text.
enum class ChunkChoice {
  kRarest,  // of the lowest rarity class, among them of the lowest hash
  kLowest,  // of the lowest hash
};

// Features are tokens joined by one space. The sketch is the hashes of at most
// `chunks` distinct chunks, ascending, two words each. Estimate: the share of
// the smaller sketch's chunks that both have. kUsage unless chunks is
// in 1..100000.
Result<std::unique_ptr<Sketcher>> MakeRareChunkSketcher(
    int chunks, ChunkChoice choice, std::shared_ptr<const PrefixRarity> rarity);
inline Result<std::unique_ptr<Sketcher>> MakeRareChunkSketcher(
    int chunks, ChunkChoice choice, const PrefixRarity& rarity) {
  return MakeRareChunkSketcher(chunks, choice,
                               std::make_shared<const PrefixRarity>(rarity));
}

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_SKETCH_LEARNT_RARE_CHUNKS_H_
