#include "candidate/psm.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/hash.h"
#include "base/parallel.h"

namespace twinset {

// ---- the order of flips -----------------------------------------------------

FlipOrder::FlipOrder(std::span<const uint32_t> volatility, int distance)
    : distance_(distance) {
  for (size_t i = 0; i < volatility.size(); ++i)
    bits_.push_back({Wide{volatility[i]} * volatility[i], static_cast<int>(i)});
  std::stable_sort(bits_.begin(), bits_.end(),
                   [](const Bit& a, const Bit& b) { return a.cost < b.cost; });
  heap_.push_back(Set());
}

bool FlipOrder::Later(const Set& a, const Set& b) {
  if (a.cost != b.cost) return a.cost > b.cost;
  if (a.size != b.size) return a.size > b.size;
  return a.members > b.members;
}

void FlipOrder::Push(const Set& set) {
  heap_.push_back(set);
  std::push_heap(heap_.begin(), heap_.end(), Later);
}

bool FlipOrder::Next(Wide* bits) {
  if (heap_.empty()) return false;
  std::pop_heap(heap_.begin(), heap_.end(), Later);
  const Set set = heap_.back();
  heap_.pop_back();
  *bits = set.bits;
  // Every set but the empty one has one parent: itself with its most costly
  // member one place lower, or without it where that place is taken.
  const int next = set.last + 1;
  if (next == static_cast<int>(bits_.size())) return true;
  const Bit& bit = bits_[static_cast<size_t>(next)];
  const Wide one = 1;
  if (set.size < distance_) {
    Push({set.cost + bit.cost, set.members | one << next,
          set.bits | one << bit.place, set.size + 1, next});
  }
  if (set.size > 0) {
    const Bit& last = bits_[static_cast<size_t>(set.last)];
    Push({set.cost - last.cost + bit.cost,
          (set.members ^ one << set.last) | one << next,
          (set.bits ^ one << last.place) | one << bit.place, set.size, next});
  }
  return true;
}

uint64_t FlipSets(int bits, int distance) {
  Wide all = 1, choose = 1;
  constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
  for (int i = 1; i <= std::min(bits, distance); ++i) {
    choose = choose * static_cast<Wide>(bits - i + 1) / static_cast<Wide>(i);
    all += choose;
    if (all > kMost) return kMost;
  }
  return static_cast<uint64_t>(all);
}

// ---- the table --------------------------------------------------------------

namespace {

uint64_t SlotCount(uint64_t values) {
  return std::bit_ceil(std::max<uint64_t>(values, 8) * 2);
}
uint64_t FilterBits(uint64_t values) {
  return std::bit_ceil(std::max<uint64_t>(values, 8) * 8);
}

}  // namespace

uint64_t ExactTable::Bytes(uint64_t values) {
  return values * sizeof(Wide) + SlotCount(values) * 4 + FilterBits(values) / 8;
}

uint64_t ExactTable::Hash(Wide value) {
  const auto high = static_cast<uint64_t>(value >> 64);
  return Mix64(static_cast<uint64_t>(value) ^ (high == 0 ? 0 : Mix64(high)));
}

ExactTable::ExactTable(std::vector<Wide> values) : values_(std::move(values)) {
  std::sort(values_.begin(), values_.end());
  values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
  const uint64_t slots = SlotCount(values_.size());
  const uint64_t bits = FilterBits(values_.size());
  slot_shift_ = 64 - std::countr_zero(slots);
  filter_shift_ = 64 - std::countr_zero(bits);
  slots_.assign(slots, kNone);
  filter_.assign((bits + 63) / 64, 0);
  for (uint32_t i = 0; i < values_.size(); ++i) {
    const uint64_t hash = Hash(values_[i]);
    const uint64_t bit = hash >> filter_shift_;
    filter_[bit / 64] |= uint64_t{1} << bit % 64;
    uint64_t slot = hash >> slot_shift_;
    while (slots_[slot] != kNone) slot = (slot + 1) & (slots - 1);
    slots_[slot] = i;
  }
}

uint32_t ExactTable::Find(Wide value) const {
  const uint64_t hash = Hash(value);
  const uint64_t bit = hash >> filter_shift_;
  if ((filter_[bit / 64] >> bit % 64 & 1) == 0) return kNone;
  for (uint64_t slot = hash >> slot_shift_; slots_[slot] != kNone;
       slot = (slot + 1) & (slots_.size() - 1))
    if (values_[slots_[slot]] == value) return slots_[slot];
  return kNone;
}

// ---- the join ---------------------------------------------------------------

namespace {

// Every set of at most `distance` bits, in no particular order: what the heap
// would give, without it.
template <class Body>
void ForEachFlip(int bits, int distance, int from, Wide flips,
                 const Body& body) {
  body(flips);
  if (distance == 0) return;
  for (int bit = from; bit < bits; ++bit)
    ForEachFlip(bits, distance - 1, bit + 1, flips | Wide{1} << bit, body);
}

class PsmJoin : public CollectionJoin {
 public:
  PsmJoin(size_t sketch, int bits, int distance, uint64_t probes,
          const CollectionJoinContext& context)
      : sketch_(sketch),
        bits_(static_cast<size_t>(bits)),
        distance_(distance),
        probes_(probes >= FlipSets(bits, distance) ? 0 : probes),
        context_(context) {}

  Status Add(const JoinMember& member) override {
    if (members_.empty() && table_members_ == 0) {
      paid_ = context_.budget->TryReserve(context_.memory_bytes);
      if (!paid_.ok()) return NoRoom();
    }
    const Sketch& sketch = member.sketches[sketch_];
    const size_t words = (bits_ + 31) / 32;
    if (sketch.size() != words + bits_)
      return Fail(ErrorCode::kInternal,
                  "a fingerprint without the margins of its votes");
    Member added;
    added.document = member.document;
    added.stored = context_.two_collections && member.stored;
    for (size_t i = 0; i < words; ++i)
      added.value |= Wide{sketch[i]} << (32 * i);
    members_.push_back(added);
    const bool asks = !added.stored;
    if (asks && probes_ > 0)
      volatility_.insert(volatility_.end(), sketch.begin() + words,
                         sketch.end());
    table_members_ += !context_.two_collections || added.stored;
    return NeedBytes() > context_.memory_bytes ? NoRoom() : Status();
  }

  Status Join(const PairSink& sink) override {
    BuildTable();
    std::vector<size_t> asking;
    for (size_t i = 0; i < members_.size(); ++i)
      if (!members_[i].stored) asking.push_back(i);
    // Answers of a block of members are handed on in their order.
    constexpr size_t kBlock = 4096;
    std::vector<std::vector<uint32_t>> answers(std::min(kBlock, asking.size()));
    for (size_t begin = 0; begin < asking.size(); begin += kBlock) {
      const size_t count = std::min(kBlock, asking.size() - begin);
      ParallelFor(count, 16, context_.threads, [&](size_t from, size_t to) {
        for (size_t i = from; i < to; ++i)
          Ask(begin + i, members_[asking[begin + i]], &answers[i]);
      });
      for (size_t i = 0; i < count; ++i)
        TWINSET_TRY(Emit(asking[begin + i], answers[i], sink));
    }
    return {};
  }

 private:
  struct Member {
    Wide value = 0;
    uint64_t document = 0;
    bool stored = false;
  };

  static Status NoRoom() {
    return Fail(ErrorCode::kMemory, "no room for probabilistic matching");
  }
  // Arrays that grow by doubling, the table while it is built, and its lists.
  uint64_t NeedBytes() const {
    return 2 * members_.size() * (sizeof(Member) + 8) +
           2 * volatility_.size() * 4 + ExactTable::Bytes(table_members_) +
           table_members_ * (sizeof(Wide) + 16);
  }

  bool InTable(const Member& member) const {
    return !context_.two_collections || member.stored;
  }

  void BuildTable() {
    std::vector<Wide> values;
    values.reserve(table_members_);
    for (const Member& member : members_)
      if (InTable(member)) values.push_back(member.value);
    table_ = std::make_unique<ExactTable>(std::move(values));
    begins_.assign(table_->values().size() + 1, 0);
    for (const Member& member : members_)
      if (InTable(member)) ++begins_[table_->Find(member.value) + 1];
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    std::vector<uint32_t> next(begins_.begin(), begins_.end() - 1);
    owners_.resize(table_members_);
    for (uint32_t i = 0; i < members_.size(); ++i)
      if (InTable(members_[i]))
        owners_[next[table_->Find(members_[i].value)]++] = i;
  }

  // Numbers of the values that the member finds; it is the `nth` that asks.
  void Ask(size_t nth, const Member& member,
           std::vector<uint32_t>* answers) const {
    answers->clear();
    const auto look = [&](Wide flips) {
      const uint32_t found = table_->Find(member.value ^ flips);
      if (found != ExactTable::kNone) answers->push_back(found);
    };
    if (probes_ == 0) {
      ForEachFlip(static_cast<int>(bits_), distance_, 0, 0, look);
      return;
    }
    FlipOrder order({volatility_.data() + nth * bits_, bits_}, distance_);
    Wide flips = 0;
    for (uint64_t n = 0; n < probes_ && order.Next(&flips); ++n) look(flips);
  }

  Status Emit(size_t asker, const std::vector<uint32_t>& answers,
              const PairSink& sink) const {
    for (const uint32_t value : answers) {
      for (uint32_t i = begins_[value]; i < begins_[value + 1]; ++i) {
        // Copies find each other at once; one of them emits.
        const bool copy = table_->values()[value] == members_[asker].value &&
                          !context_.two_collections;
        if (owners_[i] == asker || (copy && owners_[i] < asker)) continue;
        TWINSET_TRY(sink(CandidatePair::Of(members_[asker].document,
                                           members_[owners_[i]].document)));
      }
    }
    return {};
  }

  const size_t sketch_, bits_;
  const int distance_;
  const uint64_t probes_;  // 0: all
  const CollectionJoinContext context_;
  Reservation paid_;
  std::vector<Member> members_;
  std::vector<uint32_t> volatility_;  // of those that ask, one after the other
  uint64_t table_members_ = 0;
  std::unique_ptr<ExactTable> table_;
  // Members with each value of the table: owners_[begins_[v], begins_[v + 1]).
  std::vector<uint32_t> begins_, owners_;
};

}  // namespace

CollectionJoinFactory MakePsmJoinFactory(size_t sketch, int bits, int distance,
                                         uint64_t probes) {
  return [=](const CollectionJoinContext& context)
             -> Result<std::unique_ptr<CollectionJoin>> {
    if (bits < 1 || bits > 128 || distance < 0 || distance > bits)
      return Fail(ErrorCode::kUsage,
                  "probabilistic matching of " + std::to_string(bits) +
                      " bits within " + std::to_string(distance),
                  {}, "at most 128 bits, and a distance up to the bits");
    return std::make_unique<PsmJoin>(sketch, bits, distance, probes, context);
  };
}

}  // namespace twinset
