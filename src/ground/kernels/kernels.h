// The hot loops. Each is defined by its scalar reference (namespace reference)
// and runs on the best SIMD target of the CPU; all targets give equal results
// (kernels_test proves it on each).
#ifndef TWINSET_SRC_GROUND_KERNELS_KERNELS_H_
#define TWINSET_SRC_GROUND_KERNELS_KERNELS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/error.h"

namespace twinset::kernels {

// Readable slack that every input buffer marked "padded" must have behind its
// end.
inline constexpr size_t kPaddingBytes = 64;

// ---- target selection -------------------------------------------------------
// Names of the targets this CPU can run, best first; "scalar" is always last
// and means the reference code.
std::vector<std::string> Targets();
// Forces one of Targets() for the whole process ("" = best). An unknown name is
// kUsage. Call before any kernel runs; not thread-safe.
Status ForceTarget(std::string_view name);
std::string CurrentTarget();

// ---- MinHash ----------------------------------------------------------------
// values[i] = min over x of high32(multipliers[i] * x + addends[i] mod 2^64);
// all-ones for no x. Broder 1997; linear functions of well-mixed x.
// count(multipliers) is a multiple of 8.
void MinHash(std::span<const uint64_t> shingles,
             std::span<const uint64_t> multipliers,
             std::span<const uint64_t> addends, uint32_t* values);

// With y = multiplier * x + addend mod 2^64, x falls into bin floor(high32(y) *
// bins / 2^32). minima[i] = min y over the x of bin i; all-ones for none (y =
// all-ones is no value). One-permutation hashing (Li, Owen and Zhang 2012). 1
// <= size(minima) <= 4096.
void BinMinima(std::span<const uint64_t> shingles, uint64_t multiplier,
               uint64_t addend, std::span<uint64_t> minima);

// Fast Similarity Sketching (Dahlgaard, Knudsen and Thorup 2017). Round r < n =
// size(keys) throws all shingles into the bins by the r-th function, as
// BinMinima does; round n + i throws all into bin i. keys[i] = r << 51 | y >>
// 13 of the least y in the first round r that gives bin i any; all-ones for no
// shingle. 2 n functions; 1 <= n <= 4096. About one step per shingle when there
// are many more shingles than bins, never more than 2 n.
void FastSimilarity(std::span<const uint64_t> shingles,
                    std::span<const uint64_t> multipliers,
                    std::span<const uint64_t> addends,
                    std::span<uint64_t> keys);

// ---- SimHash ----------------------------------------------------------------
// counts[b] += number of values with bit b set, for the 64 bits.
void BitCounts(std::span<const uint64_t> values, uint64_t* counts);
// sums[b] += weights of the values with bit b set; weights[i] is of values[i].
void BitSums(std::span<const uint64_t> values,
             std::span<const uint32_t> weights, uint64_t* sums);

// ---- text -------------------------------------------------------------------
// Counts for a text in UTF-8, or for any bytes: bytes that do not continue a
// code point, and the control characters that no text has (below space, but not
// \b \t \n \v \f \r or ESC).
struct CharacterCounts {
  uint64_t code_points = 0, controls = 0;
  bool operator==(const CharacterCounts&) const = default;
};
CharacterCounts CountCharacters(std::string_view text);

// Writes ASCII-lower-cased bytes of `text` to `out` (text.size() +
// kPaddingBytes bytes) and returns the offset of the first byte >= 0x80, or
// text.size(). Bytes behind that offset are unspecified.
size_t LowerAscii(std::string_view text, char* out);

// Writes `text` with each run of HTML white space (space, TAB, LF, FF, CR)
// replaced by one space to `out` (text.size() + kPaddingBytes bytes); returns
// the bytes written. The first byte must not be white space.
size_t CollapseSpaces(std::string_view text, char* out);

// Token boundaries of normalised UTF-8 (padded) by the token rule of
// docs/spec/1.md: begins[i], ends[i] are byte offsets, ascending, not
// overlapping; both arrays have room for text.size() / 2 + 64 entries (adjacent
// tokens are 3 bytes or more, others have a separator between them); returns
// the number of tokens. Malformed bytes separate. Blocks of pure ASCII go the
// SIMD way, others by the class tables. text.size() < 2^32.
size_t FindTokens(std::string_view text, uint32_t* begins, uint32_t* ends);

// hashes[i] of the bytes [begins[i], ends[i]) of `text` (padded): keyed
// multiply-fold up to 16 bytes, XXH3 beyond. All bytes and the length count.
void HashTokens(const char* text, const uint32_t* begins, const uint32_t* ends,
                size_t count, uint64_t* hashes);

// shingles[i] = finalise(salt + sum over j < n of weights[j] * tokens[i + j]),
// i <= count - n: multilinear hashing mod 2^64 (Carter and Wegman),
// order-sensitive. n >= 1, count >= n. `shingles` may be `tokens`.
void ShingleHashes(const uint64_t* tokens, size_t count, size_t n,
                   const uint64_t* weights, uint64_t salt, uint64_t* shingles);

// ---- sets -------------------------------------------------------------------
// Sorts ascending, drops repeats, returns the new size.
size_t SortUnique(uint64_t* values, size_t count);
// |A intersect B| of two ascending unique sets.
size_t IntersectionSize(std::span<const uint64_t> a,
                        std::span<const uint64_t> b);

// |A intersect B| if it is at least `least`, else 0: stops when what is left of
// the sets cannot reach it.
size_t IntersectionAtLeast(std::span<const uint64_t> a,
                           std::span<const uint64_t> b, size_t least);
size_t IntersectionAtLeast(std::span<const uint32_t> a,
                           std::span<const uint32_t> b, size_t least);

// ---- trees ------------------------------------------------------------------
// Complete binary trees of depth 4: 15 inner nodes and 16 leaves each, tree by
// tree. Node k has the children 2k + 1 and 2k + 2; those of nodes 7 to 14 are
// the leaves.
struct Forest {
  static constexpr size_t kInner = 15, kLeaves = 16;
  static constexpr size_t kLanes = 32;  // rows judged at once
  size_t trees = 0;
  const uint8_t* features = nullptr;  // of the inner nodes
  // Values of the inner nodes and of the leaves, each twice (Twice), because
  // broadcasting 32 bits takes half the work of 16.
  const uint32_t* thresholds = nullptr;
  const uint32_t* leaves = nullptr;

  static constexpr uint32_t Twice(int16_t value) {
    return static_cast<uint16_t>(value) * uint32_t{0x10001};
  }
};
// sums[i] = the leaves that row i reaches, added up, for kLanes rows. Row i
// goes right at a node when values[feature * kLanes + i] > threshold.
void ForestSums(const Forest& forest, const int16_t* values, int32_t* sums);
// columns[c * Forest::kLanes + r] = rows[r * width + c] for kLanes rows of
// `width` numbers, at least 8.
void TransposeRows(const int16_t* rows, size_t width, int16_t* columns);

// ---- references -------------------------------------------------------------
namespace reference {
void MinHash(std::span<const uint64_t> shingles,
             std::span<const uint64_t> multipliers,
             std::span<const uint64_t> addends, uint32_t* values);
void BinMinima(std::span<const uint64_t> shingles, uint64_t multiplier,
               uint64_t addend, std::span<uint64_t> minima);
void FastSimilarity(std::span<const uint64_t> shingles,
                    std::span<const uint64_t> multipliers,
                    std::span<const uint64_t> addends,
                    std::span<uint64_t> keys);
void BitCounts(std::span<const uint64_t> values, uint64_t* counts);
void BitSums(std::span<const uint64_t> values,
             std::span<const uint32_t> weights, uint64_t* sums);
CharacterCounts CountCharacters(std::string_view text);
size_t LowerAscii(std::string_view text, char* out);
size_t CollapseSpaces(std::string_view text, char* out);
size_t FindTokens(std::string_view text, uint32_t* begins, uint32_t* ends);
void HashTokens(const char* text, const uint32_t* begins, const uint32_t* ends,
                size_t count, uint64_t* hashes);
void ShingleHashes(const uint64_t* tokens, size_t count, size_t n,
                   const uint64_t* weights, uint64_t salt, uint64_t* shingles);
size_t SortUnique(uint64_t* values, size_t count);
size_t IntersectionSize(std::span<const uint64_t> a,
                        std::span<const uint64_t> b);
size_t IntersectionAtLeast(std::span<const uint64_t> a,
                           std::span<const uint64_t> b, size_t least);
size_t IntersectionAtLeast(std::span<const uint32_t> a,
                           std::span<const uint32_t> b, size_t least);
void ForestSums(const Forest& forest, const int16_t* values, int32_t* sums);
void TransposeRows(const int16_t* rows, size_t width, int16_t* columns);
}  // namespace reference

}  // namespace twinset::kernels

#endif  // TWINSET_SRC_GROUND_KERNELS_KERNELS_H_
