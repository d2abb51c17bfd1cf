// Hashes under a secret key, for input that was made to collide: whoever does
// not know the key finds equal values by chance alone. Values are compared
// with each other and never leave a run, so they are no part of the spec.
#ifndef TWINSET_SRC_GROUND_BASE_KEYED_HASH_H_
#define TWINSET_SRC_GROUND_BASE_KEYED_HASH_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "twinset/error.h"

namespace twinset {

// 128 secret bits.
struct HashKey {
  uint64_t low = 0, high = 0;
  friend bool operator==(const HashKey&, const HashKey&) = default;
};

// A key from the random numbers of the kernel; kIo when it gives none.
Result<HashKey> DrawHashKey();
// 32 hexadecimal digits, those of `low` first, and back. False: no such digits.
std::string WriteHashKey(const HashKey& key);
bool ReadHashKey(std::string_view digits, HashKey* key);

// SipHash-1-3 and SipHash-2-4 (Aumasson and Bernstein, INDOCRYPT 2012), 64
// bits. The first is as hard to collide for who sees no value, and faster.
uint64_t SipHash13(const HashKey& key, std::string_view bytes);
uint64_t SipHash24(const HashKey& key, std::string_view bytes);
// The stream of constants number `stream` of a key: SipHash-2-4 of a counter.
class KeyStream {
 public:
  KeyStream(const HashKey& key, uint64_t stream) : key_(key), stream_(stream) {}
  uint64_t Next();
  HashKey NextKey();

 private:
  const HashKey key_;
  const uint64_t stream_;
  uint64_t count_ = 0;
};

// Two values of SipHash-1-3 under two keys drawn from one: a digest.
class KeyedDigest {
 public:
  explicit KeyedDigest(const HashKey& key);
  Hash128Value operator()(std::string_view bytes) const {
    return {SipHash13(low_, bytes), SipHash13(high_, bytes)};
  }

 private:
  HashKey low_, high_;
};

// By what things are found equal that others wrote: names, addresses, values.
// Safe to share between threads.
class EqualityHash {
 public:
  explicit EqualityHash(const HashKey& key) : digest_(key) {}
  // Under a secret that is drawn once for the process: for what no file hands
  // on to another one.
  static const EqualityHash& OfProcess();

  // Equal for equal bytes alone, but for a chance of 2^-64 or 2^-128 per pair.
  // The order is that of the secret: no result may depend on it.
  uint64_t Short(std::string_view bytes) const { return digest_(bytes).low; }
  Hash128Value Long(std::string_view bytes) const { return digest_(bytes); }
  // To sort by too: `high` is that of Hash128, the same in every run, and `low`
  // is secret. Things of one `kind` are compared with each other.
  Hash128Value Ordered(std::string_view bytes, uint64_t kind = 0) const;

 private:
  KeyedDigest digest_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_KEYED_HASH_H_
