#include "text/tokens/features_shingles.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "base/hash.h"
#include "kernels/kernels.h"
#include "kernels/unicode_class.h"

namespace twinset::features_internal {
namespace {

// "shingle1", big-endian.
constexpr uint64_t kShingleSeed = 0x7368696e676c6531;
// "charkey1", big-endian.
constexpr uint64_t kCodePointSeed = 0x636861726b657931;

bool IsChunked(const ShingleKind& kind) {
  return kind.unit == ShingleKind::kChunk;
}

bool IsWindowed(const ShingleKind& kind) {
  return kind.unit == ShingleKind::kWord || kind.unit == ShingleKind::kChar;
}

// A code point is hashed as a token of its four bytes.
uint64_t HashOfPoint(const kernels::TokenKey& key, uint32_t c) {
  char bytes[4 + kernels::kPaddingBytes] = {};
  StoreLE(bytes, c);
  const uint32_t begin = 0, end = 4;
  uint64_t hash;
  kernels::HashTokensKeyed(key, bytes, &begin, &end, 1, &hash);
  return hash;
}

}  // namespace

ShingleKeys MakeKeys(const ShingleKind& kind) {
  const uint64_t a = IsWindowed(kind)  ? kind.n
                     : IsChunked(kind) ? kind.chunk_min
                                       : 0;
  const uint64_t b = IsChunked(kind) ? kind.chunk_max : 0;
  SplitMix64 random(
      Mix64(kShingleSeed ^ (uint64_t{kind.unit} << 56 | a << 28 | b)));
  ShingleKeys keys;
  keys.salt = random.Next();
  const size_t count = IsWindowed(kind) ? kind.n : Chunker::kWindow;
  for (size_t i = 0; i < count; ++i) keys.weights.push_back(random.Next() | 1);
  return keys;
}

ShingleKeys MakeSecretKeys(const ShingleKind& kind, const HashKey& secret) {
  // One stream for each kind; ParseShingles bounds the numbers.
  KeyStream random(
      secret,
      Mix64(kShingleSeed ^ (uint64_t{kind.unit} << 60 | uint64_t{kind.n} << 48 |
                            uint64_t{kind.chunk_min} << 24 | kind.chunk_max)));
  ShingleKeys keys;
  keys.salt = random.Next();
  if (IsWindowed(kind)) {
    for (size_t i = 0; i < kind.n; ++i)
      keys.weights.push_back(random.Next() | 1);
  }
  return keys;
}

SecretHash::SecretHash(const std::vector<ShingleKind>& kinds,
                       const HashKey& secret)
    : tokens(secret) {
  for (const ShingleKind& kind : kinds) {
    keys.push_back(MakeSecretKeys(kind, secret));
    has_chunks = has_chunks || IsChunked(kind);
  }
  for (uint32_t c = 0; c < ascii_.size(); ++c) {
    ascii_[c] = HashOfPoint(tokens, c);
  }
}

uint64_t SecretHash::CodePoint(uint32_t c) const {
  return c < ascii_.size() ? ascii_[c] : HashOfPoint(tokens, c);
}

ShingleMaker::ShingleMaker(TokenRule rule, const ShingleKind& kind,
                           const ShingleKeys& ends, const ShingleKeys& keys,
                           FeatureHash)
    : kind_(kind),
      keys_(keys),
      walk_(rule, kind, ends),
      segment_hash_(keys.salt) {}

// Shingles of windows of units. `units` is the first new one, `carried` stand
// before it.
void ShingleMaker::AddUnits(const uint64_t* units, size_t count, size_t carried,
                            std::vector<uint64_t>* hashes,
                            std::vector<UnitRange>* ranges) {
  const size_t n = kind_.n;
  const size_t before = std::min(carried, n - 1);
  units_ += count;
  if (before + count < n) return;
  const size_t made = before + count - n + 1;
  const size_t old = hashes->size();
  hashes->resize(old + made);
  kernels::ShingleHashes(units - before, before + count, n,
                         keys_.weights.data(), keys_.salt,
                         hashes->data() + old);
  if (ranges == nullptr) return;
  for (size_t i = 0; i < made; ++i) ranges->push_back({i, i + n - 1});
}

void ShingleMaker::AddToken(uint64_t hash, size_t at) {
  if (segment_tokens_ == 0) segment_range_.first = at;
  segment_range_.last = at;
  segment_hash_ = Mix64(segment_hash_ + hash);
  ++segment_tokens_;
}

void ShingleMaker::EndSegment(std::vector<uint64_t>* hashes,
                              std::vector<UnitRange>* ranges) {
  if (segment_tokens_ == 0) return;
  hashes->push_back(Mix64(segment_hash_ ^ segment_tokens_));
  if (ranges != nullptr) ranges->push_back(segment_range_);
  segment_hash_ = keys_.salt;
  segment_tokens_ = 0;
}

void ShingleMaker::Add(const ShingleInput& input, std::vector<uint64_t>* hashes,
                       std::vector<UnitRange>* ranges) {
  const TokenWindow& tokens = input.tokens;
  if (kind_.unit == ShingleKind::kWord) {
    return AddUnits(input.token_hashes, tokens.count, input.carried_tokens,
                    hashes, ranges);
  }
  if (kind_.unit == ShingleKind::kChar) {
    return AddUnits(input.code_point_hashes, input.code_points,
                    input.carried_code_points, hashes, ranges);
  }
  walk_.Over(
      input, [&](size_t i) { AddToken(input.token_hashes[i], i); },
      [&] { EndSegment(hashes, ranges); });
}

void ShingleMaker::Finish(const ShingleInput& input,
                          std::vector<uint64_t>* hashes,
                          std::vector<UnitRange>* ranges) {
  if (!IsWindowed(kind_)) return EndSegment(hashes, ranges);
  if (units_ == 0 || units_ >= kind_.n) return;
  // Fewer than n units: all of them still stand at the end of the input.
  const bool words = kind_.unit == ShingleKind::kWord;
  const uint64_t* units =
      words ? input.token_hashes - input.carried_tokens
            : input.code_point_hashes - input.carried_code_points;
  const auto count = static_cast<size_t>(units_);
  uint64_t hash;
  kernels::ShingleHashes(units, count, count, keys_.weights.data(),
                         keys_.salt + Mix64(units_), &hash);
  hashes->push_back(hash);
  if (ranges != nullptr) ranges->push_back({0, count - 1});
}

uint64_t HashCodePoint(uint32_t c) { return Mix64(kCodePointSeed + c); }

std::string_view CharacterJoiner::Before(const TokenWindow& window, size_t i) {
  const bool first = std::exchange(first_, false);
  if (!is_spec_) return first ? std::string_view() : separator_;
  const char* const end = window.text + window.ends[i];
  const bool single =
      kernels::ClassOf(
          kernels::DecodeUtf8(window.text + window.begins[i], end).value) ==
      kernels::CodePointClass::kSingle;
  const bool last_single = std::exchange(last_single_, single);
  const uint32_t gap_begin = i == 0 ? 0 : window.ends[i - 1];
  const bool is_break =
      window.begins[i] > gap_begin && !(single && last_single);
  return first || !is_break ? std::string_view() : separator_;
}

}  // namespace twinset::features_internal
