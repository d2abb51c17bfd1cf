#include "sketch/learnt/spex.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "base/bytes.h"
#include "base/hash.h"

namespace twinset {
namespace {

// "spex--01", "spex--02", big-endian.
constexpr uint64_t kChunkSeed = 0x737065782d2d3031;
constexpr uint64_t kShortSeed = 0x737065782d2d3032;

constexpr std::string_view kMagic = "twinspex";
constexpr uint32_t kLayout = 1;
constexpr size_t kChecksumBytes = 8;
constexpr int kMinTableBits = 6, kMaxTableBits = 30;

tl::unexpected<Error> Damaged() {
  return Fail(ErrorCode::kCorrupt, "the chunks that SPEX learnt are damaged");
}

// The whole of a text of fewer tokens than a chunk.
uint64_t ShortChunk(std::span<const uint64_t> tokens) {
  return Mix64(SpexChunk(tokens.data(), tokens.size()) ^ kShortSeed);
}

// Flags as the slots that are set, or as words, whichever is shorter.
void AppendWords(const std::vector<uint64_t>& words, uint64_t count,
                 std::string* bytes) {
  const bool sparse = count * sizeof(uint32_t) < words.size() * 8;
  AppendLE<uint64_t>(bytes, sparse ? count : ~uint64_t{0});
  for (size_t i = 0; i < words.size(); ++i) {
    if (!sparse) {
      AppendLE(bytes, words[i]);
      continue;
    }
    for (uint64_t word = words[i]; word != 0; word &= word - 1) {
      AppendLE(bytes,
               static_cast<uint32_t>(
                   i * 64 + static_cast<size_t>(std::countr_zero(word))));
    }
  }
}

bool ReadWords(ByteReader* reader, std::vector<uint64_t>* words) {
  const auto count = reader->Read<uint64_t>();
  if (count == ~uint64_t{0}) {
    for (uint64_t& word : *words) word = reader->Read<uint64_t>();
    return reader->ok();
  }
  for (uint64_t i = 0; i < count && reader->ok(); ++i) {
    const auto slot = reader->Read<uint32_t>();
    if (slot / 64 >= words->size()) return false;
    (*words)[slot / 64] |= uint64_t{1} << slot % 64;
  }
  return reader->ok();
}

class SpexSketcher : public Sketcher {
 public:
  explicit SpexSketcher(SpexModel model) : model_(std::move(model)) {}

  std::string name() const override { return "spex"; }
  SketchLayout layout() const override {
    return {.comparison = SketchLayout::kAsSets, .value_bits = 64};
  }

  void Compute(std::string_view features, Sketch* sketch) const override {
    std::vector<uint64_t> chunks;
    model_.Chunks(AsHashes(features), &chunks);
    std::sort(chunks.begin(), chunks.end());
    chunks.erase(std::unique(chunks.begin(), chunks.end()), chunks.end());
    sketch->clear();
    sketch->reserve(2 * chunks.size());
    for (const uint64_t chunk : chunks) {
      sketch->push_back(static_cast<uint32_t>(chunk));
      sketch->push_back(static_cast<uint32_t>(chunk >> 32));
    }
  }

 private:
  SpexModel model_;
};

}  // namespace

uint64_t SpexChunk(const uint64_t* tokens, size_t length) {
  uint64_t hash = kChunkSeed + length;
  for (size_t i = 0; i < length; ++i) hash = Mix64(hash + tokens[i]);
  return hash;
}

uint64_t SpexFlags::count() const {
  uint64_t count = 0;
  for (const uint64_t word : words_)
    count += static_cast<uint64_t>(std::popcount(word));
  return count;
}

void SpexModel::Chunks(std::span<const uint64_t> tokens,
                       std::vector<uint64_t>* chunks) const {
  const auto length = static_cast<size_t>(length_);
  if (tokens.empty()) return;
  if (tokens.size() < length) {
    const uint64_t chunk = ShortChunk(tokens);
    if (last_.Has(chunk)) chunks->push_back(chunk);
    return;
  }
  bool before = shorter_.Has(SpexChunk(tokens.data(), length - 1));
  for (size_t i = 0; i + length <= tokens.size(); ++i) {
    const bool behind = shorter_.Has(SpexChunk(&tokens[i + 1], length - 1));
    if (before && behind) {
      const uint64_t chunk = SpexChunk(&tokens[i], length);
      if (last_.Has(chunk)) chunks->push_back(chunk);
    }
    before = behind;
  }
}

std::string SpexModel::Encode() const {
  std::string bytes(kMagic);
  AppendLE<uint32_t>(&bytes, kLayout);
  AppendLE<uint32_t>(&bytes, static_cast<uint32_t>(length_));
  AppendLE<uint32_t>(&bytes, static_cast<uint32_t>(last_.table_bits()));
  AppendWords(shorter_.words_, shorter_.count(), &bytes);
  AppendWords(last_.words_, last_.count(), &bytes);
  AppendLE<uint64_t>(&bytes, Hash64(bytes));
  return bytes;
}

Result<SpexModel> SpexModel::Decode(std::string_view bytes) {
  if (bytes.size() < kMagic.size() + kChecksumBytes ||
      bytes.substr(0, kMagic.size()) != kMagic)
    return Damaged();
  const std::string_view body = bytes.substr(0, bytes.size() - kChecksumBytes);
  if (LoadLE<uint64_t>(bytes.data() + body.size()) != Hash64(body))
    return Damaged();
  ByteReader reader(body.substr(kMagic.size()));
  const auto layout = reader.Read<uint32_t>();
  const auto length = reader.Read<uint32_t>();
  const auto table_bits = reader.Read<uint32_t>();
  if (layout != kLayout || length < 2 ||
      length > static_cast<uint32_t>(kMaxSpexLength) ||
      table_bits < static_cast<uint32_t>(kMinTableBits) ||
      table_bits > static_cast<uint32_t>(kMaxTableBits))
    return Damaged();
  SpexFlags shorter(static_cast<int>(table_bits));
  SpexFlags last(static_cast<int>(table_bits));
  if (!ReadWords(&reader, &shorter.words_) ||
      !ReadWords(&reader, &last.words_) || !reader.AtEnd())
    return Damaged();
  return SpexModel(static_cast<int>(length), std::move(shorter),
                   std::move(last));
}

SpexBuilder::SpexBuilder(int length, int table_bits, Reservation memory)
    : length_(length),
      table_bits_(table_bits),
      memory_(std::move(memory)),
      counters_((size_t{1} << table_bits) / 32),
      last_(table_bits) {}

Result<SpexBuilder> SpexBuilder::Create(int length, int table_bits,
                                        MemoryBudget* budget) {
  if (length < 2 || length > kMaxSpexLength) {
    return Fail(ErrorCode::kUsage, "a chunk of SPEX has 2 to " +
                                       std::to_string(kMaxSpexLength) +
                                       " words");
  }
  if (table_bits < kMinTableBits || table_bits > kMaxTableBits) {
    return Fail(ErrorCode::kUsage, "a table of SPEX has 2^6 to 2^30 counters");
  }
  // Counters, and the flags of two passes.
  const uint64_t bytes = (uint64_t{1} << table_bits) / 4 * 2;
  Reservation memory = budget->TryReserve(bytes);
  if (!memory.ok()) {
    return Fail(
        ErrorCode::kMemory,
        "the counters of SPEX need " + std::to_string(bytes >> 20) + " MB", "",
        "give more --memory");
  }
  return SpexBuilder(length, table_bits, std::move(memory));
}

void SpexBuilder::Count(uint64_t slot) {
  uint64_t& word = counters_[slot / 32];
  const int shift = static_cast<int>(slot % 32) * 2;
  const uint64_t value = word >> shift & 3;
  if (value == 1) last_.Set(slot);
  if (value < 3) word += uint64_t{1} << shift;
}

void SpexBuilder::Add(std::span<const uint64_t> tokens) {
  const auto length = static_cast<size_t>(pass_);
  slots_.clear();
  // A chunk counts only if both its parts, one token shorter, are flagged.
  const auto flagged = [&](size_t i) {
    return length == 1 || shorter_.Has(SpexChunk(&tokens[i], length - 1));
  };
  bool before = tokens.size() >= length && flagged(0);
  for (size_t i = 0; i + length <= tokens.size(); ++i) {
    const bool behind = length == 1 || flagged(i + 1);
    if (before && behind)
      slots_.push_back(last_.SlotOf(SpexChunk(&tokens[i], length)));
    before = behind;
  }
  if (pass_ == length_ && !tokens.empty() && tokens.size() < length)
    slots_.push_back(last_.SlotOf(ShortChunk(tokens)));
  std::sort(slots_.begin(), slots_.end());
  slots_.erase(std::unique(slots_.begin(), slots_.end()), slots_.end());
  for (const uint64_t slot : slots_) Count(slot);
}

void SpexBuilder::EndPass() {
  uint64_t occupied = 0;
  for (uint64_t& word : counters_) {
    occupied += static_cast<uint64_t>(
        std::popcount((word | word >> 1) & 0x5555555555555555));
    word = 0;
  }
  occupancy_.push_back(occupied);
  if (pass_ == length_) return;
  shorter_ = std::move(last_);
  last_ = SpexFlags(table_bits_);
  ++pass_;
}

SpexModel SpexBuilder::Finish() {
  return SpexModel(length_, std::move(shorter_), std::move(last_));
}

std::unique_ptr<Sketcher> MakeSpexSketcher(SpexModel model) {
  return std::make_unique<SpexSketcher>(std::move(model));
}

}  // namespace twinset
