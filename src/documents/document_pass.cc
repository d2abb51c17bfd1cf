#include "documents/document_pass.h"

#include "documents/document_options.h"

namespace twinset::inline v1 {

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

RejectedRecord RejectUnread(const Record& record, const std::string& source) {
  return Reject(record, source, "read",
                record.kind == RecordKind::kRevisit ? "revisit" : record.reason,
                record.detail, record.kind == RecordKind::kQuarantined);
}

void GiveId(const std::string& source, Document* document) {
  if (!document->id.empty()) return;
  document->id = source + ":" + std::to_string(document->provenance.ordinal);
}

uint64_t BytesBesidePayload(const Record& record) {
  const Document& document = record.document;
  const Provenance& place = document.provenance;
  uint64_t bytes =
      sizeof(Record) + document.id.size() + document.mime.size() +
      document.charset.size() + place.url.size() + place.date.size() +
      place.digest.size() + record.reason.size() + record.detail.size() +
      record.refers_to_id.size() + record.refers_to_url.size() +
      record.refers_to_date.size() + record.refers_to_digest.size();
  for (const auto& [name, value] : document.fields)
    bytes += name.size() + value.size() + 2 * sizeof(std::string);
  return bytes;
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
        GiveId(files[i].source, &record.document);
        TWINSET_ASSIGN(const bool go_on, body(&record, files[i].source));
        if (!go_on) return {};
      } else if (on_rejected) {
        on_rejected(RejectUnread(record, files[i].source));
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

}  // namespace twinset::inline v1
