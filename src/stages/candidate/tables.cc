#include "candidate/tables.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/hash.h"

namespace twinset {

namespace {

// A level of a design: the sizes of its blocks, or how many there are.
struct Level {
  int blocks = 0;
  std::vector<int> sizes;  // empty: as equal as can be
};

struct Preset {
  std::string_view name, text;
};
// The four designs of Manku, Jain and Das Sarma, section 3: by their numbers of
// tables.
constexpr std::array<Preset, 4> kPresets = {{
    {"manku-20", "11,11,11,11,10,10"},
    {"manku-16", "4/4"},
    {"manku-10", "13,13,13,13,12"},
    {"manku-4", "4"},
}};

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// A number of one to three digits without sign.
std::optional<int> SmallNumber(std::string_view text) {
  if (text.empty() || text.size() > 3) return std::nullopt;
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

std::optional<Level> ParseLevel(std::string_view text) {
  Level level;
  const std::vector<std::string_view> parts = Split(text, ',');
  for (const std::string_view part : parts) {
    const std::optional<int> number = SmallNumber(part);
    if (!number || *number == 0) return std::nullopt;
    level.sizes.push_back(*number);
  }
  level.blocks = static_cast<int>(parts.size());
  if (level.blocks == 1) {
    level.blocks = level.sizes[0];
    level.sizes.clear();
  }
  return level;
}

std::optional<std::vector<Level>> ParseLevels(std::string_view text) {
  std::vector<Level> levels;
  for (const std::string_view part : Split(text, '/')) {
    std::optional<Level> level = ParseLevel(part);
    if (!level) return std::nullopt;
    levels.push_back(std::move(*level));
  }
  return levels;
}

// Appends a run, joined to the last one where they touch.
void AppendRun(BitRun run, std::vector<BitRun>* runs) {
  if (run.length == 0) return;
  if (!runs->empty() && runs->back().begin + runs->back().length == run.begin) {
    runs->back().length += run.length;
  } else {
    runs->push_back(run);
  }
}

// The next `length` places of `runs`, taken from its front.
std::vector<BitRun> TakeFront(int length, std::vector<BitRun>* runs) {
  std::vector<BitRun> taken;
  while (length > 0) {
    BitRun& first = runs->front();
    const int part = std::min(length, first.length);
    taken.push_back({first.begin, part});
    first.begin += part;
    first.length -= part;
    length -= part;
    if (first.length == 0) runs->erase(runs->begin());
  }
  return taken;
}

int TotalLength(const std::vector<BitRun>& runs) {
  int total = 0;
  for (const BitRun& run : runs) total += run.length;
  return total;
}

std::vector<BitRun> Sorted(std::vector<BitRun> runs) {
  std::sort(runs.begin(), runs.end(),
            [](BitRun a, BitRun b) { return a.begin < b.begin; });
  std::vector<BitRun> joined;
  for (const BitRun& run : runs) AppendRun(run, &joined);
  return joined;
}

// Moves `chosen` to the next combination of its size out of `count` in
// lexicographic order; false after the last.
bool NextCombination(int count, std::vector<int>* chosen) {
  const int size = static_cast<int>(chosen->size());
  int i = size - 1;
  while (i >= 0 && (*chosen)[i] == count - size + i) --i;
  if (i < 0) return false;
  ++(*chosen)[i];
  for (int j = i + 1; j < size; ++j) (*chosen)[j] = (*chosen)[j - 1] + 1;
  return true;
}

tl::unexpected<Error> WrongBlocks(std::string message, int distance) {
  return Fail(ErrorCode::kUsage, std::move(message), "",
              "--tables " + std::to_string(distance + 1) +
                  " is the fewest blocks for --distance " +
                  std::to_string(distance) + "; leave it out for that");
}

// The blocks of one level over the places that are left.
Result<std::vector<std::vector<BitRun>>> Blocks(const Level& level,
                                                int distance,
                                                std::vector<BitRun> places) {
  const int bits = TotalLength(places);
  const std::string count = std::to_string(level.blocks) + " blocks";
  if (level.blocks <= distance) {
    return WrongBlocks(count + " cannot find --distance " +
                           std::to_string(distance) +
                           ": every block may differ",
                       distance);
  }
  if (level.blocks > bits) {
    return WrongBlocks(
        count + " do not fit into " + std::to_string(bits) + " bits", distance);
  }
  std::vector<std::vector<BitRun>> blocks;
  int left = bits;
  for (int i = 0; i < level.blocks; ++i) {
    const int size = level.sizes.empty()
                         ? bits / level.blocks + (i < bits % level.blocks)
                         : level.sizes[i];
    if (size > left) break;
    left -= size;
    blocks.push_back(TakeFront(size, &places));
  }
  if (left != 0 || static_cast<int>(blocks.size()) != level.blocks) {
    return WrongBlocks("the sizes of the blocks do not add up to " +
                           std::to_string(bits) + " bits",
                       distance);
  }
  return blocks;
}

// Appends the tables of levels[depth..] to `design`: those that continue the
// key `key` and divide `places` further.
Status AddTables(const std::vector<Level>& levels, size_t depth,
                 const std::vector<BitRun>& key,
                 const std::vector<BitRun>& places, TableDesign* design) {
  if (depth == levels.size()) {
    if (design->tables.size() == kMaxTables) {
      return WrongBlocks("more than " + std::to_string(kMaxTables) + " tables",
                         design->distance);
    }
    PermutedTable table{Sorted(key), Sorted(places), TotalLength(key)};
    design->tables.push_back(std::move(table));
    return {};
  }
  TWINSET_ASSIGN(const auto blocks,
                 Blocks(levels[depth], design->distance, places));
  std::vector<int> chosen(blocks.size() -
                          static_cast<size_t>(design->distance));
  for (size_t i = 0; i < chosen.size(); ++i) chosen[i] = static_cast<int>(i);
  do {
    std::vector<BitRun> next_key = key, next_places;
    for (size_t i = 0; i < blocks.size(); ++i) {
      const bool in =
          std::binary_search(chosen.begin(), chosen.end(), static_cast<int>(i));
      std::vector<BitRun>& to = in ? next_key : next_places;
      to.insert(to.end(), blocks[i].begin(), blocks[i].end());
    }
    TWINSET_TRY(AddTables(levels, depth + 1, next_key, next_places, design));
  } while (NextCombination(static_cast<int>(blocks.size()), &chosen));
  return {};
}

uint64_t Mask(int length) {
  return length >= 64 ? ~uint64_t{0} : (uint64_t{1} << length) - 1;
}

// The sketch's words with all bits outside the key cleared, hashed: equal iff
// the keys are equal, but for collisions of the hash.
class TableKeys : public KeyGenerator {
 public:
  TableKeys(const TableDesign& design, size_t sketch)
      : sketch_(sketch),
        bits_(design.bits),
        words_(FingerprintWords(design.bits)) {
    for (const PermutedTable& table : design.tables) {
      const size_t begin = masks_.size();
      masks_.resize(begin + words_);
      for (const BitRun& run : table.key) {
        for (int place = run.begin; place < run.begin + run.length; ++place) {
          const size_t bit = FingerprintBit(design.bits, place);
          masks_[begin + bit / 32] |= uint32_t{1} << (bit % 32);
        }
      }
    }
  }
  void Keys(std::span<const Sketch> sketches, uint64_t scope,
            std::vector<uint64_t>* keys) const override {
    const Sketch& sketch = sketches[sketch_];
    std::array<uint32_t, kMaxFingerprintBits / 32> masked;
    const std::string_view bytes(reinterpret_cast<const char*>(masked.data()),
                                 words_ * sizeof(uint32_t));
    const size_t tables = masks_.size() / words_;
    for (size_t table = 0; table < tables; ++table) {
      for (size_t i = 0; i < words_; ++i) {
        masked[i] = sketch[i] & masks_[table * words_ + i];
      }
      keys->push_back(Hash64(bytes, Mix64(scope) + table));
    }
  }
  Status Check(std::span<const SketchLayout> layouts) const override {
    return CheckLayout(
        layouts, sketch_,
        {.comparison = SketchLayout::kByBit, .value_bits = bits_},
        "the generator of tables");
  }

 private:
  size_t sketch_;
  int bits_;
  size_t words_;
  std::vector<uint32_t> masks_;  // words_ a table
};

}  // namespace

int TableDesign::min_key_bits() const {
  int least = bits;
  for (const PermutedTable& table : tables) {
    least = std::min(least, table.key_bits);
  }
  return least;
}

Result<TableDesign> ParseTableDesign(std::string_view text, int bits,
                                     int distance) {
  if (bits < 1 || bits > kMaxFingerprintBits) {
    return Fail(ErrorCode::kUsage, "--bits is " + std::to_string(bits) +
                                       " but must be from 1 to " +
                                       std::to_string(kMaxFingerprintBits));
  }
  if (distance < 0 || distance >= bits) {
    return Fail(ErrorCode::kUsage, "--distance is " + std::to_string(distance) +
                                       " but must be from 0 to " +
                                       std::to_string(bits - 1) +
                                       ", less than --bits");
  }
  TableDesign design;
  design.bits = bits;
  design.distance = distance;
  design.name = text.empty() ? std::to_string(distance + 1) : std::string(text);
  std::string_view levels_text = design.name;
  for (const Preset& preset : kPresets) {
    if (preset.name != text) continue;
    if (bits != 64 || distance != 3) {
      return Fail(
          ErrorCode::kUsage,
          "--tables " + design.name + " is made for --bits 64 and --distance 3",
          "",
          "give the number of blocks, as --tables " +
              std::to_string(distance + 1));
    }
    levels_text = preset.text;
  }
  const std::optional<std::vector<Level>> levels = ParseLevels(levels_text);
  if (!levels) {
    return Fail(ErrorCode::kUsage,
                "--tables does not know the design '" + design.name + "'", "",
                "a number of blocks (5), their sizes (13,13,13,13,12), two "
                "levels (4/4), or one of manku-20, manku-16, manku-10, "
                "manku-4");
  }
  TWINSET_TRY(AddTables(*levels, 0, {}, {{0, bits}}, &design));
  return design;
}

uint64_t Permute(const PermutedTable& table, int bits, uint64_t fingerprint) {
  uint64_t permuted = 0;
  for (const std::vector<BitRun>* runs : {&table.key, &table.rest}) {
    for (const BitRun& run : *runs) {
      const uint64_t part =
          fingerprint >> (bits - run.begin - run.length) & Mask(run.length);
      permuted = (run.length == 64 ? 0 : permuted << run.length) | part;
    }
  }
  return permuted;
}

uint64_t Unpermute(const PermutedTable& table, int bits, uint64_t permuted) {
  uint64_t fingerprint = 0;
  int left = bits;
  for (const std::vector<BitRun>* runs : {&table.key, &table.rest}) {
    for (const BitRun& run : *runs) {
      left -= run.length;
      const uint64_t part = permuted >> left & Mask(run.length);
      fingerprint |= part << (bits - run.begin - run.length);
    }
  }
  return fingerprint;
}

std::unique_ptr<KeyGenerator> MakeTableKeys(const TableDesign& design,
                                            size_t sketch) {
  return std::make_unique<TableKeys>(design, sketch);
}

double ExpectedCandidates(const TableDesign& design, uint64_t fingerprints) {
  double expected = 0;
  for (const PermutedTable& table : design.tables) {
    double share = static_cast<double>(fingerprints);
    for (int i = 0; i < table.key_bits; ++i) share /= 2;
    expected += share;
  }
  return expected;
}

}  // namespace twinset
