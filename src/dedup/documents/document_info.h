// What the pipeline remembers of a document once its text is gone.
#ifndef TWINSET_SRC_DEDUP_DOCUMENTS_DOCUMENT_INFO_H_
#define TWINSET_SRC_DEDUP_DOCUMENTS_DOCUMENT_INFO_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "core/document.h"
#include "twinset/error.h"

namespace twinset {

// What a page says of itself by rel=canonical.
enum class Canonical : uint8_t { kNone, kOther, kSelf };
inline constexpr int64_t kNoDate = INT64_MIN;

// Bit of DocumentInfo::removed: the text is all that the page does not name as
// frame, whatever was chosen.
inline constexpr uint64_t kWidened = 2;

// The scope of all documents without --within. Keys of documents are salted
// with its low half: that of the spec, so that they are the same in every run.
inline constexpr Hash128Value kNoScope = {0x2d06800538d394c2, 0};
// The scope of --across in a match: 0 for the first collection, else 1.
constexpr Hash128Value ScopeOfSide(size_t side) { return {side, 0}; }
// Documents of two scopes have two fingerprints.
constexpr void MixScope(const Hash128Value& within, Hash128Value* fingerprint) {
  fingerprint->low ^= Mix64(within.low);
  fingerprint->high ^= within.high;
}

struct DocumentInfo {
  std::string id;  // as read, or <source>:<ordinal>; not yet made unique
  std::string original_id;  // as read, where `id` stands in its place
  Provenance provenance;
  uint64_t code_points = 0;
  uint64_t feature_count = 0;
  uint64_t payload_bytes = 0;
  uint64_t tokens = 0;        // that are compared; 0 where no text is
  uint64_t payload_hash = 0;  // PayloadHash: to know the document again
  Hash128Value fingerprint;   // of the stored features; meaningless when empty
  // Hash of the payload as its archive stores it, under the secret of the run;
  // {}: not known (Record::is_stored).
  Hash128Value stored;
  bool empty = false;      // no features: in no pair
  bool truncated = false;  // Document::truncated
  // Which blocks the template stage left out of the text: a hash of their set,
  // with kWidened. 0: none.
  uint64_t removed = 0;
  bool mostly_template = false;  // more than half of the compared text is
  // Hashes of the values of --within and --across, to be compared (ScopeOf).
  Hash128Value within, across;
  int64_t seconds = kNoDate;  // --window: the date, seconds since 1970 UTC
  // What priority looks at beside the provenance (priority.h).
  Canonical canonical = Canonical::kNone;
  std::vector<std::string> fields;  // those the reader was asked for, in order
};

// What a document is known by when its record is read again.
inline uint64_t PayloadHash(const Document& document) {
  return Hash64(document.payload);
}
// The document is not there any more, or is another.
Error Gone(const DocumentInfo& info, const std::string& path);
// That error when `document`, read again from the file at `path`, is not the
// one that `info` was made of.
Status CheckSame(const DocumentInfo& info, const Document& document,
                 const std::string& path);

// The stored form, and back; kCorrupt when the bytes are not what the first
// wrote.
void EncodeDocumentInfo(const DocumentInfo& info, std::string* bytes);
Result<DocumentInfo> DecodeDocumentInfo(std::string_view bytes);
// The same into *info, whose strings are used again.
Status DecodeDocumentInfo(std::string_view bytes, DocumentInfo* info);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_DOCUMENTS_DOCUMENT_INFO_H_
