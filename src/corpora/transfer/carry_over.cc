#include "transfer/carry_over.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/file.h"
#include "base/hash.h"
#include "core/field_list.h"
#include "estimate/bootstrap.h"
#include "retrieval/engine_runs.h"
#include "retrieval/qrels_file.h"
#include "retrieval/ranking.h"
#include "transfer/collection_pass.h"
#include "transfer/study_numbers.h"
#include "twinset/corpora/runs.h"
#include "twinset/measure/engine.h"

namespace twinset {
namespace {

constexpr char kMeasure[] = "ndcg_cut_10";
constexpr char kUnjudged[] = "unjudged_10";

// The runs of eight configurations over an index of one side, in a folder.
struct SideRuns {
  std::vector<std::string> runs;
  Json numbers;
};

// The ids of what the runs rank: engines name documents by address.
Status NameByIds(const InputOptions& input, const std::atomic<bool>* stop,
                 const std::vector<std::string>& runs) {
  StudyNames names;
  std::vector<Ranking> rankings;
  for (const std::string& run : runs) {
    if (*FileSize(run) == 0) {
      rankings.emplace_back();
      continue;
    }
    TWINSET_ASSIGN(Ranking ranking, ReadRanking(run, {}, &names));
    rankings.push_back(std::move(ranking));
  }
  std::vector<std::string> ids(names.documents.size());
  TWINSET_TRY(ForEachCollectionDocument(
      input, stop, [&](const CollectionDocument& one) -> Status {
        const Document& document = one.record.document;
        const std::string& url = document.provenance.url;
        const auto number =
            names.documents.Find(DocumentName(url.empty() ? document.id : url));
        if (number && ids[*number].empty()) ids[*number] = one.name;
        return {};
      }));
  for (size_t i = 0; i < runs.size(); ++i) {
    TWINSET_ASSIGN(OutputFile file, OutputFile::Create(runs[i]));
    for (const TopicRanking& topic : rankings[i].topics) {
      // The place decides, not the id, which is another now.
      const size_t size = topic.documents.size();
      for (size_t rank = 0; rank < size; ++rank) {
        const std::string& id = ids[topic.documents[rank].document];
        if (id.empty())
          return Fail(ErrorCode::kInternal, "a ranked document has no id",
                      names.documents[topic.documents[rank].document]);
        TWINSET_TRY(file.Write(
            names.topics[topic.topic] + " Q0 " + DocumentName(id) + " " +
            std::to_string(rank + 1) + " " + std::to_string(size - rank) + " " +
            rankings[i].tag + "\n"));
      }
    }
    TWINSET_TRY(file.Commit());
  }
  return {};
}

Result<SideRuns> RankSide(const CarryInput& input, const InputOptions& side,
                          const std::string& name) {
  const StudyPlan& plan = *input.plan;
  const std::string folder = input.work + "/" + name;
  TWINSET_TRY(MakeDirectories(folder));
  EngineBuildOptions build;
  build.input = side;
  build.features.tokens = plan.tokens;
  build.features.content = input.content;
  build.out = folder + "/system";
  build.overwrite = true;
  build.stop = input.stop;
  TWINSET_ASSIGN(const EngineBuildCounts counts, BuildEngine(build));
  RunsOptions make;
  make.runs = {build.out};
  make.topics = plan.retrieval.topics;
  make.results = plan.retrieval.results;
  make.out = folder + "/runs";
  make.overwrite = true;
  TWINSET_ASSIGN(const RunsMakeResult made, MakeRuns(make));
  SideRuns runs;
  Json systems = Json::array();
  for (const RunsMakeResult::Run& run : made.runs) {
    systems.push_back({{"system", run.name}, {"documents", run.documents}});
    if (run.documents > 0)
      runs.runs.push_back(make.out + "/" + run.name + ".run");
  }
  runs.numbers = {{"documents", counts.documents},
                  {"topics", made.topics},
                  {"systems", std::move(systems)}};
  if (runs.runs.empty())
    return Fail(ErrorCode::kUsage, "no topic has an answer in " + name, {},
                "give topics in the words of the collection");
  TWINSET_TRY(NameByIds(side, input.stop, runs.runs));
  return runs;
}

// What one condition says against the first.
struct Condition {
  std::vector<std::string> runs, qrels;
  bool condensed = false;
};

RunsOptions CompareOptions(const StudyPlan& plan, const Condition& first,
                           const Condition& second, uint64_t permutations) {
  RunsOptions options;
  options.runs = first.runs;
  options.qrels = first.qrels;
  options.against = second.runs;
  options.against_qrels = second.qrels;
  options.evaluation.measures = {kMeasure};
  options.evaluation.relevance_level = plan.retrieval.relevance_level;
  options.evaluation.all_topics = true;
  options.evaluation.condensed = second.condensed;
  options.permutations = permutations;
  options.seed = plan.seed;
  options.may_be_strangers = true;
  return options;
}

Json Optional(const std::optional<double>& value) {
  return value ? Number(*value) : Json();
}

Result<Json> CompareWith(const StudyPlan& plan, const Condition& first,
                         const Condition& second) {
  TWINSET_ASSIGN(const RunsCompareResult compared,
                 CompareRuns(CompareOptions(plan, first, second,
                                            plan.retrieval.permutations)));
  const ComparedMeasure& measure = compared.measures.front();
  RunsOptions eval = CompareOptions(plan, second, {}, 1);
  eval.evaluation.measures = {kUnjudged};
  eval.evaluation.condensed = false;
  TWINSET_ASSIGN(const RunsEvalResult unjudged, EvaluateRuns(eval));
  std::map<std::string, double> unjudged_of;
  for (const EvaluatedRun& run : unjudged.runs)
    unjudged_of[run.facts.name] = run.means.front();
  Json systems = Json::array();
  double sum = 0;
  for (const ComparedSystem& system : measure.systems) {
    sum += unjudged_of[system.name];
    systems.push_back({{"system", system.name},
                       {"first", Number(system.first)},
                       {"second", Number(system.second)},
                       {"first_rank", system.first_rank},
                       {"second_rank", system.second_rank},
                       {"unjudged_10", Number(unjudged_of[system.name])}});
  }
  Json kinds = Json::object();
  for (size_t i = 0; i < kSwapKinds; ++i)
    kinds[ChoiceName(static_cast<SwapKind>(i))] = measure.t_kinds[i];
  return Json({{"tau_b", Optional(measure.tau_b)},
               {"tau_ap", Optional(measure.tau_ap)},
               {"rbo", Optional(measure.overlap)},
               {"pairs", measure.pairs.size()},
               {"swapped", measure.swapped},
               {"tied", measure.tied},
               {"undefined",
                measure.undefined.empty() ? Json() : Json(measure.undefined)},
               {"significance", std::move(kinds)},
               {"unjudged_10", measure.systems.empty()
                                   ? Json()
                                   : Number(sum / static_cast<double>(
                                                      measure.systems.size()))},
               {"topics", compared.second_topics},
               {"systems", std::move(systems)}});
}

// Judgements of a share of the judged documents, by draw.
Result<bool> WriteShare(const Qrels& qrels, const StudyNames& names,
                        double share, uint64_t seed, const std::string& path) {
  std::vector<char> kept(names.documents.size());
  SplitMix64 random(seed);
  for (char& one : kept) one = UniformDraw(&random) < share;
  TWINSET_ASSIGN(OutputFile file, OutputFile::Create(path));
  bool any = false;
  for (const RelevanceJudgement& judgement : qrels.judgements) {
    if (!kept[judgement.document]) continue;
    any = true;
    TWINSET_TRY(file.Write(QrelsLine(names, judgement)));
  }
  TWINSET_TRY(file.Commit());
  return any;
}

// What draws of one share of the judgements say under one condition.
class SharesSeen {
 public:
  void Add(const ComparedMeasure& measure) {
    if (!measure.tau_b) return;
    taus_.push_back(*measure.tau_b);
    swapped_ += static_cast<double>(measure.swapped);
    for (const ComparedSystem& system : measure.systems)
      scores_[system.name] += system.second;
  }
  Json Numbers() {
    if (taus_.empty()) return {};
    std::sort(taus_.begin(), taus_.end());
    const auto draws = static_cast<double>(taus_.size());
    Json systems = Json::array();
    for (const auto& [name, sum] : scores_)
      systems.push_back({{"system", name}, {"second", Number(sum / draws)}});
    return {{"draws", taus_.size()},
            {"mean", Number(FindMoments(taus_).mean)},
            {"least", Number(taus_.front())},
            {"most", Number(taus_.back())},
            {"swapped", Number(swapped_ / draws)},
            {"systems", std::move(systems)}};
  }

 private:
  std::vector<double> taus_;
  double swapped_ = 0;
  std::map<std::string, double> scores_;  // sums, by system
};

// How tau and scores fall as fewer judgements come over.
Result<Json> Fall(const CarryInput& input, const Condition& first,
                  const std::vector<Condition>& conditions,
                  const std::vector<const char*>& names) {
  const StudyPlan& plan = *input.plan;
  StudyNames known;
  LineCounts lines;
  TWINSET_ASSIGN(const Qrels qrels,
                 ReadQrelsFiles({input.transferred}, {}, &known, &lines));
  const std::string path = input.work + "/share.qrels";
  Json rows = Json::array();
  for (const double share : plan.retrieval.shares) {
    std::vector<SharesSeen> seen(conditions.size());
    for (uint32_t draw = 0; draw < plan.retrieval.draws; ++draw) {
      TWINSET_ASSIGN(const bool any,
                     WriteShare(qrels, known, share,
                                plan.seed + 0x9e3779b9ull * (draw + 1), path));
      if (!any) continue;
      for (size_t i = 0; i < conditions.size(); ++i) {
        Condition fewer = conditions[i];
        fewer.qrels = {path};
        TWINSET_ASSIGN(const RunsCompareResult compared,
                       CompareRuns(CompareOptions(plan, first, fewer, 1)));
        seen[i].Add(compared.measures.front());
      }
    }
    Json row = {{"share", Number(share)}};
    for (size_t i = 0; i < conditions.size(); ++i)
      row[names[i]] = seen[i].Numbers();
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

Result<Json> StudyTransfer(const CarryInput& input) {
  const StudyPlan& plan = *input.plan;
  QrelsOptions options;
  options.qrels = plan.qrels;
  TWINSET_ASSIGN(const QrelsStatsResult before, CountQrels(options));
  Json numbers = {
      {"source", FieldsToJson(before.all)},
      {"transferred", FieldsToJson(GradeCounts())},
      {"judgements_with_target", ShareNumbers(0, before.all.judgements)}};
  // Without any pair nothing is carried over, which is an answer.
  TWINSET_ASSIGN(const uint64_t bytes, FileSize(input.pairs));
  if (bytes == 0) {
    TWINSET_TRY(WriteWholeFile(input.transferred, ""));
    return numbers;
  }
  options.pairs = {input.pairs};
  options.conflict = plan.retrieval.conflict;
  options.least_similarity = plan.threshold;
  options.may_be_strangers = true;  // nothing carried over is an answer
  options.out = input.transferred;
  options.overwrite = true;
  TWINSET_ASSIGN(const QrelsTransferResult moved, TransferQrels(options));
  const TransferCounts& counts = moved.under.front();
  numbers["transferred"] = FieldsToJson(moved.written);
  numbers["judgements_with_target"] =
      ShareNumbers(counts.sources, before.all.judgements);
  numbers["merged"] = counts.merged;
  numbers["refused_conflict"] = counts.refused_conflict;
  numbers["targets_of_several"] = {{"agree", moved.groups_agree},
                                   {"conflict", moved.groups_conflict}};
  Json rules = Json::object();
  for (size_t i = 0; i < kConflictRules; ++i)
    rules[ChoiceName(static_cast<ConflictRule>(i))] =
        FieldsToJson(moved.rules[i]);
  numbers["by_rule"] = std::move(rules);
  if (moved.written.judgements == 0) return numbers;
  QrelsOptions after_options;
  after_options.qrels = {input.transferred};
  TWINSET_ASSIGN(const QrelsStatsResult after, CountQrels(after_options));
  std::map<std::string, const GradeCounts*> by_topic;
  for (const auto& topic : after.topics) by_topic[topic.topic] = &topic.counts;
  Json topics = Json::array();
  for (const auto& topic : before.topics) {
    const auto found = by_topic.find(topic.topic);
    topics.push_back(
        {{"topic", topic.topic},
         {"source", FieldsToJson(topic.counts)["by_grade"]},
         {"transferred", found == by_topic.end()
                             ? Json::object()
                             : FieldsToJson(*found->second)["by_grade"]}});
  }
  numbers["topics"] = std::move(topics);
  return numbers;
}

Result<Json> StudyCarryOver(const CarryInput& input) {
  const StudyPlan& plan = *input.plan;
  TWINSET_ASSIGN(const SideRuns a, RankSide(input, plan.a, "a"));
  TWINSET_ASSIGN(const SideRuns b, RankSide(input, plan.b, "b"));
  Json numbers = {{"measure", kMeasure}, {"a", a.numbers}, {"b", b.numbers}};
  TWINSET_ASSIGN(const uint64_t judged_bytes, FileSize(input.transferred));
  if (judged_bytes == 0) {
    numbers["none"] = "no judgement was carried over";
    return numbers;
  }
  RunsOptions transfer;
  transfer.runs = a.runs;
  transfer.pairs = {input.pairs};
  transfer.evaluation.least_similarity = plan.threshold;
  transfer.out = input.work + "/mapped";
  transfer.overwrite = true;
  transfer.may_be_strangers = true;
  TWINSET_ASSIGN(const RunsTransferResult moved, TransferRuns(transfer));
  Condition first{a.runs, plan.qrels}, mapped{{}, {input.transferred}},
      anew{b.runs, {input.transferred}};
  uint64_t documents = 0, kept = 0;
  for (const auto& run : moved.runs) {
    documents += run.facts.documents;
    kept += run.mapped;
    if (run.mapped > 0) mapped.runs.push_back(run.written);
  }
  numbers["ranked_documents_mapped"] = ShareNumbers(kept, documents);
  if (mapped.runs.empty()) {
    numbers["none"] = "no ranked document has a partner";
    return numbers;
  }
  Condition condensed = anew;
  condensed.condensed = true;
  const std::vector<Condition> conditions = {mapped, anew, condensed};
  const std::vector<const char*> names = {"mapped", "anew", "anew_condensed"};
  for (size_t i = 0; i < conditions.size(); ++i) {
    TWINSET_ASSIGN(numbers[names[i]], CompareWith(plan, first, conditions[i]));
  }
  TWINSET_ASSIGN(numbers["fewer_judgements"],
                 Fall(input, first, conditions, names));
  return numbers;
}

}  // namespace twinset
