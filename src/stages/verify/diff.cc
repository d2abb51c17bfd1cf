#include "verify/diff.h"

#include <algorithm>
#include <utility>

namespace twinset {
namespace {

using Tokens = std::span<const uint64_t>;

// How often a part may be cut at anchors again: each cut sorts the part once.
constexpr int kMaxAnchorLevels = 32;

// A part of the problem that is still to be aligned.
struct Box {
  uint64_t a_begin = 0, a_end = 0, b_begin = 0, b_end = 0;
  int anchor_level = 0;
  uint64_t n() const { return a_end - a_begin; }
  uint64_t m() const { return b_end - b_begin; }
};

class Aligner {
 public:
  Aligner(Tokens a, Tokens b, uint64_t max_cost)
      : a_(a), b_(b), max_cost_(max_cost) {}

  std::vector<AlignedRun> Run() {
    boxes_.push_back({0, a_.size(), 0, b_.size(), 0});
    while (!boxes_.empty()) {
      const Box box = boxes_.back();
      boxes_.pop_back();
      Align(box);
    }
    FlushGap();
    return std::move(runs_);
  }

 private:
  // The middle of a shortest path: [begin, end) of A and B are equal tokens,
  // possibly none.
  struct Snake {
    uint64_t a_begin = 0, b_begin = 0, length = 0;
  };

  // Boxes are taken from the stack in text order, so runs are emitted in text
  // order.
  void Align(Box box) {
    uint64_t head = 0;
    while (head < box.n() && head < box.m() &&
           a_[box.a_begin + head] == b_[box.b_begin + head]) {
      ++head;
    }
    EmitBoth(box.a_begin, box.b_begin, head);
    box.a_begin += head;
    box.b_begin += head;
    uint64_t tail = 0;
    while (tail < box.n() && tail < box.m() &&
           a_[box.a_end - 1 - tail] == b_[box.b_end - 1 - tail]) {
      ++tail;
    }
    if (tail > 0) {  // comes after everything this box still yields
      boxes_.push_back({box.a_end - tail, box.a_end, box.b_end - tail,
                        box.b_end, box.anchor_level});
      box.a_end -= tail;
      box.b_end -= tail;
    }
    if (box.n() == 0 || box.m() == 0) return EmitGap(box);
    Snake snake;
    if (FindMiddleSnake(box, &snake)) {
      const uint64_t a_end = snake.a_begin + snake.length;
      const uint64_t b_end = snake.b_begin + snake.length;
      boxes_.push_back({a_end, box.a_end, b_end, box.b_end, box.anchor_level});
      boxes_.push_back(
          {snake.a_begin, a_end, snake.b_begin, b_end, box.anchor_level});
      boxes_.push_back({box.a_begin, snake.a_begin, box.b_begin, snake.b_begin,
                        box.anchor_level});
    } else {
      CutAtAnchors(box);
    }
  }

  // Myers 1986, section 4b: greedy searches from both ends over the diagonals k
  // = x - y until they meet. False when the path costs more than max_cost_.
  // Precondition: neither side is empty and both ends differ, so the cost is at
  // least 2 and both halves are smaller.
  bool FindMiddleSnake(const Box& box, Snake* snake) {
    const int64_t n = static_cast<int64_t>(box.n());
    const int64_t m = static_cast<int64_t>(box.m());
    const int64_t half = std::min<int64_t>(
        (n + m + 1) / 2,
        static_cast<int64_t>(std::min<uint64_t>(max_cost_, 1u << 30) + 1) / 2);
    const size_t size = static_cast<size_t>(2 * half + 3);
    if (forward_.size() < size) {
      forward_.resize(size);
      backward_.resize(size);
    }
    // Diagonal k of a direction is at index k + middle; the backward search
    // runs on the reversed sequences, its diagonal k is the forward diagonal n
    // - m - k.
    const int64_t middle = half + 1;
    const int64_t delta = n - m;
    const bool odd = delta % 2 != 0;
    forward_[static_cast<size_t>(middle + 1)] = 0;
    backward_[static_cast<size_t>(middle + 1)] = 0;
    for (int64_t cost = 0; cost <= half; ++cost) {
      for (const bool is_forward : {true, false}) {
        std::vector<int64_t>& mine = is_forward ? forward_ : backward_;
        const std::vector<int64_t>& other = is_forward ? backward_ : forward_;
        // What the other direction has reached: one step less on the forward
        // turn.
        const int64_t other_cost = is_forward ? cost - 1 : cost;
        const bool may_meet =
            odd == is_forward &&
            static_cast<uint64_t>(cost + other_cost) <= max_cost_;
        const int64_t lowest = -cost + 2 * std::max<int64_t>(0, cost - m);
        const int64_t highest = cost - 2 * std::max<int64_t>(0, cost - n);
        for (int64_t k = lowest; k <= highest; k += 2) {
          const int64_t from_left = mine[static_cast<size_t>(middle + k - 1)];
          const int64_t from_right = mine[static_cast<size_t>(middle + k + 1)];
          const bool down = k == -cost || (k != cost && from_left < from_right);
          int64_t x = down ? from_right : from_left + 1;
          const int64_t start = x;
          x = Slide(box, is_forward, x, k);
          mine[static_cast<size_t>(middle + k)] = x;
          const int64_t opposite = delta - k;
          if (!may_meet || opposite < -other_cost || opposite > other_cost ||
              x + other[static_cast<size_t>(middle + opposite)] < n) {
            continue;
          }
          snake->length = static_cast<uint64_t>(x - start);
          if (is_forward) {
            snake->a_begin = box.a_begin + static_cast<uint64_t>(start);
            snake->b_begin = box.b_begin + static_cast<uint64_t>(start - k);
          } else {
            snake->a_begin = box.a_end - static_cast<uint64_t>(x);
            snake->b_begin = box.b_end - static_cast<uint64_t>(x - k);
          }
          return true;
        }
      }
    }
    return false;
  }

  // Follows equal tokens from (x, x - k), counted from the end that the search
  // starts at.
  int64_t Slide(const Box& box, bool is_forward, int64_t x, int64_t k) const {
    const int64_t n = static_cast<int64_t>(box.n());
    const int64_t m = static_cast<int64_t>(box.m());
    const auto equal = [&](int64_t at_a, int64_t at_b) {
      const uint64_t i = static_cast<uint64_t>(at_a);
      const uint64_t j = static_cast<uint64_t>(at_b);
      return is_forward ? a_[box.a_begin + i] == b_[box.b_begin + j]
                        : a_[box.a_end - 1 - i] == b_[box.b_end - 1 - j];
    };
    while (x < n && x - k < m && equal(x, x - k)) ++x;
    return x;
  }

  // Tokens that occur once in each side of the box, in the longest order they
  // share, split it.
  void CutAtAnchors(const Box& box) {
    if (box.anchor_level >= kMaxAnchorLevels) return EmitGap(box);
    const std::vector<std::pair<uint64_t, uint64_t>> anchors =
        LongestChain(UniqueCommon(box));
    if (anchors.empty()) return EmitGap(box);
    const int level = box.anchor_level + 1;
    uint64_t a_end = box.a_end, b_end = box.b_end;
    for (size_t i = anchors.size(); i-- > 0;) {
      const auto [a_at, b_at] = anchors[i];
      // The anchor is the equal head of the part that follows it.
      boxes_.push_back({a_at, a_end, b_at, b_end, level});
      a_end = a_at;
      b_end = b_at;
    }
    boxes_.push_back({box.a_begin, a_end, box.b_begin, b_end, level});
  }

  static std::vector<std::pair<uint64_t, uint64_t>> Unique(Tokens tokens,
                                                           uint64_t begin,
                                                           uint64_t end) {
    std::vector<std::pair<uint64_t, uint64_t>> places;  // token, position
    places.reserve(end - begin);
    for (uint64_t i = begin; i < end; ++i) places.emplace_back(tokens[i], i);
    std::sort(places.begin(), places.end());
    size_t kept = 0;
    for (size_t i = 0; i < places.size();) {
      size_t next = i + 1;
      while (next < places.size() && places[next].first == places[i].first) {
        ++next;
      }
      if (next == i + 1) places[kept++] = places[i];
      i = next;
    }
    places.resize(kept);
    return places;
  }

  // Positions (in A, in B) of tokens unique in both sides, ascending in A.
  std::vector<std::pair<uint64_t, uint64_t>> UniqueCommon(const Box& box) {
    const auto left = Unique(a_, box.a_begin, box.a_end);
    const auto right = Unique(b_, box.b_begin, box.b_end);
    std::vector<std::pair<uint64_t, uint64_t>> matches;
    for (size_t i = 0, j = 0; i < left.size() && j < right.size();) {
      if (left[i].first == right[j].first) {
        matches.emplace_back(left[i++].second, right[j++].second);
      } else if (left[i].first < right[j].first) {
        ++i;
      } else {
        ++j;
      }
    }
    std::sort(matches.begin(), matches.end());
    return matches;
  }

  // Longest subsequence ascending in B too (patience sorting, O(n log n)).
  static std::vector<std::pair<uint64_t, uint64_t>> LongestChain(
      const std::vector<std::pair<uint64_t, uint64_t>>& matches) {
    constexpr size_t kNone = ~size_t{0};
    std::vector<size_t> tops;  // tops[l]: match that ends the best chain of l+1
    std::vector<size_t> previous(matches.size(), kNone);
    for (size_t i = 0; i < matches.size(); ++i) {
      const auto at = std::lower_bound(
          tops.begin(), tops.end(), matches[i].second,
          [&](size_t top, uint64_t b) { return matches[top].second < b; });
      if (at != tops.begin()) previous[i] = *(at - 1);
      if (at == tops.end()) {
        tops.push_back(i);
      } else {
        *at = i;
      }
    }
    std::vector<std::pair<uint64_t, uint64_t>> chain;
    for (size_t i = tops.empty() ? kNone : tops.back(); i != kNone;
         i = previous[i]) {
      chain.push_back(matches[i]);
    }
    std::reverse(chain.begin(), chain.end());
    return chain;
  }

  void EmitGap(const Box& box) {
    if (box.n() == 0 && box.m() == 0) return;
    if (!gap_open_) {
      gap_ = box;
      gap_open_ = true;
    } else {
      gap_.a_end = box.a_end;
      gap_.b_end = box.b_end;
    }
  }

  void FlushGap() {
    if (!gap_open_) return;
    gap_open_ = false;
    if (gap_.n() > 0) {
      runs_.push_back({AlignedRun::kOnlyA, gap_.a_begin, gap_.a_end,
                       gap_.b_begin, gap_.b_begin});
    }
    if (gap_.m() > 0) {
      runs_.push_back({AlignedRun::kOnlyB, gap_.a_end, gap_.a_end, gap_.b_begin,
                       gap_.b_end});
    }
  }

  void EmitBoth(uint64_t a_begin, uint64_t b_begin, uint64_t length) {
    if (length == 0) return;
    FlushGap();
    if (!runs_.empty() && runs_.back().kind == AlignedRun::kBoth) {
      runs_.back().a_end += length;
      runs_.back().b_end += length;
      return;
    }
    runs_.push_back({AlignedRun::kBoth, a_begin, a_begin + length, b_begin,
                     b_begin + length});
  }

  const Tokens a_, b_;
  const uint64_t max_cost_;
  std::vector<Box> boxes_;
  std::vector<AlignedRun> runs_;
  std::vector<int64_t> forward_, backward_;
  Box gap_;  // unmatched tokens not yet emitted
  bool gap_open_ = false;
};

}  // namespace

std::vector<AlignedRun> AlignTokens(Tokens a, Tokens b, uint64_t max_cost) {
  return Aligner(a, b, max_cost).Run();
}

}  // namespace twinset
