#include "retrieval/transfer_log.h"

#include <cmath>
#include <utility>

#include "report/row_writer.h"
#include "twinset/json.h"

namespace twinset {

namespace {

Json RowOf(const StudyNames& names, ConflictRule rule,
           const TransferStep& step) {
  const auto grade = [](const int32_t* value) {
    return value == nullptr ? Json() : Json(*value);
  };
  return {{"topic", names.topics[step.source.topic]},
          {"source", names.documents[step.source.document]},
          {"target", names.documents[step.target]},
          {"action", step.action},
          {"grade", step.source.grade},
          {"similarity",
           std::isfinite(step.similarity) ? Json(step.similarity) : Json()},
          {"target_was", grade(step.was)},
          {"target_is", grade(step.is)},
          {"rule", rule}};
}

}  // namespace

Result<TransferLog> TransferLog::Create(const std::string& path,
                                        const StudyNames* names,
                                        ConflictRule rule) {
  TransferLog log;
  log.names_ = names;
  log.rule_ = rule;
  if (path.empty()) return log;
  log.csv_ = path.ends_with(".csv");
  TWINSET_ASSIGN(log.file_, OutputFile::Create(path));
  if (log.csv_)
    TWINSET_TRY(log.file_->Write(
        "topic,source,target,action,grade,similarity,target_was,target_is,"
        "rule\n"));
  return log;
}

Status TransferLog::Add(const TransferStep& step) {
  if (!file_) return {};
  const Json row = RowOf(*names_, rule_, step);
  if (!csv_) return file_->Write(row.dump() + "\n");
  std::string line;
  for (const Json& value : row) {
    if (!line.empty()) line += ',';
    if (const std::string* text = value.if_string())
      AppendCsvField(&line, *text);
    else if (!value.is_null())
      line += value.dump();
  }
  return file_->Write(line + "\n");
}

Status TransferLog::Commit() {
  if (!file_) return {};
  return file_->Commit();
}

}  // namespace twinset
