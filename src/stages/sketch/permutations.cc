#include "sketch/permutations.h"

#include <algorithm>

namespace twinset {

namespace {

bool Contains(const RowSet& set, uint64_t row) {
  return std::binary_search(set.begin(), set.end(), row);
}

}  // namespace

Agreement ExactResemblance(const RowSet& a, const RowSet& b) {
  Agreement agreement;
  for (const uint64_t row : a) agreement.equal += Contains(b, row);
  agreement.all = a.size() + b.size() - agreement.equal;
  return agreement;
}

Agreement EqualSlots(std::span<const uint64_t> a, std::span<const uint64_t> b) {
  Agreement agreement;
  agreement.all = std::min(a.size(), b.size());
  for (size_t i = 0; i < agreement.all; ++i)
    agreement.equal += a[i] == b[i] && a[i] != kNoSlot;
  return agreement;
}

uint64_t LeastImage(std::span<const uint64_t> rank, const RowSet& set) {
  uint64_t least = kNoSlot;
  for (const uint64_t row : set) {
    if (row >= 1 && row <= rank.size()) least = std::min(least, rank[row - 1]);
  }
  return least;
}

uint64_t FirstMet(std::span<const uint64_t> order, const RowSet& set) {
  for (const uint64_t row : order) {
    if (Contains(set, row)) return row;
  }
  return kNoSlot;
}

PermutationTable PermutationSketches(
    const std::vector<std::vector<uint64_t>>& orders,
    const std::vector<RowSet>& sets) {
  PermutationTable table;
  table.sketch.resize(sets.size());
  for (const std::vector<uint64_t>& order : orders) {
    PermutationStep step;
    step.order = order;
    for (size_t i = 0; i < sets.size(); ++i) {
      step.first.push_back(FirstMet(order, sets[i]));
      table.sketch[i].push_back(step.first.back());
    }
    table.steps.push_back(std::move(step));
  }
  return table;
}

uint64_t LinearFunction::operator()(uint64_t x) const {
  return static_cast<uint64_t>((static_cast<unsigned __int128>(a) * x + b) % m);
}

SlotTable OnePassSlots(std::span<const uint64_t> rows,
                       const std::vector<RowSet>& sets,
                       std::span<const LinearFunction> functions) {
  SlotTable table;
  table.sketch.assign(sets.size(),
                      std::vector<uint64_t>(functions.size(), kNoSlot));
  for (const uint64_t row : rows) {
    SlotStep step;
    step.row = row;
    for (const LinearFunction& function : functions)
      step.hashes.push_back(function(row));
    for (size_t i = 0; i < sets.size(); ++i) {
      step.member.push_back(Contains(sets[i], row));
      if (!step.member.back()) continue;
      for (size_t k = 0; k < functions.size(); ++k) {
        table.sketch[i][k] = std::min(table.sketch[i][k], step.hashes[k]);
      }
    }
    step.slots = table.sketch;
    table.steps.push_back(std::move(step));
  }
  return table;
}

SlotTable UnionSlots(const std::vector<RowSet>& sets,
                     std::span<const LinearFunction> functions) {
  RowSet rows;
  for (const RowSet& set : sets)
    rows.insert(rows.end(), set.begin(), set.end());
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return OnePassSlots(rows, sets, functions);
}

}  // namespace twinset
