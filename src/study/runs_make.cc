// twinset runs make: systems from rows of features (docs/formats/runs.md).
#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/file.h"
#include "documents/result_places.h"
#include "study/feature_rows.h"
#include "study/qrels_file.h"
#include "study/ranking.h"
#include "twinset/json.h"
#include "twinset/runs.h"

namespace twinset::inline v1 {

namespace {

std::string NameOfColumn(uint32_t column, uint32_t columns) {
  const size_t width = std::max<size_t>(2, std::to_string(columns).size());
  std::string number = std::to_string(column);
  number.insert(0, width - std::min(width, number.size()), '0');
  return "feature-" + number;
}

// The documents of each topic, ranked by one column; a row without the column
// has 0 there.
std::vector<TopicRanking> RankBy(uint32_t column, const FeatureRows& rows,
                                 const StudyNames& names) {
  std::vector<TopicRanking> topics;
  std::unordered_map<uint32_t, size_t> places;
  for (size_t i = 0; i < rows.labels.size(); ++i) {
    const Judgement& row = rows.labels[i];
    const auto [place, is_new] = places.emplace(row.topic, topics.size());
    if (is_new) topics.push_back({row.topic, {}});
    topics[place->second].documents.push_back(
        {row.document, rows.Value(i, column)});
  }
  for (TopicRanking& topic : topics)
    SortRanking(names.documents, &topic.documents);
  return topics;
}

}  // namespace

Result<RunsMakeResult> MakeRuns(const RunsOptions& options) {
  if (options.out.empty())
    return Fail(ErrorCode::kUsage, "it is not said where to write", {},
                "add --out DIR");
  TWINSET_ASSIGN(
      ResultFolder folder,
      OpenResultFolder(OutRequest("runs make", options), options.runs));
  RunsMakeResult result;
  StudyNames names;
  FeatureRows rows;
  for (const std::string& path : options.runs)
    TWINSET_TRY(
        ReadFeatures(path, {options.strict}, &names, &result.lines, &rows));
  if (rows.labels.empty())
    return Fail(
        ErrorCode::kUsage,
        result.lines.problems.empty()
            ? "no row of features"
            : "no line is a row of features; " + result.lines.problems.front(),
        options.runs.front(),
        "lines are 'LABEL qid:TOPIC 1:X 2:Y ... # docid = ID'");
  const GradeCounts counts = CountGrades(rows.labels);
  result.documents = counts.judgements;
  result.topics = counts.topics;
  std::vector<std::string> files = {"labels.qrels", "summary.json"};
  for (uint32_t column = 1; column <= rows.columns; ++column)
    files.push_back(NameOfColumn(column, rows.columns) + ".run");
  TWINSET_TRY(folder.Begin(files));
  Json systems = Json::array();
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
    result.runs.push_back({name, TiedShare(topics)});
    systems.push_back(
        {{"run", name}, {"tied_share", result.runs.back().tied_share}});
  }
  TWINSET_ASSIGN(OutputFile qrels,
                 OutputFile::Create(folder.path() + "/labels.qrels"));
  for (const Judgement& label : rows.labels)
    TWINSET_TRY(qrels.Write(QrelsLine(names, label)));
  TWINSET_TRY(qrels.Commit());
  const Json summary = {{"command", "runs make"},
                        {"documents", result.documents},
                        {"topics", result.topics},
                        {"left_out", Json(result.lines.left_out)},
                        {"runs", systems}};
  TWINSET_TRY(
      WriteWholeFile(folder.path() + "/summary.json", summary.dump(2) + "\n"));
  return result;
}

}  // namespace twinset::inline v1
