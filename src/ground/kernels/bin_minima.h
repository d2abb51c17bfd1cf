// The scalar heart of fast_similarity.cc: it stands in a file of its own
// because compilers turn its minima, where vector instructions are allowed,
// into vector ones that cost more than they save.
#ifndef TWINSET_SRC_GROUND_KERNELS_BIN_MINIMA_H_
#define TWINSET_SRC_GROUND_KERNELS_BIN_MINIMA_H_

#include <cstddef>
#include <cstdint>
#include <span>

namespace twinset::kernels {

inline constexpr size_t kBinTables = 4;

// y = multiplier * x + addend mod 2^64 lowers tables[t][bin of y], t = the
// place of x mod kBinTables; `tables` are one behind the other, `bins` entries
// each. The update of a bin waits for the last store to it: with several tables
// shingles that meet in a bin pass each other.
void LowerTables(std::span<const uint64_t> shingles, uint64_t multiplier,
                 uint64_t addend, size_t bins, uint64_t* tables);
// The same for shingles of which y is already computed.
void LowerTables(std::span<const uint64_t> y, size_t bins, uint64_t* tables);
// The same into one table.
void LowerTable(std::span<const uint64_t> shingles, uint64_t multiplier,
                uint64_t addend, std::span<uint64_t> minima);

}  // namespace twinset::kernels

#endif  // TWINSET_SRC_GROUND_KERNELS_BIN_MINIMA_H_
