// From the block of an archived record to a document, or to the reason why it
// is none.
#ifndef TWINSET_SRC_STAGES_READ_HTTP_DOCUMENT_H_
#define TWINSET_SRC_STAGES_READ_HTTP_DOCUMENT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "core/document.h"
#include "read/reader.h"

namespace twinset {

// What the container says about a block.
struct ArchivedBlock {
  std::string bytes;           // cut off beyond the limit
  uint64_t real_bytes = 0;     // the whole size
  bool may_be_http = true;     // an HTTP head is looked for
  bool is_conversion = false;  // WET: text that was extracted before
  std::string
      content_type;  // the container's own; the HTTP head goes before it
  int status = 0;    // the container's own, 0: none
};

// Size up to which a block has to be kept so that every document within the
// limit is decoded.
uint64_t MaxBlockBytes(const ReadOptions& options);

// Decides by status, type and size, decodes the payload and fills kind, reason
// and detail of *record and kind, mime, charset, payload of its document.
// Leaves identity and provenance alone.
void JudgeBlock(ArchivedBlock block, const ReadOptions& options,
                Record* record);

// Reads the block of a revisit record, which may hold the HTTP head that came
// instead of the page: fills revisits_no_page and redirects_to of *record.
void JudgeRevisit(std::string_view block, const ReadOptions& options,
                  Record* record);

// Returns true iff documents of a type are wanted.
bool MimePasses(std::string_view mime, const ReadOptions& options);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_HTTP_DOCUMENT_H_
