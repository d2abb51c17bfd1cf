#include "assess/label_draw.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/hash.h"
#include "base/json_text.h"
#include "base/math/round_to.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

constexpr uint64_t kLeastOfStratum = 2;

}  // namespace

bool operator<(const DrawnForLabels& x, const DrawnForLabels& y) {
  return std::tie(x.draw, x.a, x.b) < std::tie(y.draw, y.a, y.b);
}

std::string SimilarityRange(double similarity) {
  if (similarity >= 1) return "1";
  // Rounded first: 0.85 as a sum may lie just below itself.
  const auto twentieth =
      static_cast<int>(RoundTo(std::max(similarity, 0.0), 9) * 20 + 1e-7);
  std::string range;
  AppendDouble(&range, RoundTo(twentieth * 0.05, 2));
  range += '-';
  AppendDouble(&range, RoundTo((twentieth + 1) * 0.05, 2));
  return range;
}

std::string LabelDraw::StratumOf(std::optional<double> similarity,
                                 std::string_view kind) const {
  std::string name;
  if (by_ == AssessStrata::kBoth || by_ == AssessStrata::kSimilarity)
    name = similarity ? SimilarityRange(*similarity) : "similarity not known";
  if ((by_ == AssessStrata::kBoth || by_ == AssessStrata::kKind) &&
      !kind.empty()) {
    if (!name.empty()) name += ", ";
    name += WordsOf(std::string(kind));
  }
  return name.empty() ? "all" : name;
}

Status LabelDraw::Add(std::string_view a, std::string_view b,
                      std::optional<double> similarity, std::string_view kind) {
  PairStratum& stratum = strata_[StratumOf(similarity, kind)];
  if (strata_.size() > kMostStrata)
    return Fail(
        ErrorCode::kUsage,
        "the pairs have more than " + std::to_string(kMostStrata) + " strata",
        {}, "--strata similarity");
  ++stratum.pairs;
  DrawnForLabels pair{std::string(a), std::string(b), similarity.value_or(0),
                      Hash64(b, Hash64(a, Mix64(seed_)))};
  std::vector<DrawnForLabels>& heap = stratum.drawn;
  if (heap.size() == most_) {
    if (heap.empty() || !(pair < heap.front())) return {};
    std::pop_heap(heap.begin(), heap.end());
    heap.pop_back();
  }
  heap.push_back(std::move(pair));
  std::push_heap(heap.begin(), heap.end());
  return {};
}

std::vector<PairStratum> LabelDraw::Take() {
  std::vector<PairStratum> taken;
  for (auto& [name, stratum] : strata_) {
    std::sort_heap(stratum.drawn.begin(), stratum.drawn.end());
    stratum.name = name;
    taken.push_back(std::move(stratum));
  }
  strata_.clear();
  return taken;
}

std::vector<uint64_t> ShareOut(const std::vector<uint64_t>& sizes,
                               uint64_t total) {
  std::vector<uint64_t> shares(sizes.size());
  uint64_t left = total, waiting = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    shares[i] = std::min({sizes[i], kLeastOfStratum, left});
    left -= shares[i];
    waiting += sizes[i] - shares[i];
  }
  left = std::min(left, waiting);
  if (left == 0) return shares;
  // By 128 bits: sizes may be any.
  std::vector<std::pair<uint64_t, size_t>> remainders;
  uint64_t given = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const auto part = static_cast<unsigned __int128>(sizes[i] - shares[i]) *
                      static_cast<unsigned __int128>(left);
    const auto whole = static_cast<uint64_t>(part / waiting);
    remainders.emplace_back(static_cast<uint64_t>(part % waiting), i);
    shares[i] += whole;
    given += whole;
  }
  std::stable_sort(
      remainders.begin(), remainders.end(),
      [](const auto& x, const auto& y) { return x.first > y.first; });
  for (const auto& [remainder, i] : remainders) {
    if (given == left) break;
    if (shares[i] == sizes[i]) continue;
    ++shares[i];
    ++given;
  }
  return shares;
}

}  // namespace twinset
