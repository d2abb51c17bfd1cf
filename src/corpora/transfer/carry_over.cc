#include "transfer/carry_over.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/file.h"
#include "base/hash.h"
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
  StudyCarryOver::Side numbers;
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
  runs.numbers.documents = counts.documents;
  runs.numbers.topics = made.topics;
  for (const RunsMakeResult::Run& run : made.runs) {
    runs.numbers.systems.push_back({run.name, run.documents});
    if (run.documents > 0)
      runs.runs.push_back(make.out + "/" + run.name + ".run");
  }
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

std::optional<double> Optional(const std::optional<double>& value) {
  return value ? Number(*value) : std::nullopt;
}

Result<StudyComparison> CompareWith(const StudyPlan& plan,
                                    const Condition& first,
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
  StudyComparison numbers;
  double sum = 0;
  for (const ComparedSystem& system : measure.systems) {
    sum += unjudged_of[system.name];
    numbers.systems.push_back({system.name, Number(system.first),
                               Number(system.second), system.first_rank,
                               system.second_rank,
                               Number(unjudged_of[system.name])});
  }
  numbers.tau_b = Optional(measure.tau_b);
  numbers.tau_ap = Optional(measure.tau_ap);
  numbers.rbo = Optional(measure.overlap);
  numbers.pairs = measure.pairs.size();
  numbers.swapped = measure.swapped;
  numbers.tied = measure.tied;
  if (!measure.undefined.empty()) numbers.undefined = measure.undefined;
  numbers.significance = measure.t_kinds;
  if (!measure.systems.empty())
    numbers.unjudged_10 =
        Number(sum / static_cast<double>(measure.systems.size()));
  numbers.topics = compared.second_topics;
  return numbers;
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
  std::optional<StudyFewer> Numbers() {
    if (taus_.empty()) return {};
    std::sort(taus_.begin(), taus_.end());
    const auto draws = static_cast<double>(taus_.size());
    StudyFewer numbers;
    numbers.draws = taus_.size();
    numbers.mean = Number(FindMoments(taus_).mean);
    numbers.least = Number(taus_.front());
    numbers.most = Number(taus_.back());
    numbers.swapped = Number(swapped_ / draws);
    for (const auto& [name, sum] : scores_)
      numbers.systems.push_back({name, Number(sum / draws)});
    return numbers;
  }

 private:
  std::vector<double> taus_;
  double swapped_ = 0;
  std::map<std::string, double> scores_;  // sums, by system
};

// How tau and scores fall as fewer judgements come over.
Result<std::vector<StudyFewerRow>> Fall(
    const CarryInput& input, const Condition& first,
    const StudyConditions<Condition>& conditions) {
  const StudyPlan& plan = *input.plan;
  StudyNames known;
  LineCounts lines;
  TWINSET_ASSIGN(const Qrels qrels,
                 ReadQrelsFiles({input.transferred}, {}, &known, &lines));
  const std::string path = input.work + "/share.qrels";
  std::vector<StudyFewerRow> rows;
  for (const double share : plan.retrieval.shares) {
    StudyConditions<SharesSeen> seen;
    const auto add = [&](Condition fewer, SharesSeen* to) -> Status {
      fewer.qrels = {path};
      TWINSET_ASSIGN(const RunsCompareResult compared,
                     CompareRuns(CompareOptions(plan, first, fewer, 1)));
      to->Add(compared.measures.front());
      return {};
    };
    for (uint32_t draw = 0; draw < plan.retrieval.draws; ++draw) {
      TWINSET_ASSIGN(const bool any,
                     WriteShare(qrels, known, share,
                                plan.seed + 0x9e3779b9ull * (draw + 1), path));
      if (!any) continue;
      TWINSET_TRY(add(conditions.mapped, &seen.mapped));
      TWINSET_TRY(add(conditions.anew, &seen.anew));
      TWINSET_TRY(add(conditions.anew_condensed, &seen.anew_condensed));
    }
    StudyFewerRow& row = rows.emplace_back();
    row.share = Number(share);
    row.mapped = seen.mapped.Numbers();
    row.anew = seen.anew.Numbers();
    row.anew_condensed = seen.anew_condensed.Numbers();
  }
  return rows;
}

}  // namespace

Result<StudyTransfer> CarryJudgements(const CarryInput& input) {
  const StudyPlan& plan = *input.plan;
  QrelsOptions options;
  options.qrels = plan.qrels;
  TWINSET_ASSIGN(const QrelsStatsResult before, CountQrels(options));
  StudyTransfer numbers;
  numbers.source = before.all;
  numbers.judgements_with_target = ShareOfStudy(0, before.all.judgements);
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
  numbers.transferred = moved.written;
  numbers.judgements_with_target =
      ShareOfStudy(counts.sources, before.all.judgements);
  numbers.merged = counts.merged;
  numbers.refused_conflict = counts.refused_conflict;
  numbers.targets_of_several =
      StudySeveral{moved.groups_agree, moved.groups_conflict};
  numbers.by_rule = StudyByRule{moved.rules};
  if (moved.written.judgements == 0) return numbers;
  QrelsOptions after_options;
  after_options.qrels = {input.transferred};
  TWINSET_ASSIGN(const QrelsStatsResult after, CountQrels(after_options));
  std::map<std::string, const GradeCounts*> by_topic;
  for (const auto& topic : after.topics) by_topic[topic.topic] = &topic.counts;
  auto& topics = numbers.topics.emplace();
  for (const auto& topic : before.topics) {
    const auto found = by_topic.find(topic.topic);
    topics.push_back({topic.topic, topic.counts.by_grade, {}});
    if (found != by_topic.end())
      topics.back().transferred = found->second->by_grade;
  }
  return numbers;
}

Result<StudyCarryOver> CompareSystems(const CarryInput& input) {
  const StudyPlan& plan = *input.plan;
  TWINSET_ASSIGN(const SideRuns a, RankSide(input, plan.a, "a"));
  TWINSET_ASSIGN(const SideRuns b, RankSide(input, plan.b, "b"));
  StudyCarryOver numbers;
  numbers.measure = kMeasure;
  numbers.a = a.numbers;
  numbers.b = b.numbers;
  TWINSET_ASSIGN(const uint64_t judged_bytes, FileSize(input.transferred));
  if (judged_bytes == 0) {
    numbers.none = "no judgement was carried over";
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
  const Condition first{a.runs, plan.qrels};
  StudyConditions<Condition> conditions;
  conditions.mapped.qrels = {input.transferred};
  conditions.anew = conditions.anew_condensed = {b.runs, {input.transferred}};
  conditions.anew_condensed.condensed = true;
  uint64_t documents = 0, kept = 0;
  for (const auto& run : moved.runs) {
    documents += run.facts.documents;
    kept += run.mapped;
    if (run.mapped > 0) conditions.mapped.runs.push_back(run.written);
  }
  numbers.ranked_documents_mapped = ShareOfStudy(kept, documents);
  if (conditions.mapped.runs.empty()) {
    numbers.none = "no ranked document has a partner";
    return numbers;
  }
  TWINSET_ASSIGN(numbers.mapped, CompareWith(plan, first, conditions.mapped));
  TWINSET_ASSIGN(numbers.anew, CompareWith(plan, first, conditions.anew));
  TWINSET_ASSIGN(numbers.anew_condensed,
                 CompareWith(plan, first, conditions.anew_condensed));
  TWINSET_ASSIGN(numbers.fewer_judgements, Fall(input, first, conditions));
  return numbers;
}

}  // namespace twinset
