// twinset runs compare (twinset/corpora/runs.h;
// docs/methods/run-evaluation.md).
#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/stop.h"
#include "core/field_list.h"
#include "documents/pass_progress.h"
#include "documents/result_places.h"
#include "estimate/paired_tests.h"
#include "estimate/rank_correlation.h"
#include "report/field_rows.h"
#include "retrieval/run_evaluation.h"
#include "retrieval/run_files.h"
#include "retrieval/runs_page.h"
#include "twinset/corpora/runs.h"
#include "twinset/json.h"

namespace twinset {

namespace {

// The values of all systems under one condition.
struct Condition {
  struct System {
    RunFacts facts;
    std::vector<std::vector<double>> values;  // by measure, by topic
  };
  std::vector<System> systems;
  uint64_t topics = 0;
};

// Topics are those that are judged and that any of the runs has; a run that
// lacks one has 0 there.
Result<Condition> Evaluate(const std::vector<std::string>& runs,
                           EvaluationInput input, const RunsOptions& options,
                           StudyNames* names) {
  const LineReadOptions lines = LinesOfCommand("runs", options, nullptr);
  RunEvaluation all = options.evaluation;
  all.all_topics = true;
  input.options = &all;
  Condition condition;
  std::unordered_set<uint32_t> ranked;
  std::vector<RankingValues> values;
  for (const std::string& path : runs) {
    const OneRanking place(lines.memory, names->documents);
    TWINSET_ASSIGN(const Ranking ranking, ReadRanking(path, lines, names));
    if (!options.may_be_strangers)
      TWINSET_TRY(CheckTopics(ranking, *input.judged, *names));
    for (const TopicRanking& topic : ranking.topics) ranked.insert(topic.topic);
    values.push_back(EvaluateRanking(input, ranking));
    condition.systems.push_back({ranking.facts, {}});
  }
  for (size_t i = 0; i < values.size(); ++i) {
    auto& of_system = condition.systems[i].values;
    of_system.resize(input.measures.size());
    for (const TopicValues& topic : values[i].topics) {
      if (!ranked.contains(topic.topic)) continue;
      for (size_t m = 0; m < of_system.size(); ++m)
        of_system[m].push_back(topic.values[m]);
    }
    condition.topics = of_system.empty() ? 0 : of_system[0].size();
  }
  if (condition.topics > 0) return condition;
  return Fail(ErrorCode::kCorrupt, "the runs have no topic that is judged", {},
              "give the judgements of their topics");
}

double MeanOf(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

int SignOf(double value) { return (value > 0) - (value < 0); }

uint64_t RankOf(const std::vector<double>& means, double mean) {
  return 1 + static_cast<uint64_t>(
                 std::count_if(means.begin(), means.end(),
                               [&](double other) { return other > mean; }));
}

SwapKind KindOf(double first_p, double second_p, double first, double second,
                double alpha) {
  const bool in_first = first_p < alpha, in_second = second_p < alpha;
  if (in_first && in_second)
    return (first > 0) == (second > 0) ? SwapKind::kBothSame
                                       : SwapKind::kBothOpposite;
  if (in_first) return SwapKind::kOnlyFirst;
  return in_second ? SwapKind::kOnlySecond : SwapKind::kNeither;
}

// One measure of systems that stand in both conditions, in one order.
class Comparison {
 public:
  Comparison(const RunsOptions& options, const Condition& first,
             const Condition& second,
             const std::vector<std::pair<size_t, size_t>>& systems)
      : options_(options), first_(first), second_(second), systems_(systems) {}

  Result<ComparedMeasure> Compare(size_t measure, std::string name) const {
    ComparedMeasure compared;
    compared.measure = std::move(name);
    std::vector<double> x, y;
    std::vector<std::pair<size_t, size_t>> included;
    for (const auto& places : systems_) {
      const auto& facts = first_.systems[places.first].facts;
      ComparedSystem system;
      system.name = facts.name;
      system.tied_share = facts.tied_share;
      system.first = MeanOf(first_.systems[places.first].values[measure]);
      system.second = MeanOf(second_.systems[places.second].values[measure]);
      if (system.tied_share > options_.most_tied) {
        compared.apart.push_back(std::move(system));
        continue;
      }
      included.push_back(places);
      x.push_back(system.first);
      y.push_back(system.second);
      compared.systems.push_back(std::move(system));
    }
    for (size_t i = 0; i < x.size(); ++i) {
      compared.systems[i].first_rank = RankOf(x, x[i]);
      compared.systems[i].second_rank = RankOf(y, y[i]);
    }
    compared.tau_b = KendallTauB(x, y);
    compared.undefined = WhyUndefined(x, y);
    // Without an order on one side there is none to agree with.
    if (compared.undefined.empty()) {
      compared.tau_ap = TauAp(x, y);
      compared.overlap = RankBiasedOverlap(x, y, options_.overlap_persistence);
    }
    const size_t systems = included.size();
    PassProgress progress(options_.on_progress, "runs", compared.measure,
                          "pairs", systems * (systems - 1) / 2);
    for (size_t i = 0; i < systems; ++i)
      for (size_t k = i + 1; k < systems; ++k) {
        TWINSET_TRY(CheckStop(options_.stop));
        AddPair(measure, included[i], included[k], &compared);
        progress.Add();
      }
    return compared;
  }

 private:
  static std::string WhyUndefined(const std::vector<double>& x,
                                  const std::vector<double>& y) {
    const auto is_tied = [](const std::vector<double>& values) {
      return std::adjacent_find(values.begin(), values.end(),
                                std::not_equal_to<>()) == values.end();
    };
    if (x.size() < 2) return "fewer than two systems are compared";
    const bool first = is_tied(x), second = is_tied(y);
    if (first && second) return "all systems have one score on both sides";
    if (first) return "all systems have one score on the first side";
    return second ? "all systems have one score on the second side" : "";
  }

  void AddPair(size_t measure, const std::pair<size_t, size_t>& a,
               const std::pair<size_t, size_t>& b,
               ComparedMeasure* compared) const {
    const auto test = [&](const Condition& condition, size_t of_a, size_t of_b,
                          double* difference, double* p, double* random_p) {
      const auto& x = condition.systems[of_a].values[measure];
      const auto& y = condition.systems[of_b].values[measure];
      const PairedTest paired = PairedT(x, y);
      // Ranks go by the means. Rounding may give the mean of the differences
      // another sign than theirs, or any where they are equal.
      const double of_means = MeanOf(x) - MeanOf(y);
      *difference = SignOf(of_means) == SignOf(paired.difference)
                        ? paired.difference
                        : of_means;
      *p = paired.p;
      *random_p = RandomisationTest(x, y, options_.permutations, options_.seed);
    };
    ComparedPair pair;
    pair.a = first_.systems[a.first].facts.name;
    pair.b = first_.systems[b.first].facts.name;
    test(first_, a.first, b.first, &pair.first_difference, &pair.first_p,
         &pair.first_random_p);
    test(second_, a.second, b.second, &pair.second_difference, &pair.second_p,
         &pair.second_random_p);
    pair.swapped = pair.first_difference * pair.second_difference < 0;
    pair.t_kind = KindOf(pair.first_p, pair.second_p, pair.first_difference,
                         pair.second_difference, options_.alpha);
    pair.random_kind =
        KindOf(pair.first_random_p, pair.second_random_p, pair.first_difference,
               pair.second_difference, options_.alpha);
    compared->swapped += pair.swapped;
    compared->tied += pair.first_difference == 0 || pair.second_difference == 0;
    ++compared->t_kinds[static_cast<size_t>(pair.t_kind)];
    ++compared->random_kinds[static_cast<size_t>(pair.random_kind)];
    compared->pairs.push_back(std::move(pair));
  }

  const RunsOptions& options_;
  const Condition &first_, &second_;
  const std::vector<std::pair<size_t, size_t>>& systems_;
};

// Systems of both sides, by the names of their files.
std::vector<std::pair<size_t, size_t>> MatchSystems(
    const Condition& first, const Condition& second,
    std::vector<std::string>* unmatched) {
  std::map<std::string, size_t> places;
  for (size_t i = 0; i < second.systems.size(); ++i)
    places.emplace(second.systems[i].facts.name, i);
  std::vector<std::pair<size_t, size_t>> systems;
  for (size_t i = 0; i < first.systems.size(); ++i) {
    const auto found = places.find(first.systems[i].facts.name);
    if (found == places.end()) {
      unmatched->push_back(first.systems[i].facts.name);
      continue;
    }
    systems.emplace_back(i, found->second);
    places.erase(found);
  }
  for (const auto& [name, place] : places) unmatched->push_back(name);
  return systems;
}

// ---- The folder ----

struct SystemRow {
  std::string measure;
  bool apart = false;
  ComparedSystem system;

  static void Fields(auto& row, auto& field) {
    field("measure", row.measure);
    field("system", row.system.name);
    field("apart", row.apart);
    field("first", row.system.first);
    field("second", row.system.second);
    field("first_rank", row.system.first_rank);
    field("second_rank", row.system.second_rank);
    field("tied_share", row.system.tied_share);
  }
};

struct PairRow {
  std::string measure;
  ComparedPair pair;

  static void Fields(auto& row, auto& field) {
    field("measure", row.measure);
    field("a", row.pair.a);
    field("b", row.pair.b);
    field("first_difference", row.pair.first_difference);
    field("second_difference", row.pair.second_difference);
    field("first_p", row.pair.first_p);
    field("second_p", row.pair.second_p);
    field("first_random_p", row.pair.first_random_p);
    field("second_random_p", row.pair.second_random_p);
    field("swapped", row.pair.swapped);
    field("t_kind", row.pair.t_kind);
    field("random_kind", row.pair.random_kind);
  }
};

Status WriteComparison(const RunsOptions& options,
                       const RunsCompareResult& result, ResultFolder* folder) {
  TWINSET_TRY(folder->Begin({"systems.csv", "pairs.csv", "summary.json"}));
  std::vector<SystemRow> systems;
  std::vector<PairRow> pairs;
  Json measures = Json::array();
  for (const ComparedMeasure& one : result.measures) {
    for (const bool apart : {false, true})
      for (const ComparedSystem& system : apart ? one.apart : one.systems)
        systems.push_back({one.measure, apart, system});
    for (const ComparedPair& pair : one.pairs)
      pairs.push_back({one.measure, pair});
    Json row = {{"measure", one.measure},
                {"systems", one.systems.size()},
                {"apart", one.apart.size()}};
    row.update(FieldsToJson(one));
    measures.push_back(std::move(row));
  }
  TWINSET_TRY(WriteWholeFile(folder->path() + "/systems.csv", CsvOf(systems)));
  TWINSET_TRY(WriteWholeFile(folder->path() + "/pairs.csv", CsvOf(pairs)));
  const Json summary = {
      {"command", "runs compare"},
      {"first_topics", result.first_topics},
      {"second_topics", result.second_topics},
      {"measures", measures},
      {"parameters",
       {{"relevance_level", options.evaluation.relevance_level},
        {"persistence", options.evaluation.persistence},
        {"condensed", options.evaluation.condensed},
        {"collapse", options.evaluation.duplicates.empty()
                         ? Json()
                         : Json(options.evaluation.action)},
        {"most_tied", options.most_tied},
        {"rbo_persistence", options.overlap_persistence},
        {"alpha", options.alpha},
        {"permutations", options.permutations},
        {"seed", options.seed}}}};
  return WriteWholeFile(folder->path() + "/summary.json",
                        summary.dump(2) + "\n");
}

}  // namespace

Result<RunsCompareResult> v1::CompareRuns(const RunsOptions& options) try {
  const RunEvaluation& how = options.evaluation;
  if (options.qrels.empty()) return NoJudgements();
  if (options.against.empty() && options.against_qrels.empty() &&
      how.duplicates.empty())
    return Fail(ErrorCode::kUsage, "both sides would be the same", {},
                "add --against RUN, --against-qrels FILE or --duplicates FILE");
  TWINSET_TRY(CheckSystemsDiffer(options.runs));
  TWINSET_TRY(CheckSystemsDiffer(options.against));
  std::optional<ResultFolder> folder;
  if (!options.out.empty()) {
    std::vector<std::string> inputs = options.runs;
    for (const auto* more : {&options.qrels, &options.against,
                             &options.against_qrels, &how.duplicates})
      inputs.insert(inputs.end(), more->begin(), more->end());
    TWINSET_ASSIGN(
        ResultFolder opened,
        OpenResultFolder(OutRequest("runs compare", options), inputs));
    folder.emplace(std::move(opened));
  }
  RunsCompareResult result;
  StudyNames names;
  StudyMemory memory(options.resources.memory_bytes);
  const LineReadOptions lines = LinesOfCommand("runs", options, &memory);
  EvaluationInput input;
  for (const std::string& name : how.measures) {
    TWINSET_ASSIGN(const MeasureSpec measure, ParseMeasure(name));
    input.measures.push_back(measure);
  }
  const QrelsReading reading{RepeatedLines::kFirstStands,
                             options.negative_as_zero, lines};
  TWINSET_ASSIGN(const Qrels first_qrels,
                 ReadQrelsFiles(options.qrels, reading, &names, &result.qrels));
  Qrels other_qrels;
  if (!options.against_qrels.empty()) {
    TWINSET_ASSIGN(other_qrels, ReadQrelsFiles(options.against_qrels, reading,
                                               &names, &result.against_qrels));
  }
  const JudgedTopics first_judged(&first_qrels, how.relevance_level);
  const JudgedTopics second_judged(
      options.against_qrels.empty() ? &first_qrels : &other_qrels,
      how.relevance_level);
  TWINSET_ASSIGN(const DuplicateList list,
                 ReadDuplicateFiles(how.duplicates, {lines}, &names.documents,
                                    &result.duplicates));
  const DuplicateGraph graph(list, names.documents.size());
  input.judged = &first_judged;
  TWINSET_ASSIGN(const Condition first,
                 Evaluate(options.runs, input, options, &names));
  input.judged = &second_judged;
  if (!how.duplicates.empty()) input.duplicates = &graph;
  TWINSET_ASSIGN(
      const Condition second,
      Evaluate(options.against.empty() ? options.runs : options.against, input,
               options, &names));
  for (const auto& system : first.systems) result.first.push_back(system.facts);
  for (const auto& system : second.systems)
    result.second.push_back(system.facts);
  result.first_topics = first.topics;
  result.second_topics = second.topics;
  const auto systems = MatchSystems(first, second, &result.unmatched);
  if (systems.empty())
    return Fail(ErrorCode::kCorrupt,
                "no run of one side has its like in --against: one side has '" +
                    result.first.front().name + "', the other '" +
                    result.second.front().name + "'",
                {}, "runs are matched by the names of their files");
  const Comparison comparison(options, first, second, systems);
  for (size_t m = 0; m < input.measures.size(); ++m) {
    TWINSET_ASSIGN(ComparedMeasure compared,
                   comparison.Compare(m, MeasureName(input.measures[m])));
    result.measures.push_back(std::move(compared));
  }
  if (folder) TWINSET_TRY(WriteComparison(options, result, &*folder));
  for (const std::string& name : result.unmatched)
    result.warnings.push_back("run " + name +
                              " is of one side only; it is left out");
  result.has_second_runs = !options.against.empty();
  TellOf(&result);
  return result;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
