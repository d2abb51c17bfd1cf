#include "pipeline/report/pair_draw.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "base/hash.h"

namespace twinset {

namespace {

bool DrawnBefore(const DrawnPair& x, const DrawnPair& y) {
  return std::tie(x.draw, x.a, x.b) < std::tie(y.draw, y.a, y.b);
}

}  // namespace

void PairDraw::Keep(const DrawnPair& pair, size_t most,
                    std::vector<DrawnPair>* of) {
  if (of->size() == most && !DrawnBefore(pair, of->back())) return;
  of->insert(std::upper_bound(of->begin(), of->end(), pair, DrawnBefore), pair);
  if (of->size() > most) of->pop_back();
}

bool PairDraw::IsMoreTypical(const DrawnPair& pair) const {
  if (!typical_) return false;
  if (!nearest_) return true;
  const double distance = std::abs(pair.similarity - *typical_),
               least = std::abs(nearest_->similarity - *typical_);
  return distance < least ||
         (distance == least && DrawnBefore(pair, *nearest_));
}

void PairDraw::Add(const std::string& a, const std::string& b,
                   double similarity, const Json& row) {
  DrawnPair pair{a, b, {}, similarity, Hash64(b, Hash64(a, Mix64(seed_)))};
  size_t stratum = kEqual;
  if (similarity < 1) {
    const double place = (similarity - threshold_) / (1 - threshold_) * 4;
    stratum = place < 1 ? 0 : std::min(static_cast<size_t>(place), kEqual - 1);
  }
  const size_t most = stratum == kEqual ? 1 : kOfStratum;
  std::vector<DrawnPair>& of = strata_[stratum];
  const std::string kind =
      row.value("difference", row.value("duplicate_kind", ""));
  const bool is_new =
      of.size() < most || DrawnBefore(pair, of.back()) ||
      (!kind.empty() && kinds_.size() <= kMostKinds &&
       (kinds_[kind].empty() || DrawnBefore(pair, kinds_[kind].back())));
  const bool is_typical = IsMoreTypical(pair);
  if (!is_new && !is_typical) return;
  pair.row = row;
  if (is_typical) nearest_ = pair;
  if (!is_new) return;
  Keep(pair, most, &of);
  if (kind.empty()) return;
  if (kinds_.contains(kind) || kinds_.size() < kMostKinds)
    Keep(pair, kOfKind, &kinds_[kind]);
}

std::vector<DrawnPair> PairDraw::Take() {
  std::vector<DrawnPair> all;
  for (auto& stratum : strata_)
    for (DrawnPair& pair : stratum) all.push_back(std::move(pair));
  for (auto& [kind, pairs] : kinds_)
    for (DrawnPair& pair : pairs) all.push_back(std::move(pair));
  const auto order = [](const DrawnPair& x, const DrawnPair& y) {
    return std::tie(x.similarity, x.draw, x.a, x.b) <
           std::tie(y.similarity, y.draw, y.a, y.b);
  };
  std::sort(all.begin(), all.end(), order);
  all.erase(std::unique(all.begin(), all.end(),
                        [](const DrawnPair& x, const DrawnPair& y) {
                          return x.a == y.a && x.b == y.b;
                        }),
            all.end());
  if (!nearest_) return all;
  std::erase_if(all, [&](const DrawnPair& pair) {
    return pair.a == nearest_->a && pair.b == nearest_->b;
  });
  all.insert(all.begin(), *std::exchange(nearest_, std::nullopt));
  return all;
}

}  // namespace twinset
