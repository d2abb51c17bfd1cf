// Block-permuted tables: every pair of fingerprints that differ in at most k
// bits shares a key (Manku, Jain and Das Sarma, WWW 2007).
// See docs/methods/tables.md.
#ifndef TWINSET_SRC_STAGES_CANDIDATE_TABLES_H_
#define TWINSET_SRC_STAGES_CANDIDATE_TABLES_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "candidate/bands.h"
#include "core/fingerprint.h"
#include "core/values.h"
#include "twinset/error.h"

namespace twinset {

// Consecutive places of a fingerprint (core/fingerprint.h: place 0 leads).
struct BitRun {
  int begin = 0, length = 0;
  friend bool operator==(const BitRun&, const BitRun&) = default;
};

// One table: the places of its key, then all others, both ascending. The
// permuted fingerprint of the table is the bits in that order.
struct PermutedTable {
  std::vector<BitRun> key, rest;
  int key_bits = 0;
};

// How fingerprints of `bits` bits are looked up within `distance`. Two that
// differ in at most `distance` bits agree in the key of at least one table.
struct TableDesign {
  int bits = 64, distance = 3;
  std::string name;  // as written: "4", "4/4", "manku-20"
  std::vector<PermutedTable> tables;

  int min_key_bits() const;
};

// Most tables of a design.
inline constexpr size_t kMaxTables = 4096;

// A design by text:
//   ""              distance + 1 blocks, one a table
//   "6"             blocks of the most equal sizes, the larger ones first
//   "13,13,13,13,12"  blocks of these sizes
//   "4/4"           the first as above; the bits that a table leaves over are
//                   divided again in the same way, and both keys are joined
//   "manku-20|16|10|4"  the published designs for 64 bits and distance 3
// A table of b blocks takes all but `distance` of them, each choice once, in
// lexicographic order. kUsage for an unknown text, for blocks that are not more
// than the distance, that are empty or that do not add up to the bits, and
// beyond kMaxTables.
Result<TableDesign> ParseTableDesign(std::string_view text, int bits,
                                     int distance);

// A fingerprint of at most 64 bits in the order of a table, and back. The key
// is its `key_bits` leading bits. Both numbers stand in their low `bits` bits.
uint64_t Permute(const PermutedTable& table, int bits, uint64_t fingerprint);
uint64_t Unpermute(const PermutedTable& table, int bits, uint64_t permuted);

// One key per table, salted by the table's number, of sketch number `sketch`,
// which begins with the design's bits.
std::unique_ptr<KeyGenerator> MakeTableKeys(const TableDesign& design,
                                            size_t sketch);

// Expected candidates of one look-up among `fingerprints` uniform ones, over
// all tables: the sum of fingerprints / 2^key_bits.
double ExpectedCandidates(const TableDesign& design, uint64_t fingerprints);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_TABLES_H_
