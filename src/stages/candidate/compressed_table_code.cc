#include "candidate/compressed_table_code.h"

#include <algorithm>
#include <queue>
#include <vector>

namespace twinset {

void BitWriter::Write(uint64_t value, int count) {
  while (count > 0) {
    const int room = 8 - static_cast<int>(at_ % 8);
    const int taken = std::min(room, count);
    const uint64_t part = value >> (count - taken) & ((1u << taken) - 1);
    to_[at_ / 8] = static_cast<char>(static_cast<uint8_t>(to_[at_ / 8]) |
                                     part << (room - taken));
    at_ += static_cast<size_t>(taken);
    count -= taken;
  }
}

uint64_t BitReader::Peek() const {
  const size_t byte = at_ / 8;
  char window[9] = {};
  if (byte + sizeof window <= bytes_.size()) {
    std::memcpy(window, bytes_.data() + byte, sizeof window);
  } else if (byte < bytes_.size()) {
    std::memcpy(window, bytes_.data() + byte, bytes_.size() - byte);
  }
  const int skipped = static_cast<int>(at_ % 8);
  const uint64_t high = __builtin_bswap64(LoadLE<uint64_t>(window));
  if (skipped == 0) return high;
  return high << skipped | static_cast<uint8_t>(window[8]) >> (8 - skipped);
}

namespace {

// Lengths of an optimal code; any lengths.
std::array<int, DifferenceCode::kSymbols> OptimalLengths(
    const std::array<uint64_t, DifferenceCode::kSymbols>& counts) {
  struct Node {
    uint64_t count;
    int number;  // symbols first, then joined nodes: ties are settled by it
    bool operator>(const Node& other) const {
      return count != other.count ? count > other.count : number > other.number;
    }
  };
  std::array<int, DifferenceCode::kSymbols> lengths{};
  std::priority_queue<Node, std::vector<Node>, std::greater<>> queue;
  std::vector<int> parents(DifferenceCode::kSymbols, -1);
  for (int symbol = 0; symbol < DifferenceCode::kSymbols; ++symbol)
    if (counts[static_cast<size_t>(symbol)] > 0)
      queue.push({counts[static_cast<size_t>(symbol)], symbol});
  if (queue.size() == 1) {
    lengths[static_cast<size_t>(queue.top().number)] = 1;
    return lengths;
  }
  while (queue.size() > 1) {
    const Node a = queue.top();
    queue.pop();
    const Node b = queue.top();
    queue.pop();
    const int joined = static_cast<int>(parents.size());
    parents.push_back(-1);
    parents[static_cast<size_t>(a.number)] = joined;
    parents[static_cast<size_t>(b.number)] = joined;
    queue.push({a.count + b.count, joined});
  }
  for (size_t symbol = 0; symbol < lengths.size(); ++symbol)
    for (int at = parents[symbol]; at >= 0;
         at = parents[static_cast<size_t>(at)])
      ++lengths[symbol];
  return lengths;
}

}  // namespace

DifferenceCode DifferenceCode::Of(std::array<uint64_t, kSymbols> counts) {
  DifferenceCode code;
  for (;;) {
    const auto lengths = OptimalLengths(counts);
    if (*std::max_element(lengths.begin(), lengths.end()) <= kMaxBits) {
      for (size_t i = 0; i < lengths.size(); ++i)
        code.lengths_[i] = static_cast<uint8_t>(lengths[i]);
      code.MakeCodes();
      return code;
    }
    // Rarer symbols than that are made a little more frequent.
    for (uint64_t& count : counts)
      if (count > 0) count = count / 4 + 1;
  }
}

Result<DifferenceCode> DifferenceCode::FromLengths(const Lengths& lengths) {
  uint64_t used = 0;
  int symbols = 0;
  for (const uint8_t length : lengths) {
    if (length > kMaxBits)
      return Fail(ErrorCode::kCorrupt, "a code is too long");
    if (length > 0) used += uint64_t{1} << (kMaxBits - length), ++symbols;
  }
  const uint64_t all = uint64_t{1} << kMaxBits;
  if (symbols > 1 ? used != all : symbols == 1 && used != all / 2)
    return Fail(ErrorCode::kCorrupt, "the code lengths are of no prefix code");
  DifferenceCode code;
  code.lengths_ = lengths;
  code.MakeCodes();
  return code;
}

void DifferenceCode::MakeCodes() {
  for (const uint8_t length : lengths_)
    if (length > 0) ++counts_[length];
  uint32_t next = 0, place = 0;
  for (size_t length = 1; length <= kMaxBits; ++length) {
    next = (next + counts_[length - 1]) << 1;
    first_[length] = next;
    place_[length] = place;
    uint32_t code = next;
    for (size_t symbol = 0; symbol < kSymbols; ++symbol) {
      if (lengths_[symbol] != length) continue;
      codes_[symbol] = code++;
      symbols_[place++] = static_cast<uint8_t>(symbol);
    }
  }
}

int DifferenceCode::Read(BitReader* bits) const {
  const uint64_t window = bits->Peek();
  for (int length = 1; length <= kMaxBits; ++length) {
    const auto at = static_cast<size_t>(length);
    const uint64_t code = window >> (64 - length);
    if (code >= first_[at] && code - first_[at] < counts_[at]) {
      bits->Skip(length);
      return symbols_[place_[at] + code - first_[at]];
    }
  }
  return -1;
}

}  // namespace twinset
