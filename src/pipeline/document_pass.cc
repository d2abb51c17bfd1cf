#include "pipeline/document_pass.h"

#include "pipeline/plan.h"

namespace twinset {

RejectedRecord Reject(const Record& record, const std::string& source,
                      const std::string& stage, const std::string& reason,
                      const std::string& detail, bool quarantined) {
  RejectedRecord rejected;
  rejected.source = source;
  rejected.id = record.document.id;
  rejected.stage = stage;
  rejected.reason = reason;
  rejected.detail = detail;
  rejected.offset = record.document.provenance.offset;
  rejected.ordinal = record.document.provenance.ordinal;
  rejected.quarantined = quarantined;
  return rejected;
}

Status ForEachInputDocument(
    const InputOptions& input, const std::vector<std::string>& fields,
    const std::function<Result<bool>(Record*, const std::string&)>& body,
    const RejectedSink& on_rejected) {
  TWINSET_ASSIGN(ReadOptions read, MakeReadOptions(input));
  read.fields = fields;
  TWINSET_ASSIGN(const auto files, ListInputs(input.inputs));
  Record record;
  for (uint32_t i = 0; i < files.size(); ++i) {
    TWINSET_ASSIGN(auto reader, OpenRecordReader(files[i], i, read));
    for (;;) {
      TWINSET_ASSIGN(const bool more, reader->Next(&record));
      if (!more) break;
      if (record.kind == RecordKind::kDocument) {
        if (record.document.id.empty()) {
          record.document.id =
              files[i].source + ":" +
              std::to_string(record.document.provenance.ordinal);
        }
        TWINSET_ASSIGN(const bool go_on, body(&record, files[i].source));
        if (!go_on) return {};
      } else if (on_rejected) {
        on_rejected(Reject(
            record, files[i].source, "read",
            record.kind == RecordKind::kRevisit ? "revisit" : record.reason,
            record.detail, record.kind == RecordKind::kQuarantined));
      }
    }
  }
  return {};
}

Status RefuseStandardInput(const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    if (input == "-") {
      return Fail(ErrorCode::kUsage,
                  "standard input cannot be read more than once", "",
                  "save it to a file first");
    }
  }
  return {};
}

}  // namespace twinset
