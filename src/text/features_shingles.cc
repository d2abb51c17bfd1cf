#include "text/features_shingles.h"

#include <algorithm>

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

ShingleMaker::ShingleMaker(TokenRule rule, const ShingleKind& kind,
                           const ShingleKeys& keys, FeatureHash)
    : kind_(kind),
      keys_(keys),
      walk_(rule, kind, keys),
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

void AppendCodePoints(const TokenWindow& window, bool first,
                      std::string_view separator, std::vector<uint64_t>* hashes,
                      std::vector<TextBounds>* bounds) {
  uint32_t gap_begin = 0;
  for (size_t i = 0; i < window.count; ++i) {
    if (!first && !separator.empty()) {
      hashes->push_back(HashCodePoint(' '));
      if (bounds != nullptr) bounds->push_back({gap_begin, window.begins[i]});
    }
    first = false;
    const char* const end = window.text + window.ends[i];
    for (const char* p = window.text + window.begins[i]; p < end;) {
      const kernels::CodePoint c = kernels::DecodeUtf8(p, end);
      hashes->push_back(HashCodePoint(c.value));
      const auto at = static_cast<uint32_t>(p - window.text);
      if (bounds != nullptr) bounds->push_back({at, at + c.size});
      p += c.size;
    }
    gap_begin = window.ends[i];
  }
}

}  // namespace twinset::features_internal
