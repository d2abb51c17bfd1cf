#include "candidate/hamming_join_rows.h"

#include <string>

#include "base/hash.h"
#include "base/parallel.h"
#include "kernels/hamming.h"

namespace twinset {

namespace {

// A row whose value is in a pair, with the number of that value.
struct RowOfValue {
  uint32_t row = 0, value = 0;
};
using RowList = BudgetedList<RowOfValue>;

// Refuses with a memory that is sure to do.
Status NeedsMore(uint64_t pairs, uint64_t sure_bytes) {
  return Fail(
      ErrorCode::kMemory,
      std::to_string(pairs) + " pairs of fingerprints do not fit into memory",
      {},
      "--memory " + std::to_string((sure_bytes >> 20) + 1) +
          "M, or a smaller distance");
}

void Sort(uint64_t* values, size_t count) {
  kernels::SortValues(values, count);
}
void Sort(Wide* values, size_t count) { std::sort(values, values + count); }

uint64_t Folded(uint64_t value) { return value; }
uint64_t Folded(Wide value) {
  return static_cast<uint64_t>(value) ^
         Mix64(static_cast<uint64_t>(value >> 64));
}

// Numbers of values, in their order. Most rows of a column have no pair: a
// filter of one bit per value says so without a search.
template <typename V>
class ValueNumbers {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};

  static uint64_t Bytes(uint64_t values) {
    return values * sizeof(V) + FilterBits(values) / 8;
  }
  // Takes all values of `found`, which become numbers.
  explicit ValueNumbers(NearList<V>* found) {
    values_.reserve(2 * found->count());
    found->ForEach([&](const NearValues<V>& pair) {
      values_.push_back(pair.x);
      if (pair.y != pair.x) values_.push_back(pair.y);
    });
    Sort(values_.data(), values_.size());
    values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
    const uint64_t bits = FilterBits(values_.size());
    shift_ = 64 - std::countr_zero(bits);
    filter_.resize(bits / 64);
    for (const V value : values_) {
      const uint64_t bit = Bit(value);
      filter_[bit / 64] |= uint64_t{1} << bit % 64;
    }
    found->ForEach([&](NearValues<V>& pair) {
      pair.x = Find(pair.x);
      pair.y = Find(pair.y);
    });
  }
  uint32_t Find(V value) const {
    const uint64_t bit = Bit(value);
    if ((filter_[bit / 64] >> bit % 64 & 1) == 0) return kNone;
    const auto at = std::lower_bound(values_.begin(), values_.end(), value);
    return at != values_.end() && *at == value
               ? static_cast<uint32_t>(at - values_.begin())
               : kNone;
  }
  V value(uint32_t number) const { return values_[number]; }
  size_t size() const { return values_.size(); }

 private:
  static uint64_t FilterBits(uint64_t values) {
    return std::bit_ceil(std::clamp<uint64_t>(values, 64, 1 << 24) * 8);
  }
  uint64_t Bit(V value) const { return Mix64(Folded(value)) >> shift_; }

  std::vector<V> values_;  // ascending, distinct
  std::vector<uint64_t> filter_;
  int shift_ = 0;
};

// Lists of numbers, one after the other.
struct Lists {
  std::vector<uint64_t> begins;
  std::vector<uint32_t> items;
  std::span<const uint32_t> operator[](uint32_t list) const {
    return {items.data() + begins[list], begins[list + 1] - begins[list]};
  }
  static uint64_t Bytes(uint64_t lists, uint64_t items) {
    return 8 * (lists + 1) + 4 * items;
  }
};

// `for_each(add)` calls add(list, item) for each entry, twice the same way.
template <class ForEach>
Lists MakeLists(uint64_t lists, const ForEach& for_each) {
  Lists made;
  made.begins.assign(lists + 1, 0);
  for_each([&](uint32_t list, uint32_t) { ++made.begins[list + 1]; });
  for (uint64_t i = 0; i < lists; ++i) made.begins[i + 1] += made.begins[i];
  made.items.resize(made.begins[lists]);
  for_each([&](uint32_t list, uint32_t item) {
    made.items[made.begins[list]++] = item;
  });
  for (uint64_t i = lists; i > 0; --i) made.begins[i] = made.begins[i - 1];
  made.begins[0] = 0;
  return made;
}

// The rows of a column that have a pair, in their order.
template <typename V>
Result<RowList> RowsWithPairs(const ValueColumn<V>& column,
                              const ValueNumbers<V>& numbers, int threads,
                              MemoryBudget* budget) {
  std::vector<RowList> rows;
  std::vector<Status> loaded(column.chunks());
  for (size_t c = 0; c < column.chunks(); ++c) rows.emplace_back(budget);
  ParallelFor(column.chunks(), 1, threads, [&](size_t begin, size_t end) {
    std::vector<V> room;
    for (size_t c = begin; c < end; ++c) {
      uint64_t row = column.FirstRow(c);
      const auto values = column.Load(c, &room);
      if (!values) {
        loaded[c] = tl::unexpected(values.error());
        return;
      }
      for (const V value : *values) {
        const uint32_t number = numbers.Find(value);
        if (number != ValueNumbers<V>::kNone)
          rows[c].Append({static_cast<uint32_t>(row), number});
        ++row;
      }
    }
  });
  for (const Status& status : loaded) TWINSET_TRY(status);
  RowList all(budget);
  for (RowList& part : rows) all.Take(&part);
  return all;
}

struct NearRow {
  uint32_t row = 0;
  int distance = 0;
};

}  // namespace

template <typename V>
Status ExpandRows(const ValueColumn<V>& x, const ValueColumn<V>* y, int threads,
                  MemoryBudget* budget, NearList<V>* found,
                  const RowPairSink& sink) {
  const bool self = y == nullptr;
  const uint64_t pairs = found->count();
  const uint64_t all_rows = x.size() + (self ? 0 : y->size());
  const uint64_t bytes =
      ValueNumbers<V>::Bytes(2 * pairs) + Lists::Bytes(2 * pairs, 2 * pairs);
  Reservation paid = budget->TryReserve(bytes);
  // What both steps take at most, one on top of the other, beside the columns.
  const uint64_t slack = uint64_t{64} << 10;  // of chunks that are not full
  const uint64_t sure = 2 * sizeof(V) * all_rows +
                        NearValuesBytes<V>(all_rows, threads) +
                        pairs * sizeof(NearValues<V>) + bytes +
                        Lists::Bytes(2 * pairs, all_rows) +
                        all_rows * (sizeof(RowOfValue) + sizeof(NearRow)) +
                        slack * (x.chunks() + (self ? 0 : y->chunks()) +
                                 static_cast<uint64_t>(threads) + 512);
  const auto needs_more = [&] { return NeedsMore(pairs, sure); };
  if (!found->complete() || !paid.ok()) return needs_more();
  const ValueNumbers<V> numbers(found);
  const Lists near = MakeLists(numbers.size(), [&](const auto& add) {
    found->ForEach([&](const NearValues<V>& pair) {
      const auto a = static_cast<uint32_t>(pair.x);
      const auto b = static_cast<uint32_t>(pair.y);
      add(a, b);
      if (self && a != b) add(b, a);
    });
  });
  found->Clear();

  // What chunks are read into.
  const Reservation paid_rooms = budget->TryReserve(
      x.on_disk()
          ? static_cast<uint64_t>(threads) * sizeof(V) *
                std::max(x.most_in_chunk(), self ? 0 : y->most_in_chunk())
          : 0);
  if (!paid_rooms.ok()) return needs_more();
  TWINSET_ASSIGN(RowList x_rows, RowsWithPairs(x, numbers, threads, budget));
  RowList y_rows(budget);
  if (!self) {
    TWINSET_ASSIGN(y_rows, RowsWithPairs(*y, numbers, threads, budget));
  }
  if (!x_rows.complete() || !y_rows.complete()) return needs_more();
  RowList* const others = self ? &x_rows : &y_rows;
  const uint64_t list_bytes = Lists::Bytes(numbers.size(), others->count());
  Reservation paid_lists = budget->TryReserve(list_bytes);
  if (!paid_lists.ok()) return needs_more();
  const Lists rows = MakeLists(numbers.size(), [&](const auto& add) {
    others->ForEach([&](const RowOfValue& row) { add(row.value, row.row); });
  });

  uint64_t most = 0;
  for (uint32_t i = 0; i < numbers.size(); ++i) {
    uint64_t count = 0;
    for (const uint32_t other : near[i]) count += rows[other].size();
    most = std::max(most, count);
  }
  Reservation paid_row = budget->TryReserve(most * sizeof(NearRow));
  if (!paid_row.ok()) return needs_more();
  std::vector<NearRow> partners;
  partners.reserve(most);
  return x_rows.TryForEach([&](const RowOfValue& row) -> Status {
    partners.clear();
    for (const uint32_t other : near[row.value]) {
      const int distance =
          DifferingBits(numbers.value(row.value), numbers.value(other));
      const auto list = rows[other];
      auto at = list.begin();
      if (self) at = std::upper_bound(at, list.end(), row.row);
      for (; at != list.end(); ++at) partners.push_back({*at, distance});
    }
    if (near[row.value].size() > 1) {
      std::sort(
          partners.begin(), partners.end(),
          [](const NearRow& a, const NearRow& b) { return a.row < b.row; });
    }
    for (const NearRow& partner : partners)
      TWINSET_TRY(sink(row.row, partner.row, partner.distance));
    return {};
  });
}

template Status ExpandRows(const ValueColumn<uint64_t>&,
                           const ValueColumn<uint64_t>*, int, MemoryBudget*,
                           NearList<uint64_t>*, const RowPairSink&);
template Status ExpandRows(const ValueColumn<Wide>&, const ValueColumn<Wide>*,
                           int, MemoryBudget*, NearList<Wide>*,
                           const RowPairSink&);

}  // namespace twinset
