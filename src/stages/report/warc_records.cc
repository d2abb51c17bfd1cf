#include "base/ascii.h"
#include "base/bytes.h"
#include "base/hash.h"
#include "base/json_text.h"
#include "report/corpus_writer.h"
#include "twinset/version.h"

namespace twinset {

namespace {

// "1.1" for a record of version 1.1, else "1.0": older versions have no revisit
// profile.
std::string VersionOf(std::string_view raw) {
  return raw.starts_with("WARC/1.1") ? "1.1" : "1.0";
}

// The bytes up to and including the first blank line, bare line feeds allowed.
std::string_view HeaderPart(std::string_view text) {
  for (size_t at = 0;;) {
    const size_t end = text.find('\n', at);
    if (end == std::string_view::npos) return {};
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (line.empty() || line == "\r") return text.substr(0, at);
  }
}

std::string Bracketed(const std::string& id) {
  return id.starts_with('<') || id.empty() ? id : "<" + id + ">";
}

// Identities such as a WARC-TREC-ID name no record.
bool IsRecordId(std::string_view id) {
  return id.starts_with('<') || id.starts_with("urn:");
}

void AddHeader(std::string* to, std::string_view name,
               const std::string& value) {
  if (value.empty()) return;
  to->append(name);
  *to += ": " + value + "\r\n";
}

// Returns true iff a WARC field tells of the whole block, which a truncated
// record lacks.
bool SaysWhatIsWhole(std::string_view name) {
  const std::string lower = ToLowerAscii(name);
  return lower == "content-length" || lower == "warc-block-digest" ||
         lower == "warc-payload-digest" || lower == "warc-truncated";
}

std::string WarcDigest(std::string_view bytes) {
  return "sha1:" + ToBase32(Sha1(bytes));
}

std::string Finish(std::string header, std::string_view block) {
  AddHeader(&header, "WARC-Block-Digest", WarcDigest(block));
  header += "Content-Length: " + std::to_string(block.size()) + "\r\n\r\n";
  header += block;
  header += "\r\n\r\n";
  return header;
}

}  // namespace

std::string NameUuid(std::string_view name) {
  // The namespace is itself a name-based identifier, of the product and its
  // spec.
  const std::string space =
      Sha1("twinset spec " + std::to_string(kSpec)).substr(0, 16);
  std::string bytes = Sha1(space + std::string(name)).substr(0, 16);
  bytes[6] = static_cast<char>((bytes[6] & 0x0F) | 0x50);
  bytes[8] = static_cast<char>((bytes[8] & 0x3F) | 0x80);
  const std::string hex = ToHex(bytes);
  return "urn:uuid:" + hex.substr(0, 8) + "-" + hex.substr(8, 4) + "-" +
         hex.substr(12, 4) + "-" + hex.substr(16, 4) + "-" + hex.substr(20);
}

std::string MakeRevisitRecord(std::string_view raw,
                              const WarcReference& reference) {
  const std::string version = VersionOf(raw);
  const std::string_view warc_header = HeaderPart(raw);
  std::string_view block = raw.substr(warc_header.size());
  block = block.starts_with("HTTP/") ? HeaderPart(block) : std::string_view();
  std::string header = "WARC/" + version + "\r\nWARC-Type: revisit\r\n";
  AddHeader(&header, "WARC-Record-ID",
            "<" + NameUuid("revisit " + reference.record_id) + ">");
  AddHeader(&header, "WARC-Date", reference.date);
  AddHeader(&header, "WARC-Target-URI", reference.url);
  AddHeader(&header, "WARC-Payload-Digest", reference.digest);
  AddHeader(&header, "WARC-Profile",
            "http://netpreserve.org/warc/" + version +
                "/revisit/identical-payload-digest");
  if (IsRecordId(reference.kept_id)) {
    AddHeader(&header, "WARC-Refers-To", Bracketed(reference.kept_id));
  }
  AddHeader(&header, "WARC-Refers-To-Target-URI", reference.kept_url);
  AddHeader(&header, "WARC-Refers-To-Date", reference.kept_date);
  if (!block.empty())
    AddHeader(&header, "Content-Type", "application/http;msgtype=response");
  return Finish(std::move(header), block);
}

std::string MakeNearDuplicateRecord(std::string_view raw,
                                    const WarcReference& reference,
                                    bool left_out) {
  std::string header = "WARC/" + VersionOf(raw) + "\r\nWARC-Type: metadata\r\n";
  AddHeader(&header, "WARC-Record-ID",
            "<" + NameUuid("near " + reference.record_id) + ">");
  AddHeader(&header, "WARC-Date", reference.date);
  AddHeader(&header, "WARC-Target-URI", reference.url);
  AddHeader(&header, left_out ? "WARC-Refers-To" : "WARC-Concurrent-To",
            Bracketed(left_out ? reference.kept_id : reference.record_id));
  AddHeader(&header, "Content-Type", "application/warc-fields");
  std::string similarity;
  AppendDouble(&similarity, reference.similarity);
  std::string contained;
  if (reference.contained) AppendDouble(&contained, *reference.contained);
  std::string block;
  AddHeader(&block, "twinset-near-duplicate", reference.record_id);
  AddHeader(&block, "twinset-representative", reference.kept_id);
  AddHeader(&block, "twinset-similarity", similarity);
  AddHeader(&block, "twinset-contained", contained);
  AddHeader(&block, "twinset-action", left_out ? "left out" : "kept");
  AddHeader(&header, "WARC-Payload-Digest", WarcDigest(block));
  return Finish(std::move(header), block);
}

std::string CloseTruncatedWarcRecord(std::string_view raw) {
  raw.remove_prefix(std::min(raw.find_first_not_of("\r\n"), raw.size()));
  const std::string_view old_header = HeaderPart(raw);
  std::string header;
  bool keeps = true;  // also what continues the line in front of it
  for (std::string_view rest = old_header; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n') + 1);
    rest.remove_prefix(line.size());
    if (line == "\n" || line == "\r\n") break;
    if (line[0] != ' ' && line[0] != '\t')
      keeps = !SaysWhatIsWhole(line.substr(0, line.find(':')));
    if (keeps) header += line;
  }
  AddHeader(&header, "WARC-Truncated", "unspecified");
  return Finish(std::move(header), raw.substr(old_header.size()));
}

std::string CloseTruncatedArcRecord(std::string_view raw) {
  raw.remove_prefix(std::min(raw.find_first_not_of("\r\n"), raw.size()));
  const size_t line_end = std::min(raw.find('\n'), raw.size());
  const std::string_view block = raw.substr(std::min(line_end + 1, raw.size()));
  const size_t length_begin = raw.substr(0, line_end).rfind(' ') + 1;
  std::string record(raw.substr(0, length_begin));
  record += std::to_string(block.size()) + "\n";
  record += block;
  return record + "\n";
}

}  // namespace twinset
