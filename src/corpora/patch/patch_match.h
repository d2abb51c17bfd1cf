// Which records of a copy are those that a patch names.
#ifndef TWINSET_SRC_CORPORA_PATCH_PATCH_MATCH_H_
#define TWINSET_SRC_CORPORA_PATCH_PATCH_MATCH_H_

#include <array>
#include <cstdint>

#include "base/hash.h"
#include "base/sort_records.h"
#include "patch/patch_file.h"
#include "pipeline/run/run.h"
#include "twinset/corpora/patch.h"
#include "twinset/error.h"

namespace twinset {

// What becomes of a record of the copy: an entry of the patch, found there.
struct PatchEdit {
  uint64_t source = 0, ordinal = 0;
  Hash128Value digest;
  uint64_t entry = 0, link = 0;
  double similarity = 1, contained = 1;
  uint64_t size = 0, kind = 0;
  uint64_t form = 0;     // kRevisit: DigestForm of its digest
  uint64_t is_same = 0;  // its input is that of the patch, byte by byte
  std::array<uint64_t, 2> SortWords() const { return {source, ordinal}; }
};

// What an edit may say of an entry: its own or that which it links to.
struct PatchName {
  std::string id, label, url, date;  // label: as the run calls it
  // PatchDigest of the payload as the copy stores it; {}: its input is that of
  // the patch, byte by byte.
  Hash128Value stored;
};
std::string EncodePatchName(const PatchName& name);
Result<PatchName> DecodePatchName(std::string_view bytes);

// Work files: a PatchEdit for each record that changes, by place, and a
// PatchName for each entry, empty where none is asked for.
inline constexpr char kPatchEdits[] = "edits.run";
inline constexpr char kPatchNames[] = "names.blob";

// Compares the inputs of `run` with `patch` and writes these files, and
// inputs.jsonl and mismatches.jsonl into --out. Fills in the counts of *result
// but those of writing. Memory: sorts within the budget, a bit per entry, and
// what the list of inputs takes.
Status MatchPatch(Run* run, PatchReader* patch, PatchMatch by,
                  PatchApplyResult* result);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_PATCH_PATCH_MATCH_H_
