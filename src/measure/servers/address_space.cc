#include "servers/address_space.h"

#include <algorithm>
#include <charconv>

#include "base/ascii.h"
#include "base/hash.h"
#include "documents/text_lines.h"

namespace twinset {

namespace {

constexpr size_t kMostNetworks = 1 << 20;  // of a file

struct Block {
  uint32_t first = 0, last = 0;
};

// A whole number without sign and without leading zeros, up to `most`.
std::optional<uint32_t> ParsePart(std::string_view text, uint32_t most) {
  if (text.empty() || (text.size() > 1 && text[0] == '0')) return std::nullopt;
  uint32_t value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value > most)
    return std::nullopt;
  return value;
}

Result<Block> ParseBlock(const std::string& text) {
  const size_t slash = text.find('/');
  const auto address = ParseAddress(std::string_view(text).substr(0, slash));
  std::optional<uint32_t> prefix = 32;
  if (slash != std::string::npos)
    prefix = ParsePart(std::string_view(text).substr(slash + 1), 32);
  if (!address || !prefix) {
    return Fail(ErrorCode::kUsage, "'" + text + "' is no IPv4 network", "",
                "write 192.0.2.0/24 or 192.0.2.7");
  }
  const uint32_t host_bits =
      *prefix == 0 ? ~uint32_t{0} : (uint32_t{1} << (32 - *prefix)) - 1;
  if ((*address & host_bits) != 0) {
    return Fail(ErrorCode::kUsage,
                "'" + text + "' has bits set behind its prefix", "",
                "write " + AddressText(*address & ~host_bits) + "/" +
                    std::to_string(*prefix));
  }
  return Block{*address, *address | host_bits};
}

// Ascending, apart and not touching.
Result<std::vector<Block>> ParseBlocks(const std::vector<std::string>& texts) {
  std::vector<Block> blocks;
  for (const std::string& text : texts) {
    TWINSET_ASSIGN(const Block block, ParseBlock(text));
    blocks.push_back(block);
  }
  std::sort(blocks.begin(), blocks.end(),
            [](const Block& x, const Block& y) { return x.first < y.first; });
  std::vector<Block> merged;
  for (const Block& block : blocks) {
    if (!merged.empty() && uint64_t{merged.back().last} + 1 >= block.first) {
      merged.back().last = std::max(merged.back().last, block.last);
    } else {
      merged.push_back(block);
    }
  }
  return merged;
}

}  // namespace

std::optional<uint32_t> ParseAddress(std::string_view text) {
  uint32_t address = 0;
  for (int i = 0; i < 4; ++i) {
    const size_t dot = text.find('.');
    if ((dot == std::string_view::npos) != (i == 3)) return std::nullopt;
    const auto part = ParsePart(text.substr(0, dot), 255);
    if (!part) return std::nullopt;
    address = address << 8 | *part;
    if (i < 3) text.remove_prefix(dot + 1);
  }
  return address;
}

std::string AddressText(uint32_t address) {
  std::string text;
  for (int shift = 24; shift >= 0; shift -= 8) {
    if (!text.empty()) text += '.';
    text += std::to_string(address >> shift & 255);
  }
  return text;
}

Result<AddressSpace> AddressSpace::Make(
    const std::vector<std::string>& networks,
    const std::vector<std::string>& excluded) {
  if (networks.empty()) {
    return Fail(ErrorCode::kUsage, "no networks are stated", "",
                "give --networks with those you may probe");
  }
  TWINSET_ASSIGN(const auto wanted, ParseBlocks(networks));
  TWINSET_ASSIGN(const auto without, ParseBlocks(excluded));
  AddressSpace space;
  auto begin = without.begin();  // those before it end before the block
  for (const Block& block : wanted) {
    uint64_t first = block.first;
    const auto add = [&](uint64_t last) {
      space.ranges_.push_back({static_cast<uint32_t>(first),
                               static_cast<uint32_t>(last), space.size_});
      space.size_ += last - first + 1;
    };
    while (begin != without.end() && begin->last < block.first) ++begin;
    for (auto hole = begin; hole != without.end() && hole->first <= block.last;
         ++hole) {
      if (hole->first > first) add(uint64_t{hole->first} - 1);
      first = uint64_t{hole->last} + 1;
    }
    if (first <= block.last) add(block.last);
  }
  if (space.size_ == 0) {
    return Fail(ErrorCode::kUsage, "all of the networks are excluded", "",
                "exclude less");
  }
  return space;
}

uint32_t AddressSpace::At(uint64_t place) const {
  const auto after = std::upper_bound(
      ranges_.begin(), ranges_.end(), place,
      [](uint64_t p, const Range& range) { return p < range.before; });
  const Range& range = *(after - 1);
  return range.first + static_cast<uint32_t>(place - range.before);
}

bool AddressSpace::Contains(uint32_t address) const {
  const auto after = std::upper_bound(
      ranges_.begin(), ranges_.end(), address,
      [](uint32_t a, const Range& range) { return a < range.first; });
  return after != ranges_.begin() && address <= (after - 1)->last;
}

std::vector<std::string> AddressSpace::Blocks() const {
  std::vector<std::string> blocks;
  for (const Range& range : ranges_) {
    uint64_t first = range.first;
    while (first <= range.last) {
      int bits = 0;  // of the block that begins here
      while (bits < 32 && (first >> bits & 1) == 0 &&
             first + (uint64_t{2} << bits) - 1 <= range.last)
        ++bits;
      blocks.push_back(AddressText(static_cast<uint32_t>(first)) + "/" +
                       std::to_string(32 - bits));
      first += uint64_t{1} << bits;
    }
  }
  return blocks;
}

Result<std::vector<std::string>> ReadNetworks(const std::string& path) {
  std::vector<std::string> networks;
  Status status;
  const auto take = [&](const TextLine& line) -> Status {
    const std::string where = path + ":" + std::to_string(line.number);
    if (!line.problem.empty())
      return Fail(ErrorCode::kCorrupt, line.problem, where);
    const std::string_view network =
        Trim(line.text.substr(0, line.text.find('#')));
    if (network.empty()) return {};
    networks.emplace_back(network);
    if (const auto block = ParseBlock(networks.back()); !block)
      return Fail(ErrorCode::kCorrupt, block.error().message, where,
                  block.error().remedy);
    if (networks.size() <= kMostNetworks) return {};
    return Fail(ErrorCode::kUnsupported,
                "more than " + std::to_string(kMostNetworks) + " networks",
                where, "join neighbouring ones into larger blocks");
  };
  TWINSET_TRY(ForEachTextLine(path, [&](const TextLine& line) {
    status = take(line);
    return status.has_value();
  }));
  TWINSET_TRY(status);
  return networks;
}

RandomOrder::RandomOrder(uint64_t size, uint64_t seed)
    : size_(size), seed_(seed), half_bits_(1) {
  while (half_bits_ < 20 && (uint64_t{1} << (2 * half_bits_)) < size)
    ++half_bits_;
}

uint64_t RandomOrder::Encrypt(uint64_t value) const {
  const uint64_t mask = (uint64_t{1} << half_bits_) - 1;
  uint64_t left = value >> half_bits_, right = value & mask;
  for (uint64_t round = 0; round < 8; ++round) {
    const uint64_t mixed =
        Mix64(Mix64(seed_ + 0x9e3779b97f4a7c15ull * (round + 1)) ^ right);
    const uint64_t next = left ^ (mixed & mask);
    left = right;
    right = next;
  }
  return left << half_bits_ | right;
}

uint64_t RandomOrder::At(uint64_t draw) const {
  uint64_t value = draw;
  do {
    value = Encrypt(value);
  } while (value >= size_);
  return value;
}

}  // namespace twinset
