#include "sketch/learnt/rare_chunks.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "base/hash.h"
#include "kernels/unicode_class.h"

namespace twinset {
namespace {

// "letters1", "prefix-1", "chunks-1", big-endian.
constexpr uint64_t kLetterSeed = 0x6c65747465727331;
constexpr uint64_t kPrefixSeed = 0x7072656669782d31;
constexpr uint64_t kChunkSeed = 0x6368756e6b732d31;
// The base of the rolling sum; any odd number with mixed bits.
constexpr uint64_t kBase = 0x9e3779b97f4a7c15;

constexpr uint64_t Power(uint64_t base, size_t exponent) {
  uint64_t power = 1;
  for (size_t i = 0; i < exponent; ++i) power *= base;
  return power;
}
constexpr uint64_t kLeaving = Power(kBase, kChunkLetters);

constexpr int kIndexBits = 16;
// Prefixes in fewer than 2^4 documents are equally rare.
constexpr uint32_t kRareBits = 4;

bool IsVowelOrSpace(uint32_t c) {
  return c == ' ' || c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u';
}

void Append(uint64_t value, Sketch* sketch) {
  sketch->push_back(static_cast<uint32_t>(value));
  sketch->push_back(static_cast<uint32_t>(value >> 32));
}

// A chunk with its place in the order of choice.
struct Choice {
  uint8_t rarity;
  uint64_t hash;
  friend bool operator<(const Choice& x, const Choice& y) {
    return std::tie(x.rarity, x.hash) < std::tie(y.rarity, y.hash);
  }
  friend bool operator==(const Choice&, const Choice&) = default;
};

// The first `limit` distinct choices, in memory for a few times as many.
class Best {
 public:
  explicit Best(size_t limit) : limit_(limit) {}

  void Add(const Choice& choice) {
    if (full_ && !(choice < worst_)) return;
    choices_.push_back(choice);
    if (choices_.size() >= 4 * limit_ + 1024) Compact();
  }
  const std::vector<Choice>& Take() {
    Compact();
    return choices_;
  }

 private:
  void Compact() {
    std::sort(choices_.begin(), choices_.end());
    choices_.erase(std::unique(choices_.begin(), choices_.end()),
                   choices_.end());
    if (choices_.size() < limit_) return;
    choices_.resize(limit_);
    worst_ = choices_.back();
    full_ = true;
  }
  size_t limit_;
  std::vector<Choice> choices_;
  Choice worst_{};
  bool full_ = false;
};

class RareChunkSketcher : public Sketcher {
 public:
  RareChunkSketcher(int chunks, ChunkChoice choice,
                    std::shared_ptr<const PrefixRarity> rarity)
      : chunks_(static_cast<size_t>(chunks)),
        choice_(choice),
        rarity_(std::move(rarity)) {}

  std::string name() const override { return "rare-chunks"; }
  SketchLayout layout() const override {
    return {.comparison = SketchLayout::kAsSets, .value_bits = 64};
  }

  void Compute(std::string_view features, Sketch* sketch) const override {
    Best best(chunks_);
    ChunkStream stream(features);
    TextChunk chunk;
    while (stream.Next(&chunk)) {
      best.Add({choice_ == ChunkChoice::kRarest ? rarity_->Class(chunk.prefix)
                                                : uint8_t{0},
                chunk.hash});
    }
    std::vector<uint64_t> hashes;
    for (const Choice& chosen : best.Take()) hashes.push_back(chosen.hash);
    std::sort(hashes.begin(), hashes.end());
    sketch->clear();
    for (const uint64_t hash : hashes) Append(hash, sketch);
  }

  double Estimate(SketchView a, SketchView b) const override {
    const SketchAgreement agreement = CompareSketches(layout(), a, b);
    const uint64_t smaller = std::min(agreement.of_a, agreement.of_b);
    return smaller == 0 ? 0.0
                        : static_cast<double>(agreement.equal) /
                              static_cast<double>(smaller);
  }

 private:
  size_t chunks_;
  ChunkChoice choice_;
  std::shared_ptr<const PrefixRarity> rarity_;
};

}  // namespace

bool ChunkStream::NextLetter(uint64_t* letter) {
  const char* p = rest_.data();
  const char* const end = p + rest_.size();
  while (p < end) {
    const kernels::CodePoint c = kernels::DecodeUtf8(p, end);
    p += c.size;
    if (IsVowelOrSpace(c.value)) continue;
    rest_.remove_prefix(static_cast<size_t>(p - rest_.data()));
    *letter = Mix64(kLetterSeed + c.value);
    return true;
  }
  rest_ = {};
  return false;
}

bool ChunkStream::Next(TextChunk* chunk) {
  while (!ended_) {
    uint64_t letter = 0;
    if (!NextLetter(&letter)) {
      ended_ = true;
      if (letters_ == 0 || letters_ >= kChunkLetters) return false;
      // All there is; the length keeps it apart from the chunks of other texts.
      uint64_t prefix = kPrefixSeed;
      for (size_t i = 0; i < std::min<uint64_t>(letters_, kPrefixLetters); ++i)
        prefix = Mix64(prefix + window_[i]);
      *chunk = {Mix64(sum_ + kChunkSeed + letters_), prefix};
      return true;
    }
    uint64_t& slot = window_[letters_ % kChunkLetters];
    sum_ = sum_ * kBase + letter - slot * kLeaving;
    slot = letter;
    if (++letters_ < kChunkLetters) continue;
    uint64_t prefix = kPrefixSeed;
    for (size_t i = 0; i < kPrefixLetters; ++i)
      prefix = Mix64(prefix + window_[(letters_ + i) % kChunkLetters]);
    *chunk = {Mix64(sum_ + kChunkSeed), prefix};
    return true;
  }
  return false;
}

void ChunkPrefixes(std::string_view tokens, std::vector<uint64_t>* prefixes) {
  prefixes->clear();
  ChunkStream stream(tokens);
  TextChunk chunk;
  size_t compact_at = 1 << 16;
  const auto compact = [&] {
    std::sort(prefixes->begin(), prefixes->end());
    prefixes->erase(std::unique(prefixes->begin(), prefixes->end()),
                    prefixes->end());
  };
  while (stream.Next(&chunk)) {
    prefixes->push_back(chunk.prefix);
    if (prefixes->size() < compact_at) continue;
    compact();
    compact_at = std::max<size_t>(1 << 16, 2 * prefixes->size());
  }
  compact();
}

PrefixRarity::PrefixRarity(const FrequencyTable& frequencies)
    : starts_((1 << kIndexBits) + 1) {
  for (size_t i = 0; i < frequencies.features().size(); ++i) {
    const uint32_t log = Log2Fixed(frequencies.frequencies()[i]) >> 16;
    if (log < kRareBits) continue;
    const uint64_t prefix = frequencies.features()[i];
    prefixes_.push_back(prefix);
    classes_.push_back(static_cast<uint8_t>(log - kRareBits + 1));
    ++starts_[(prefix >> (64 - kIndexBits)) + 1];
  }
  for (size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
}

uint8_t PrefixRarity::Class(uint64_t prefix) const {
  const uint64_t slot = prefix >> (64 - kIndexBits);
  const auto begin = prefixes_.begin() + starts_[slot];
  const auto end = prefixes_.begin() + starts_[slot + 1];
  const auto at = std::lower_bound(begin, end, prefix);
  if (at == end || *at != prefix) return 0;
  return classes_[static_cast<size_t>(at - prefixes_.begin())];
}

Result<std::unique_ptr<Sketcher>> MakeRareChunkSketcher(
    int chunks, ChunkChoice choice,
    std::shared_ptr<const PrefixRarity> rarity) {
  if (chunks < 1 || chunks > 100000) {
    return Fail(ErrorCode::kUsage, "--chunks must be from 1 to 100000");
  }
  return std::make_unique<RareChunkSketcher>(chunks, choice, std::move(rarity));
}

}  // namespace twinset
