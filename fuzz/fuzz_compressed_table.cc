// A compressed table made of any bytes is refused or read; a damaged one is
// refused or read as it was written; what is found in a range is what a scan
// finds.
#include <algorithm>
#include <vector>

#include "base/bytes.h"
#include "base/hash.h"
#include "candidate/compressed_table.h"
#include "scratch_file.h"
#include "store/file_header.h"
#include "target.h"

namespace {

using twinset::CompressedTable;
using twinset::FuzzInput;
using Values = std::vector<uint64_t>;

constexpr uint64_t kParameters = 7;

std::string Path() { return twinset::ScratchFolder() + "/table"; }

// With `expected` null anything ascending is fine.
void ReadAll(const Values* expected, uint64_t low, uint64_t high) {
  const auto table = CompressedTable::Open(Path(), kParameters);
  if (!table) return;
  Values scanned;
  const bool whole =
      table->Scan([&](uint64_t value) { scanned.push_back(value); })
          .has_value();
  twinset::Require(std::is_sorted(scanned.begin(), scanned.end()));
  if (whole && expected) twinset::Require(scanned == *expected);
  if (low > high) std::swap(low, high);
  Values found;
  const bool read =
      table
          ->ForEach(low, high,
                    [&](uint64_t value, uint64_t) { found.push_back(value); })
          .has_value();
  if (!read || !whole) return;
  const auto begin = std::lower_bound(scanned.begin(), scanned.end(), low);
  const auto end = std::upper_bound(scanned.begin(), scanned.end(), high);
  twinset::Require(found == Values(begin, end));
}

// Header, code, any one block and its index entry, footer: all with the
// checksums they need, so that what is behind them is reached.
void WriteAnyBlock(FuzzInput* input) {
  const auto header = twinset::EncodeFileHeader(
      {"hamtable", 1, CompressedTable::kBlockBytes, kParameters});
  std::string file(header.data(), header.size());
  std::string code(input->Take(65));
  for (char& length : code) length = static_cast<char>(length & 31);
  code.resize(72);
  twinset::AppendLE(&code, twinset::Hash64(code));
  const uint64_t count = input->Number(2);
  std::string index;
  twinset::AppendLE<uint64_t>(&index, input->Number(8));
  twinset::AppendLE<uint64_t>(&index, 0);
  twinset::AppendLE(&index, twinset::Hash64(index));
  std::string block(input->Rest().substr(0, CompressedTable::kBlockBytes - 4));
  block.resize(CompressedTable::kBlockBytes - 4);
  twinset::StoreLE<uint16_t>(block.data() + 8, static_cast<uint16_t>(count));
  twinset::AppendLE(&block, static_cast<uint32_t>(twinset::Hash64(block, 0)));
  const auto footer = twinset::EncodeFileFooter({count, 1});
  file.append(code).append(block).append(index).append(footer.data(),
                                                       footer.size());
  twinset::WriteScratch(Path(), file);
}

}  // namespace

TWINSET_FUZZ_TARGET(compressed_table) {
  FuzzInput input(data, size);
  const uint64_t mode = input.Number(1) % 3;
  const uint64_t low = input.Number(8), high = input.Number(8);
  if (mode == 0) {
    twinset::WriteScratch(Path(), std::string(input.Rest()));
    ReadAll(nullptr, low, high);
    return 0;
  }
  if (mode == 1) {
    WriteAnyBlock(&input);
    ReadAll(nullptr, low, high);
    return 0;
  }
  // Values in steps as the input says, then damage.
  Values values;
  twinset::SplitMix64 random(input.Number(1));
  const int shift = static_cast<int>(input.Number(1) % 64);
  for (uint64_t count = input.Number(2) % 3000; count > 0; --count)
    values.push_back(random.Next() >> shift);
  std::sort(values.begin(), values.end());
  twinset::Require(
      CompressedTable::Build(values).Write(Path(), kParameters).has_value());
  std::string bytes = twinset::ReadScratch(Path());
  twinset::Damage(&input, &bytes);
  twinset::WriteScratch(Path(), bytes);
  ReadAll(&values, low, high);
  return 0;
}
