// BlobBatch of blob_file.h.
#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>

#include "base/hash.h"
#include "base/parallel.h"
#include "store/blob_file.h"
#include "store/blob_frame.h"

namespace twinset::inline v1 {

namespace {

constexpr uint64_t kMinimumRoom = 64 << 10;
constexpr size_t kCachedPages = 4;
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
      pages_(kCachedPages) {}

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
  constexpr uint64_t kEntryCost = sizeof(Entry) + 2 * sizeof(uint32_t);
  const uint64_t room = reservation_.bytes();
  if (entries_.size() < entries_.capacity()) {
    return entries_.capacity() * kEntryCost + arena_bytes <= room;
  }
  const size_t capacity = std::max(kFirstEntries, 2 * entries_.capacity());
  const uint64_t table_bytes = capacity * kEntryCost;
  if (table_bytes + entries_.size() * sizeof(Entry) + arena_bytes > room)
    return false;
  if (table_bytes + arena_touched_ > room) {
    // Only an arena touched by earlier batches can be in the way: nothing is
    // loaded yet.
    arena_.Reset();
    arena_touched_ = 0;
  }
  entries_.reserve(capacity);
  std::vector<uint32_t>().swap(slots_);
  Rehash(2 * capacity);
  return true;
}

Result<bool> BlobBatch::Request(uint64_t index) {
  if (loaded_)
    return Fail(ErrorCode::kInternal, "blob requested from a loaded batch");
  if (!slots_.empty() && slots_[SlotOf(index)] != 0) return true;
  BlobReader::IndexPage* const page =
      &pages_[index / kBlobsPerPage % pages_.size()];
  TWINSET_ASSIGN(const BlobPlace place, reader_->Find(index, page));
  const uint64_t arena_bytes = arena_bytes_ + ArenaBytes(place.length);
  if (!GrowTables(arena_bytes)) {
    if (entries_.size() >= 2) return false;
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
  }
  arena_touched_ = std::max(arena_touched_, arena_bytes_);
  return {};
}

Status BlobBatch::Load(int threads) {
  if (loaded_) return Fail(ErrorCode::kInternal, "batch loaded twice");
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) { return a.index < b.index; });
  uint64_t position = 0;
  for (Entry& entry : entries_) {
    entry.position = position + kBeforeBlob;
    position += ArenaBytes(entry.length);
  }
  Rehash(slots_.size());
  TWINSET_TRY(MapArena());
  std::mutex mutex;
  Status result;  // guarded by mutex: the error of the first range that has one
  size_t failed_at = entries_.size();  // guarded by mutex
  ParallelFor(entries_.size(), kEntriesATask, threads,
              [&](size_t begin, size_t end) {
                Status loaded = LoadRange(begin, end);
                if (loaded) return;
                std::lock_guard lock(mutex);
                if (begin >= failed_at) return;
                failed_at = begin;
                result = std::move(loaded);
              });
  loaded_ = result.has_value();
  return result;
}

Status BlobBatch::Verify(const Entry& entry) const {
  return CheckBlobFrame(arena_.data() + entry.position - kBlobHeadBytes,
                        entry.index, entry.length, entry.offset,
                        reader_->data_.path());
}

Status BlobBatch::LoadRange(size_t begin, size_t end) {
  std::unique_ptr<char[]> scratch;
  for (size_t first = begin, next; first < end; first = next) {
    const uint64_t from = entries_[first].offset;
    uint64_t to = from + kBlobFrameBytes + entries_[first].length;
    for (next = first + 1; next < end; ++next) {
      const Entry& entry = entries_[next];
      const uint64_t entry_end = entry.offset + kBlobFrameBytes + entry.length;
      if (entry.offset < to || entry.offset - to > kMaxGap ||
          entry_end - from > kScratchBytes) {
        break;
      }
      to = entry_end;
    }
    const auto frame = [&](size_t i) {
      return arena_.data() + entries_[i].position - kBlobHeadBytes;
    };
    if (next == first + 1) {
      TWINSET_TRY(reader_->data_.ReadAt(from, frame(first), to - from));
    } else {
      if (scratch == nullptr) scratch.reset(new char[kScratchBytes]);
      TWINSET_TRY(reader_->data_.ReadAt(from, scratch.get(), to - from));
      for (size_t i = first; i < next; ++i) {
        std::memcpy(frame(i), scratch.get() + (entries_[i].offset - from),
                    kBlobFrameBytes + entries_[i].length);
      }
    }
    for (size_t i = first; i < next; ++i) TWINSET_TRY(Verify(entries_[i]));
  }
  return {};
}

std::string_view BlobBatch::Get(uint64_t index) const {
  if (!loaded_ || slots_.empty()) return {};
  const uint32_t number = slots_[SlotOf(index)];
  if (number == 0) return {};
  const Entry& entry = entries_[number - 1];
  return {arena_.data() + entry.position, entry.length};
}

void BlobBatch::Clear() {
  entries_.clear();
  std::fill(slots_.begin(), slots_.end(), 0);
  arena_bytes_ = 0;
  loaded_ = false;
  if (extra_.ok()) {
    arena_.Reset();
    arena_touched_ = 0;
    extra_.Reset();
  }
}

}  // namespace twinset::inline v1
