#include "candidate/value_column.h"

#include <algorithm>
#include <bit>
#include <mutex>
#include <string>
#include <string_view>

#include "base/parallel.h"
#include "kernels/hamming.h"

namespace twinset {

namespace {

// The first chunk of a column in memory, and the largest of any.
constexpr uint64_t kFirstChunkBytes = 64 << 10, kLastChunkBytes = 16 << 20;
constexpr uint64_t kLeastDiskChunkBytes = 256 << 10;

// A few for each thread must fit beside the rest.
uint64_t DiskChunkBytes(uint64_t memory_bytes) {
  return std::bit_floor(
      std::clamp(memory_bytes / 128, kLeastDiskChunkBytes, kLastChunkBytes));
}

template <typename V>
std::string_view BytesOf(std::span<const V> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

}  // namespace

tl::unexpected<Error> DoNotFit(uint64_t fingerprints, uint64_t memory_bytes,
                               uint64_t enough_bytes) {
  return Fail(ErrorCode::kMemory,
              std::to_string(fingerprints) + " fingerprints do not fit into " +
                  std::to_string(memory_bytes >> 20) + " MB",
              {}, "--memory " + std::to_string((enough_bytes >> 20) + 1) + "M");
}

template <typename V>
Status ValueColumn<V>::MakeChunk(uint64_t bytes) {
  Part part;
  part.paid = budget_->TryReserve(bytes);
  if (!part.paid.ok())
    return Fail(ErrorCode::kMemory, "no room for more fingerprints");
  TWINSET_ASSIGN(part.buffer, LazyBuffer::Map(bytes));
  part.first_row = size_;
  chunks_.push_back(std::move(part));
  next_ = reinterpret_cast<V*>(chunks_.back().buffer.data());
  left_ = bytes / sizeof(V);
  return {};
}

template <typename V>
Status ValueColumn<V>::Grow() {
  if (on_disk()) {
    TWINSET_TRY(Flush());
    next_ = reinterpret_cast<V*>(chunks_.back().buffer.data());
    left_ = disk_chunk_;
    return {};
  }
  return MakeChunk(chunks_.empty() ? kFirstChunkBytes
                                   : std::min(2 * chunks_.back().buffer.size(),
                                              kLastChunkBytes));
}

template <typename V>
Status ValueColumn<V>::Flush() {
  const auto* const first =
      reinterpret_cast<const V*>(chunks_.back().buffer.data());
  return file_.Write(
      BytesOf(std::span(first, static_cast<size_t>(next_ - first))));
}

template <typename V>
Status ValueColumn<V>::Spill(const std::string& path) {
  TWINSET_ASSIGN(File file, File::Create(path));
  for (size_t c = 0; c < chunks_.size(); ++c) {
    TWINSET_TRY(file.Write(BytesOf(Chunk(c))));
    chunks_[c] = {};
  }
  chunks_.clear();
  file_ = std::move(file);
  const uint64_t bytes = DiskChunkBytes(budget_->limit_bytes());
  disk_chunk_ = bytes / sizeof(V);
  return MakeChunk(bytes);
}

template <typename V>
Status ValueColumn<V>::Finish() {
  if (!on_disk()) return {};
  TWINSET_TRY(Flush());
  chunks_.clear();
  left_ = 0;
  // Its name is read by, too.
  TWINSET_ASSIGN(file_, File::OpenRead(path()));
  return {};
}

template <typename V>
uint64_t ValueColumn<V>::most_in_chunk() const {
  if (on_disk()) return std::min(disk_chunk_, size_);
  uint64_t most = 0;
  for (size_t c = 0; c < chunks_.size(); ++c)
    most = std::max<uint64_t>(most, Chunk(c).size());
  return most;
}

template <typename V>
Result<std::span<const V>> ValueColumn<V>::Load(size_t chunk,
                                                std::vector<V>* room) const {
  if (!on_disk()) return Chunk(chunk);
  const uint64_t first = FirstRow(chunk);
  room->resize(std::min(disk_chunk_, size_ - first));
  TWINSET_TRY(file_.ReadAt(first * sizeof(V),
                           reinterpret_cast<char*>(room->data()),
                           room->size() * sizeof(V)));
  return std::span<const V>(*room);
}

Status PartedColumn::Fill(const ValueColumn<uint64_t>& column, int shift,
                          int threads) {
  TWINSET_ASSIGN(file_, File::Create(column.path() + ".parts"));
  chunk_ = column.most_in_chunk();
  places_.assign(column.chunks(), {});
  counts_.fill(0);
  std::mutex mutex;  // over the counts, the file and what follows
  Status status;
  const auto part_chunk = [&](size_t c, LazyBuffer* sorted) -> Status {
    std::vector<uint64_t> room;
    TWINSET_ASSIGN(const auto values, column.Load(c, &room));
    auto& places = places_[c];
    for (const uint64_t value : values) ++places[(value >> shift & 255) + 1];
    for (size_t i = 0; i < kParts; ++i) places[i + 1] += places[i];
    std::array<size_t, kParts> to;
    std::copy_n(places.begin(), kParts, to.begin());
    auto* const out = reinterpret_cast<uint64_t*>(sorted->data());
    kernels::ScatterByByte(values.data(), values.size(), shift, to.data(), out);
    const std::lock_guard lock(mutex);
    for (size_t i = 0; i < kParts; ++i) counts_[i] += places[i + 1] - places[i];
    return file_.WriteAt(
        c * chunk_ * sizeof(uint64_t),
        BytesOf(std::span<const uint64_t>(out, values.size())));
  };
  ParallelFor(column.chunks(), 1, threads, [&](size_t begin, size_t end) {
    auto sorted = LazyBuffer::Map(chunk_ * sizeof(uint64_t));
    for (size_t c = begin; c < end; ++c) {
      const Status done =
          sorted ? part_chunk(c, &*sorted) : tl::unexpected(sorted.error());
      const std::lock_guard lock(mutex);
      if (status) status = done;
      if (!status) return;
    }
  });
  TWINSET_TRY(status);
  TWINSET_ASSIGN(file_, File::OpenRead(file_.path()));
  return {};
}

Status PartedColumn::Read(size_t part, uint64_t* to) const {
  for (size_t c = 0; c < places_.size(); ++c) {
    const uint64_t begin = places_[c][part];
    const uint64_t count = places_[c][part + 1] - begin;
    if (count == 0) continue;
    TWINSET_TRY(file_.ReadAt((c * chunk_ + begin) * sizeof(uint64_t),
                             reinterpret_cast<char*>(to),
                             count * sizeof(uint64_t)));
    to += count;
  }
  return {};
}

template class ValueColumn<uint64_t>;
template class ValueColumn<Wide>;

}  // namespace twinset
