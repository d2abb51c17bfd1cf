#include "documents/document_pass.h"

#include <array>
#include <filesystem>
#include <utility>

#include "base/json_text.h"
#include "documents/document_options.h"
#include "documents/field_check.h"

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
  rejected.is_table_row = record.is_table_row;
  rejected.quarantined = quarantined;
  return rejected;
}

std::string QuarantineRow(const RejectedRecord& record,
                          std::string_view original_id, bool has_offset) {
  JsonRow row;
  row.Text("source", record.source);
  if (has_offset) row.Integer("offset", record.offset);
  row.Integer("ordinal", record.ordinal).Text("id", record.id);
  if (!original_id.empty()) row.Text("original_id", original_id);
  return row.Text("stage", record.stage)
      .Text("reason", record.reason)
      .Text("detail", record.detail)
      .Take();
}

RejectedRecord RejectUnread(const Record& record, const std::string& source) {
  RejectedRecord rejected =
      Reject(record, source, "read",
             record.kind == RecordKind::kRevisit ? "revisit" : record.reason,
             record.detail, record.kind == RecordKind::kQuarantined);
  rejected.is_revisit =
      record.kind == RecordKind::kRevisit && !record.revisits_no_page;
  if (!record.redirects_to.empty() || rejected.is_revisit) {
    rejected.url = record.document.provenance.url;
    rejected.date = record.document.provenance.date;
    rejected.redirects_to = record.redirects_to;
    rejected.refers_to = record.refers_to_url;
    rejected.refers_date = record.refers_to_date;
  }
  return rejected;
}

void GiveId(const std::string& source, Document* document) {
  if (!document->id.empty()) return;
  document->id = source + ":" + std::to_string(document->provenance.ordinal);
}

bool BreaksLists(std::string_view id) {
  return id.find_first_of("\n\r") != std::string_view::npos;
}

void ReplaceId(const std::string& source, Record* record) {
  Document& document = record->document;
  record->original_id.clear();
  if (!BreaksLists(document.id)) return;
  record->original_id = std::exchange(document.id, {});
  GiveId(source, &document);
}

void GiveListedId(const std::string& source, Record* record) {
  ReplaceId(source, record);
  GiveId(source, &record->document);
}

uint64_t BytesBesidePayload(const Record& record) {
  const Document& document = record.document;
  const Provenance& place = document.provenance;
  uint64_t bytes = sizeof(Record) + document.id.size() + document.mime.size() +
                   document.charset.size() + place.url.size() +
                   place.date.size() + place.digest.size() +
                   record.reason.size() + record.detail.size() +
                   record.refers_to_id.size() + record.refers_to_url.size() +
                   record.redirects_to.size() + record.refers_to_date.size() +
                   record.refers_to_digest.size() + record.stored.size();
  for (const auto& [name, value] : document.fields)
    bytes += name.size() + value.size() + 2 * sizeof(std::string);
  return bytes;
}

void FieldPass::Count(const Record& record) {
  lacking_ += record.reason == "no-text-field";
  quarantined_ += record.kind == RecordKind::kQuarantined;
  if (record.kind != RecordKind::kDocument) return;
  const Provenance& place = record.document.provenance;
  ++documents_;
  present_[0] += !record.document.id.empty();
  present_[1] += !place.url.empty();
  present_[2] += !place.date.empty();
}

Status FieldPass::Check(const InputList& files) const {
  const auto names = [&] {
    return FieldNamesOf(files, 0, files.size(), read_);
  };
  if (documents_ == 0 && lacking_ > 0 && lacking_ == quarantined_)
    return NoTextField(read_, names());
  const auto asked =
      AskedRowFields(read_, UsualNames(input_.preset), "--", present_);
  if (CheckAskedFields(asked, documents_, "document", {})) return {};
  return CheckAskedFields(asked, documents_, "document", names());
}

Status ForEachInputDocument(
    const InputOptions& input, const PassOptions& options,
    const std::function<Result<bool>(Record*, const std::string&)>& body,
    const RejectedSink& on_rejected) {
  TWINSET_ASSIGN(const auto files, ListInputs(input));
  return ForEachListedDocument(files, 0, files.size(), input, options, body,
                               on_rejected);
}

Status ForEachListedDocument(
    const InputList& files, size_t begin, size_t end, const InputOptions& input,
    const PassOptions& options,
    const std::function<Result<bool>(Record*, const std::string&)>& body,
    const RejectedSink& on_rejected) {
  TWINSET_ASSIGN(ReadOptions read, MakeReadOptions(input));
  read.fields = options.fields;
  read.keep_raw = options.keep_raw;
  read.keep_stored = options.keep_stored;
  if (!options.passed) TWINSET_TRY(CheckColumns(files, begin, end, read));
  Record record;
  FieldPass pass(input, read);
  for (size_t i = begin; i < end; ++i) {
    const InputFile file = files[i];
    TWINSET_ASSIGN(auto reader,
                   OpenRecordReader(file, static_cast<uint32_t>(i), read));
    if (options.on_source)
      TWINSET_TRY(options.on_source(file.source, reader->format()));
    const uint64_t passed = i == begin ? options.passed.value_or(0) : 0;
    reader->PassOver(passed);
    for (uint64_t number = 0;; ++number) {
      TWINSET_ASSIGN(const bool more, reader->Next(&record));
      if (!more) break;
      if (number < passed) continue;
      pass.Count(record);
      if (record.kind == RecordKind::kDocument) {
        GiveListedId(file.source, &record);
        TWINSET_ASSIGN(const bool go_on, body(&record, file.source));
        if (!go_on) return {};
        continue;
      }
      if (options.on_other) TWINSET_TRY(options.on_other(record));
      if (on_rejected) {
        ReplaceId(file.source, &record);
        on_rejected(RejectUnread(record, file.source));
      }
    }
  }
  return options.passed ? Status() : pass.Check(files);
}

bool CanBeReadOnce(const std::string& input) {
  if (input == "-") return true;
  std::error_code error;
  const auto status = std::filesystem::status(input, error);
  return !error && std::filesystem::exists(status) &&
         !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

Status RefuseReadOnce(const std::vector<std::string>& inputs,
                      const std::string& message) {
  for (const std::string& input : inputs) {
    if (!CanBeReadOnce(input)) continue;
    const bool is_standard = input == "-";
    const std::string name = is_standard ? "standard input" : "a pipe";
    return Fail(
        ErrorCode::kUsage,
        message.empty() ? name + " cannot be read more than once" : message,
        is_standard ? "" : input, "save " + name + " to a file first");
  }
  return {};
}

}  // namespace twinset
