#include "read/record_base.h"

#include <string>
#include <utility>

#include "base/free_string.h"

namespace twinset {

std::string_view FaultReason(StreamFault::Kind kind) {
  switch (kind) {
    case StreamFault::kChecksum:
      return "compression-checksum";
    case StreamFault::kData:
      return "compression-data";
    case StreamFault::kTruncated:
      return "compression-truncated";
    case StreamFault::kRatio:
      return "compression-ratio";
    case StreamFault::kTrailingJunk:
      break;
  }
  return "compression-junk";
}

bool Poisons(const StreamFault& fault, uint64_t end) {
  return (fault.kind == StreamFault::kChecksum ||
          fault.kind == StreamFault::kData) &&
         end > fault.member_begin;
}

Status CheckSkipped(uint64_t bytes, uint64_t max_skip_bytes) {
  if (bytes <= max_skip_bytes) return {};
  return Fail(ErrorCode::kUnsupported,
              "a record does not end within " + std::to_string(max_skip_bytes) +
                  " bytes: the rest of the source is left");
}

void ReaderBase::Begin(Record* record, uint64_t offset) {
  *record = Record{};
  record->document.provenance.source = source_;
  record->document.provenance.ordinal = ordinal_++;
  record->document.provenance.offset = offset;
}

void QuarantineRecord(Record* record, std::string reason, std::string detail) {
  record->kind = RecordKind::kQuarantined;
  record->reason = std::move(reason);
  record->detail = std::move(detail);
  record->document.payload.clear();
  record->document.fields.clear();
}

void ReaderBase::BeginFault(Record* record, const StreamFault& fault,
                            std::string_view swallowed) {
  Begin(record, fault.compressed_offset);
  std::string detail = fault.detail;
  if (!swallowed.empty()) {
    detail += "; not used: the " + std::to_string(swallowed.size()) +
              " decompressed bytes in front";
  }
  Quarantine(record, std::string(FaultReason(fault.kind)), std::move(detail));
  if (options_.keep_raw) record->raw = swallowed;
}

Status ReaderBase::TakeFaultRegion(Record* record) {
  TWINSET_ASSIGN(const std::string_view view, stream_->Peek(1));
  const std::string swallowed(view);
  stream_->Consume(swallowed.size());
  BeginFault(record, stream_->TakeFault(), swallowed);
  return {};
}

void FinishDocument(const ReadOptions& options, Record* record) {
  const size_t size = record->document.payload.size();
  if (size > options.max_document_bytes) {
    return QuarantineRecord(record, "too-large",
                            "the text has " + std::to_string(size) +
                                " bytes, the limit is " +
                                std::to_string(options.max_document_bytes));
  }
  record->kind = RecordKind::kDocument;
}

void BoundFields(uint64_t limit, Record* record) {
  std::string detail;
  const auto bound = [&](std::string_view name, std::string* value) {
    if (value->size() <= limit) return;
    if (detail.empty()) {
      detail.append(name).append(" has ");
      detail += std::to_string(value->size()) + " bytes, the limit is " +
                std::to_string(limit);
    }
    FreeString(value);
  };
  Document& document = record->document;
  bound("the id", &document.id);
  bound("the URL", &document.provenance.url);
  bound("the date", &document.provenance.date);
  bound("the digest", &document.provenance.digest);
  bound("the type", &document.mime);
  bound("the charset", &document.charset);
  for (auto& [name, value] : document.fields)
    bound("field \"" + name + "\"", &value);
  bound("the id it refers to", &record->refers_to_id);
  bound("the URL it refers to", &record->refers_to_url);
  bound("the date it refers to", &record->refers_to_date);
  bound("the digest it refers to", &record->refers_to_digest);
  bound("the address it leads to", &record->redirects_to);
  if (detail.empty() || (record->kind != RecordKind::kDocument &&
                         record->kind != RecordKind::kRevisit)) {
    return;
  }
  record->kind = RecordKind::kQuarantined;
  record->reason = "field-too-long";
  record->detail = std::move(detail);
  FreeString(&document.payload);
  document.fields.clear();
}

}  // namespace twinset
