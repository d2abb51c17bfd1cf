#include "candidate/compressed_table.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/hash.h"
#include "kernels/hamming.h"
#include "store/file_header.h"

namespace twinset {

namespace {

// A block: first value, number of values, codes, checksum.
constexpr size_t kBlockBytes = CompressedTable::kBlockBytes;
constexpr size_t kFirstAt = 0, kCountAt = 8, kCodesAt = 10;
constexpr size_t kChecksumAt = kBlockBytes - 4;
constexpr size_t kCodesBytes = kChecksumAt - kCodesAt;
// Each value behind the first takes a bit or more.
constexpr uint64_t kMaxValues = 1 + kCodesBytes * 8;
// Behind the header: lengths of the code, zeros, checksum.
constexpr size_t kCodeBytes = 80;
constexpr size_t kCodeChecksumAt = kCodeBytes - 8;

FileHeader TableHeader(uint64_t parameters_hash) {
  return {"hamtable", 1, kBlockBytes, parameters_hash};
}

int Symbol(uint64_t differing) {
  return differing == 0 ? DifferenceCode::kEqual
                        : static_cast<int>(std::bit_width(differing)) - 1;
}

// Bits behind the code: those below the highest one that differs.
int RestBits(int symbol) {
  return symbol == DifferenceCode::kEqual ? 0 : symbol;
}

uint32_t BlockChecksum(const char* block, uint64_t number) {
  return static_cast<uint32_t>(
      Hash64(std::string_view(block, kChecksumAt), number));
}

tl::unexpected<Error> Damaged(const std::string& what, const std::string& path,
                              uint64_t offset) {
  return Fail(ErrorCode::kCorrupt, what, PlaceInFile(path, offset));
}

}  // namespace

CompressedTable CompressedTable::Build(std::span<const uint64_t> values) {
  CompressedTable table;
  table.count_ = values.size();
  if (values.empty()) return table;
  std::array<uint64_t, DifferenceCode::kSymbols> counts{};
  for (size_t i = 1; i < values.size(); ++i)
    ++counts[static_cast<size_t>(Symbol(values[i - 1] ^ values[i]))];
  if (values.size() == 1) counts[DifferenceCode::kEqual] = 1;
  table.code_ = DifferenceCode::Of(counts);
  for (size_t i = 0; i < values.size();) {
    char block[kBlockBytes] = {};
    StoreLE<uint64_t>(block + kFirstAt, values[i]);
    BitWriter bits(block + kCodesAt, kCodesBytes);
    const size_t first = i++;
    for (; i < values.size(); ++i) {
      const uint64_t differing = values[i - 1] ^ values[i];
      const int symbol = Symbol(differing);
      const int length = table.code_->lengths()[static_cast<size_t>(symbol)];
      const int rest = RestBits(symbol);
      // Both or neither: a code alone would be read as a value.
      if (!bits.Fits(length + rest)) break;
      bits.Write(table.code_->code(symbol), length);
      bits.Write(differing, rest);
    }
    StoreLE<uint16_t>(block + kCountAt, static_cast<uint16_t>(i - first));
    StoreLE<uint32_t>(block + kChecksumAt,
                      BlockChecksum(block, table.index_.size()));
    table.data_.append(block, kBlockBytes);
    table.index_.push_back({values[i - 1], first});
  }
  return table;
}

Status CompressedTable::Decode(size_t block,
                               std::vector<uint64_t>* values) const {
  char buffer[kBlockBytes];
  const char* bytes = data_.data() + block * kBlockBytes;
  const uint64_t offset = file_offset_ + block * kBlockBytes;
  if (file_.is_open()) {
    TWINSET_TRY(file_.ReadAt(offset, buffer, kBlockBytes));
    bytes = buffer;
  }
  if (LoadLE<uint32_t>(bytes + kChecksumAt) != BlockChecksum(bytes, block))
    return Damaged("a block fails its checksum", file_.path(), offset);
  const uint64_t count = CountOf(block);
  if (LoadLE<uint16_t>(bytes + kCountAt) != count)
    return Damaged("a block holds another number of values than the index says",
                   file_.path(), offset);
  values->clear();
  values->push_back(LoadLE<uint64_t>(bytes + kFirstAt));
  BitReader bits({bytes + kCodesAt, kCodesBytes});
  while (values->size() < count) {
    const uint64_t previous = values->back();
    const int symbol = code_->Read(&bits);
    uint64_t value = previous;
    if (symbol >= 0 && symbol != DifferenceCode::kEqual)
      value ^= uint64_t{1} << symbol | bits.Read(symbol);
    if (symbol < 0 || value < previous || bits.past_end())
      return Damaged("a block is not of ascending values", file_.path(),
                     offset);
    values->push_back(value);
  }
  if (values->back() != index_[block].last)
    return Damaged("a block does not end where the index says", file_.path(),
                   offset);
  return {};
}

Status CompressedTable::ForEach(
    uint64_t low, uint64_t high,
    const std::function<void(uint64_t, uint64_t)>& body) const {
  const auto first = std::partition_point(
      index_.begin(), index_.end(),
      [low](const IndexEntry& entry) { return entry.last < low; });
  std::vector<uint64_t> values;
  for (auto at = static_cast<size_t>(first - index_.begin());
       at < index_.size(); ++at) {
    TWINSET_TRY(Decode(at, &values));
    if (values.front() > high) break;
    for (size_t i = 0; i < values.size() && values[i] <= high; ++i)
      if (values[i] >= low) body(values[i], index_[at].first + i);
    if (index_[at].last > high) break;
  }
  return {};
}

Status CompressedTable::Scan(const std::function<void(uint64_t)>& body) const {
  std::vector<uint64_t> values;
  for (size_t block = 0; block < index_.size(); ++block) {
    TWINSET_TRY(Decode(block, &values));
    for (const uint64_t value : values) body(value);
  }
  return {};
}

// ---- as a file --------------------------------------------------------------

Status CompressedTable::Write(const std::string& path,
                              uint64_t parameters_hash) const {
  TWINSET_ASSIGN(OutputFile out, OutputFile::Create(path));
  const auto header = EncodeFileHeader(TableHeader(parameters_hash));
  TWINSET_TRY(out.Write({header.data(), header.size()}));
  char code[kCodeBytes] = {};
  if (code_.has_value())
    std::copy(code_->lengths().begin(), code_->lengths().end(), code);
  StoreLE<uint64_t>(code + kCodeChecksumAt, Hash64({code, kCodeChecksumAt}));
  TWINSET_TRY(out.Write({code, kCodeBytes}));
  if (file_.is_open()) {
    char block[kBlockBytes];
    for (size_t i = 0; i < index_.size(); ++i) {
      TWINSET_TRY(
          file_.ReadAt(file_offset_ + i * kBlockBytes, block, kBlockBytes));
      TWINSET_TRY(out.Write({block, kBlockBytes}));
    }
  } else {
    TWINSET_TRY(out.Write(data_));
  }
  std::string index;
  for (const IndexEntry& entry : index_) {
    AppendLE<uint64_t>(&index, entry.last);
    AppendLE<uint64_t>(&index, entry.first);
  }
  AppendLE<uint64_t>(&index, Hash64(index));
  TWINSET_TRY(out.Write(index));
  const auto footer = EncodeFileFooter({count_, index_.size()});
  TWINSET_TRY(out.Write({footer.data(), footer.size()}));
  return out.Commit();
}

Result<CompressedTable> CompressedTable::Open(const std::string& path,
                                              uint64_t parameters_hash) {
  CompressedTable table;
  TWINSET_ASSIGN(table.file_, File::OpenRead(path));
  TWINSET_TRY(ReadFileHeader(table.file_, TableHeader(parameters_hash)));
  TWINSET_ASSIGN(const uint64_t size, table.file_.Size());
  TWINSET_ASSIGN(const FileFooter footer, ReadFileFooter(table.file_, size));
  constexpr uint64_t kFixed =
      kFileHeaderBytes + kCodeBytes + 8 + kFileFooterBytes;
  constexpr uint64_t kPerBlock = kBlockBytes + sizeof(IndexEntry);
  const uint64_t blocks = footer.detail;
  if (size < kFixed || (size - kFixed) / kPerBlock != blocks ||
      (size - kFixed) % kPerBlock != 0)
    return Damaged("the file has another length than its footer says", path,
                   size);
  char code[kCodeBytes];
  TWINSET_TRY(table.file_.ReadAt(kFileHeaderBytes, code, kCodeBytes));
  if (LoadLE<uint64_t>(code + kCodeChecksumAt) !=
      Hash64({code, kCodeChecksumAt}))
    return Damaged("the code fails its checksum", path, kFileHeaderBytes);
  DifferenceCode::Lengths lengths;
  std::copy(code, code + lengths.size(), lengths.begin());
  auto made = DifferenceCode::FromLengths(lengths);
  if (!made) return Damaged(made.error().message, path, kFileHeaderBytes);
  table.code_ = *made;
  table.count_ = footer.count;
  table.file_offset_ = kFileHeaderBytes + kCodeBytes;

  const uint64_t index_at = table.file_offset_ + blocks * kBlockBytes;
  std::string index(blocks * sizeof(IndexEntry) + 8, '\0');
  TWINSET_TRY(table.file_.ReadAt(index_at, index.data(), index.size()));
  const std::string_view entries(index.data(), index.size() - 8);
  if (LoadLE<uint64_t>(entries.data() + entries.size()) != Hash64(entries))
    return Damaged("the index fails its checksum", path, index_at);
  ByteReader reader(entries);
  for (uint64_t i = 0; i < blocks; ++i) {
    const uint64_t last = reader.Read<uint64_t>();
    table.index_.push_back({last, reader.Read<uint64_t>()});
  }
  TWINSET_TRY(table.CheckIndex(path));
  return table;
}

Status CompressedTable::CheckIndex(const std::string& path) const {
  uint64_t rank = 0;
  bool good = index_.empty() == (count_ == 0);
  for (size_t i = 0; good && i < index_.size(); ++i) {
    good = index_[i].first == rank && CountOf(i) > 0 &&
           CountOf(i) <= kMaxValues &&
           (i == 0 || index_[i - 1].last <= index_[i].last);
    rank += CountOf(i);
  }
  if (!good || rank != count_)
    return Damaged("the index is not of ascending blocks", path,
                   file_offset_ + index_.size() * kBlockBytes);
  return {};
}

// ---- tables of a design -----------------------------------------------------

Result<CompressedTables> CompressedTables::Build(
    TableDesign design, std::span<const uint64_t> fingerprints,
    MemoryBudget* budget) {
  if (design.bits > 64)
    return Fail(ErrorCode::kUsage,
                "compressed tables are for fingerprints of at most 64 bits", {},
                "use the Hamming join for longer ones");
  const Error no_room = {ErrorCode::kMemory,
                         "no room for compressed tables",
                         {},
                         "fewer tables, or a larger --memory"};
  if (fingerprints.size() >= ~uint32_t{0})
    return Fail(ErrorCode::kUnsupported,
                "a set of more than 2^32 - 2 fingerprints");
  CompressedTables made;
  // Two arrays while tables are built: values, and what one table becomes.
  Reservation working =
      budget->TryReserve(fingerprints.size() * 4 * sizeof(uint64_t));
  made.paid_.push_back(budget->TryReserve(fingerprints.size() * 4));
  if (!working.ok() || !made.paid_.back().ok())
    return tl::unexpected<Error>(no_room);
  const auto pay = [&](const CompressedTable& table) {
    made.paid_.push_back(budget->TryReserve(table.bytes()));
    return made.paid_.back().ok();
  };
  made.rows_.resize(fingerprints.size());
  std::iota(made.rows_.begin(), made.rows_.end(), 0u);
  std::stable_sort(made.rows_.begin(), made.rows_.end(),
                   [&](uint32_t a, uint32_t b) {
                     return fingerprints[a] < fingerprints[b];
                   });
  std::vector<uint64_t> distinct;
  distinct.reserve(fingerprints.size());
  for (const uint32_t row : made.rows_) distinct.push_back(fingerprints[row]);
  made.sorted_ = CompressedTable::Build(distinct);
  if (!pay(made.sorted_)) return tl::unexpected<Error>(no_room);
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::vector<uint64_t> permuted(distinct.size());
  for (const PermutedTable& table : design.tables) {
    std::transform(distinct.begin(), distinct.end(), permuted.begin(),
                   [&](uint64_t fingerprint) {
                     return Permute(table, design.bits, fingerprint);
                   });
    kernels::SortValues(permuted.data(), permuted.size());
    made.tables_.push_back(CompressedTable::Build(permuted));
    if (!pay(made.tables_.back())) return tl::unexpected<Error>(no_room);
  }
  made.design_ = std::move(design);
  return made;
}

Result<std::vector<CompressedTables::Near>> CompressedTables::Find(
    uint64_t query) const {
  std::vector<uint64_t> found;
  for (size_t t = 0; t < tables_.size(); ++t) {
    const PermutedTable& table = design_.tables[t];
    const uint64_t wanted = Permute(table, design_.bits, query);
    const int free = design_.bits - table.key_bits;
    const uint64_t below =
        free >= 64 ? ~uint64_t{0} : (uint64_t{1} << free) - 1;
    TWINSET_TRY(tables_[t].ForEach(
        wanted & ~below, wanted | below, [&](uint64_t value, uint64_t) {
          if (std::popcount(value ^ wanted) <= design_.distance)
            found.push_back(Unpermute(table, design_.bits, value));
        }));
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::vector<Near> near;
  for (const uint64_t fingerprint : found) {
    const int distance = std::popcount(fingerprint ^ query);
    TWINSET_TRY(
        sorted_.ForEach(fingerprint, fingerprint, [&](uint64_t, uint64_t rank) {
          near.push_back({rows_[rank], distance});
        }));
  }
  std::sort(near.begin(), near.end(),
            [](const Near& a, const Near& b) { return a.row < b.row; });
  return near;
}

uint64_t CompressedTables::bytes() const {
  uint64_t bytes = sorted_.bytes();
  for (const CompressedTable& table : tables_) bytes += table.bytes();
  return bytes;
}

}  // namespace twinset
