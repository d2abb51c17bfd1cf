// One document: its bytes, what they are, and where they came from.
#ifndef TWINSET_DOCUMENT_H_
#define TWINSET_DOCUMENT_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace twinset {
inline namespace v1 {

// How the bytes of a payload become text.
enum class ContentKind : uint8_t {
  kText,   // UTF-8 that is already the text (JSONL, CSV, WET): used as it is
  kPlain,  // plain text in a charset that is still to be detected
  kHtml,   // markup
  kBytes,  // any other type; only `--mime '*'` lets it through, and only for
           // exact bytes
};

// Where a document came from. Travels with it into every row of every report.
struct Provenance {
  uint32_t source = 0;   // index into the list of input files
  uint64_t ordinal = 0;  // 0-based number of the record within its source
  uint64_t offset = 0;   // byte offset of the record in the decompressed stream
  std::string url;       // empty when unknown
  std::string date;      // as written in the source; empty when unknown
  std::string digest;  // of the payload, as `--digest` writes it; empty unless
                       // asked for
};

// What a reader yields, and what a program hands over (twinset/collection.h). A
// program must fill only `payload`.
struct Document {
  std::string id;  // verbatim; empty: the pipeline writes <source>:<ordinal>
  Provenance provenance;
  ContentKind kind = ContentKind::kText;
  std::string mime;  // declared or sniffed, lower case, without parameters
  std::string
      charset;  // label from the protocol (HTTP header), empty when none
  std::string payload;     // transfer- and content-decoded
  bool has_text = true;    // false: its text is null, and it is rejected
  bool truncated = false;  // cut off inside its compressed member
  bool is_file = false;    // the whole of an input file
  std::vector<std::pair<std::string, std::string>>
      fields;  // those asked for, in the order asked; empty when absent
};

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_DOCUMENT_H_
