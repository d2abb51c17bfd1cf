// The definition of HashTokensKeyed, with AES as FIPS 197 writes it.
#include <array>
#include <cstring>
#include <string_view>

#include "base/bytes.h"
#include "kernels/keyed_tokens.h"

namespace twinset::kernels {
namespace {

using Block = std::array<uint8_t, 16>;

constexpr uint64_t kTokenStream = 0x746f6b656e6b6579;  // "tokenkey"

uint8_t Double(uint8_t x) {
  return static_cast<uint8_t>(x << 1 ^ (x & 0x80 ? 0x1B : 0));
}

uint8_t Multiply(uint8_t x, uint8_t y) {
  uint8_t product = 0;
  for (; y != 0; y >>= 1, x = Double(x)) product ^= y & 1 ? x : 0;
  return product;
}

// The inverse in GF(2^8), then the affine map.
std::array<uint8_t, 256> MakeSubstitution() {
  std::array<uint8_t, 256> table;
  for (unsigned x = 0; x < 256; ++x) {
    uint8_t inverse = 1;  // x^254
    for (int i = 0; i < 254; ++i)
      inverse = Multiply(inverse, static_cast<uint8_t>(x));
    unsigned value = 0x63;
    for (unsigned shift = 0; shift < 5; ++shift)
      value ^= (unsigned{inverse} << shift | unsigned{inverse} >> (8 - shift));
    table[x] = static_cast<uint8_t>(value);
  }
  return table;
}

// SubBytes, ShiftRows, MixColumns, AddRoundKey.
Block AesRound(const Block& block, const uint8_t* key) {
  static const std::array<uint8_t, 256> substitution = MakeSubstitution();
  Block result;
  for (size_t column = 0; column < 4; ++column) {
    uint8_t s[4];
    for (size_t row = 0; row < 4; ++row)
      s[row] = substitution[block[4 * ((column + row) % 4) + row]];
    for (size_t row = 0; row < 4; ++row) {
      result[4 * column + row] = static_cast<uint8_t>(
          Double(s[row]) ^ Double(s[(row + 1) % 4]) ^ s[(row + 1) % 4] ^
          s[(row + 2) % 4] ^ s[(row + 3) % 4] ^ key[4 * column + row]);
    }
  }
  return result;
}

}  // namespace

TokenKey::TokenKey(const HashKey& key) {
  KeyStream stream(key, kTokenStream);
  const auto draw = [&](uint8_t* to) {
    for (size_t at = 0; at < 16; at += 8)
      StoreLE(reinterpret_cast<char*>(to + at), stream.Next());
  };
  draw(begin[0]);
  for (size_t size = 1; size <= kKeyedBlockBytes; ++size) {
    std::memcpy(begin[size], begin[0], 16);
    begin[size][15] ^= static_cast<uint8_t>(size);
  }
  for (auto& round : rounds) draw(round);
  long_tokens = stream.NextKey();
}

namespace reference {

void HashTokensKeyed(const TokenKey& key, const char* text,
                     const uint32_t* begins, const uint32_t* ends, size_t count,
                     uint64_t* hashes) {
  for (size_t i = 0; i < count; ++i) {
    const std::string_view token(text + begins[i], ends[i] - begins[i]);
    if (token.size() > kKeyedBlockBytes) {
      hashes[i] = SipHash13(key.long_tokens, token);
      continue;
    }
    Block block;
    std::memcpy(block.data(), key.begin[token.size()], block.size());
    for (size_t j = 0; j < token.size(); ++j)
      block[j] ^= static_cast<uint8_t>(token[j]);
    for (const auto& round : key.rounds) block = AesRound(block, round);
    hashes[i] = LoadLE<uint64_t>(reinterpret_cast<const char*>(block.data()));
  }
}

}  // namespace reference
}  // namespace twinset::kernels
