// IPv4 addresses of networks given by the user, in a random order without
// repetition (docs/methods/random-ip.md).
#ifndef TWINSET_SRC_MEASURE_SERVERS_ADDRESS_SPACE_H_
#define TWINSET_SRC_MEASURE_SERVERS_ADDRESS_SPACE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/error.h"

namespace twinset {

// "a.b.c.d" in decimal without leading zeros; nothing else.
std::optional<uint32_t> ParseAddress(std::string_view text);
std::string AddressText(uint32_t address);

// Networks without the excluded ones, as one row of numbers. Immutable.
class AddressSpace {
 public:
  // CIDR blocks "a.b.c.d/n" (n from 0 to 32) or single addresses; what is in
  // two counts once. kUsage for anything else, for bits set behind the prefix,
  // and when nothing is left.
  static Result<AddressSpace> Make(const std::vector<std::string>& networks,
                                   const std::vector<std::string>& excluded);

  uint64_t size() const { return size_; }
  // The address at `place` < size(), ascending. Time: O(log ranges).
  uint32_t At(uint64_t place) const;
  bool Contains(uint32_t address) const;
  // The fewest CIDR blocks that hold these addresses and no others, ascending.
  std::vector<std::string> Blocks() const;

 private:
  struct Range {
    uint32_t first = 0, last = 0;
    uint64_t before = 0;  // addresses in earlier ranges
  };
  std::vector<Range> ranges_;  // ascending, apart
  uint64_t size_ = 0;
};

// One network a line; '#' begins a comment. kIo, kCorrupt with the line.
Result<std::vector<std::string>> ReadNetworks(const std::string& path);

// A permutation of 0..size-1 that needs no memory: a Feistel network of eight
// rounds over the next even power of two, walked until it falls into the range
// (Black and Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002). A
// draw is then a number that counts up, and a stopped run goes on from it.
class RandomOrder {
 public:
  // size from 1 to 2^40.
  RandomOrder(uint64_t size, uint64_t seed);
  // The place drawn at `draw` < size. At most four walks on average.
  uint64_t At(uint64_t draw) const;

 private:
  uint64_t Encrypt(uint64_t value) const;
  uint64_t size_, seed_;
  int half_bits_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_SERVERS_ADDRESS_SPACE_H_
