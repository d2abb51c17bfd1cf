#include "candidate/hamming_join_split.h"

#include <cstring>

namespace twinset {

namespace {

template <typename V>
constexpr int kBits = static_cast<int>(sizeof(V) * 8);

// Up to that many pairs are compared without another thought.
constexpr double kFewPairs = 1 << 18;
// What sorting one value costs, in comparisons of two.
template <typename V>
constexpr double kSortCost = sizeof(V) == 8 ? 128 : 64;
// Splitting must save at least that share of the comparisons, so that however
// often it is repeated the whole costs no more than comparing all.
constexpr double kGain = 0.5;

void Sort(uint64_t* values, size_t count) {
  kernels::SortValues(values, count);
}
void Sort(Wide* values, size_t count) { std::sort(values, values + count); }

template <typename V>
V RotateLeft(V value, int by) {
  return by == 0 ? value : value << by | value >> (kBits<V> - by);
}

// About `most` values of an array, evenly spread.
template <typename V, class Body>
size_t Sample(const V* values, size_t count, size_t most, Body body) {
  const size_t step = (count + most - 1) / most;
  size_t seen = 0;
  for (size_t i = 0; i < count; i += step, ++seen) body(values[i]);
  return seen;
}

}  // namespace

template <typename V>
std::vector<BitBlock> BalancedBlocks(const ValueGroup<V>& group, int distance) {
  constexpr size_t kSampled = 128;
  std::array<uint64_t, kBits<V>> ones{};
  uint64_t seen = 0;
  const auto count_ones = [&](V value) {
    for (int bit = 0; bit < kBits<V>; ++bit)
      ones[static_cast<size_t>(bit)] += static_cast<uint64_t>(value >> bit) & 1;
  };
  seen += Sample(group.x, group.x_count, kSampled, count_ones);
  if (!group.self())
    seen += Sample(group.y, group.y_count, kSampled, count_ones);
  // How often two values differ in the bit, times a constant.
  std::array<uint64_t, kBits<V>> weights{};
  uint64_t all = 0;
  for (size_t bit = 0; bit < kBits<V>; ++bit)
    all += weights[bit] = ones[bit] * (seen - ones[bit]);
  std::vector<BitBlock> blocks;
  const uint64_t count = static_cast<uint64_t>(distance) + 1;
  int low = 0, bit = 0;
  uint64_t sum = 0;
  for (uint64_t b = 1; b <= count; ++b) {
    while (bit < kBits<V> && (b == count || sum * count < all * b))
      sum += weights[static_cast<size_t>(bit++)];
    blocks.push_back({low, bit - low});
    low = bit;
  }
  return blocks;
}

template <typename V>
bool WorthSplitting(const ValueGroup<V>& group,
                    const std::vector<BitBlock>& blocks) {
  if (group.pairs() <= kFewPairs) return false;
  constexpr size_t kSampled = 1 << 16;
  constexpr int kHashBits = 10;
  const double values = static_cast<double>(group.x_count + group.y_count);
  double cost = static_cast<double>(blocks.size()) * values * kSortCost<V>;
  for (const BitBlock& block : blocks) {
    if (block.width == 0) return false;
    // Pairs that agree in a hash of the block: at least those in the block.
    std::array<uint32_t, 1 << kHashBits> x{}, y{};
    const auto count_in = [&](std::array<uint32_t, 1 << kHashBits>* counts) {
      return [counts, &block](V value) {
        const V bits = (value & block.Mask<V>()) >> block.low;
        const uint64_t folded = static_cast<uint64_t>(bits) ^
                                static_cast<uint64_t>(bits >> (kBits<V> / 2));
        ++(*counts)[folded * 0x9e3779b97f4a7c15ull >> (64 - kHashBits)];
      };
    };
    const size_t x_seen =
        Sample(group.x, group.x_count, kSampled, count_in(&x));
    size_t y_seen = 0;
    if (!group.self())
      y_seen = Sample(group.y, group.y_count, kSampled, count_in(&y));
    double pairs = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      const double one = x[i];
      pairs += group.self() ? one * (one - 1) / 2 : one * y[i];
    }
    const double scale_x =
        static_cast<double>(group.x_count) / static_cast<double>(x_seen);
    const double scale_y = group.self() ? scale_x
                                        : static_cast<double>(group.y_count) /
                                              static_cast<double>(y_seen);
    cost += pairs * scale_x * scale_y;
  }
  return cost < group.pairs() * kGain;
}

template <typename V>
bool GroupJoin<V>::Mine(V differing) const {
  if (!slots_.Has(static_cast<uint64_t>(differing))) return false;
  for (const V mask : masks_)
    if ((differing & mask) == 0) return false;
  return true;
}

template <typename V>
size_t GroupJoin<V>::CollapseSide(V* values, size_t count) {
  Sort(values, count);
  size_t size = 0;
  for (size_t i = 0; i < count;) {
    const V value = values[i];
    size_t end = i + 1;
    while (end < count && values[end] == value) ++end;
    if (self_ && end - i > 1) Emit(value, value);
    values[size++] = value;
    i = end;
  }
  return size;
}

template <typename V>
void GroupJoin<V>::Collapse(ValueGroup<V>* group) {
  group->x_count = CollapseSide(group->x, group->x_count);
  if (!group->self()) group->y_count = CollapseSide(group->y, group->y_count);
}

template <typename V>
void GroupJoin<V>::Compare(const ValueGroup<V>& group) {
  if (group.empty()) return;
  if (group.pairs() > kFewPairs) {
    const auto blocks = BalancedBlocks(group, distance_);
    if (WorthSplitting(group, blocks)) {
      for (const BitBlock& block : blocks) {
        InBlock(group, block);
        masks_.push_back(block.Mask<V>());
      }
      masks_.resize(masks_.size() - blocks.size());
      return;
    }
  }
  CompareAll(group);
}

template <typename V>
void GroupJoin<V>::InBlock(const ValueGroup<V>& group, BitBlock block) {
  // The block goes to the top, so that values that agree in it are neighbours.
  const int up = (kBits<V> - block.low - block.width) % kBits<V>;
  const int back = (kBits<V> - up) % kBits<V>;
  const int key_shift = kBits<V> - block.width;
  const auto to_top = [&](V* values, size_t count) {
    for (size_t i = 0; i < count; ++i) values[i] = RotateLeft(values[i], up);
    Sort(values, count);
  };
  const auto run_end = [&](const V* values, size_t begin, size_t count, V key) {
    while (begin < count && values[begin] >> key_shift == key) ++begin;
    return begin;
  };
  const auto restore = [&](V* values, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      values[i] = RotateLeft(values[i], back);
  };
  to_top(group.x, group.x_count);
  if (!group.self()) to_top(group.y, group.y_count);
  size_t i = 0, j = 0;
  while (i < group.x_count || j < group.y_count) {
    const V key_x = i < group.x_count ? group.x[i] >> key_shift : ~V{0};
    const V key_y = j < group.y_count ? group.y[j] >> key_shift : ~V{0};
    const V key = std::min(key_x, key_y);
    const size_t x_end = run_end(group.x, i, group.x_count, key);
    const size_t y_end = run_end(group.y, j, group.y_count, key);
    restore(group.x, i, x_end);
    restore(group.y, j, y_end);
    Compare({group.x + i, x_end - i, group.self() ? nullptr : group.y + j,
             y_end - j});
    i = x_end;
    j = y_end;
  }
}

template <typename V>
void GroupJoin<V>::Sink(void* context, const kernels::HammingHit* hits,
                        size_t count) {
  auto* const join = static_cast<GroupJoin<V>*>(context);
  auto& batch = join->batch_;
  std::copy(hits, hits + count, batch.begin());
  if (join->self_) {
    for (size_t i = 0; i < count; ++i)
      if (batch[i].x > batch[i].y) std::swap(batch[i].x, batch[i].y);
  }
  // Values that occur more than once give their pairs more than once.
  const auto end = batch.begin() + static_cast<ptrdiff_t>(count);
  const auto order = [](const kernels::HammingHit& a,
                        const kernels::HammingHit& b) {
    return a.x != b.x ? a.x < b.x : a.y < b.y;
  };
  if (count > 1) std::sort(batch.begin(), end, order);
  for (size_t i = 0; i < count; ++i)
    if (i == 0 || order(batch[i - 1], batch[i]))
      join->Emit(batch[i].x, batch[i].y);
}

template <typename V>
void GroupJoin<V>::CompareAll(const ValueGroup<V>& group) {
  if constexpr (sizeof(V) == 8) {
    if (group.self()) {
      kernels::HammingPairs(group.x, group.x_count, distance_, Sink, this);
    } else {
      kernels::HammingCross(group.x, group.x_count, group.y, group.y_count,
                            distance_, Sink, this);
    }
    return;
  }
  const V* const other = group.self() ? group.x : group.y;
  const size_t count = group.self() ? group.x_count : group.y_count;
  for (size_t i = 0; i < group.x_count; ++i) {
    for (size_t j = group.self() ? i + 1 : 0; j < count; ++j) {
      if (DifferingBits(group.x[i], other[j]) > distance_) continue;
      const bool swap = group.self() && other[j] < group.x[i];
      Emit(swap ? other[j] : group.x[i], swap ? group.x[i] : other[j]);
    }
  }
}

template std::vector<BitBlock> BalancedBlocks(const ValueGroup<uint64_t>&, int);
template std::vector<BitBlock> BalancedBlocks(const ValueGroup<Wide>&, int);
template bool WorthSplitting(const ValueGroup<uint64_t>&,
                             const std::vector<BitBlock>&);
template bool WorthSplitting(const ValueGroup<Wide>&,
                             const std::vector<BitBlock>&);
template class GroupJoin<uint64_t>;
template class GroupJoin<Wide>;

}  // namespace twinset
