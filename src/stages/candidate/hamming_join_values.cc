#include "candidate/hamming_join_values.h"

#include <array>
#include <functional>
#include <mutex>
#include <string>

#include "base/parallel.h"
#include "base/stop.h"
#include "candidate/hamming_join_split.h"

namespace twinset {

namespace {

// ---- sizes ------------------------------------------------------------------
// Up to that many values the general way is as fast as the block designs.
constexpr uint64_t kFewValues = 4096;
// From here on one byte more a key pays for its second level of partition.
constexpr uint64_t kByteDesignFrom = 8 << 20;
// Largest distance of the block designs.
constexpr int kBlocks = 4;
// Larger groups do not stay in a cache; they are divided by GroupJoin.
constexpr size_t kGroupRoom = size_t{1} << 17;
// Larger buckets are left to GroupJoin.
constexpr size_t kBucketLimit = 1024;
constexpr size_t kSlack = 8;  // what kernels read behind an end
constexpr size_t kParts = 256;

// Room for the second level of a partition; uniform values need half of it.
size_t PartRoom(uint64_t rows) {
  return std::max<size_t>(size_t{1} << 16, rows / 128);
}

// More threads than that find nothing to do, and each needs memory.
int UsefulThreads(uint64_t rows, int threads) {
  return static_cast<int>(
      std::clamp<uint64_t>(rows >> 14, 1, static_cast<uint64_t>(threads)));
}

// ---- the block designs: 64 bits, distance <= 3 ------------------------------
// Some half of a fingerprint has at most one difference, so one of its two
// blocks of 16 bits has none (the primary), and one byte of the other (the
// buddy) has none either.
constexpr std::array<int, kBlocks> kPrimary = {48, 32, 16, 0};
constexpr std::array<int, kBlocks> kBuddy = {32, 48, 0, 16};

// Slot t: block t is the first without a difference.
int FirstBlock(uint64_t differing) {
  int t = 0;
  while (t < kBlocks &&
         (differing >> kPrimary[static_cast<size_t>(t)] & 0xffff) != 0)
    ++t;
  return t;
}

// Slot 2t + s: primary block t and byte s of its buddy (0: the upper one).
int FirstByte(uint64_t differing) {
  for (size_t t = 0; t < kBlocks; ++t) {
    if ((differing >> kPrimary[t] & 0xffff) != 0) continue;
    const uint64_t buddy = differing >> kBuddy[t] & 0xffff;
    if (buddy >> 8 == 0) return static_cast<int>(2 * t);
    if ((buddy & 255) == 0) return static_cast<int>(2 * t + 1);
  }
  return 2 * kBlocks;
}

// ---- working memory ---------------------------------------------------------
template <typename V>
struct Buffer {
  LazyBuffer bytes;
  V* values() { return reinterpret_cast<V*>(bytes.data()); }
  Status Map(uint64_t count) {
    TWINSET_ASSIGN(bytes, LazyBuffer::Map((count + kSlack) * sizeof(V)));
    bytes.PreferHugePages();
    return {};
  }
};

// What one thread works with.
template <typename V>
struct Worker {
  Worker(bool self, int distance, MemoryBudget* budget)
      : join(self, distance, budget) {}
  GroupJoin<V> join;
  Buffer<V> part_x, part_y;      // second level of a partition
  Buffer<V> sorted_x, sorted_y;  // one group by a byte
};

// What all threads take. Both sides of a worker: the same bound serves joins of
// one set.
template <typename V>
uint64_t WorkerBytes(uint64_t rows, int threads) {
  return sizeof(V) * static_cast<uint64_t>(threads) * 2 *
         (PartRoom(rows) + kGroupRoom);
}

template <typename V>
class Pool {
 public:
  Worker<V>* Take() {
    std::lock_guard<std::mutex> lock(mutex_);
    Worker<V>* const worker = free_.back();
    free_.pop_back();
    return worker;
  }
  void Give(Worker<V>* worker) {
    std::lock_guard<std::mutex> lock(mutex_);
    free_.push_back(worker);
  }
  std::vector<std::unique_ptr<Worker<V>>> all;
  void FreeAll() {
    for (auto& worker : all) free_.push_back(worker.get());
  }

 private:
  std::mutex mutex_;
  std::vector<Worker<V>*> free_;  // guarded by mutex_
};

// Where the parts of a partition begin.
using Places = std::array<size_t, kParts + 1>;

template <typename V>
void Scatter(std::span<const V> values, int shift, unsigned mask,
             size_t* places, V* out) {
  if constexpr (sizeof(V) == 8) {
    if (mask == kParts - 1) {
      kernels::ScatterByByte(values.data(), values.size(), shift, places, out);
      return;
    }
  }
  for (const V value : values)
    out[places[static_cast<unsigned>(value >> shift) & mask]++] = value;
}

// Partitions a column by up to 8 bits. Each thread counts and moves a range of
// its chunks, so places are the same for any number of threads.
template <typename V>
Places Partition(const ValueColumn<V>& column, int shift, unsigned mask,
                 int threads, V* out) {
  std::vector<std::array<size_t, kParts>> places(column.chunks());
  ParallelFor(column.chunks(), 1, threads, [&](size_t begin, size_t end) {
    for (size_t c = begin; c < end; ++c) {
      places[c].fill(0);
      for (const V value : column.Chunk(c))
        ++places[c][static_cast<unsigned>(value >> shift) & mask];
    }
  });
  Places begins{};
  size_t place = 0;
  for (size_t part = 0; part < kParts; ++part) {
    begins[part] = place;
    for (auto& chunk : places) {
      const size_t count = chunk[part];
      chunk[part] = place;
      place += count;
    }
  }
  begins[kParts] = place;
  ParallelFor(column.chunks(), 1, threads, [&](size_t begin, size_t end) {
    for (size_t c = begin; c < end; ++c)
      Scatter(column.Chunk(c), shift, mask, places[c].data(), out);
  });
  return begins;
}

// ---- the join ---------------------------------------------------------------
template <typename V>
class NearValuesJoin {
 public:
  NearValuesJoin(const ValueColumn<V>& x, const ValueColumn<V>* y, int distance,
                 int threads, MemoryBudget* budget,
                 const std::atomic<bool>* stop)
      : x_(x),
        y_(y),
        distance_(distance),
        threads_(UsefulThreads(x.size() + (y ? y->size() : 0), threads)),
        budget_(budget),
        stop_(stop) {}

  Status Run(NearList<V>* found, NearDesign design) {
    TWINSET_TRY(Prepare());
    if (design == NearDesign::kAuto) design = Choose();
    if constexpr (sizeof(V) == 8) {
      if (design != NearDesign::kAnyBlocks)
        TWINSET_TRY(ByBlocks(design == NearDesign::kBytes));
    }
    if (design == NearDesign::kAnyBlocks) TWINSET_TRY(ByAnyBlocks());
    for (auto& worker : pool_.all) found->Take(worker->join.found());
    return {};
  }

 private:
  uint64_t rows() const { return x_.size() + (y_ ? y_->size() : 0); }

  bool on_disk() const { return x_.on_disk(); }

  Status Prepare() {
    const uint64_t copies = on_disk() ? 0 : rows() * sizeof(V);
    const uint64_t chunks = on_disk() ? ChunkBytes() : 0;
    const uint64_t needed = copies + chunks + WorkerBytes<V>(rows(), threads_);
    reserved_ = budget_->TryReserve(needed);
    if (!reserved_.ok())
      return DoNotFit(rows(), budget_->limit_bytes(),
                      budget_->limit_bytes() + needed);
    if (!on_disk()) {
      TWINSET_TRY(work_x_.Map(x_.size()));
      if (y_ != nullptr) TWINSET_TRY(work_y_.Map(y_->size()));
    }
    const size_t room = PartRoom(rows());
    for (int i = 0; i < threads_; ++i) {
      auto worker =
          std::make_unique<Worker<V>>(y_ == nullptr, distance_, budget_);
      TWINSET_TRY(worker->part_x.Map(room));
      TWINSET_TRY(worker->sorted_x.Map(kGroupRoom));
      if (y_ != nullptr) {
        TWINSET_TRY(worker->part_y.Map(room));
        TWINSET_TRY(worker->sorted_y.Map(kGroupRoom));
      }
      pool_.all.push_back(std::move(worker));
    }
    pool_.FreeAll();
    return {};
  }

  // What all threads take to divide a column on the disk.
  uint64_t ChunkBytes() const {
    const uint64_t most =
        std::max(x_.most_in_chunk(), y_ != nullptr ? y_->most_in_chunk() : 0);
    return 2 * most * sizeof(V) * static_cast<uint64_t>(threads_);
  }

  NearDesign Choose() const {
    if (on_disk()) return NearDesign::kBytes;
    if (sizeof(V) != 8 || distance_ >= kBlocks || rows() <= kFewValues ||
        !UsesTopBits())
      return NearDesign::kAnyBlocks;
    return rows() >= kByteDesignFrom ? NearDesign::kBytes : NearDesign::kBlocks;
  }

  // Fingerprints of 32 bits leave two blocks empty: the designs are not for
  // them.
  bool UsesTopBits() const {
    V seen = 0;
    for (size_t c = 0; c < x_.chunks() && seen >> 32 == 0; ++c)
      for (const V value : x_.Chunk(c)) seen |= value;
    return seen >> 32 != 0;
  }

  ValueGroup<V> Part(const Places& x, const Places& y, size_t part) {
    return {work_x_.values() + x[part], x[part + 1] - x[part],
            y_ ? work_y_.values() + y[part] : nullptr,
            y_ ? y[part + 1] - y[part] : 0};
  }

  // Partitions both columns and calls body(worker, part) for each part.
  Status ForEachPart(
      int shift, unsigned mask,
      const std::function<void(Worker<V>*, const ValueGroup<V>&)>& body) {
    if constexpr (sizeof(V) == 8) {
      if (on_disk()) return ForEachPartOnDisk(shift, body);
    }
    const Places x = Partition(x_, shift, mask, threads_, work_x_.values());
    Places y{};
    if (y_ != nullptr)
      y = Partition(*y_, shift, mask, threads_, work_y_.values());
    ParallelFor(kParts, 1, threads_, [&](size_t begin, size_t end) {
      Worker<V>* const worker = pool_.Take();
      for (size_t part = begin; part < end && CheckStop(stop_); ++part) {
        const ValueGroup<V> group = Part(x, y, part);
        if (!group.empty()) body(worker, group);
      }
      pool_.Give(worker);
    });
    return CheckStop(stop_);
  }

  // The same of columns on the disk. As many parts are in memory at once as
  // there is room for, of which the largest decides.
  Status ForEachPartOnDisk(
      int shift,
      const std::function<void(Worker<V>*, const ValueGroup<V>&)>& body) {
    TWINSET_TRY(parted_x_.Fill(x_, shift, threads_));
    if (y_ != nullptr) TWINSET_TRY(parted_y_.Fill(*y_, shift, threads_));
    const auto count_y = [&](size_t part) {
      return y_ != nullptr ? parted_y_.count(part) : 0;
    };
    uint64_t most = 0;
    for (size_t part = 0; part < kParts; ++part)
      most = std::max(most, parted_x_.count(part) + count_y(part));
    const uint64_t bytes = (most + 2 * kSlack) * sizeof(V);
    // What is found takes memory too.
    const uint64_t at_once =
        std::min<uint64_t>(static_cast<uint64_t>(threads_),
                           budget_->available_bytes() / 2 / bytes);
    const Reservation paid = budget_->TryReserve(bytes * at_once);
    if (at_once == 0 || !paid.ok())
      return DoNotFit(most, budget_->limit_bytes(),
                      budget_->limit_bytes() + 4 * bytes);
    std::mutex mutex;
    Status status;
    const auto join_part = [&](Worker<V>* worker, size_t part) -> Status {
      TWINSET_TRY(CheckStop(stop_));
      Buffer<V> x, y;
      TWINSET_TRY(x.Map(parted_x_.count(part)));
      TWINSET_TRY(parted_x_.Read(part, x.values()));
      if (y_ != nullptr) {
        TWINSET_TRY(y.Map(count_y(part)));
        TWINSET_TRY(parted_y_.Read(part, y.values()));
      }
      const ValueGroup<V> group = {x.values(), parted_x_.count(part),
                                   y_ != nullptr ? y.values() : nullptr,
                                   count_y(part)};
      if (!group.empty()) body(worker, group);
      return {};
    };
    ParallelFor(kParts, 1, static_cast<int>(at_once),
                [&](size_t begin, size_t end) {
                  Worker<V>* const worker = pool_.Take();
                  for (size_t part = begin; part < end; ++part) {
                    const Status done = join_part(worker, part);
                    const std::lock_guard lock(mutex);
                    if (status) status = done;
                    if (!status) break;
                  }
                  pool_.Give(worker);
                });
    return status;
  }

  Status ByBlocks(bool by_bytes) {
    for (size_t t = 0; t < kBlocks; ++t) {
      TWINSET_TRY(ForEachPart(
          kPrimary[t] + 8, kParts - 1,
          [&](Worker<V>* worker, const ValueGroup<V>& group) {
            if (by_bytes) {
              PartByBytes(worker, group, t);
            } else {
              const int slot = static_cast<int>(t);
              Buckets(worker, group, kPrimary[t], {FirstBlock, slot, slot + 1});
            }
          }));
    }
    return {};
  }

  // Pairs of one part in the first byte of block t.
  void PartByBytes(Worker<V>* worker, const ValueGroup<V>& part, size_t t) {
    const int slot = static_cast<int>(2 * t);
    const SlotRange both = {FirstByte, slot, slot + 2};
    const size_t room = PartRoom(rows());
    if (part.x_count > room || part.y_count > room) {
      Heavy(worker, part, both);
      return;
    }
    const Places x =
        Group(part.x, part.x_count, kPrimary[t], worker->part_x.values());
    Places y{};
    if (!part.self())
      y = Group(part.y, part.y_count, kPrimary[t], worker->part_y.values());
    for (size_t g = 0; g < kParts; ++g) {
      const ValueGroup<V> group = {
          worker->part_x.values() + x[g], x[g + 1] - x[g],
          part.self() ? nullptr : worker->part_y.values() + y[g],
          y[g + 1] - y[g]};
      if (group.empty()) continue;
      if (group.x_count > kGroupRoom || group.y_count > kGroupRoom) {
        Heavy(worker, group, both);
        continue;
      }
      for (int s = 0; s < 2; ++s)
        Buckets(worker, group, kBuddy[t] + (s == 0 ? 8 : 0),
                {FirstByte, slot + s, slot + s + 1});
    }
  }

  static Places Group(const V* values, size_t count, int shift, V* out) {
    Places begins{};
    std::array<size_t, kParts> places{};
    for (size_t i = 0; i < count; ++i)
      ++places[static_cast<size_t>(values[i] >> shift) & (kParts - 1)];
    size_t place = 0;
    for (size_t part = 0; part < kParts; ++part) {
      begins[part] = place;
      place += std::exchange(places[part], place);
    }
    begins[kParts] = place;
    Scatter<V>({values, count}, shift, kParts - 1, places.data(), out);
    return begins;
  }

  void Heavy(Worker<V>* worker, const ValueGroup<V>& group, SlotRange slots) {
    worker->join.Restrict(slots, {});
    worker->join.Join(group);
  }

  // Pairs of a group that agree in the byte at bit `shift`.
  void Buckets(Worker<V>* worker, const ValueGroup<V>& group, int shift,
               SlotRange slots) {
    if (group.x_count > kGroupRoom || group.y_count > kGroupRoom) {
      Heavy(worker, group, slots);
      return;
    }
    worker->join.Restrict(slots, {});
    kernels::HammingBucketed x, y;
    x.values = worker->sorted_x.values();
    y.values = worker->sorted_y.values();
    uint8_t left[kernels::kHammingBuckets];
    const size_t left_count =
        group.self()
            ? kernels::HammingBuckets(group.x, group.x_count, shift, distance_,
                                      kBucketLimit, &x, left,
                                      GroupJoin<V>::Sink, &worker->join)
            : kernels::HammingBucketsCross(group.x, group.x_count, group.y,
                                           group.y_count, shift, distance_,
                                           kBucketLimit, &x, &y, left,
                                           GroupJoin<V>::Sink, &worker->join);
    for (size_t i = 0; i < left_count; ++i) {
      const size_t b = left[i];
      worker->join.Join({x.values + x.bounds[b], x.bounds[b + 1] - x.bounds[b],
                         group.self() ? nullptr : y.values + y.bounds[b],
                         group.self() ? 0 : y.bounds[b + 1] - y.bounds[b]});
    }
  }

  // Any distance and width: distance + 1 blocks as the values ask for.
  Status ByAnyBlocks() {
    ValueGroup<V> all = Copy();
    const auto blocks = BalancedBlocks(all, distance_);
    if (all.pairs() <= kFewPairsAlone || !WorthSplitting(all, blocks)) {
      AllPairs(all);
      return {};
    }
    std::vector<V> masks;
    for (const BitBlock& block : blocks) {
      const int taken = std::min(block.width, 8);
      TWINSET_TRY(
          ForEachPart(block.low + block.width - taken, (1u << taken) - 1,
                      [&](Worker<V>* worker, const ValueGroup<V>& group) {
                        worker->join.Restrict({}, masks);
                        worker->join.JoinInBlock(group, block);
                      }));
      masks.push_back(block.Mask<V>());
    }
    return {};
  }
  // One thread is enough for those.
  static constexpr double kFewPairsAlone = 1 << 24;

  ValueGroup<V> Copy() {
    const auto copy = [](const ValueColumn<V>& column, V* to) {
      for (size_t c = 0; c < column.chunks(); ++c)
        to = std::copy(column.Chunk(c).begin(), column.Chunk(c).end(), to);
    };
    copy(x_, work_x_.values());
    if (y_ != nullptr) copy(*y_, work_y_.values());
    return {work_x_.values(), x_.size(), y_ ? work_y_.values() : nullptr,
            y_ ? y_->size() : 0};
  }

  // Blocks do not help: every pair, by ranges of rows.
  void AllPairs(ValueGroup<V> all) {
    Worker<V>* const first = pool_.all.front().get();
    if (all.pairs() <= kFewPairsAlone) {
      first->join.Join(all);
      return;
    }
    first->join.Collapse(&all);
    constexpr size_t kRows = 512;
    ParallelFor((all.x_count + kRows - 1) / kRows, 1, threads_,
                [&](size_t begin, size_t end) {
                  Worker<V>* const worker = pool_.Take();
                  for (size_t r = begin; r < end; ++r)
                    RowsAgainstAll(worker, all, r * kRows,
                                   std::min((r + 1) * kRows, all.x_count));
                  pool_.Give(worker);
                });
  }

  void RowsAgainstAll(Worker<V>* worker, const ValueGroup<V>& all, size_t begin,
                      size_t end) {
    V* const x = all.x + begin;
    if (!all.self()) {
      worker->join.CompareAll({x, end - begin, all.y, all.y_count});
      return;
    }
    worker->join.CompareAll({x, end - begin, nullptr, 0});
    worker->join.CompareAll({x, end - begin, all.x + end, all.x_count - end});
  }

  const ValueColumn<V>& x_;
  const ValueColumn<V>* const y_;
  const int distance_, threads_;
  MemoryBudget* const budget_;
  const std::atomic<bool>* const stop_;
  Reservation reserved_;
  Buffer<V> work_x_, work_y_;         // of columns in memory
  PartedColumn parted_x_, parted_y_;  // of columns on the disk
  Pool<V> pool_;
};

}  // namespace

template <typename V>
uint64_t NearValuesBytes(uint64_t rows, int threads) {
  return sizeof(V) * rows + WorkerBytes<V>(rows, UsefulThreads(rows, threads));
}

template <typename V>
Status FindNearValues(const ValueColumn<V>& x, const ValueColumn<V>* y,
                      int distance, int threads, MemoryBudget* budget,
                      NearList<V>* found, NearDesign design,
                      const std::atomic<bool>* stop) {
  return NearValuesJoin<V>(x, y, distance, threads, budget, stop)
      .Run(found, design);
}

template uint64_t NearValuesBytes<uint64_t>(uint64_t, int);
template uint64_t NearValuesBytes<Wide>(uint64_t, int);
template Status FindNearValues(const ValueColumn<uint64_t>&,
                               const ValueColumn<uint64_t>*, int, int,
                               MemoryBudget*, NearList<uint64_t>*, NearDesign,
                               const std::atomic<bool>*);
template Status FindNearValues(const ValueColumn<Wide>&,
                               const ValueColumn<Wide>*, int, int,
                               MemoryBudget*, NearList<Wide>*, NearDesign,
                               const std::atomic<bool>*);

}  // namespace twinset
