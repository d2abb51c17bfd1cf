// What reading yields: records, and the documents among them (docs/spec/1.md,
// Documents and identity).
#ifndef TWINSET_SRC_GROUND_CORE_DOCUMENT_H_
#define TWINSET_SRC_GROUND_CORE_DOCUMENT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "twinset/document.h"

namespace twinset {

enum class RecordKind : uint8_t {
  kDocument,
  kSkipped,
  kRevisit,
  kQuarantined,
  kPassed,  // not looked at, by RecordReader::PassOver
  kRow      // still to be parsed, by a RowParser
};

// What a container frames. Every record is exactly one of the kinds.
struct Record {
  RecordKind kind = RecordKind::kSkipped;
  Document document;  // kDocument: all of it. Else: id and provenance as far as
                      // known
  std::string_view row;  // kRow: its bytes, until the reader's next call
  // The record's own id, where another stands in its place because a list of
  // ids cannot hold it.
  std::string original_id;
  std::string reason;  // kSkipped: "request", "metadata", "warcinfo", "status",
                       // "mime", ... kQuarantined: a slug such as "truncated",
                       // "bad-json", "no-text-field"
  std::string detail;  // kQuarantined: one line for a person
  // The offset in its provenance is the number of a row of a table.
  bool is_table_row = false;
  // kRevisit: what it refers to, as far as the record says.
  std::string refers_to_id, refers_to_url, refers_to_date, refers_to_digest;
  // kRevisit: its HTTP head has a status that is not wanted, as that of an
  // error or a redirect.
  bool revisits_no_page = false;
  // kSkipped, kRevisit: where what stands at this address leads to, as it is
  // written (a Location of HTTP, relative perhaps); empty where it leads
  // nowhere.
  std::string redirects_to;
  // kDocument, of a row of CSV or TSV: how many of its fields begin and end
  // with a quotation mark that belongs to them, and whether a quoted one holds
  // line ends and separators that make whole rows.
  uint32_t quoted_fields = 0;
  bool has_rows_in_field = false;
  std::string raw;  // with ReadOptions::keep_raw: the record's bytes as they
                    // stand in the decompressed stream, separators included, so
                    // that the raws of a source concatenate to the source
  // With ReadOptions::keep_stored, of a whole document of an archive: `stored`
  // is its payload as the archive stores it, transfer coding undone and content
  // coding kept; empty where that is Document::payload.
  bool is_stored = false;
  std::string stored;
  std::string_view StoredPayload() const {
    return stored.empty() ? std::string_view(document.payload) : stored;
  }
  // With raw, where that begins a compressed member of the source, and where it
  // ends one: places in the compressed source, as far as they are known.
  std::optional<uint64_t> member_begin, member_end;
};

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_CORE_DOCUMENT_H_
