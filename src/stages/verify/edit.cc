#include "verify/edit.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"

namespace twinset {
namespace {

using Tokens = std::span<const uint64_t>;

void DropEqualEnds(Tokens* a, Tokens* b) {
  size_t head = 0;
  const size_t shorter = std::min(a->size(), b->size());
  while (head < shorter && (*a)[head] == (*b)[head]) ++head;
  size_t tail = 0;
  while (tail < shorter - head &&
         (*a)[a->size() - 1 - tail] == (*b)[b->size() - 1 - tail]) {
    ++tail;
  }
  *a = a->subspan(head, a->size() - head - tail);
  *b = b->subspan(head, b->size() - head - tail);
}

struct TermCount {
  uint64_t term = 0, count = 0;
};

// Adds terms up, those of the same term to one. Both are used up.
void AddTerms(std::vector<uint64_t>* terms, std::vector<TermCount>* counts) {
  const auto by_term = [](const TermCount& x, const TermCount& y) {
    return x.term < y.term;
  };
  std::sort(terms->begin(), terms->end());
  const size_t known = counts->size();
  for (const uint64_t term : *terms) {
    if (counts->size() == known || counts->back().term != term)
      counts->push_back({term, 0});
    ++counts->back().count;
  }
  terms->clear();
  std::inplace_merge(counts->begin(),
                     counts->begin() + static_cast<ptrdiff_t>(known),
                     counts->end(), by_term);
  size_t kept = 0;
  for (const TermCount& entry : *counts) {
    if (kept > 0 && (*counts)[kept - 1].term == entry.term) {
      (*counts)[kept - 1].count += entry.count;
    } else {
      (*counts)[kept++] = entry;
    }
  }
  counts->resize(kept);
}

// Terms with their counts, ascending: those of one of `parts` (a power of two)
// by their hashes. Takes room for the different ones, and 2 MB.
std::vector<TermCount> CountTerms(Tokens tokens, uint64_t part,
                                  uint64_t parts) {
  constexpr size_t kAtOnce = 1 << 18;
  std::vector<uint64_t> terms;
  std::vector<TermCount> counts;
  terms.reserve(std::min(kAtOnce, tokens.size()));
  for (const uint64_t token : tokens) {
    if (parts > 1 && (Mix64(token) & (parts - 1)) != part) continue;
    if (terms.size() == kAtOnce) AddTerms(&terms, &counts);
    terms.push_back(token);
  }
  AddTerms(&terms, &counts);
  return counts;
}

// Calls `body` with the counts of the terms that both have.
template <typename Body>
void ForEachCommon(const std::vector<TermCount>& a,
                   const std::vector<TermCount>& b, const Body& body) {
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].term == b[j].term) {
      body(a[i++].count, b[j++].count);
    } else if (a[i].term < b[j].term) {
      ++i;
    } else {
      ++j;
    }
  }
}

// max(n, m) - |multiset intersection|: each operation can mend at most one
// token of the longer side. Never below the difference of the lengths. Large
// texts are counted part by part.
uint64_t MultisetLowerBound(Tokens a, Tokens b) {
  constexpr uint64_t kOfPart = 1 << 19;
  const uint64_t parts = std::bit_ceil((a.size() + b.size()) / kOfPart + 1);
  uint64_t common = 0;
  for (uint64_t part = 0; part < parts; ++part) {
    ForEachCommon(CountTerms(a, part, parts), CountTerms(b, part, parts),
                  [&](uint64_t x, uint64_t y) { common += std::min(x, y); });
  }
  return std::max(a.size(), b.size()) - common;
}

// The distance if it is <= k, else k + 1. `columns` is the shorter side, `rows`
// the longer; only cells with |row - column| <= k are computed: any path
// through another costs more.
uint64_t BandedDistance(Tokens rows, Tokens columns, uint64_t k,
                        std::vector<uint32_t>* row) {
  const size_t n = rows.size(), m = columns.size();
  const uint32_t far = static_cast<uint32_t>(k + 1);
  row->assign(m + 1, far);
  for (size_t j = 0; j <= std::min<size_t>(m, k); ++j) {
    (*row)[j] = static_cast<uint32_t>(j);
  }
  for (size_t i = 1; i <= n; ++i) {
    const size_t first = i > k ? i - k : 0;
    const size_t last = std::min<size_t>(m, i + k);
    size_t j = first;
    uint32_t diagonal = first > 0 ? (*row)[first - 1] : 0;  // cell (i-1, j-1)
    uint32_t left = far;                                    // cell (i, j-1)
    if (first == 0) {
      diagonal = (*row)[0];
      left = (*row)[0] = static_cast<uint32_t>(std::min<uint64_t>(i, far));
      j = 1;
    }
    uint32_t best = left;
    for (; j <= last; ++j) {
      const uint32_t above = (*row)[j];
      uint32_t cell = diagonal + (rows[i - 1] == columns[j - 1] ? 0 : 1);
      cell = std::min({cell, above + 1, left + 1, far});
      diagonal = above;
      left = (*row)[j] = cell;
      best = std::min(best, cell);
    }
    if (best >= far) return far;
  }
  return (*row)[m];
}

// Furthest rows reached on each diagonal (column - row) by a number of edits;
// kNowhere: not reached. Diagonals -max to +max, and one beyond on each side.
class Diagonals {
 public:
  explicit Diagonals(uint64_t max)
      : offset_(static_cast<int64_t>(max) + 1), rows_(2 * max + 3, kNowhere) {}
  int32_t& operator[](int64_t diagonal) {
    return rows_[static_cast<size_t>(diagonal + offset_)];
  }
  static constexpr int32_t kNowhere = std::numeric_limits<int32_t>::min() / 2;

 private:
  int64_t offset_;
  std::vector<int32_t> rows_;
};

// The distance if it is <= max, else max + 1. Texts have less than 2^30 tokens.
uint64_t DiagonalDistance(Tokens a, Tokens b, uint64_t max_distance) {
  const int64_t n = static_cast<int64_t>(a.size());
  const int64_t m = static_cast<int64_t>(b.size());
  const int64_t max = static_cast<int64_t>(max_distance), goal = m - n;
  Diagonals rows(max_distance);
  const auto slide = [&](int64_t row, int64_t diagonal) {
    while (row < n && row + diagonal < m &&
           a[static_cast<size_t>(row)] ==
               b[static_cast<size_t>(row + diagonal)]) {
      ++row;
    }
    return static_cast<int32_t>(row);
  };
  rows[0] = slide(0, 0);
  for (int64_t edits = 0;; ++edits) {
    if (std::abs(goal) <= edits && rows[goal] == n)
      return static_cast<uint64_t>(edits);
    if (edits == max) return max_distance + 1;
    // Whoever is further from the goal than the edits that are left is lost.
    const int64_t left = max - edits - 1;
    const int64_t first = std::max({-edits - 1, goal - left, -n});
    const int64_t last = std::min({edits + 1, goal + left, m});
    // With this edit a diagonal is overwritten: `below` is the one before as it
    // was.
    int32_t below = std::exchange(rows[first - 1], Diagonals::kNowhere);
    for (int64_t diagonal = first; diagonal <= last; ++diagonal) {
      const int32_t here = rows[diagonal], above = rows[diagonal + 1];
      const int64_t row = std::max({here + 1, below, above + 1});
      below = here;
      // Past a side by a substitution: the side itself is what is reached.
      const int64_t reached = std::min({row, n, m - diagonal});
      rows[diagonal] = reached < std::max<int64_t>(0, -diagonal)
                           ? Diagonals::kNowhere
                           : slide(reached, diagonal);
    }
    rows[last + 1] = Diagonals::kNowhere;
  }
}

}  // namespace

EditResult EditDistance(Tokens a, Tokens b, uint64_t max_cells) {
  DropEqualEnds(&a, &b);
  const Tokens rows = a.size() >= b.size() ? a : b;
  const Tokens columns = a.size() >= b.size() ? b : a;
  if (columns.empty()) return {rows.size(), true};
  uint64_t bound = MultisetLowerBound(rows, columns);
  std::vector<uint32_t> row;
  uint64_t spent = 0;
  for (uint64_t k = std::max<uint64_t>(bound, 1);; k *= 2) {
    k = std::min<uint64_t>(k, rows.size());  // the distance is never larger
    const uint64_t width = std::min<uint64_t>(2 * k + 1, columns.size() + 1);
    const uint64_t cells = width * rows.size();
    if (cells > max_cells - spent) return {bound, false};
    spent += cells;
    const uint64_t distance = BandedDistance(rows, columns, k, &row);
    if (distance <= k) return {distance, true};
    bound = std::max(bound, k + 1);
  }
}

uint64_t BoundedEditDistance(Tokens a, Tokens b, uint64_t max_distance) {
  DropEqualEnds(&a, &b);
  if (a.size() > b.size()) std::swap(a, b);
  // The distance is never larger than the longer side.
  const uint64_t max = std::min<uint64_t>(max_distance, b.size());
  if (a.empty() || b.size() - a.size() > max) {
    return std::min<uint64_t>(b.size(), max_distance + 1);
  }
  if (MultisetLowerBound(a, b) > max) return max_distance + 1;
  const uint64_t distance = DiagonalDistance(a, b, max);
  return std::min(distance, max_distance + 1);
}

double CosineOfCounts(Tokens a, Tokens b) {
  const std::vector<TermCount> left = CountTerms(a, 0, 1),
                               right = CountTerms(b, 0, 1);
  if (left.empty() || right.empty()) return 0.0;
  // Counts are below 2^32 (a document has fewer tokens), so each sum fits in 64
  // bits.
  uint64_t dot = 0, square_a = 0, square_b = 0;
  for (const TermCount& entry : left) square_a += entry.count * entry.count;
  for (const TermCount& entry : right) square_b += entry.count * entry.count;
  ForEachCommon(left, right, [&](uint64_t x, uint64_t y) { dot += x * y; });
  return static_cast<double>(dot) / std::sqrt(static_cast<double>(square_a) *
                                              static_cast<double>(square_b));
}

}  // namespace twinset
