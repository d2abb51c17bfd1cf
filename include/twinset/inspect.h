// Shows single documents the way the pipeline sees them.
#ifndef TWINSET_INSPECT_H_
#define TWINSET_INSPECT_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/error.h"
#include "twinset/options.h"
#include "twinset/text_choices.h"

namespace twinset {
inline namespace v1 {

// A link of a page (docs/formats/text-rows.md).
struct DocumentLink {
  std::string href, anchor, rel;
  bool hidden = false;  // a reader does not see it
  bool frame = false;   // it is shown inside the page: frame, iframe
};

// A block of a page, and why the text of the document includes it or not.
struct DocumentBlock {
  std::string text, reason;
  bool kept = false;
  bool framed = false;  // its author marks it as page frame
  double score = 0;
  uint64_t source_begin = 0, source_end = 0;  // bytes of the decoded page
};

// One document after the read and text stages. The members below the empty line
// are filled when asked for; for a document that is not HTML only language and
// tokens are filled.
struct DocumentText {
  // The record's own id if a list of ids cannot hold it; `id` replaces it.
  std::string original_id;
  std::string id, text, title, charset, url, date, source;
  std::string language_declared;  // by the page
  std::string canonical;          // address that the page gives as its own
  uint64_t ordinal = 0;
  bool used_fallback = false;
  bool truncated = false;  // the end is missing (--truncated keep)
  // Warnings count these: how many fields of a row begin and end with a
  // quotation mark of their own, whether a quoted one holds whole rows, and
  // whether XHTML is not well-formed and was read as HTML.
  uint32_t quoted_fields = 0;
  bool has_rows_in_field = false;
  bool malformed_xml = false;

  std::string language;  // identified; "und" when unsure
  std::string base, robots, redirect, published, modified, description, author;
  int redirect_seconds = -1;  // -1: no redirect
  std::vector<DocumentLink> links;
  std::vector<DocumentBlock> blocks;
  std::vector<std::string> tokens;  // normalised
  // Tag-path shingles (docs/methods/kinds.md): ascending, distinct.
  std::vector<uint64_t> layout;
  // HTML only: the text that the other one of --content main and all gives.
  std::string other_text;
  bool has_other = false;
  // HTML only (docs/methods/content.md): the kind of page; how sure its main
  // text is, in 1/1000 (-1: nobody asked), and, with blocks, why; whether it is
  // too unsure to be compared.
  PageKind page_kind = PageKind::kNone;
  std::string confidence_reason;
  int confidence = -1;
  bool unsure = false;
  std::string payload;  // the decoded bytes that contain the text
};

// Oddities of inputs that are read nevertheless: see DocumentText.
struct InputOddities {
  // How many there are, and the id of the first record that has it.
  struct Kind {
    uint64_t count = 0;
    std::string first;
    // Records are added in input order.
    void Add(uint64_t more, const std::string& id) {
      if (more > 0 && count == 0) first = id;
      count += more;
    }
  };
  Kind quoted_fields, rows_in_fields, malformed_xml;
};
// One sentence for each kind that there is.
std::vector<std::string> OddityWarnings(const InputOddities& oddities);

// What ForEachText fills in addition to the text.
struct TextDetails {
  bool tokens = false, language = false, facts = false, blocks = false;
  bool layout = false, other = false, payload = false;
};

// A record that is not a document.
struct RejectedRecord {
  std::string source, id, stage, reason, detail;
  uint64_t offset = 0, ordinal = 0;
  bool is_table_row = false;  // the offset is the number of a row
  bool quarantined = false;   // else skipped
  // For a redirect or a revisit, which is skipped: its own address and date if
  // known; then the target of a redirect, as it is written, or the address and
  // date to which a revisit refers, if it names them.
  std::string url, date, redirects_to, refers_to, refers_date;
  bool is_revisit = false;  // of a page, not of an error or a redirect
};

// Calls on_document for every document of the inputs in input order and
// on_rejected for every other record. on_document returns false to stop.
Status ForEachText(
    const InputOptions& input, const FeatureOptions& features,
    const TextDetails& details,
    const std::function<bool(const DocumentText&)>& on_document,
    const std::function<void(const RejectedRecord&)>& on_rejected);

// One row of `twinset text --json`, without its line end; with `blocks` and
// `tokens` when `details` asks for them.
std::string TextRow(const DocumentText& document, const TextDetails& details);

// ForEachText on several threads. Several threads call `render` at once; it
// makes the text wanted for a document. on_text gets these texts and
// on_rejected the records that are not documents, in input order, one call at a
// time; on_text returns false to stop. Memory: that of `resources`; a document
// that needs more is processed alone. Returns a warning for each input without
// a document among others that have some; none when on_text stopped.
Result<std::vector<std::string>> ForEachRendered(
    const InputOptions& input, const FeatureOptions& features,
    const TextDetails& details, const ResourceOptions& resources,
    const std::function<std::string(const DocumentText&)>& render,
    const std::function<bool(std::string_view)>& on_text,
    const std::function<void(const RejectedRecord&)>& on_rejected);

// One row of `twinset sketch`: the values of the sketch in order, each
// hexadecimal and big-endian. Several sketches follow one after the other.
struct SketchRow {
  std::string id, method, sketch;
  std::string original_id;  // as that of DocumentText
  std::string modulus;     // drawn with the seed: what values are remainders by
  bool truncated = false;  // the end of the document is missing
};
// A method that learns from a corpus first learns from these inputs, which are
// then read more than once. Returns the warnings that ForEachRendered returns.
Result<std::vector<std::string>> ForEachSketch(
    const InputOptions& input, const FeatureOptions& features,
    const MethodOptions& method,
    const std::function<bool(const SketchRow&)>& on_row,
    const std::function<void(const RejectedRecord&)>& on_rejected);

// Names of the fields of the first rows of files of JSON lines, CSV or TSV,
// plain or compressed, in the order in which they come. A field inside an
// object is named by its path, with dots. A path that is no regular file,
// cannot be read or has no rows adds no names. The function reads the beginning
// of the first few files; a folder stands for its files.
std::vector<std::string> FieldNamesOfFiles(
    const std::vector<std::string>& paths);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_INSPECT_H_
