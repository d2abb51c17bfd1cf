#include "pipeline/results/record_editor.h"

#include "read/utf8.h"

namespace twinset {

namespace {

constexpr char kNoRoom[] =
    "--action annotate changes nothing in files of ARC, TREC, HTML and text, "
    "which have no place for it: ";

// The bytes that stand for a document that stays.
std::string KeptBytes(const Record& record, InputFormat format) {
  if (!record.document.truncated) return record.raw;
  switch (format) {
    case InputFormat::kWarc:
      return CloseTruncatedWarcRecord(record.raw);
    case InputFormat::kArc:
      return CloseTruncatedArcRecord(record.raw);
    case InputFormat::kTrec:
      return record.raw + "\n</DOC>\n";
    default:
      return record.raw;
  }
}

}  // namespace

Status RecordEditor::Edit(const Record& record, MemberCutter* members) {
  const uint64_t before = counts.records;
  TWINSET_TRY(EditRecord(record, members));
  const bool has_header =
      format_ == InputFormat::kCsv || format_ == InputFormat::kTsv;
  if (has_header && is_first_ && counts.records == before) {
    // The header row stands in front of the first record and must stay. It is
    // no record.
    const std::string_view header = HeaderOf(record);
    members->Add(annotates() ? AnnotatedHeader(header) : std::string(header));
  }
  is_first_ = false;
  return {};
}

Status RecordEditor::EditRecord(const Record& record, MemberCutter* members) {
  if (record.kind == RecordKind::kQuarantined) {
    LeaveOutUnused(record, members);
    return {};
  }
  const Provenance& place = record.document.provenance;
  if (record.raw.empty()) {
    // Only records far beyond --max-document come without their bytes.
    LeaveOut();
    if (warnings.size() < ReadCounts::kMostIncomplete)
      warnings.push_back(plan_.inputs.files[place.source].source + ": record " +
                         std::to_string(place.ordinal) +
                         " is too large to be written and was left out");
    return record.kind == RecordKind::kDocument ? SkipDocument(record)
                                                : Status();
  }
  if (record.kind != RecordKind::kDocument &&
      record.kind != RecordKind::kPassed) {
    WriteRaw(record, members);
    return {};
  }
  return EditDocument(record, members);
}

void RecordEditor::Write(std::string_view bytes, MemberCutter* members) {
  ++counts.records;
  members->Add(bytes);
}

void RecordEditor::WriteRaw(const Record& record, MemberCutter* members) {
  ++counts.records;
  members->AddRaw(record);
}

void RecordEditor::Keep(const Record& record, MemberCutter* members) {
  if (record.document.truncated) {
    Write(KeptBytes(record, format_), members);
  } else {
    WriteRaw(record, members);
  }
}

void RecordEditor::LeaveOutUnused(const Record& record, MemberCutter* members) {
  if (annotates() && format_ == InputFormat::kTable && !record.raw.empty()) {
    Write(AnnotateJsonLine(record.raw, "null"), members);
  } else {
    LeaveOut();
  }
}

void RecordEditor::Annotate(const Record& record,
                            const AnnotationValues& values,
                            MemberCutter* members) {
  Write(Annotated(record, values), members);
}

void RecordEditor::Replace(const Record& record, WarcReference reference,
                           bool same_payload, DigestForm form,
                           MemberCutter* members) {
  if (same_payload && record.is_stored) {
    ++*counts.revisits;
    if (form == DigestForm::kUnknown) form = FormOf(plan_.options.input.digest);
    reference.digest = PayloadDigest(record.StoredPayload(), form);
    Write(MakeRevisitRecord(record.raw, reference), members);
    return;
  }
  const bool keeps = plan_.options.near == NearRule::kKeep;
  if (keeps) Write(KeptBytes(record, format_), members);
  if (!keeps) LeaveOut();
  if (plan_.options.near == NearRule::kDrop) return;
  ++*counts.metadata;
  Write(MakeNearDuplicateRecord(record.raw, reference, !keeps), members);
}

// The header row, in front of the first record of CSV and TSV.
std::string_view RecordEditor::HeaderOf(const Record& record) const {
  const uint64_t bytes = is_first_ ? record.document.provenance.offset : 0;
  return std::string_view(record.raw).substr(0, bytes);
}

std::string RecordEditor::AnnotatedHeader(std::string_view header) const {
  if (header.empty()) return {};
  const bool is_marked = header.starts_with(kUtf8Bom);
  return AnnotateCsvHeader(header, csv(), is_marked ? kUtf8Bom.size() : 0,
                           form_.columns);
}

std::string RecordEditor::Annotated(const Record& record,
                                    const AnnotationValues& values) {
  switch (format_) {
    case InputFormat::kJsonl:
      return AnnotateJsonLine(record.raw, values.json);
    case InputFormat::kTable:
      return AnnotateJsonLine(record.raw, JsonForTable(values));
    case InputFormat::kWarc:
      return AnnotateWarcRecord(KeptBytes(record, format_), form_.warc_field,
                                values.json);
    case InputFormat::kCsv:
    case InputFormat::kTsv: {
      const std::string_view header = HeaderOf(record);
      return AnnotatedHeader(header) +
             AnnotateCsvRow(std::string_view(record.raw).substr(header.size()),
                            csv(), values.columns);
    }
    default:
      if (warnings.empty() || !warnings.back().starts_with(kNoRoom))
        warnings.push_back(kNoRoom + std::string(form_.elsewhere));
      return KeptBytes(record, format_);
  }
}

}  // namespace twinset
