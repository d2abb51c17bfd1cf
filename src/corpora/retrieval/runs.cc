// twinset runs eval, collapse, transfer (twinset/corpora/runs.h).
#include "twinset/corpora/runs.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/file.h"
#include "base/stop.h"
#include "documents/result_places.h"
#include "documents/side_check.h"
#include "report/row_writer.h"
#include "retrieval/collapse.h"
#include "retrieval/run_evaluation.h"
#include "retrieval/run_files.h"
#include "retrieval/runs_page.h"
#include "retrieval/text_duplicates.h"
#include "twinset/json.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

// The log of collapsed documents.
class CollapseLog {
 public:
  // Checks that it may be written; nothing is.
  static Status Check(const RunsOptions& options) {
    if (options.log.empty()) return {};
    std::vector<std::string> inputs = options.runs;
    const auto& duplicates = options.evaluation.duplicates;
    inputs.insert(inputs.end(), duplicates.begin(), duplicates.end());
    const auto& texts = options.texts.inputs;
    inputs.insert(inputs.end(), texts.begin(), texts.end());
    return CheckResultFile(
        {.path = options.log, .flag = "--log", .overwrite = options.overwrite},
        inputs);
  }

  static Result<CollapseLog> Create(const RunsOptions& options) {
    CollapseLog log;
    if (options.log.empty()) return log;
    log.csv_ = options.log.ends_with(".csv");
    TWINSET_ASSIGN(log.file_, OutputFile::Create(options.log));
    if (log.csv_)
      TWINSET_TRY(log.file_->Write("run,topic,rank,document,duplicate_of\n"));
    return log;
  }

  Status Add(const std::string& run, const std::string& topic, uint64_t rank,
             const std::string& document, const std::string& duplicate_of) {
    if (!file_) return {};
    if (!csv_) {
      const Json row = {{"run", run},
                        {"topic", topic},
                        {"rank", rank},
                        {"document", document},
                        {"duplicate_of", duplicate_of}};
      return file_->Write(row.dump() + "\n");
    }
    std::string line;
    for (const std::string& text :
         {run, topic, std::to_string(rank), document, duplicate_of}) {
      if (!line.empty()) line += ',';
      AppendCsvField(&line, text);
    }
    return file_->Write(line + "\n");
  }

  Status Commit() {
    if (!file_) return {};
    return file_->Commit();
  }

 private:
  std::optional<OutputFile> file_;
  bool csv_ = false;
};

// Writes one run; `above` says what each document duplicates, with kMark.
Status WriteRanking(const StudyNames& names, const TopicRanking& topic,
                    const std::vector<uint32_t>& above, const std::string& tag,
                    OutputFile* file) {
  for (size_t i = 0; i < topic.documents.size(); ++i) {
    const RankedDocument& document = topic.documents[i];
    const bool is_marked = !above.empty() && above[i] != kNoDocument;
    TWINSET_TRY(file->Write(RunLine(
        names, topic.topic, document.document, i + 1, document.score,
        is_marked ? "duplicate-of:" + names.documents[above[i]] : tag)));
  }
  return {};
}

Json SummaryOf(const std::string& command, Json runs) {
  return {{"command", command}, {"runs", std::move(runs)}};
}

std::string FirstIdOf(const Ranking& ranking, const StudyNames& names) {
  return names.documents[ranking.topics.front().documents.front().document];
}

// Topics that one side lacks.
void WarnOfTopics(const EvaluatedRun& run, bool all_topics,
                  std::vector<std::string>* warnings) {
  if (run.missing_topics > 0)
    warnings->push_back(
        "run " + run.facts.name + " lacks " +
        CountText(run.missing_topics, "judged topic") +
        (all_topics ? "; they count 0" : "; they do not count (--all-topics)"));
  if (run.unjudged_topics > 0)
    warnings->push_back("run " + run.facts.name + " has " +
                        CountText(run.unjudged_topics, "topic") +
                        " without judgements; they do not count");
}

// Returns true iff any ranked document passes.
template <typename Passes>
bool AnyRanked(const Ranking& ranking, const Passes& passes) {
  for (const TopicRanking& topic : ranking.topics)
    for (const RankedDocument& document : topic.documents)
      if (passes(topic.topic, document.document)) return true;
  return false;
}

}  // namespace

Result<RunsEvalResult> v1::EvaluateRuns(const RunsOptions& options) try {
  TWINSET_TRY(CheckSystemsDiffer(options.runs));
  if (options.qrels.empty()) return NoJudgements();
  RunsEvalResult result;
  result.by_topic = options.by_topic;
  StudyNames names;
  EvaluationInput input;
  StudyMemory memory(options.resources.memory_bytes);
  const LineReadOptions lines = LinesOfCommand("runs", options, &memory);
  for (const std::string& name : options.evaluation.measures) {
    TWINSET_ASSIGN(const MeasureSpec measure, ParseMeasure(name));
    input.measures.push_back(measure);
    result.measures.push_back(MeasureName(measure));
  }
  const QrelsReading reading{RepeatedLines::kFirstStands,
                             options.negative_as_zero, lines};
  TWINSET_ASSIGN(const Qrels qrels,
                 ReadQrelsFiles(options.qrels, reading, &names, &result.qrels));
  const JudgedTopics judged(&qrels, options.evaluation.relevance_level);
  input.judged = &judged;
  input.options = &options.evaluation;
  TWINSET_ASSIGN(const DuplicateList list,
                 ReadDuplicateFiles(options.evaluation.duplicates, {lines},
                                    &names.documents, &result.duplicates));
  const DuplicateGraph graph(list, names.documents.size());
  if (!options.evaluation.duplicates.empty()) input.duplicates = &graph;
  bool is_known = options.may_be_strangers, is_linked = is_known;
  std::string ranked_id;
  for (const std::string& path : options.runs) {
    const OneRanking place(&memory, names.documents);
    TWINSET_ASSIGN(const Ranking ranking, ReadRanking(path, lines, &names));
    if (!options.may_be_strangers)
      TWINSET_TRY(CheckTopics(ranking, judged, names));
    is_known = is_known || AnyRanked(ranking, [&](uint32_t topic, uint32_t id) {
                 return qrels.Find(topic, id) != nullptr;
               });
    is_linked = is_linked || AnyRanked(ranking, [&](uint32_t, uint32_t id) {
                  return graph.IsLinked(id);
                });
    if (ranked_id.empty()) ranked_id = FirstIdOf(ranking, names);
    RankingValues values = EvaluateRanking(input, ranking);
    EvaluatedRun run;
    run.facts = ranking.facts;
    run.topics = values.topics.size();
    run.unjudged_topics = values.unjudged_topics;
    run.missing_topics = values.missing_topics;
    run.collapsed = values.collapsed;
    run.means.assign(input.measures.size(), 0);
    for (TopicValues& topic : values.topics) {
      for (size_t i = 0; i < run.means.size(); ++i)
        run.means[i] += topic.values[i];
      run.by_topic.push_back(
          {names.topics[topic.topic], std::move(topic.values)});
    }
    for (size_t i = 0; i < run.means.size(); ++i) {
      const RetrievalMeasure measure = input.measures[i].measure;
      const bool is_count = measure == RetrievalMeasure::kRetrieved ||
                            measure == RetrievalMeasure::kRelevant ||
                            measure == RetrievalMeasure::kRelevantRetrieved;
      if (!is_count && run.topics > 0)
        run.means[i] /= static_cast<double>(run.topics);
    }
    result.runs.push_back(std::move(run));
  }
  if (!is_known)
    return NothingInCommon("the runs", ranked_id, "the judgements",
                           names.documents[qrels.judgements.front().document]);
  if (!is_linked && input.duplicates != nullptr)
    return NothingInCommon("the runs", ranked_id, "the duplicates",
                           FirstIdOf(list, names.documents));
  for (const EvaluatedRun& run : result.runs)
    WarnOfTopics(run, options.evaluation.all_topics, &result.warnings);
  TellOf(&result);
  return result;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

namespace {

// Known duplicates, or those that the texts of the ranked documents tell.
Result<DuplicateList> DuplicatesFor(const RunsOptions& options,
                                    const LineReadOptions& lines,
                                    StudyNames* names,
                                    RunsCollapseResult* result) {
  if (options.texts.inputs.empty())
    return ReadDuplicateFiles(options.evaluation.duplicates, {lines},
                              &names->documents, &result->duplicates);
  for (const std::string& path : options.runs) {
    const OneRanking place(lines.memory, names->documents);
    TWINSET_TRY(ReadRanking(path, lines, names));
  }
  return FindTextDuplicates(options, &names->documents, result);
}

// kCorrupt when no run ranks a document of the list.
Status CheckLinked(const RunsOptions& options, const DuplicateList& list,
                   const DuplicateGraph& graph, const char* what,
                   StudyNames* names) {
  std::string ranked_id;
  for (const std::string& path : options.runs) {
    TWINSET_ASSIGN(
        const Ranking ranking,
        ReadRanking(path, LinesOfCommand("runs", options, nullptr), names));
    if (ranked_id.empty()) ranked_id = FirstIdOf(ranking, *names);
    if (AnyRanked(ranking,
                  [&](uint32_t, uint32_t id) { return graph.IsLinked(id); }))
      return {};
  }
  return NothingInCommon("the runs", ranked_id, what,
                         FirstIdOf(list, names->documents));
}

}  // namespace

Result<RunsCollapseResult> v1::CollapseRuns(const RunsOptions& options) try {
  const RunEvaluation& how = options.evaluation;
  if (how.duplicates.empty() == options.texts.inputs.empty())
    return Fail(ErrorCode::kUsage,
                how.duplicates.empty()
                    ? "no duplicates are given"
                    : "duplicates are either given or told by texts",
                {}, "add --duplicates FILE or --texts INPUT");
  std::vector<std::string> beside = how.duplicates;
  beside.insert(beside.end(), options.texts.inputs.begin(),
                options.texts.inputs.end());
  RunsCollapseResult result;
  StudyNames names;
  StudyMemory memory(options.resources.memory_bytes);
  const LineReadOptions lines = LinesOfCommand("runs", options, &memory);
  TWINSET_TRY(CollapseLog::Check(options));
  TWINSET_ASSIGN(WrittenRuns written,
                 WrittenRuns::Open(options, "runs collapse", beside));
  TWINSET_ASSIGN(const DuplicateList list,
                 DuplicatesFor(options, lines, &names, &result));
  const DuplicateGraph graph(list, names.documents.size());
  if (options.texts.inputs.empty())
    TWINSET_TRY(CheckLinked(options, list, graph, "the duplicates", &names));
  TWINSET_ASSIGN(CollapseLog log, CollapseLog::Create(options));
  Json rows = Json::array();
  for (size_t i = 0; i < options.runs.size(); ++i) {
    const OneRanking place(&memory, names.documents);
    TWINSET_ASSIGN(Ranking ranking,
                   ReadRanking(options.runs[i], lines, &names));
    RunsCollapseResult::Run run;
    run.facts = ranking.facts;
    run.written = written.PathOf(i);
    TWINSET_TRY(written.Begin());
    TWINSET_ASSIGN(OutputFile file, OutputFile::Create(run.written));
    for (TopicRanking& topic : ranking.topics) {
      std::vector<uint32_t> above =
          FindDuplicatesAbove(graph, how.least_similarity, topic.documents);
      const uint64_t before = run.collapsed;
      for (size_t rank = 0; rank < above.size(); ++rank) {
        if (above[rank] == kNoDocument) continue;
        ++run.collapsed;
        TWINSET_TRY(log.Add(run.facts.name, names.topics[topic.topic], rank + 1,
                            names.documents[topic.documents[rank].document],
                            names.documents[above[rank]]));
      }
      run.topics += run.collapsed > before;
      CollapseRanking(how.action, &topic.documents, &above);
      if (how.action != CollapseAction::kMark) above.clear();
      TWINSET_TRY(WriteRanking(names, topic, above, ranking.tag, &file));
    }
    TWINSET_TRY(file.Commit());
    rows.push_back({{"run", run.facts.name},
                    {"documents", run.facts.documents},
                    {"collapsed", run.collapsed},
                    {"topics", run.topics}});
    result.runs.push_back(std::move(run));
  }
  TWINSET_TRY(log.Commit());
  TWINSET_TRY(written.WriteSummary(
      SummaryOf("runs collapse", std::move(rows)).dump(2) + "\n"));
  result.action = how.action;
  TellOf(&result);
  return result;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<RunsTransferResult> v1::TransferRuns(const RunsOptions& options) try {
  if (options.pairs.empty())
    return Fail(ErrorCode::kUsage, "no pairs are given", {},
                "add --pairs FILE, the pairs of a match");
  RunsTransferResult result;
  StudyNames names;
  StudyMemory memory(options.resources.memory_bytes);
  const LineReadOptions lines = LinesOfCommand("runs", options, &memory);
  TWINSET_ASSIGN(WrittenRuns written,
                 WrittenRuns::Open(options, "runs transfer", options.pairs));
  TWINSET_ASSIGN(const DuplicateList list,
                 ReadDuplicateFiles(options.pairs, {lines, true},
                                    &names.documents, &result.links));
  if (!options.may_be_strangers) {
    DuplicateList sources = list;  // what a run may rank: ids of a
    for (DuplicateLink& link : sources.links) link.b = link.a;
    const DuplicateGraph graph(sources, names.documents.size());
    TWINSET_TRY(CheckLinked(options, list, graph, "the pairs", &names));
  }
  // The most similar partner, of equals the first in the file.
  std::unordered_map<uint32_t, const DuplicateLink*> partners;
  for (const DuplicateLink& link : list.links) {
    if (link.similarity < options.evaluation.least_similarity) continue;
    const auto [place, is_new] = partners.emplace(link.a, &link);
    if (!is_new && link.similarity > place->second->similarity)
      place->second = &link;
  }
  Json rows = Json::array();
  for (size_t i = 0; i < options.runs.size(); ++i) {
    const OneRanking place(&memory, names.documents);
    TWINSET_ASSIGN(const Ranking ranking,
                   ReadRanking(options.runs[i], lines, &names));
    RunsTransferResult::Run run;
    run.facts = ranking.facts;
    run.written = written.PathOf(i);
    TWINSET_TRY(written.Begin());
    TWINSET_ASSIGN(OutputFile file, OutputFile::Create(run.written));
    for (const TopicRanking& topic : ranking.topics) {
      TopicRanking mapped{topic.topic, {}};
      std::unordered_map<uint32_t, bool> taken;
      for (const RankedDocument& document : topic.documents) {
        const auto partner = partners.find(document.document);
        if (partner == partners.end()) {
          ++run.without_pair;
        } else if (!taken.emplace(partner->second->b, true).second) {
          ++run.merged;
        } else {
          mapped.documents.push_back({partner->second->b, document.score});
        }
      }
      run.mapped += mapped.documents.size();
      // Other ids break ties of scores otherwise; ranks stay as they were.
      auto score = static_cast<float>(mapped.documents.size());
      for (RankedDocument& document : mapped.documents)
        document.score = score--;
      TWINSET_TRY(WriteRanking(names, mapped, {}, ranking.tag, &file));
    }
    TWINSET_TRY(file.Commit());
    rows.push_back({{"run", run.facts.name},
                    {"documents", run.facts.documents},
                    {"mapped", run.mapped},
                    {"without_pair", run.without_pair},
                    {"merged", run.merged}});
    result.runs.push_back(std::move(run));
  }
  TWINSET_TRY(written.WriteSummary(
      SummaryOf("runs transfer", std::move(rows)).dump(2) + "\n"));
  TellOf(&result);
  return result;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
