// What a patch says, and its bytes inside the frames of a patch file
// (docs/methods/patch.md).
#ifndef TWINSET_SRC_CORPORA_PATCH_PATCH_FORMAT_H_
#define TWINSET_SRC_CORPORA_PATCH_PATCH_FORMAT_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/keys/signature.h"
#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/method_choices.h"

namespace twinset {

// What the run was, and how much it says.
struct PatchHead {
  std::string twinset;  // version of the program
  Action action = Action::kDrop;
  NearRule near = NearRule::kDrop;
  bool is_verified = true;  // its pairs were compared exactly
  Json read;  // parameters of summary.json by which records are read
  uint64_t inputs = 0, documents = 0, entries = 0;
  uint64_t dropped = 0;   // documents that the run drops
  uint64_t left_out = 0;  // records that are no documents, by choice of the run
};

struct PatchInput {
  std::string name;  // InputFile::source
  uint64_t bytes = 0;
  Sha256Value digest = {};
};

// What becomes of a record. Values are those of the file.
enum class PatchKind : uint8_t {
  kKeep,      // stays; others go because it is there
  kDrop,      // goes
  kRevisit,   // of a WARC: a revisit record takes its place
  kNear,      // of a WARC: treated as the near-duplicate rule of the head says
  kAnnotate,  // stays, with what the run says of its cluster
  kName,      // annotated, in no cluster: only its name is another than its id
  kLeave,     // goes: the run did not take it for a document
};
inline constexpr uint8_t kPatchKinds = 7;

struct PatchEntry {
  PatchKind kind = PatchKind::kKeep;
  uint32_t source = 0;  // which of the inputs
  uint64_t ordinal = 0, offset = 0;
  Hash128Value digest;  // PatchDigest of the payload
  std::string id;       // as the record has it; empty: input and ordinal
  // As the run calls it; empty: that is its id. Of kRevisit: the number of the
  // DigestForm of its digest; empty: as --digest says.
  std::string name;
  // For kKeep and kAnnotate, if a kRevisit or kNear refers to it.
  std::string url, date;
  // Number of the entry for whose sake it goes or whose cluster it is in; its
  // own where there is none.
  uint64_t link = 0;
  double similarity = 1;
  // The share of its shingles that the linked entry has too.
  double contained = 1;
  uint64_t size = 0;  // kAnnotate: of the cluster

  uint64_t text_bytes() const {
    return id.size() + name.size() + url.size() + date.size();
  }
  friend bool operator==(const PatchEntry&, const PatchEntry&) = default;
};

// The first 128 bits of SHA-256.
Hash128Value PatchDigest(std::string_view payload);

// Decoded texts of a frame are refused beyond this, and a single entry beyond
// half of it is not written, so that no frame takes much memory.
inline constexpr uint64_t kMostFrameText = 2 << 20;
// So are more entries.
inline constexpr uint64_t kMostFrameEntries = 1 << 14;

std::string EncodePatchHead(const PatchHead& head);
Result<PatchHead> DecodePatchHead(std::string_view bytes);

std::string EncodePatchInputs(std::span<const PatchInput> inputs);
// kCorrupt for bytes that the function above does not make.
Status DecodePatchInputs(std::string_view bytes,
                         std::vector<PatchInput>* inputs);

// `first`: the number of the first entry. Entries ascend by source and ordinal.
std::string EncodePatchEntries(uint64_t first,
                               std::span<const PatchEntry> entries);
// How many there are, by the first bytes of a frame: kCorrupt for more than it
// can hold.
Result<uint64_t> CountPatchEntries(std::string_view bytes);
Status DecodePatchEntries(uint64_t first, std::string_view bytes,
                          std::vector<PatchEntry>* entries);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_PATCH_PATCH_FORMAT_H_
