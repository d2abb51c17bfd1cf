// What is read of rankings, and how two of them compare
// (docs/methods/run-evaluation.md).
#ifndef TWINSET_CORPORA_RUN_COMPARISON_H_
#define TWINSET_CORPORA_RUN_COMPARISON_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "twinset/choices.h"
#include "twinset/corpora/study_counts.h"
#include "twinset/results.h"

namespace twinset {
inline namespace v1 {

// What was read from a run.
struct RunFacts {
  std::string name;  // of its file, without folder and ending
  LineCounts lines;
  uint64_t topics = 0, documents = 0;  // lines that count
  double tied_share = 0;  // 1 - different scores / documents, over all topics

  static void Fields(auto& facts, auto& field) {
    field("run", facts.name);
    field("run_topics", facts.topics);
    field("documents", facts.documents);
    field("tied_share", facts.tied_share);
    field("lines", facts.lines);
  }
};

// What the results of all commands of runs have.
struct RunsResult {
  static constexpr bool kShowsAllRows = true;
  std::vector<SideRead> sides;
  std::vector<std::string> warnings;
  ResultPage page;
};

// What a significance test says of a pair of systems under two conditions.
enum class SwapKind : uint8_t {
  kBothSame,      // significant in both, the same one is better
  kBothOpposite,  // significant in both, but not the same one is better
  kOnlyFirst,
  kOnlySecond,
  kNeither,
};
template <>
inline constexpr auto kChoices<SwapKind> =
    ChoiceTable<SwapKind>({{SwapKind::kBothSame, "both-same"},
                           {SwapKind::kBothOpposite, "both-opposite"},
                           {SwapKind::kOnlyFirst, "only-first"},
                           {SwapKind::kOnlySecond, "only-second"},
                           {SwapKind::kNeither, "neither"}});
inline constexpr size_t kSwapKinds = 5;

struct ComparedSystem {
  std::string name;
  double first = 0, second = 0;              // mean of the measure
  uint64_t first_rank = 0, second_rank = 0;  // from 1; equal means share one
  double tied_share = 0;

  static void Fields(auto& system, auto& field) {
    field("run", system.name);
    field("first", system.first);
    field("second", system.second);
    field("first_rank", system.first_rank);
    field("second_rank", system.second_rank);
    field("tied_share", system.tied_share);
  }
};
struct ComparedPair {
  std::string a, b;
  double first_difference = 0, second_difference = 0;  // a - b
  double first_p = 1, second_p = 1;                    // paired t
  double first_random_p = 1, second_random_p = 1;      // randomisation
  SwapKind t_kind = SwapKind::kNeither, random_kind = SwapKind::kNeither;
  bool swapped = false;  // the order of the means is the other way round

  static void Fields(auto& pair, auto& field) {
    field("a", pair.a);
    field("b", pair.b);
    field("first_difference", pair.first_difference);
    field("second_difference", pair.second_difference);
    field("first_p", pair.first_p);
    field("second_p", pair.second_p);
    field("first_random_p", pair.first_random_p);
    field("second_random_p", pair.second_random_p);
    field("t", pair.t_kind);
    field("randomisation", pair.random_kind);
  }
};
struct ComparedMeasure {
  std::string measure;
  std::vector<ComparedSystem> systems, apart;  // apart: with more ties
  std::vector<ComparedPair> pairs;             // of `systems`
  // Absent if one side has no order at all; `undefined` then says why.
  std::optional<double> tau_b, tau_ap, overlap;
  std::string undefined;
  uint64_t swapped = 0;
  uint64_t tied = 0;  // pairs with equal scores on at least one side
  std::array<uint64_t, kSwapKinds> t_kinds{}, random_kinds{};

  static void Fields(auto& measure, auto& field) {
    field("measure", measure.measure);
    field.OrNull("tau_b", measure.tau_b);
    field.OrNull("tau_ap", measure.tau_ap);
    field.OrNull("rbo", measure.overlap);
    field.Derived("pairs", measure.pairs.size());
    field("swapped", measure.swapped);
    field("tied", measure.tied);
    field.OrNull("undefined", measure.undefined.empty()
                                  ? std::optional<std::string>()
                                  : measure.undefined);
    field.template ByChoice<SwapKind>("t", measure.t_kinds);
    field.template ByChoice<SwapKind>("randomisation", measure.random_kinds);
  }
};
struct RunsCompareResult : RunsResult {
  LineCounts qrels, against_qrels, duplicates;
  uint64_t first_topics = 0, second_topics = 0;
  std::vector<RunFacts> first, second;
  bool has_second_runs = false;        // else both sides have the same files
  std::vector<std::string> unmatched;  // runs of one side only
  std::vector<ComparedMeasure> measures;

  LinesRead lines() const;
};
}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_CORPORA_RUN_COMPARISON_H_
