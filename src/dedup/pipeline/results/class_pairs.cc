#include "pipeline/results/class_pairs.h"

#include <algorithm>
#include <vector>

#include "base/for_each.h"
#include "pipeline/results/cluster_rows.h"
#include "pipeline/run/class_table.h"

namespace twinset {

namespace {

// Where the list stage, or else the verify stage, left the pairs.
const char* PairsFile(const Run& run) {
  return run.counts.list ? "listed.run" : "verified.run";
}

class ClassPairs {
 public:
  explicit ClassPairs(Run* run) : run_(run), plan_(run->plan) {}

  Status AddTo(ExternalSorter<VerifiedPair>* pairs) {
    return plan_.options.pairs == ListedPairs::kStar ? StarPairs(pairs)
                                                     : ExpandClasses(pairs);
  }
  uint64_t implied() const { return implied_; }

 private:
  static VerifiedPair PairOf(uint64_t x, uint64_t y, double score) {
    return {std::min(x, y), std::max(x, y), score};
  }

  // Representative and member, where their similarity reaches the threshold.
  Status StarPairs(ExternalSorter<VerifiedPair>* pairs) {
    const double threshold = PairThreshold(plan_);
    return ForEachRecord<ClusterRow>(
        *run_, "clusters.run", [&](const ClusterRow& row) -> Status {
          if (row.document == row.representative || row.score < threshold)
            return {};
          return pairs->Add(
              PairOf(row.document, row.representative, row.score));
        });
  }

  // Verified pairs stand for whole classes; each class is also all pairs of
  // itself.
  Status ExpandClasses(ExternalSorter<VerifiedPair>* pairs) {
    TWINSET_ASSIGN(auto classes, ClassTable::Open(*run_, &run_->budget));
    TWINSET_TRY(ForEachRecord<VerifiedPair>(
        *run_, PairsFile(*run_), [&](const VerifiedPair& pair) -> Status {
          TWINSET_ASSIGN(const uint64_t size_a, classes.Size(pair.a));
          TWINSET_ASSIGN(const uint64_t size_b, classes.Size(pair.b));
          if (size_a == 1 && size_b == 1) return pairs->Add(pair);
          return ExpandProduct(&classes, pair, size_a, size_b, pairs);
        }));
    return ExpandEachClass(&classes, pairs);
  }

  bool Expands(uint64_t rows) const {
    return plan_.options.pairs == ListedPairs::kAll || rows <= kMostClassRows;
  }

  Status ExpandProduct(ClassTable* classes, const VerifiedPair& pair,
                       uint64_t size_a, uint64_t size_b,
                       ExternalSorter<VerifiedPair>* pairs) {
    // Sizes are below 2^40, so only absurd products saturate.
    const uint64_t rows =
        size_b > UINT64_MAX / size_a ? UINT64_MAX : size_a * size_b;
    TWINSET_TRY(pairs->Add(pair));
    TWINSET_TRY(classes->ForEachCopy(pair.b, [&](const Copy& copy) {
      return pairs->Add(PairOf(pair.a, copy.document, pair.score));
    }));
    if (!Expands(rows)) {
      implied_ += rows - (size_a + size_b - 1);
      return classes->ForEachCopy(pair.a, [&](const Copy& copy) {
        return pairs->Add(PairOf(copy.document, pair.b, pair.score));
      });
    }
    std::vector<uint64_t> copies_a;
    const Reservation room = run_->budget.ReserveUpTo(size_a * 8, 0);
    TWINSET_TRY(classes->ForEachCopy(pair.a, [&](const Copy& copy) -> Status {
      copies_a.push_back(copy.document);
      return {};
    }));
    for (const uint64_t a : copies_a) {
      TWINSET_TRY(pairs->Add(PairOf(a, pair.b, pair.score)));
      TWINSET_TRY(classes->ForEachCopy(pair.b, [&](const Copy& copy) {
        return pairs->Add(PairOf(a, copy.document, pair.score));
      }));
    }
    return {};
  }

  // The pairs within each class.
  Status ExpandEachClass(ClassTable* classes,
                         ExternalSorter<VerifiedPair>* pairs) {
    std::vector<uint64_t> members;
    uint64_t leader = ~uint64_t{0};
    const auto expand = [&]() -> Status {
      for (size_t i = 0; i < members.size(); ++i) {
        for (size_t j = i + 1; j < members.size(); ++j) {
          TWINSET_TRY(pairs->Add(PairOf(members[i], members[j], 1.0)));
        }
      }
      members.clear();
      return {};
    };
    bool chained = false;
    TWINSET_TRY(ForEachRecord<Copy>(
        *run_, "copies.run", [&](const Copy& copy) -> Status {
          if (copy.leader != leader) {
            TWINSET_TRY(expand());
            leader = copy.leader;
            TWINSET_ASSIGN(const uint64_t size, classes->Size(leader));
            const uint64_t rows =
                size < (uint64_t{1} << 32) ? size * (size - 1) / 2 : UINT64_MAX;
            chained = !Expands(rows);
            if (chained) implied_ += rows - (size - 1);
            if (!chained) members.push_back(leader);
          }
          if (chained) return pairs->Add(PairOf(leader, copy.document, 1.0));
          members.push_back(copy.document);
          return {};
        }));
    return expand();
  }

  Run* run_;
  const Plan& plan_;
  uint64_t implied_ = 0;
};

}  // namespace

double PairThreshold(const Plan& plan) {
  return IsHashed(plan.features.form) ? plan.options.method.threshold : 1.0;
}

Result<uint64_t> ForEachResultPair(
    Run* run, const std::function<Status(const VerifiedPair&)>& body) {
  if (run->plan.options.pairs != ListedPairs::kStar) {
    TWINSET_ASSIGN(const auto copies, OpenRun<Copy>(*run, "copies.run"));
    if (copies.count() == 0) {  // the verified pairs are all, and sorted
      TWINSET_TRY(ForEachRecord<VerifiedPair>(*run, PairsFile(*run), body));
      return uint64_t{0};
    }
  }
  ExternalSorter<VerifiedPair> pairs(run->SortOptions("pairs", 4),
                                     &run->budget);
  ClassPairs classes(run);
  TWINSET_TRY(classes.AddTo(&pairs));
  TWINSET_TRY(pairs.Finish());
  TWINSET_TRY(ForEach<VerifiedPair>(&pairs, body));
  return classes.implied();
}

}  // namespace twinset
