// twinset/corpora/assess.h: the labels (docs/methods/assessment.md).
#include <optional>
#include <utility>

#include "assess/label_votes.h"
#include "assess/score_report.h"
#include "base/file.h"
#include "base/stop.h"
#include "documents/pass_progress.h"
#include "documents/result_places.h"
#include "twinset/corpora/assess.h"
#include "twinset/json.h"

namespace twinset {
namespace {

// Questions of a pair that two assessors answer differently.
void AddDisagreements(const Assessment& sample, size_t i,
                      std::span<const PairLabel* const> labels,
                      ScoreResult* result) {
  for (const auto& [question, name] : kChoices<LabelQuestion>) {
    Disagreement one{i + 1, sample.pairs[i].a, sample.pairs[i].b, question, {}};
    std::optional<LabelAnswer> first;
    bool differ = false;
    for (const PairLabel* label : labels) {
      const auto answer = label == nullptr
                              ? std::nullopt
                              : label->answers[static_cast<size_t>(question)];
      one.answers.emplace_back(answer ? ChoiceName(*answer) : "");
      if (!answer) continue;
      if (!first) first = answer;
      differ |= *first != *answer;
    }
    if (differ) result->disagreements.push_back(std::move(one));
  }
}

// Rows for `evaluate --truth`: what the majority says of the contents.
std::string TruthOf(const Assessment& sample, const LabelTable& table) {
  std::string rows;
  for (size_t i = 0; i < table.size(); ++i) {
    const auto vote = VoteOf(table[i], LabelQuestion::kContent);
    if (!vote) continue;
    Json row = {{"a", sample.pairs[i].a}, {"b", sample.pairs[i].b}};
    if (*vote == LabelAnswer::kUnsure)
      row["label"] = "unsure";
    else
      row["label"] = *vote == LabelAnswer::kYes ? 1 : 0;
    rows += row.dump() + "\n";
  }
  return rows;
}

Status Write(const ScoreOptions& options, const Assessment& sample,
             const LabelTable& table, const ScoreResult& result,
             ResultFolder* folder) {
  std::vector<std::string> files = {"disagreements.jsonl", "shares.csv",
                                    "truth.jsonl", KeptPage::kFileName,
                                    "summary.json"};
  if (options.report) files.push_back("report.html");
  TWINSET_TRY(folder->Begin(files));
  const std::string out = options.out + "/";
  std::string rows;
  for (const Disagreement& one : result.disagreements)
    rows += DisagreementRow(result, one) + "\n";
  TWINSET_TRY(WriteWholeFile(out + "disagreements.jsonl", rows));
  TWINSET_TRY(WriteWholeFile(out + "shares.csv", ScoreCsv(result)));
  TWINSET_TRY(WriteWholeFile(out + "truth.jsonl", TruthOf(sample, table)));
  TWINSET_TRY(WriteKeptPage(*result.page.kept(), options.out,
                            options.report ? "report.html" : ""));
  return WriteWholeFile(out + "summary.json",
                        SummaryJson(result).dump(2) + "\n");
}

}  // namespace

Result<ScoreResult> v1::ScoreLabels(const ScoreOptions& options) try {
  if (options.sample.empty() || options.labels.empty())
    return Fail(ErrorCode::kUsage, "a sample and files of labels are needed",
                {}, "twinset assess score DIR LABELS...");
  if (options.report && options.out.empty())
    return Fail(ErrorCode::kUsage, "a report needs a folder", {},
                "add --out DIR");
  TWINSET_ASSIGN(const Assessment sample, ReadAssessment(options.sample));
  std::optional<ResultFolder> folder;
  if (!options.out.empty()) {
    std::vector<std::string> inputs = options.labels;
    inputs.push_back(options.sample);
    TWINSET_ASSIGN(ResultFolder opened,
                   OpenResultFolder(OutRequest("assess", options), inputs));
    folder.emplace(std::move(opened));
  }
  std::vector<LabelsFile> files;
  PassProgress reading(options.on_progress, "assess", "labels", "files",
                       options.labels.size());
  for (const std::string& path : options.labels) {
    TWINSET_TRY(CheckStop(options.stop));
    TWINSET_ASSIGN(LabelsFile file, ReadLabelsFile(path));
    files.push_back(std::move(file));
    reading.Add();
  }
  TWINSET_ASSIGN(const LabelTable table, TableOf(sample, files));
  ScoreResult result;
  for (const LabelsFile& file : files)
    result.assessors.push_back(file.assessor);
  result.pairs = table.size();
  PassProgress counting(options.on_progress, "assess", "votes", "pairs",
                        table.size());
  for (size_t i = 0; i < table.size(); ++i) {
    TWINSET_TRY(CheckStop(options.stop));
    counting.Add();
    result.labelled += VoteOf(table[i], LabelQuestion::kContent) ||
                       VoteOf(table[i], LabelQuestion::kAppearance);
    AddDisagreements(sample, i, table[i], &result);
  }
  if (result.labelled == 0)
    return Fail(ErrorCode::kUsage, "no pair is labelled",
                options.labels.front());
  if (result.labelled < result.pairs)
    result.warnings.push_back(std::to_string(result.pairs - result.labelled) +
                              " pairs of the sample are not labelled");
  for (const auto& [question, name] : kChoices<LabelQuestion>)
    result.questions[static_cast<size_t>(question)] =
        ScoreQuestion(sample, table, files, question);
  result.page = ResultPage(ScorePage(result));
  if (folder) TWINSET_TRY(Write(options, sample, table, result, &*folder));
  return result;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
