// A record of the log of an index: a document with what was decided of it, or
// what happened later (docs/formats/index.md).
#ifndef TWINSET_SRC_INDEX_SEGMENTS_INDEX_RECORD_H_
#define TWINSET_SRC_INDEX_SEGMENTS_INDEX_RECORD_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "twinset/error.h"

namespace twinset {

// The number of an entry, or none.
inline constexpr uint64_t kNoEntry = ~uint64_t{0};

// What is known of a class, the documents of equal features, as its newest
// entry has it.
struct ClassState {
  uint64_t documents = 0;    // that are there
  uint64_t kept = kNoEntry;  // the one of them that is kept
  uint64_t text = kNoEntry;  // one of them, whose text stands for all
  int64_t first_seen = 0, last_seen = 0;  // seconds since 1970
  std::vector<uint32_t> tags;             // ascending
  uint64_t removal = kNoEntry;            // the newest one
  friend bool operator==(const ClassState&, const ClassState&) = default;
};

enum class RecordType : uint8_t {
  kDocument = 1,
  kRemoval = 2,  // of documents of one class
  kTag = 3,      // gives a tag the next number; `id` is its name
  kRemoved = 4,  // a document whose text a compaction took out
  // In the log alone: the same two of a document with an address or a digest,
  // which are found by these.
  kCapture = 5,
  kRemovedCapture = 6,
  kDeclared = 7,    // a capture that a list tells of: `tag`, `seen`, `url`,
                    // `date`, `digest` and what finds it by that
  kUndeclared = 8,  // the ones of a tag in front of it are removed
  // In the log alone: a removal that is void unless the document that replaces
  // what it removes, or another such removal, stands behind it.
  kReplacement = 9,
};

struct IndexRecord {
  RecordType type = RecordType::kDocument;

  // Documents and removals have a class, by its first document; and the entry
  // before this one that changed it.
  uint64_t of_class = 0;
  uint64_t before_in_class = kNoEntry;
  ClassState state;  // with this entry

  // Documents alone have these. `kept_for` is the document for which this one
  // was dropped, or the entry itself.
  uint64_t kept_for = 0;
  uint64_t before_dropped = kNoEntry;  // for the same document
  uint64_t before_of_id = kNoEntry;    // of the same hash of an id
  uint64_t id_hash = 0;                // under the secret of the index
  uint64_t content_hash = 0;           // of id and text, likewise
  uint64_t arrival = 0;                // its number among the documents
  uint64_t features = 0;               // how many it has
  int64_t seen = 0;                    // seconds since 1970
  uint32_t tag = 0;                    // from 1; 0: none
  bool has_id = false;                 // it came with one
  uint64_t same_id = 1;                // n: the n-th document of the id
  std::string id, url, date;
  uint64_t text_bytes = 0;
  std::string_view packed;  // the compared text, zstd
  // Captures alone have these, of which what is declared has the digest:
  // address and digest of the payload, hashed under the secret of the index, 0:
  // none; and the entries before of the same hash.
  uint64_t url_hash = 0, digest_hash = 0;
  uint64_t before_of_url = kNoEntry, before_of_digest = kNoEntry;
  std::string digest;
  // The payload as an archive stores it, hashed likewise; {}: not known.
  Hash128Value payload_hash;

  // Removals alone have these: the documents, ascending; how many of them were
  // kept and had no features; and the removal before this one of the class.
  std::vector<uint64_t> removed;
  uint64_t removed_kept = 0, removed_empty = 0;
  bool is_replacement = false;  // of the document behind it (kReplacement)
  uint64_t before_removal = kNoEntry;

  bool is_document() const {
    return type == RecordType::kDocument || type == RecordType::kRemoved;
  }
  // It changes a class.
  bool is_of_class() const {
    return is_document() || type == RecordType::kRemoval;
  }
  bool is_kept(uint64_t entry) const { return kept_for == entry; }
  bool is_capture() const { return url_hash != 0 || digest_hash != 0; }
  // "id", "id#2".
  std::string Name() const;
};

void EncodeIndexRecord(const IndexRecord& record, uint64_t entry,
                       std::string* bytes);
// kCorrupt for what EncodeIndexRecord did not write. `packed` points into
// `bytes`.
Result<IndexRecord> DecodeIndexRecord(std::string_view bytes, uint64_t entry);

// Texts as records have them.
std::string PackText(std::string_view text);
Result<std::string> UnpackText(std::string_view packed, uint64_t text_bytes);

}  // namespace twinset

#endif  // TWINSET_SRC_INDEX_SEGMENTS_INDEX_RECORD_H_
