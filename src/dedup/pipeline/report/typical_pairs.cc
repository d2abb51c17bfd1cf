#include "pipeline/report/typical_pairs.h"

#include <algorithm>

namespace twinset {

size_t TypicalPairs::BinOf(double similarity) {
  return static_cast<size_t>(std::clamp(similarity, 0.0, 1.0) * 1000);
}

TypicalPairs::Counted* TypicalPairs::Find(double similarity, const Json& row) {
  const bool is_full = similarity >= 1;
  const std::string kind = row.value("duplicate_kind", "");
  const auto at =
      std::find_if(groups_.begin(), groups_.end(), [&](const Counted& of) {
        return of.group.is_full == is_full && of.group.kind == kind;
      });
  return at == groups_.end() ? nullptr : &*at;
}

void TypicalPairs::Count(double similarity, const Json& row) {
  Counted* of = Find(similarity, row);
  if (of == nullptr) {
    if (groups_.size() == kMostGroups) {
      ++others_;
      return;
    }
    of = &groups_.emplace_back();
    of->group.is_full = similarity >= 1;
    of->group.kind = row.value("duplicate_kind", "");
  }
  ++of->group.pairs;
  ++of->counts[BinOf(similarity)];
}

void TypicalPairs::Choose(bool looks_closer) {
  for (Counted& of : groups_) {
    const bool closer =
        looks_closer && of.group.is_full && of.group.kind.empty();
    const size_t most = closer ? kLooked : MostOf(groups_.size());
    uint64_t last = of.group.pairs;
    for (size_t i = 0; i < most; ++i) {
      uint64_t rank = of.group.pairs * (2 * i + 1) / (2 * most);
      if (rank == last) continue;
      last = rank;
      size_t bin = 0;
      while (rank >= of.counts[bin]) rank -= of.counts[bin++];
      of.wanted.push_back({bin, rank});
    }
    of.group.shown.resize(of.wanted.size());
  }
}

void TypicalPairs::Take(const std::string& a, const std::string& b,
                        double similarity, const Json& row) {
  Counted* const of = Find(similarity, row);
  if (of == nullptr) return;
  const size_t bin = BinOf(similarity);
  const uint64_t rank = of->seen[bin]++;
  for (size_t i = 0; i < of->wanted.size(); ++i) {
    if (of->wanted[i].bin == bin && of->wanted[i].rank == rank)
      of->group.shown[i] = {a, b, row, similarity};
  }
}

std::vector<PairGroup> TypicalPairs::Groups() && {
  std::stable_sort(groups_.begin(), groups_.end(),
                   [](const Counted& x, const Counted& y) {
                     return x.group.is_full && !y.group.is_full;
                   });
  std::vector<PairGroup> groups;
  for (Counted& of : groups_) groups.push_back(std::move(of.group));
  return groups;
}

}  // namespace twinset
