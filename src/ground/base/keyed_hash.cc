#include "base/keyed_hash.h"

#include <sys/random.h>
#include <time.h>

#include <bit>
#include <cerrno>
#include <cstring>

#include "base/bytes.h"

namespace twinset {
namespace {

class SipState {
 public:
  explicit SipState(const HashKey& key)
      : v0_(key.low ^ 0x736f6d6570736575),
        v1_(key.high ^ 0x646f72616e646f6d),
        v2_(key.low ^ 0x6c7967656e657261),
        v3_(key.high ^ 0x7465646279746573) {}

  template <int kRounds>
  void Absorb(uint64_t word) {
    v3_ ^= word;
    Rounds<kRounds>();
    v0_ ^= word;
  }
  template <int kRounds>
  uint64_t Finish() {
    v2_ ^= 0xff;
    Rounds<kRounds>();
    return v0_ ^ v1_ ^ v2_ ^ v3_;
  }

 private:
  template <int kRounds>
  void Rounds() {
    for (int i = 0; i < kRounds; ++i) {
      v0_ += v1_, v2_ += v3_;
      v1_ = std::rotl(v1_, 13) ^ v0_, v3_ = std::rotl(v3_, 16) ^ v2_;
      v0_ = std::rotl(v0_, 32);
      v2_ += v1_, v0_ += v3_;
      v1_ = std::rotl(v1_, 17) ^ v2_, v3_ = std::rotl(v3_, 21) ^ v0_;
      v2_ = std::rotl(v2_, 32);
    }
  }
  uint64_t v0_, v1_, v2_, v3_;
};

template <int kBlockRounds, int kFinalRounds>
uint64_t SipHash(const HashKey& key, std::string_view bytes) {
  SipState state(key);
  const char* p = bytes.data();
  size_t left = bytes.size();
  for (; left >= 8; left -= 8, p += 8)
    state.Absorb<kBlockRounds>(LoadLE<uint64_t>(p));
  uint64_t last = uint64_t{bytes.size()} << 56;
  for (size_t i = 0; i < left; ++i)
    last |= uint64_t{static_cast<uint8_t>(p[i])} << (8 * i);
  state.Absorb<kBlockRounds>(last);
  return state.Finish<kFinalRounds>();
}

bool ReadWord(std::string_view digits, uint64_t* word) {
  *word = 0;
  for (const char c : digits) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return false;
    *word = *word << 4 | static_cast<uint64_t>(digit);
  }
  return true;
}

}  // namespace

Result<HashKey> DrawHashKey() {
  HashKey key;
  char bytes[sizeof key];
  for (size_t filled = 0; filled < sizeof bytes;) {
    const ssize_t got = ::getrandom(bytes + filled, sizeof bytes - filled, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      return Fail(ErrorCode::kIo, std::string("the system gives no random "
                                              "numbers: ") +
                                      std::strerror(errno));
    }
    filled += static_cast<size_t>(got);
  }
  std::memcpy(&key, bytes, sizeof key);
  return key;
}

std::string WriteHashKey(const HashKey& key) {
  return ToHex(key.low) + ToHex(key.high);
}

bool ReadHashKey(std::string_view digits, HashKey* key) {
  return digits.size() == 32 && ReadWord(digits.substr(0, 16), &key->low) &&
         ReadWord(digits.substr(16), &key->high);
}

uint64_t SipHash13(const HashKey& key, std::string_view bytes) {
  return SipHash<1, 3>(key, bytes);
}

uint64_t SipHash24(const HashKey& key, std::string_view bytes) {
  return SipHash<2, 4>(key, bytes);
}

KeyedDigest::KeyedDigest(const HashKey& key) {
  KeyStream keys(key, 0x6469676573743132);  // "digest12"
  low_ = keys.NextKey();
  high_ = keys.NextKey();
}

uint64_t KeyStream::Next() {
  char counter[16];
  StoreLE(counter, stream_);
  StoreLE(counter + 8, count_++);
  return SipHash24(key_, {counter, sizeof counter});
}

HashKey KeyStream::NextKey() {
  const uint64_t low = Next();
  return {low, Next()};
}

const EqualityHash& EqualityHash::OfProcess() {
  static const EqualityHash hash([] {
    if (const auto key = DrawHashKey()) return *key;
    // A kernel without random numbers still places the program by chance.
    const auto place = reinterpret_cast<uintptr_t>(&hash);
    timespec now = {};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return HashKey{Mix64(place), Mix64(static_cast<uint64_t>(now.tv_nsec))};
  }());
  return hash;
}

Hash128Value EqualityHash::Ordered(std::string_view bytes,
                                   uint64_t kind) const {
  return {Short(bytes) ^ Mix64(kind), Hash128(bytes, kind).high};
}

}  // namespace twinset
