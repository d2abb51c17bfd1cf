// twinset runs make: systems from rows of features and from engines
// (docs/formats/qrels.md, docs/methods/run-evaluation.md).
#include <algorithm>
#include <filesystem>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/stop.h"
#include "core/field_list.h"
#include "documents/page_text.h"
#include "documents/pass_progress.h"
#include "documents/result_places.h"
#include "engine/open_engine.h"
#include "retrieval/engine_runs.h"
#include "retrieval/feature_rows.h"
#include "retrieval/qrels_file.h"
#include "retrieval/ranking.h"
#include "retrieval/runs_page.h"
#include "twinset/corpora/runs.h"
#include "twinset/json.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

std::string NameOfColumn(uint32_t column, uint32_t columns) {
  const size_t width = std::max<size_t>(2, std::to_string(columns).size());
  std::string number = std::to_string(column);
  number.insert(0, width - std::min(width, number.size()), '0');
  return "feature-" + number;
}

// summary.json, and what the result says of itself.
Status WriteSummary(const RunsOptions& options, const std::string& folder,
                    RunsMakeResult* result) {
  result->of_engines = !options.topics.empty();
  Json summary = {{"command", "runs make"},
                  {"documents", result->documents},
                  {"topics", result->topics}};
  if (result->of_engines) {
    summary["without_words"] = result->without_words;
    summary["results"] = options.results;
  }
  summary["sides"] = SidesJson(result->asked.files);
  summary["left_out"] = Json(result->asked.left_out);
  Json& runs = summary["runs"] = Json::array();
  for (const RunsMakeResult::Run& run : result->runs) {
    Json row = FieldsToJson(run);
    row.erase(result->of_engines ? "tied_share" : "documents");
    runs.push_back(std::move(row));
  }
  if (result->without_words > 0)
    result->warnings.push_back(CountText(result->without_words, "topic") +
                               " without a word to look for");
  TellOf(result);
  return WriteWholeFile(folder + "/summary.json", summary.dump(2) + "\n");
}

// The documents of each topic, ranked by one column; a row without the column
// has 0 there.
std::vector<TopicRanking> RankBy(uint32_t column, const FeatureRows& rows,
                                 const StudyNames& names) {
  std::vector<TopicRanking> topics;
  std::unordered_map<uint32_t, size_t> places;
  for (size_t i = 0; i < rows.labels.size(); ++i) {
    const RelevanceJudgement& row = rows.labels[i];
    const auto [place, is_new] = places.emplace(row.topic, topics.size());
    if (is_new) topics.push_back({row.topic, {}});
    topics[place->second].documents.push_back(
        {row.document, rows.Value(i, column)});
  }
  for (TopicRanking& topic : topics)
    SortRanking(names.documents, &topic.documents);
  return topics;
}

Result<RunsMakeResult> MakeOfFeatures(const RunsOptions& options) {
  TWINSET_ASSIGN(
      ResultFolder folder,
      OpenResultFolder(OutRequest("runs make", options), options.runs));
  RunsMakeResult result;
  StudyNames names;
  FeatureRows rows;
  StudyMemory memory(options.resources.memory_bytes);
  for (const std::string& path : options.runs) {
    TWINSET_TRY(ReadFeatures(path, LinesOfCommand("runs", options, &memory),
                             &names, &result.asked, &rows));
    TWINSET_TRY(CheckLastFile(
        result.asked, "lines are 'LABEL qid:TOPIC 1:X 2:Y ... # docid = ID'"));
  }
  const GradeCounts counts = CountGrades(rows.labels);
  result.documents = counts.judgements;
  result.topics = counts.topics;
  std::vector<std::string> files = {"labels.qrels", "summary.json"};
  for (uint32_t column = 1; column <= rows.columns; ++column)
    files.push_back(NameOfColumn(column, rows.columns) + ".run");
  TWINSET_TRY(folder.Begin(files));
  for (uint32_t column = 1; column <= rows.columns; ++column) {
    const std::string name = NameOfColumn(column, rows.columns);
    const std::vector<TopicRanking> topics = RankBy(column, rows, names);
    TWINSET_ASSIGN(OutputFile file,
                   OutputFile::Create(folder.path() + "/" + name + ".run"));
    for (const TopicRanking& topic : topics)
      for (size_t i = 0; i < topic.documents.size(); ++i)
        TWINSET_TRY(
            file.Write(RunLine(names, topic.topic, topic.documents[i].document,
                               i + 1, topic.documents[i].score, name)));
    TWINSET_TRY(file.Commit());
    result.runs.push_back({name, TiedShare(topics), result.documents});
  }
  TWINSET_ASSIGN(OutputFile qrels,
                 OutputFile::Create(folder.path() + "/labels.qrels"));
  for (const RelevanceJudgement& label : rows.labels)
    TWINSET_TRY(qrels.Write(QrelsLine(names, label)));
  TWINSET_TRY(qrels.Commit());
  TWINSET_TRY(WriteSummary(options, folder.path(), &result));
  return result;
}

// Names of engines by their folders, which must differ.
Result<std::vector<std::string>> NamesOfEngines(
    const std::vector<std::string>& engines) {
  std::vector<std::string> names;
  for (const std::string& engine : engines) {
    std::string path = engine;
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    names.push_back(std::filesystem::path(path).filename().string());
    if (std::count(names.begin(), names.end(), names.back()) > 1)
      return Fail(ErrorCode::kUsage,
                  "two engines have the name '" + NameText(names.back()) + "'",
                  engine, "give folders whose names differ");
  }
  return names;
}

// The eight runs of one engine.
Status AskOneEngine(const RunsOptions& options, const std::string& engine_path,
                    const std::string& name,
                    const std::vector<StudyTopic>& topics,
                    const std::string& folder, RunsMakeResult* result) {
  TWINSET_ASSIGN(const auto description, ReadEngineDescription(engine_path));
  TWINSET_ASSIGN(const TextReader reader,
                 TextReader::Make(description.features));
  TWINSET_ASSIGN(const auto engine, OpenEngine(engine_path));
  std::vector<OutputFile> files;
  for (size_t i = 0; i < kConfigurations; ++i) {
    const std::string run = name + "." + std::string(ConfigurationName(i));
    TWINSET_ASSIGN(OutputFile file,
                   OutputFile::Create(folder + "/" + run + ".run"));
    files.push_back(std::move(file));
    result->runs.push_back({NameText(run), 0, 0});
  }
  RunsMakeResult::Run* const runs =
      &result->runs[result->runs.size() - kConfigurations];
  const AskEngine ask =
      [&](const std::vector<std::string>& terms,
          bool conjunctive) -> Result<std::vector<std::string>> {
    TWINSET_ASSIGN(EngineAnswer answer,
                   engine->Query({terms, conjunctive, options.results}));
    return std::move(answer.urls);
  };
  result->without_words = 0;
  PassProgress progress(options.on_progress, "runs", NameText(name), "topics",
                        topics.size());
  for (const StudyTopic& topic : topics) {
    TWINSET_TRY(CheckStop(options.stop));
    progress.Add();
    std::vector<std::string> terms;
    for (std::string& term : reader.Tokens(topic.query))
      if (std::find(terms.begin(), terms.end(), term) == terms.end())
        terms.push_back(std::move(term));
    if (terms.empty()) {
      ++result->without_words;
      continue;
    }
    TWINSET_ASSIGN(const auto ranked,
                   RankConfigurations(terms, options.results, ask));
    for (size_t i = 0; i < kConfigurations; ++i) {
      runs[i].documents += ranked[i].size();
      for (size_t rank = 0; rank < ranked[i].size(); ++rank)
        TWINSET_TRY(files[i].Write(
            topic.id + " Q0 " + DocumentName(ranked[i][rank]) + " " +
            std::to_string(rank + 1) + " " +
            std::to_string(ranked[i].size() - rank) + " " + DocumentName(name) +
            "." + std::string(ConfigurationName(i)) + "\n"));
    }
  }
  for (OutputFile& file : files) TWINSET_TRY(file.Commit());
  return {};
}

Result<RunsMakeResult> MakeOfEngines(const RunsOptions& options) {
  RunsMakeResult result;
  std::vector<StudyTopic> topics;
  std::vector<std::string> inputs = options.runs;
  inputs.insert(inputs.end(), options.topics.begin(), options.topics.end());
  TWINSET_ASSIGN(const std::vector<std::string> names,
                 NamesOfEngines(options.runs));
  TWINSET_ASSIGN(ResultFolder folder,
                 OpenResultFolder(OutRequest("runs make", options), inputs));
  StudyMemory memory(options.resources.memory_bytes);
  for (const std::string& path : options.topics) {
    TWINSET_TRY(ReadTopics(path, LinesOfCommand("runs", options, &memory),
                           &result.asked, &topics));
    TWINSET_TRY(CheckLastFile(result.asked, "lines are 'ID:QUERY'"));
  }
  std::vector<std::string> files = {"summary.json"};
  for (size_t i = 0; i < names.size(); ++i) {
    TWINSET_ASSIGN(const auto description,
                   ReadEngineDescription(options.runs[i]));
    if (description.type != "sqlite" && description.type != "xapian")
      return Fail(ErrorCode::kUsage,
                  "the engine is of type " + description.type, options.runs[i],
                  "give engines of this machine, of type sqlite or xapian");
    for (size_t k = 0; k < kConfigurations; ++k)
      files.push_back(names[i] + "." + std::string(ConfigurationName(k)) +
                      ".run");
  }
  TWINSET_TRY(folder.Begin(files));
  for (size_t i = 0; i < names.size(); ++i) {
    const Status asked = AskOneEngine(options, options.runs[i], names[i],
                                      topics, folder.path(), &result);
    if (asked) continue;
    (void)folder.Remove();  // some of its runs are missing
    return tl::unexpected(asked.error());
  }
  result.topics = topics.size();
  for (const RunsMakeResult::Run& run : result.runs)
    result.documents += run.documents;
  TWINSET_TRY(WriteSummary(options, folder.path(), &result));
  return result;
}

}  // namespace

Result<RunsMakeResult> v1::MakeRuns(const RunsOptions& options) try {
  if (options.out.empty())
    return Fail(ErrorCode::kUsage, "it is not said where to write", {},
                "add --out DIR");
  return options.topics.empty() ? MakeOfFeatures(options)
                                : MakeOfEngines(options);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
