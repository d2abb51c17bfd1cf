#include "segments/posting_run.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/bytes.h"
#include "base/hash.h"
#include "store/file_header.h"

namespace twinset {

namespace {

constexpr size_t kBlockHeadBytes = 24;
constexpr size_t kSumBytes = 8;
constexpr size_t kPackedBits =
    (kIndexPageBytes - kBlockHeadBytes - kSumBytes) * 8;
constexpr size_t kBufferBytes = 64 << 10;
constexpr size_t kFilterLines = 63;  // of 64 bytes
constexpr uint64_t kLineBits = 512;
constexpr int kFilterProbes = 6;
constexpr uint64_t kIndexSeed = 0x696e646578;  // of the table of first keys

FileHeader RunHeader(uint64_t parameters_hash) {
  return {"ixrun", 1, 0, parameters_hash};
}

int WidthOf(uint64_t value) { return static_cast<int>(std::bit_width(value)); }

// Values of up to 57 bits behind each other, low bits first.
void PackBits(uint64_t value, size_t bit, char* bytes) {
  char* const at = bytes + bit / 8;
  StoreLE(at, LoadLE<uint64_t>(at) | value << bit % 8);
}
uint64_t UnpackBits(const char* bytes, size_t bit, int width) {
  const uint64_t mask = (uint64_t{1} << width) - 1;
  return LoadLE<uint64_t>(bytes + bit / 8) >> bit % 8 & mask;
}

uint64_t PageSum(const char* page, uint64_t number) {
  return Hash64({page, kIndexPageBytes - kSumBytes}, number);
}

// Where the bits of a key stand in a page.
size_t LineOfHash(uint64_t hash) {
  return hash % kFilterLines * (kLineBits / 8);
}

// Calls `probe` with the bytes and bits of a page by which a key is known.
template <typename Probe>
void ForEachProbe(uint64_t key, const Probe& probe) {
  const uint64_t hash = Mix64(key);
  const size_t line = LineOfHash(hash);
  uint64_t bits = Mix64(hash);
  for (int i = 0; i < kFilterProbes; ++i, bits >>= 9) {
    const size_t bit = bits % kLineBits;
    probe(line + bit / 8, static_cast<unsigned char>(1u << bit % 8));
  }
}

// Pages stand as five blocks and their filter, again and again; the last blocks
// may be fewer.
uint64_t PageOfBlock(uint64_t block) {
  return block + block / kBlocksPerFilter;
}
uint64_t PageOfFilter(uint64_t filter, uint64_t blocks) {
  const uint64_t end = std::min((filter + 1) * kBlocksPerFilter, blocks);
  return end + filter;
}
uint64_t FiltersOf(uint64_t blocks) {
  return (blocks + kBlocksPerFilter - 1) / kBlocksPerFilter;
}

}  // namespace

Result<PostingRunWriter> PostingRunWriter::Create(const std::string& path,
                                                  uint64_t parameters_hash) {
  PostingRunWriter writer;
  TWINSET_ASSIGN(writer.file_, File::Create(path));
  const auto header = EncodeFileHeader(RunHeader(parameters_hash));
  writer.buffer_.assign(header.data(), header.size());
  return writer;
}

Status PostingRunWriter::Append(const IndexPosting& posting) {
  const uint64_t delta = block_.empty() ? 0 : posting.key - block_.back().key;
  if (!block_.empty()) {
    const uint64_t least = std::min(least_value_, posting.value);
    const uint64_t most = std::max(most_value_, posting.value);
    const auto bits = static_cast<size_t>(
        WidthOf(std::max(most_delta_, delta)) + WidthOf(most - least));
    if ((block_.size() + 1) * bits + 64 > kPackedBits || block_.size() == 65535)
      TWINSET_TRY(FlushBlock());
  }
  if (block_.empty()) {
    first_keys_.push_back(posting.key);
    most_delta_ = 0;
    least_value_ = most_value_ = posting.value;
  } else {
    most_delta_ = std::max(most_delta_, delta);
    least_value_ = std::min(least_value_, posting.value);
    most_value_ = std::max(most_value_, posting.value);
  }
  if (filtered_.empty() || filtered_.back() != posting.key)
    filtered_.push_back(posting.key);
  block_.push_back(posting);
  ++count_;
  return {};
}

Status PostingRunWriter::WritePage(std::string page) {
  page.resize(kIndexPageBytes - kSumBytes);
  page.resize(kIndexPageBytes);
  StoreLE(page.data() + kIndexPageBytes - kSumBytes,
          PageSum(page.data(), pages_++));
  buffer_ += page;
  if (buffer_.size() < kBufferBytes) return {};
  TWINSET_TRY(file_.Write(buffer_));
  buffer_.clear();
  return {};
}

Status PostingRunWriter::FlushBlock() {
  const int key_bits = WidthOf(most_delta_);
  const int value_bits = WidthOf(most_value_ - least_value_);
  std::string page;
  AppendLE<uint64_t>(&page, block_[0].key);
  AppendLE<uint64_t>(&page, least_value_);
  AppendLE<uint16_t>(&page, static_cast<uint16_t>(block_.size()));
  page += static_cast<char>(key_bits);
  page += static_cast<char>(value_bits);
  page.resize(kIndexPageBytes);
  char* const packed = page.data() + kBlockHeadBytes;
  size_t bit = 0;
  uint64_t before = block_[0].key;
  for (const IndexPosting& posting : block_) {
    PackBits(posting.key - before, bit, packed);
    before = posting.key;
    bit += static_cast<size_t>(key_bits);
  }
  for (const IndexPosting& posting : block_) {
    PackBits(posting.value - least_value_, bit, packed);
    bit += static_cast<size_t>(value_bits);
  }
  TWINSET_TRY(WritePage(std::move(page)));
  block_.clear();
  if (first_keys_.size() % kBlocksPerFilter == 0) return FlushFilter();
  return {};
}

Status PostingRunWriter::FlushFilter() {
  std::string page(kIndexPageBytes, '\0');
  for (const uint64_t key : filtered_) {
    ForEachProbe(key, [&](size_t byte, unsigned char bit) {
      page[byte] =
          static_cast<char>(static_cast<unsigned char>(page[byte]) | bit);
    });
  }
  filtered_.clear();
  return WritePage(std::move(page));
}

Status PostingRunWriter::Finish() {
  if (!block_.empty()) TWINSET_TRY(FlushBlock());
  if (!filtered_.empty()) TWINSET_TRY(FlushFilter());
  std::string keys;
  for (const uint64_t key : first_keys_) AppendLE<uint64_t>(&keys, key);
  AppendLE<uint64_t>(&keys, Hash64(keys, kIndexSeed));
  buffer_ += keys;
  const auto footer = EncodeFileFooter({count_, first_keys_.size()});
  buffer_.append(footer.data(), footer.size());
  TWINSET_TRY(file_.Write(buffer_));
  TWINSET_TRY(file_.Sync());
  return file_.Close();
}

Result<std::unique_ptr<PostingRun>> PostingRun::Open(const std::string& path,
                                                     uint64_t parameters_hash,
                                                     MemoryBudget* budget) {
  std::unique_ptr<PostingRun> run(new PostingRun());
  TWINSET_ASSIGN(run->file_, File::OpenRead(path));
  TWINSET_TRY(ReadFileHeader(run->file_, RunHeader(parameters_hash)));
  TWINSET_TRY(run->Load(budget));
  return run;
}

Status PostingRun::Load(MemoryBudget* budget) {
  TWINSET_ASSIGN(const uint64_t size, file_.Size());
  TWINSET_ASSIGN(const FileFooter footer, ReadFileFooter(file_, size));
  count_ = footer.count;
  const uint64_t blocks = footer.detail;
  const uint64_t body = size - kFileHeaderBytes - kFileFooterBytes;
  // A block has a posting at least, so that sums cannot overflow.
  if (blocks > body / kIndexPageBytes || blocks > count_ ||
      (blocks + FiltersOf(blocks)) * kIndexPageBytes + blocks * 8 + kSumBytes !=
          body) {
    return Fail(ErrorCode::kCorrupt,
                std::to_string(blocks) + " blocks do not make a file of " +
                    std::to_string(size) + " bytes",
                path());
  }
  const uint64_t bytes = blocks * 8 + kSumBytes;
  memory_ = budget->ReserveUpTo(bytes, bytes);
  std::string keys(bytes, '\0');
  TWINSET_TRY(
      file_.ReadAt(size - kFileFooterBytes - bytes, keys.data(), bytes));
  if (LoadLE<uint64_t>(keys.data() + blocks * 8) !=
      Hash64(std::string_view(keys).substr(0, blocks * 8), kIndexSeed)) {
    return Fail(ErrorCode::kCorrupt, "the table of blocks fails its checksum",
                path());
  }
  first_keys_.resize(blocks);
  for (uint64_t i = 0; i < blocks; ++i)
    first_keys_[i] = LoadLE<uint64_t>(keys.data() + i * 8);
  for (uint64_t kind = 0; kind <= IndexKey::kKinds; ++kind) {
    first_blocks_[kind] = static_cast<uint64_t>(
        std::lower_bound(first_keys_.begin(), first_keys_.end(),
                         kind << IndexKey::kBits) -
        first_keys_.begin());
  }
  return LoadFilters(budget);
}

Status PostingRun::LoadFilters(MemoryBudget* budget) {
  const uint64_t blocks = first_keys_.size();
  const uint64_t bytes = FiltersOf(blocks) * kIndexPageBytes;
  if (bytes > budget->available_bytes() ||
      budget->available_bytes() - bytes < budget->limit_bytes() / 2)
    return {};
  filter_memory_ = budget->TryReserve(bytes);
  if (!filter_memory_.ok()) return {};
  TWINSET_ASSIGN(filters_, LazyBuffer::Map(bytes));
  // Any key may ask for any page.
  filters_.PreferHugePages();
  for (uint64_t i = 0; i < FiltersOf(blocks); ++i)
    TWINSET_TRY(ReadPage(PageOfFilter(i, blocks),
                         filters_.data() + i * kIndexPageBytes));
  return {};
}

Status PostingRun::ReadPage(uint64_t page, char* to) const {
  const uint64_t offset = kFileHeaderBytes + page * kIndexPageBytes;
  TWINSET_TRY(file_.ReadAt(offset, to, kIndexPageBytes));
  if (LoadLE<uint64_t>(to + kIndexPageBytes - kSumBytes) == PageSum(to, page))
    return {};
  return Fail(ErrorCode::kCorrupt, "a page of postings fails its checksum",
              PlaceInFile(path(), offset),
              "make it again: twinset index verify --repair");
}

bool PostingRun::MayHave(uint64_t block, uint64_t key) const {
  if (filters_.size() == 0) return true;
  const char* const page = FilterOf(block);
  bool has = true;
  ForEachProbe(key, [&](size_t byte, unsigned char bit) {
    has &= (static_cast<unsigned char>(page[byte]) & bit) != 0;
  });
  return has;
}

// Hashes are spread evenly over the blocks of their kind.
uint64_t PostingRun::GuessBlock(uint64_t key) const {
  const uint64_t kind = key >> IndexKey::kBits;
  if (kind >= IndexKey::kKinds) return first_keys_.size();
  const uint64_t first = first_blocks_[kind];
  const auto at =
      static_cast<unsigned __int128>(first_blocks_[kind + 1] - first) *
      (key & IndexKey::kMost);
  // Checksums do not stop who writes keys that do not ascend.
  return std::min<uint64_t>(
      first + static_cast<uint64_t>(at >> IndexKey::kBits), first_keys_.size());
}

// The key may begin in the block before the first one that begins with it or
// behind it. The steps from the guess double, so that a bad one costs a binary
// search.
uint64_t PostingRun::BlockOf(uint64_t key, uint64_t guess) const {
  const uint64_t blocks = first_keys_.size();
  uint64_t begin = guess, end = guess;  // [0, begin) are before, [end) are not
  for (uint64_t step = 1; begin > 0 && first_keys_[begin - 1] >= key; step *= 2)
    begin -= std::min(begin, step);
  for (uint64_t step = 1; end < blocks && first_keys_[end] < key; step *= 2)
    end += std::min(blocks - end, step);
  const auto at =
      std::lower_bound(first_keys_.begin() + static_cast<ptrdiff_t>(begin),
                       first_keys_.begin() + static_cast<ptrdiff_t>(end), key);
  const auto block = static_cast<uint64_t>(at - first_keys_.begin());
  return block > 0 ? block - 1 : 0;
}

uint64_t PostingRun::Screen(std::span<const uint64_t> keys) const {
  if (filters_.size() == 0) return ~uint64_t{0};
  std::array<uint64_t, kScreened> blocks = {};
  for (size_t i = 0; i < keys.size(); ++i) {
    blocks[i] = GuessBlock(keys[i]);
    __builtin_prefetch(first_keys_.data() + blocks[i]);
  }
  for (size_t i = 0; i < keys.size(); ++i) {
    blocks[i] = BlockOf(keys[i], blocks[i]);
    __builtin_prefetch(FilterOf(blocks[i]) + LineOfHash(Mix64(keys[i])));
  }
  uint64_t may = 0;
  for (size_t i = 0; i < keys.size(); ++i) {
    for (uint64_t block = blocks[i];
         block < first_keys_.size() && first_keys_[block] <= keys[i]; ++block)
      may |= uint64_t{MayHave(block, keys[i])} << i;
  }
  return may;
}

Status PostingRun::ReadBlock(uint64_t block,
                             std::vector<IndexPosting>* postings) const {
  char page[kIndexPageBytes + 8];
  TWINSET_TRY(ReadPage(PageOfBlock(block), page));
  const auto count = LoadLE<uint16_t>(page + 16);
  const int key_bits = page[18], value_bits = page[19];
  // Checksums do not stop who writes them.
  if (key_bits < 0 || key_bits > 48 || value_bits < 0 || value_bits > 56 ||
      static_cast<size_t>(key_bits + value_bits) * count > kPackedBits) {
    return Fail(ErrorCode::kCorrupt, "a block of postings is impossible",
                path());
  }
  const char* const packed = page + kBlockHeadBytes;
  postings->resize(count);
  uint64_t key = LoadLE<uint64_t>(page);
  const uint64_t least = LoadLE<uint64_t>(page + 8);
  size_t bit = 0;
  for (IndexPosting& posting : *postings) {
    key += UnpackBits(packed, bit, key_bits);
    posting.key = key;
    bit += static_cast<size_t>(key_bits);
  }
  for (IndexPosting& posting : *postings) {
    posting.value = least + UnpackBits(packed, bit, value_bits);
    bit += static_cast<size_t>(value_bits);
  }
  return {};
}

Status PostingRun::Find(uint64_t key, size_t most,
                        std::vector<uint64_t>* values) const {
  thread_local std::vector<IndexPosting> postings;
  for (uint64_t block = BlockOf(key, GuessBlock(key));
       block < first_keys_.size() && first_keys_[block] <= key; ++block) {
    if (values->size() >= most) return {};
    if (!MayHave(block, key)) continue;
    TWINSET_TRY(ReadBlock(block, &postings));
    auto posting = std::lower_bound(postings.begin(), postings.end(),
                                    IndexPosting{key, 0});
    for (; posting != postings.end() && posting->key == key; ++posting) {
      if (values->size() >= most) return {};
      values->push_back(posting->value);
    }
  }
  return {};
}

Result<bool> PostingRun::Cursor::Next(IndexPosting* posting) {
  if (at_ == block_.size()) {
    if (next_block_ == run_->first_keys_.size()) return false;
    TWINSET_TRY(run_->ReadBlock(next_block_++, &block_));
    at_ = 0;
    if (block_.empty()) {
      return Fail(ErrorCode::kCorrupt, "a block of postings is empty",
                  run_->path());
    }
  }
  *posting = block_[at_++];
  return true;
}

Status PostingRun::ForEach(
    const std::function<Status(const IndexPosting&)>& each) const {
  Cursor cursor(this);
  IndexPosting posting;
  for (;;) {
    TWINSET_ASSIGN(const bool more, cursor.Next(&posting));
    if (!more) return {};
    TWINSET_TRY(each(posting));
  }
}

Status PostingRun::CheckFilters() const {
  char page[kIndexPageBytes];
  for (uint64_t i = 0; i < FiltersOf(first_keys_.size()); ++i)
    TWINSET_TRY(ReadPage(PageOfFilter(i, first_keys_.size()), page));
  return {};
}

Status MergeRuns(const std::vector<const PostingRun*>& runs,
                 const std::string& path, uint64_t parameters_hash,
                 const std::function<bool(const IndexPosting&)>& keeps) {
  struct Head {
    PostingRun::Cursor cursor;
    IndexPosting posting;
  };
  std::vector<Head> heads;
  const auto advance = [&](size_t i) -> Status {
    TWINSET_ASSIGN(const bool more, heads[i].cursor.Next(&heads[i].posting));
    if (!more) heads.erase(heads.begin() + static_cast<ptrdiff_t>(i));
    return {};
  };
  for (const PostingRun* run : runs) {
    heads.push_back({PostingRun::Cursor(run), {}});
    TWINSET_TRY(advance(heads.size() - 1));
  }
  TWINSET_ASSIGN(auto writer, PostingRunWriter::Create(path, parameters_hash));
  IndexPosting last;  // waits where a newer one may come
  bool has_last = false;
  const auto put = [&]() -> Status {
    if (!has_last || (keeps && !keeps(last))) return {};
    return writer.Append(last);
  };
  while (!heads.empty()) {
    size_t least = 0;
    for (size_t i = 1; i < heads.size(); ++i)
      if (heads[i].posting < heads[least].posting) least = i;
    const IndexPosting posting = heads[least].posting;
    if (!has_last || last.key != posting.key ||
        !IndexKey::KeepsLast(posting.key))
      TWINSET_TRY(put());
    last = posting;
    has_last = true;
    TWINSET_TRY(advance(least));
  }
  TWINSET_TRY(put());
  return writer.Finish();
}

}  // namespace twinset
