// Collections for tests of complete joins, and the plain definitions that they
// are compared with.
#ifndef TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_PREFIX_JOIN_TESTING_H_
#define TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_PREFIX_JOIN_TESTING_H_

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/memory_budget.h"
#include "candidate/collection_join.h"
#include "candidate/complete/overlap_bounds.h"
#include "candidate/complete/prefix_join.h"

namespace twinset {

using Values = std::vector<uint64_t>;  // the features of one document
using Pairs = std::set<std::pair<uint64_t, uint64_t>>;

inline std::string_view AsBytes(const Values& values) {
  return {reinterpret_cast<const char*>(values.data()),
          values.size() * sizeof(uint64_t)};
}

// CollectionJoinContext::sizes of these documents, which must stay.
inline auto SizesOf(const std::vector<Values>& documents) {
  return [&documents](const std::function<void(uint64_t)>& body) -> Status {
    for (const Values& values : documents) body(values.size());
    return {};
  };
}

inline constexpr JoinMeasure kJoinMeasures[] = {
    JoinMeasure::kJaccard, JoinMeasure::kContainment, JoinMeasure::kDice,
    JoinMeasure::kCosine,  JoinMeasure::kEdit,        JoinMeasure::kHamming,
    JoinMeasure::kCosineTf};

inline double NaiveEdit(const Values& a, const Values& b) {
  std::vector<std::vector<double>> d(a.size() + 1,
                                     std::vector<double>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = static_cast<double>(i + j);
      } else {
        d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1,
                            d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      }
    }
  }
  return d[a.size()][b.size()];
}

inline double NaiveCosineTf(const Values& a, const Values& b) {
  std::map<uint64_t, std::pair<double, double>> counts;
  for (const uint64_t x : a) ++counts[x].first;
  for (const uint64_t x : b) ++counts[x].second;
  double dot = 0, aa = 0, bb = 0;
  for (const auto& entry : counts) {
    const auto [in_a, in_b] = entry.second;
    dot += in_a * in_b;
    aa += in_a * in_a;
    bb += in_b * in_b;
  }
  return dot / std::sqrt(aa * bb);
}

// The score of two documents by the definition of the measure.
inline double NaiveScore(JoinMeasure measure, const Values& x,
                         const Values& y) {
  const double m = static_cast<double>(x.size());
  const double n = static_cast<double>(y.size());
  if (measure == JoinMeasure::kCosineTf) return NaiveCosineTf(x, y);
  if (measure == JoinMeasure::kEdit)
    return (std::max(m, n) - NaiveEdit(x, y)) / std::max(m, n);
  if (measure == JoinMeasure::kHamming) {
    if (x.size() != y.size()) return 0;
    double same = 0;
    for (size_t i = 0; i < x.size(); ++i) same += x[i] == y[i];
    return same / m;
  }
  Values both;
  std::set_intersection(x.begin(), x.end(), y.begin(), y.end(),
                        std::back_inserter(both));
  const double k = static_cast<double>(both.size());
  switch (measure) {
    case JoinMeasure::kJaccard:
      return k / (m + n - k);
    case JoinMeasure::kContainment:
      return k / std::min(m, n);
    case JoinMeasure::kDice:
      return 2 * k / (m + n);
    default:
      return k / std::sqrt(m * n);
  }
}

// One join of documents that are numbered by their places.
struct JoinOf {
  JoinMeasure measure;
  double threshold;
  int threads = 1;
  size_t first_stored = 0;  // 0: one collection
  uint64_t memory_bytes = 128 << 20;
  std::function<uint64_t(size_t)> within = {};
  const std::atomic<bool>* stop = nullptr;
  // Larger than it is: counts of leading elements go through files.
  bool claims_more = false;
  // Postings of folds that more documents than hot_limit have go there.
  HotSink hot = {};
  uint64_t hot_limit = 0;
};

// The same with next to no memory for what it claims.
inline JoinOf WithCountsInFiles(JoinOf of) {
  of.memory_bytes = 4 << 20;
  of.claims_more = true;
  return of;
}

// The join with all documents added, so that Join is what is left to do. Its
// files are in `directory`.
inline Result<std::unique_ptr<CollectionJoin>> FilledJoin(
    const JoinOf& of, const std::vector<Values>& documents,
    const std::string& directory, MemoryBudget* budget) {
  CollectionJoinContext context;
  context.budget = budget;
  context.memory_bytes = of.memory_bytes;
  context.threads = of.threads;
  context.two_collections = of.first_stored > 0;
  context.sizes = [&](const std::function<void(uint64_t)>& body) -> Status {
    if (of.claims_more) body(uint64_t{1} << 24);
    return SizesOf(documents)(body);
  };
  context.directory = directory;
  context.stop = of.stop;
  context.hot = of.hot;
  context.hot_limit = of.hot_limit;
  TWINSET_ASSIGN(auto join,
                 MakePrefixJoinFactory(of.measure, of.threshold)(context));
  for (bool again = true; again;) {
    for (size_t i = 0; i < documents.size(); ++i) {
      JoinMember member;
      member.document = i;
      member.size = documents[i].size();
      member.stored = of.first_stored > 0 && i >= of.first_stored;
      member.features = AsBytes(documents[i]);
      if (of.within) member.within = of.within(i);
      Values prepared;
      join->Prepare(member, &prepared);
      member.prepared = prepared;
      TWINSET_TRY(join->Add(member));
    }
    TWINSET_ASSIGN(again, join->EndPass());
  }
  return join;
}

// Pairs at the threshold, document numbers being indices; `first_stored`: only
// those of one document below it and one not.
inline Pairs NaivePairs(JoinMeasure measure, double threshold,
                        const std::vector<Values>& documents,
                        size_t first_stored = 0) {
  Pairs pairs;
  for (size_t i = 0; i < documents.size(); ++i) {
    for (size_t j = i + 1; j < documents.size(); ++j) {
      if (first_stored > 0 && (i < first_stored) == (j < first_stored))
        continue;
      if (documents[i].empty() || documents[j].empty()) continue;
      if (NaiveScore(measure, documents[i], documents[j]) >= threshold)
        pairs.insert({i, j});
    }
  }
  return pairs;
}

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_PREFIX_JOIN_TESTING_H_
