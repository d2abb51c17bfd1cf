#include "evaluate/evaluate_documents.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace twinset {

namespace {

constexpr size_t kMostHubs = 5;

template <typename T>
Result<PagedArray<T>> OneEach(Run* base, const std::string& name) {
  return PagedArray<T>::Create(base->Path(name),
                               std::max<uint64_t>(1, base->documents()),
                               base->Share(16), &base->budget);
}

// The least count that at least `share` of the documents do not exceed.
uint64_t Quantile(const std::map<uint64_t, uint64_t>& documents_by_count,
                  uint64_t documents, double share) {
  const double wanted = share * static_cast<double>(documents);
  uint64_t passed = 0;
  for (const auto& [count, of_it] : documents_by_count) {
    passed += of_it;
    if (static_cast<double>(passed) >= wanted) return count;
  }
  return 0;
}

}  // namespace

uint64_t CountedDocuments(const Run& base) {
  return base.plan.inputs.first_side == 0
             ? base.documents()
             : base.counts.read.sides[0].outcome.documents;
}

Result<BestTruth> BestTruth::Load(Run* base, const TruthSource& truth,
                                  double threshold) {
  TWINSET_ASSIGN(auto array, OneEach<Best>(base, "best.tmp"));
  BestTruth best(base, truth, threshold, std::move(array));
  const uint64_t counted = CountedDocuments(*base);
  const auto take = [&](uint64_t document, double value) -> Status {
    if (document >= counted) return {};
    TWINSET_ASSIGN(Best now, best.best_.Get(document));
    if (now.is_set != 0 && now.value >= value) return {};
    best.with_true_ += now.is_set == 0;
    return best.best_.Set(document, {value, 1});
  };
  TWINSET_TRY(
      ForEachJudged(*base, truth, [&](const VerifiedPair& pair) -> Status {
        if (!truth.IsTrue(pair.score, threshold)) return {};
        TWINSET_TRY(take(pair.a, pair.score));
        return take(pair.b, pair.score);
      }));
  return best;
}

Result<DocumentFigures> BestTruth::Reach(const std::string& file) {
  enum : uint64_t { kFound = 1, kBest = 2 };
  TWINSET_ASSIGN(auto reached, OneEach<uint64_t>(base_, "reached.tmp"));
  DocumentFigures figures;
  figures.with_true = with_true_;
  const uint64_t counted = CountedDocuments(*base_);
  const auto reach = [&](uint64_t document, double value) -> Status {
    if (document >= counted) return {};
    TWINSET_ASSIGN(const uint64_t before, reached.Get(document));
    TWINSET_ASSIGN(const Best best, best_.Get(document));
    const uint64_t now =
        before | kFound | (value >= best.value ? kBest : uint64_t{0});
    figures.found += (before & kFound) == 0;
    figures.best_found += (now & ~before & kBest) != 0;
    return now == before ? Status() : reached.Set(document, now);
  };
  TWINSET_TRY(
      ForEachFound(*base_, truth_, file,
                   [&](const VerifiedPair& pair, double value) -> Status {
                     if (!truth_.IsTrue(value, threshold_)) return {};
                     TWINSET_TRY(reach(pair.a, value));
                     return reach(pair.b, value);
                   }));
  return figures;
}

Result<CandidateSpread> SpreadOf(Run* base, const std::string& file,
                                 std::vector<uint64_t>* hubs) {
  TWINSET_ASSIGN(auto counts, OneEach<uint64_t>(base, "spread.tmp"));
  const uint64_t counted = CountedDocuments(*base);
  const auto add = [&](uint64_t document) -> Status {
    if (document >= counted) return {};
    TWINSET_ASSIGN(const uint64_t before, counts.Get(document));
    return counts.Set(document, before + 1);
  };
  TWINSET_TRY(ForEachRecord<VerifiedPair>(
      *base, file, [&](const VerifiedPair& pair) -> Status {
        TWINSET_TRY(add(pair.a));
        return add(pair.b);
      }));
  std::map<uint64_t, uint64_t> by_count;
  // Most candidates first, then in input order.
  std::vector<std::pair<uint64_t, uint64_t>> most;
  for (uint64_t document = 0; document < counted; ++document) {
    TWINSET_ASSIGN(const uint64_t count, counts.Get(document));
    ++by_count[count];
    if (count == 0 || (most.size() == kMostHubs && count <= most.back().first))
      continue;
    if (most.size() == kMostHubs) most.pop_back();
    const auto place =
        std::find_if(most.begin(), most.end(),
                     [&](const auto& other) { return other.first < count; });
    most.insert(place, {count, document});
  }
  CandidateSpread spread;
  spread.quartile1 = Quantile(by_count, counted, 0.25);
  spread.median = Quantile(by_count, counted, 0.5);
  spread.quartile3 = Quantile(by_count, counted, 0.75);
  spread.percentile99 = Quantile(by_count, counted, 0.99);
  hubs->clear();
  for (const auto& [count, document] : most) {
    hubs->push_back(document);
    spread.hubs.push_back({"", count});
  }
  spread.most = most.empty() ? 0 : most.front().first;
  return spread;
}

}  // namespace twinset
