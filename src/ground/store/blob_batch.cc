// BlobBatch of blob_file.h.
#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <numeric>

#include "base/hash.h"
#include "base/parallel.h"
#include "store/blob_file.h"
#include "store/blob_frame.h"

namespace twinset {

namespace {

constexpr uint64_t kMinimumRoom = 64 << 10;
// The least of them is not paid for. A request in a page that is not there
// costs a positioned read.
constexpr size_t kFewestPages = 4, kMostPages = 1 << 14;
constexpr uint64_t kRoomAPage = 32 * kBlobPageBytes;

// From where on an arena is worth pages of 2 MB.
constexpr uint64_t kHugeArenaBytes = 32 << 20;

constexpr size_t kFirstEntries = 64;

// Neighbours this close are read together: a positioned read costs about as
// much as copying a few KB. One read of several frames goes through a scratch
// buffer.
constexpr uint64_t kMaxGap = 4 << 10;
constexpr uint64_t kScratchBytes = 64 << 10;
constexpr size_t kEntriesATask = 64;

// In the arena the frame begins 4 bytes into its place, so that the blob behind
// the 12-byte head is aligned to 8.
constexpr uint64_t kBeforeBlob = 16;
static_assert(kBeforeBlob >= kBlobHeadBytes && kBeforeBlob % 8 == 0);

uint64_t ArenaBytes(uint32_t length) {
  return kBeforeBlob + (uint64_t{length} + 8 + 7) / 8 * 8;
}

}  // namespace

BlobBatch::BlobBatch(const BlobReader* reader, uint64_t bytes,
                     MemoryBudget* budget)
    : reader_(reader),
      budget_(budget),
      reservation_(
          budget->ReserveUpTo(std::max(bytes, kMinimumRoom), kMinimumRoom)),
      pages_(std::clamp(reservation_.bytes() / kRoomAPage, kFewestPages,
                        kMostPages)) {}

// For tables and arena.
uint64_t BlobBatch::Room() const {
  return reservation_.bytes() -
         (pages_.size() - kFewestPages) * sizeof(BlobReader::IndexPage);
}

// The slot that holds `index`, or the empty one where it belongs.
size_t BlobBatch::SlotOf(uint64_t index) const {
  const size_t mask = slots_.size() - 1;
  size_t slot = Mix64(index) & mask;
  while (slots_[slot] != 0 && entries_[slots_[slot] - 1].index != index)
    slot = (slot + 1) & mask;
  return slot;
}

void BlobBatch::Rehash(size_t slots) {
  slots_.assign(slots, 0);
  for (size_t i = 0; i < entries_.size(); ++i) {
    slots_[SlotOf(entries_[i].index)] = static_cast<uint32_t>(i + 1);
  }
}

// Makes room in the tables for one more entry. False if they and `arena_bytes`
// do not fit; while they grow the old entries are there as well.
bool BlobBatch::GrowTables(uint64_t arena_bytes) {
  constexpr uint64_t kEntryCost =
      sizeof(Entry) +
      3 * sizeof(uint32_t);  // with slots, and its place in Load
  const uint64_t room = Room();
  if (entries_.size() < entries_.capacity()) {
    return entries_.capacity() * kEntryCost + arena_bytes <= room;
  }
  const size_t capacity = std::max(kFirstEntries, 2 * entries_.capacity());
  const uint64_t table_bytes = capacity * kEntryCost;
  if (table_bytes + entries_.size() * sizeof(Entry) + arena_bytes > room)
    return false;
  if (table_bytes + arena_touched_ > room) {
    // Only an arena touched by earlier batches can be in the way, or what is
    // loaded.
    if (loaded_ > 0) return false;
    arena_.Reset();
    arena_touched_ = 0;
  }
  entries_.reserve(capacity);
  std::vector<uint32_t>().swap(slots_);
  Rehash(2 * capacity);
  return true;
}

Result<bool> BlobBatch::Request(uint64_t index) {
  if (has_all_) return true;
  if (!slots_.empty() && slots_[SlotOf(index)] != 0) return true;
  auto& page = pages_[index / kBlobsPerPage % pages_.size()];
  if (page == nullptr) page.reset(new BlobReader::IndexPage);
  TWINSET_ASSIGN(const BlobPlace place, reader_->Find(index, page.get()));
  const uint64_t arena_bytes = arena_bytes_ + ArenaBytes(place.length);
  if (!GrowTables(arena_bytes)) {
    if (entries_.size() >= 2 || loaded_ > 0) return false;
    // One of the first two blobs is larger than the room: the arena moves out
    // of it.
    extra_ = Reservation();
    extra_ = budget_->ReserveUpTo(arena_bytes, arena_bytes);
    GrowTables(0);
  }
  Entry entry;
  entry.index = index;
  entry.offset = place.offset;
  entry.length = place.length;
  entry.file = place.file;
  const size_t slot = SlotOf(index);
  entries_.push_back(entry);
  slots_[slot] = static_cast<uint32_t>(entries_.size());
  arena_bytes_ = arena_bytes;
  return true;
}

// Maps an arena for this batch, or keeps one that is large enough.
Status BlobBatch::MapArena() {
  if (arena_.size() < arena_bytes_) {
    arena_.Reset();
    arena_touched_ = 0;
    TWINSET_ASSIGN(
        arena_, LazyBuffer::Map(std::max(arena_bytes_, reservation_.bytes())));
    if (arena_bytes_ >= kHugeArenaBytes) arena_.PreferHugePages();
  }
  arena_touched_ = std::max(arena_touched_, arena_bytes_);
  return {};
}

Status BlobBatch::Load(int threads) {
  if (loaded_ == entries_.size()) return {};
  std::vector<uint32_t> numbers(entries_.size() - loaded_);
  std::iota(numbers.begin(), numbers.end(), static_cast<uint32_t>(loaded_));
  const auto before = [this](uint32_t a, uint32_t b) {
    return entries_[a].index < entries_[b].index;
  };
  if (!std::is_sorted(numbers.begin(), numbers.end(), before))
    std::sort(numbers.begin(), numbers.end(), before);
  uint64_t position = loaded_bytes_;
  for (const uint32_t number : numbers) {
    entries_[number].position = position + kBeforeBlob;
    position += ArenaBytes(entries_[number].length);
  }
  TWINSET_TRY(MapArena());
  std::mutex mutex;
  Status result;  // guarded by mutex: the error of the first range that has one
  size_t failed_at = numbers.size();  // guarded by mutex
  ParallelFor(numbers.size(), kEntriesATask, threads,
              [&](size_t begin, size_t end) {
                Status loaded =
                    LoadRange(std::span(numbers).subspan(begin, end - begin));
                if (loaded) return;
                std::lock_guard lock(mutex);
                if (begin >= failed_at) return;
                failed_at = begin;
                result = std::move(loaded);
              });
  if (result) {
    loaded_ = entries_.size();
    loaded_bytes_ = arena_bytes_;
  }
  return result;
}

Status BlobBatch::LoadAll(int threads) {
  const uint64_t count = reader_->count();
  // The arena adds at most 11 bytes more to a blob than its frame does.
  constexpr uint64_t kBlobCost = sizeof(Entry) + sizeof(uint32_t) + 11;
  if (count >= UINT32_MAX ||
      reader_->BytesOfData() + count * kBlobCost > Room())
    return {};
  arena_.Reset();
  arena_touched_ = 0;
  std::vector<uint32_t>().swap(slots_);
  entries_.reserve(count);
  BlobReader::IndexPage page;
  for (uint64_t i = 0; i < count; ++i) {
    TWINSET_ASSIGN(const BlobPlace place, reader_->Find(i, &page));
    Entry& entry = entries_.emplace_back();
    entry.index = i;
    entry.offset = place.offset;
    entry.length = place.length;
    entry.file = place.file;
    arena_bytes_ += ArenaBytes(place.length);
  }
  TWINSET_TRY(Load(threads));
  has_all_ = true;
  return {};
}

Status BlobBatch::Verify(const Entry& entry) const {
  return CheckBlobFrame(arena_.data() + entry.position - kBlobHeadBytes,
                        reader_->WhereIs(entry.index).number, entry.length,
                        entry.offset, reader_->FileAt(entry.file).data.path());
}

// The neighbours from `first` on that one positioned read takes.
BlobBatch::Stretch BlobBatch::StretchFrom(std::span<const uint32_t> numbers,
                                          size_t first) const {
  const Entry& start = entries_[numbers[first]];
  Stretch stretch{first + 1, start.offset,
                  start.offset + kBlobFrameBytes + start.length};
  for (; stretch.next < numbers.size(); ++stretch.next) {
    const Entry& entry = entries_[numbers[stretch.next]];
    const uint64_t entry_end = entry.offset + kBlobFrameBytes + entry.length;
    if (entry.file != start.file || entry.offset < stretch.to ||
        entry.offset - stretch.to > kMaxGap ||
        entry_end - stretch.from > kScratchBytes) {
      break;
    }
    stretch.to = entry_end;
  }
  return stretch;
}

// Entries by number, ascending in the file. All are announced before the first
// is read: a disk that has them all in its queue reads them many times as fast
// as one after the other.
Status BlobBatch::LoadRange(std::span<const uint32_t> numbers) {
  for (size_t first = 0; first < numbers.size();) {
    const Stretch stretch = StretchFrom(numbers, first);
    const File& data = reader_->FileAt(entries_[numbers[first]].file).data;
    data.WillReadAt(stretch.from, stretch.to - stretch.from);
    first = stretch.next;
  }
  std::unique_ptr<char[]> scratch;
  for (size_t first = 0; first < numbers.size();) {
    const auto [next, from, to] = StretchFrom(numbers, first);
    const File& data = reader_->FileAt(entries_[numbers[first]].file).data;
    const auto frame = [&](size_t i) {
      return arena_.data() + entries_[numbers[i]].position - kBlobHeadBytes;
    };
    if (next == first + 1) {
      TWINSET_TRY(data.ReadAt(from, frame(first), to - from));
    } else {
      if (scratch == nullptr) scratch.reset(new char[kScratchBytes]);
      TWINSET_TRY(data.ReadAt(from, scratch.get(), to - from));
      for (size_t i = first; i < next; ++i) {
        const Entry& entry = entries_[numbers[i]];
        std::memcpy(frame(i), scratch.get() + (entry.offset - from),
                    kBlobFrameBytes + entry.length);
      }
    }
    for (; first < next; ++first) TWINSET_TRY(Verify(entries_[numbers[first]]));
  }
  return {};
}

std::string_view BlobBatch::Get(uint64_t index) const {
  if (loaded_ == 0) return {};
  const uint64_t number = has_all_ ? index + 1 : slots_[SlotOf(index)];
  if (number == 0 || number > loaded_) return {};
  const Entry& entry = entries_[number - 1];
  return {arena_.data() + entry.position, entry.length};
}

void BlobBatch::Clear() {
  if (has_all_) return;
  entries_.clear();
  std::fill(slots_.begin(), slots_.end(), 0);
  arena_bytes_ = loaded_bytes_ = 0;
  loaded_ = 0;
  if (extra_.ok()) {
    arena_.Reset();
    arena_touched_ = 0;
    extra_.Reset();
  }
}

}  // namespace twinset
