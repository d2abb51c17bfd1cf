// The hashes and minima of MinHash as the Python package datasketch defines
// them (https://ekzhu.com/datasketch): for sketches that agree with its own.
#ifndef TWINSET_SRC_GROUND_KERNELS_DATASKETCH_H_
#define TWINSET_SRC_GROUND_KERNELS_DATASKETCH_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace twinset::kernels {

// The first 8 bytes of the SHA-1 of texts, little-endian, of many texts side
// by side. The order of what comes out is not that of what went in.
class Sha1Words {
 public:
  // What is ready goes to the back of *words.
  void Add(std::string_view text, std::vector<uint64_t>* words);
  // So does the rest. Then it can be used again.
  void Finish(std::vector<uint64_t>* words);

  static constexpr size_t kTexts = 16;  // side by side
  static constexpr size_t kBlockBytes = 64;

 private:
  static constexpr size_t kMostBlocks = 4;  // longer texts go one by one

  // Padded messages of `blocks` blocks, one behind the other. What stands in
  // the place of those that are not there is hashed for nothing.
  struct Waiting {
    char bytes[kTexts * kMostBlocks * kBlockBytes];
    size_t count = 0;
  };
  void Hash(size_t blocks, std::vector<uint64_t>* words);

  std::array<Waiting, kMostBlocks> waiting_;  // by blocks - 1
};

// Permutations come in groups of this many.
inline constexpr size_t kPermutationGroup = 16;

// Each lowers minima[i] to the least value of permutation i over all hashes.
// `a` and `b` have one size, a multiple of kPermutationGroup.
//   a h + b mod 2^32
void LowerAffine32(std::span<const uint32_t> hashes,
                   std::span<const uint32_t> a, std::span<const uint32_t> b,
                   uint32_t* minima);
//   a h + b mod 2^64
void LowerAffine64(std::span<const uint64_t> hashes,
                   std::span<const uint64_t> a, std::span<const uint64_t> b,
                   uint64_t* minima);
//   ((a h + b mod 2^64) mod (2^61 - 1)) mod 2^32
void LowerMersenne(std::span<const uint64_t> hashes,
                   std::span<const uint64_t> a, std::span<const uint64_t> b,
                   uint64_t* minima);

// The naive forms of the same.
namespace reference {

void LowerAffine32(std::span<const uint32_t> hashes,
                   std::span<const uint32_t> a, std::span<const uint32_t> b,
                   uint32_t* minima);
void LowerAffine64(std::span<const uint64_t> hashes,
                   std::span<const uint64_t> a, std::span<const uint64_t> b,
                   uint64_t* minima);
void LowerMersenne(std::span<const uint64_t> hashes,
                   std::span<const uint64_t> a, std::span<const uint64_t> b,
                   uint64_t* minima);

}  // namespace reference
}  // namespace twinset::kernels

#endif  // TWINSET_SRC_GROUND_KERNELS_DATASKETCH_H_
