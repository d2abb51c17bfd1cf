// evaluation.csv (docs/formats/evaluation.md).
#include <string>

#include "base/json_text.h"
#include "base/math/round_to.h"
#include "estimate/intervals.h"
#include "evaluate/evaluate_result.h"
#include "report/row_writer.h"

namespace twinset {

namespace {

void AppendProportion(std::string* line, const Proportion& proportion) {
  *line += ',';
  AppendDouble(line, proportion.value);
  for (const double end : {proportion.low, proportion.high}) {
    *line += ',';
    if (proportion.no_interval.empty()) AppendDouble(line, end);
  }
}

// Each set, the documents that the named one reaches, and what it costs.
void AppendSets(const EvaluationRow& row, std::string* csv) {
  const auto add = [&](uint64_t count) { *csv += ',' + std::to_string(count); };
  *csv += ',';
  *csv += PairSetName(row.set);
  for (const EvaluatedSet& set : row.sets) {
    add(set.found);
    add(set.correct);
  }
  const DocumentFigures& documents =
      row.sets[static_cast<size_t>(row.set)].documents;
  for (const uint64_t count :
       {documents.with_true, documents.found, documents.best_found,
        row.spread.median, row.spread.quartile3, row.spread.percentile99,
        row.spread.most})
    add(count);
  for (const double mean :
       {row.sketch_bytes_per_document, row.keys_per_document}) {
    *csv += ',';
    AppendDouble(csv, mean);
  }
}

}  // namespace

std::string EvaluationCsv(const Evaluation& evaluation) {
  std::string csv =
      "method,threshold,true,found,correct,precision,precision_low,"
      "precision_high,recall,recall_low,recall_high,f1,f1_low,f1_high,"
      "candidates_per_document,same_host_true,same_host_found,"
      "same_host_correct,other_host_true,other_host_found,other_host_correct,"
      "set,candidates_found,candidates_correct,decision_found,"
      "decision_correct,verified_found,verified_correct,documents_true,"
      "documents_found,documents_best_found,candidates_median,"
      "candidates_quartile3,candidates_percentile99,candidates_most,"
      "sketch_bytes_per_document,keys_per_document,"
      "seconds,peak_bytes\n";
  for (const EvaluationEntry& entry : evaluation.entries) {
    const EvaluationRow row = RowOf(evaluation, entry);
    AppendCsvField(&csv, row.label);
    csv += ',';
    AppendDouble(&csv, row.threshold);
    for (const uint64_t count : {row.real, row.found, row.correct})
      csv += ',' + std::to_string(count);
    for (const Proportion* p : {&row.precision, &row.recall, &row.f1})
      AppendProportion(&csv, *p);
    csv += ',';
    AppendDouble(&csv, row.candidates_per_document);
    for (const PairCounts* counts : {&entry.counts.same, &entry.counts.other}) {
      for (const uint64_t count :
           {counts->real, counts->found, counts->correct})
        csv += ',' + std::to_string(count);
    }
    AppendSets(row, &csv);
    csv += ',';
    AppendDouble(&csv, RoundTo(row.seconds, 3));
    csv += ',' + std::to_string(row.peak_bytes) + '\n';
  }
  return csv;
}

}  // namespace twinset
