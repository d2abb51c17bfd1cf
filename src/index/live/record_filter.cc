#include "live/record_filter.h"

#include <algorithm>
#include <string_view>

#include "report/corpus_writer.h"

namespace twinset {

namespace {

// Blank lines belong to the rows beside them in Record::raw.
std::string_view LineOf(std::string_view raw) {
  const size_t begin = std::min(raw.find_first_not_of(" \t\r\n"), raw.size());
  const size_t line = raw.substr(0, begin).rfind('\n');
  raw.remove_prefix(line == raw.npos ? 0 : line + 1);
  const size_t last = raw.find_last_not_of(" \t\r\n");
  const size_t end = raw.find('\n', last == raw.npos ? 0 : last);
  return raw.substr(0, end == raw.npos ? raw.size() : end + 1);
}

// The id that the record itself has, where the index has numbered it.
std::string RecordIdOf(const std::string& name) {
  const size_t number = name.rfind(">#");
  return number == name.npos ? name : name.substr(0, number + 1);
}

}  // namespace

Status RecordFilter::BeginSource(const std::string& source,
                                 InputFormat format) {
  if (format != InputFormat::kJsonl && format != InputFormat::kWarc) {
    return Fail(ErrorCode::kUnsupported,
                "only JSON lines and records of a WARC can go on as they came",
                source, "leave --new-only out: the rows say what is new");
  }
  if (format_ && *format_ != format) {
    return Fail(ErrorCode::kUnsupported,
                "JSON lines and records of a WARC cannot go on together",
                source, "give inputs of one format");
  }
  format_ = format;
  return {};
}

Status RecordFilter::Prepare(Record* record) const {
  if (!is_warc()) {
    const std::string_view line = LineOf(record->raw);
    if (line.find('\n') + 1 >= line.size() || line.find('\n') == line.npos)
      return {};
    return Fail(ErrorCode::kUnsupported,
                "a row that takes several lines cannot go on as it came", "",
                "leave --new-only out: the rows say what is new");
  }
  if (!record->is_stored) return {};
  std::string& digest = record->document.provenance.digest;
  const DigestForm declared = FormOfDigest(digest);
  const std::string made =
      PayloadDigest(record->StoredPayload(),
                    declared == DigestForm::kUnknown ? digest_ : declared);
  // By what it declares, others look for it.
  if (digest.empty()) digest = made;
  record->refers_to_digest = made;
  return {};
}

std::string RecordFilter::Whole(const Record& record) const {
  if (!is_warc()) {
    std::string line(LineOf(record.raw));
    if (!line.ends_with('\n')) line += '\n';
    return line;
  }
  if (record.document.truncated) return CloseTruncatedWarcRecord(record.raw);
  std::string whole = record.raw;
  // The last record of a source may lack what parts it from the next one.
  for (const std::string_view end : {"\r\n\r\n", "\n\n"})
    if (whole.empty() || whole.ends_with(end)) return whole;
  return whole + "\r\n\r\n";
}

std::string RecordFilter::OfDocument(const Record& record,
                                     const IndexAnswer& answer) const {
  if (answer.is_new) return Whole(record);
  if (!is_warc()) return {};
  const Provenance& place = record.document.provenance;
  // A list that is trusted says where the same payload is.
  if (!answer.is_stored() && answer.declared) {
    return MakeRevisitRecord(
        record.raw,
        {record.document.id, place.url, place.date, record.refers_to_digest, "",
         answer.declared->url, answer.declared->seen, 1, std::nullopt});
  }
  // A document that comes again is none of its own revisits.
  if (!answer.is_same_payload || answer.kept.id == answer.id) return {};
  return MakeRevisitRecord(
      record.raw, {record.document.id, place.url, place.date,
                   record.refers_to_digest, RecordIdOf(answer.kept.id),
                   answer.kept.url, answer.kept.date, 1, std::nullopt});
}

std::string RecordFilter::OfOther(const Record& record) const {
  if (!is_warc() || record.kind == RecordKind::kQuarantined) return {};
  return Whole(record);
}

}  // namespace twinset
