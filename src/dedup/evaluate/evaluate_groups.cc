#include "evaluate/evaluate_groups.h"

#include <algorithm>
#include <array>

#include "cluster/union_find.h"

namespace twinset {

namespace {

constexpr uint64_t kShare = 16;  // of the memory, for each array

Result<UnionFind> NoGroups(Run* base, const std::string& name) {
  return UnionFind::Create(base->Path(name),
                           std::max<uint64_t>(1, base->documents()),
                           base->Share(kShare), &base->budget);
}

template <typename T>
Result<PagedArray<T>> OfDocuments(Run* base, const std::string& name) {
  return PagedArray<T>::Create(base->Path(name),
                               std::max<uint64_t>(1, base->documents()),
                               base->Share(kShare), &base->budget);
}

// The pairs of one group: all, those of one host, those of two.
enum Side { kAll, kSame, kOther, kSides };
struct Tally {
  std::array<uint64_t, kSides> real{}, found{}, correct{};
};
using Tallies = PagedArray<Tally>;

// One more of `field` on the sides that the hosts of the pair belong to.
Status Count(PagedArray<uint64_t>* hosts, uint64_t a, uint64_t b,
             uint64_t group, std::array<uint64_t, kSides> Tally::*field,
             Tallies* tallies) {
  TWINSET_ASSIGN(Tally tally, tallies->Get(group));
  ++(tally.*field)[kAll];
  TWINSET_ASSIGN(const uint64_t of_a, hosts->Get(a));
  TWINSET_ASSIGN(const uint64_t of_b, hosts->Get(b));
  if (of_a != 0 && of_b != 0) ++(tally.*field)[of_a == of_b ? kSame : kOther];
  return tallies->Set(group, tally);
}

}  // namespace

Result<GroupedTrials> GroupTruth(Run* base, const TruthSource& truth,
                                 double threshold) {
  TWINSET_ASSIGN(UnionFind groups, NoGroups(base, "groups.tmp"));
  const auto if_true = [&](auto&& body) {
    return ForEachJudged(*base, truth, [&](const VerifiedPair& pair) -> Status {
      if (!truth.IsTrue(pair.score, threshold)) return {};
      return body(pair);
    });
  };
  TWINSET_TRY(if_true(
      [&](const VerifiedPair& pair) { return groups.Union(pair.a, pair.b); }));
  TWINSET_ASSIGN(auto pairs, OfDocuments<uint64_t>(base, "tallies.tmp"));
  TWINSET_TRY(if_true([&](const VerifiedPair& pair) -> Status {
    TWINSET_ASSIGN(const uint64_t group, groups.Find(pair.a));
    TWINSET_ASSIGN(const uint64_t before, pairs.Get(group));
    return pairs.Set(group, before + 1);
  }));
  GroupedTrials trials;
  for (uint64_t i = 0; i < base->documents(); ++i) {
    TWINSET_ASSIGN(const uint64_t count, pairs.Get(i));
    trials.Add(count, 0);
  }
  return trials;
}

Result<MethodGroups> GroupMethod(Run* base, const TruthSource& truth,
                                 const std::vector<SampledPair>& sample,
                                 const std::string& file, double threshold,
                                 PagedArray<uint64_t>* hosts) {
  TWINSET_ASSIGN(UnionFind of_truth, NoGroups(base, "groups.tmp"));
  TWINSET_ASSIGN(UnionFind of_either, NoGroups(base, "either.tmp"));
  const auto true_pairs = [&](auto&& body) {
    return ForEachJudged(*base, truth, [&](const VerifiedPair& pair) -> Status {
      if (!truth.IsTrue(pair.score, threshold)) return {};
      return body(pair);
    });
  };
  TWINSET_TRY(true_pairs([&](const VerifiedPair& pair) -> Status {
    TWINSET_TRY(of_truth.Union(pair.a, pair.b));
    return of_either.Union(pair.a, pair.b);
  }));
  TWINSET_TRY(
      ForEachFound(*base, truth, file, [&](const VerifiedPair& pair, double) {
        return of_either.Union(pair.a, pair.b);
      }));
  // By the groups of the truth, and by those of either.
  TWINSET_ASSIGN(Tallies tallies, OfDocuments<Tally>(base, "tallies.tmp"));
  TWINSET_ASSIGN(Tallies either, OfDocuments<Tally>(base, "of-either.tmp"));
  TWINSET_TRY(true_pairs([&](const VerifiedPair& pair) -> Status {
    TWINSET_ASSIGN(const uint64_t group, of_truth.Find(pair.a));
    TWINSET_TRY(Count(hosts, pair.a, pair.b, group, &Tally::real, &tallies));
    TWINSET_ASSIGN(const uint64_t wide, of_either.Find(pair.a));
    return Count(hosts, pair.a, pair.b, wide, &Tally::real, &either);
  }));
  TWINSET_TRY(ForEachFound(
      *base, truth, file,
      [&](const VerifiedPair& pair, double value) -> Status {
        TWINSET_ASSIGN(const uint64_t wide, of_either.Find(pair.a));
        TWINSET_TRY(Count(hosts, pair.a, pair.b, wide, &Tally::found, &either));
        if (!truth.IsTrue(value, threshold)) return {};
        TWINSET_TRY(
            Count(hosts, pair.a, pair.b, wide, &Tally::correct, &either));
        TWINSET_ASSIGN(const uint64_t group, of_truth.Find(pair.a));
        return Count(hosts, pair.a, pair.b, group, &Tally::correct, &tallies);
      }));
  MethodGroups groups;
  const std::array<GroupedCounts*, kSides> sides = {&groups.all, &groups.same,
                                                    &groups.other};
  for (uint64_t i = 0; i < base->documents(); ++i) {
    TWINSET_ASSIGN(const Tally of_true, tallies.Get(i));
    TWINSET_ASSIGN(const Tally wide, either.Get(i));
    for (size_t side = 0; side < kSides; ++side) {
      GroupedCounts* counts = sides[side];
      counts->recall.Add(of_true.real[side], of_true.correct[side]);
      counts->precision.Add(wide.found[side], wide.correct[side]);
      counts->overlap.Add(
          wide.found[side] + wide.real[side] - wide.correct[side],
          wide.correct[side]);
    }
  }
  for (const SampledPair& pair : sample) {
    TWINSET_ASSIGN(const uint64_t group, of_truth.Find(pair.a));
    groups.of_sample.push_back(group);
  }
  return groups;
}

}  // namespace twinset
