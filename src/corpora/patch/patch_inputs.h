// Which inputs of a copy are those that a patch names.
#ifndef TWINSET_SRC_CORPORA_PATCH_PATCH_INPUTS_H_
#define TWINSET_SRC_CORPORA_PATCH_PATCH_INPUTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "patch/patch_format.h"
#include "pipeline/run/run.h"
#include "twinset/error.h"

namespace twinset {

// Two inputs are one when they have the same name, or else the same bytes.
struct PatchInputs {
  static constexpr uint32_t kNone = UINT32_MAX;
  std::vector<uint32_t> of_copy;   // which of the patch's each of the copy is
  std::vector<uint32_t> of_patch;  // and back
  std::vector<bool> identical;     // of the copy: size and SHA-256 are the same
};

// SHA-256 of the bytes of an input as they are stored. Memory: 64 KB, and 16 MB
// where it is remote. kInterrupted when *stop becomes true.
Result<Sha256Value> DigestOfInput(const InputFile& input,
                                  const std::atomic<bool>* stop);

// Reads each input whose size is that of its partner once, several at a time.
Result<PatchInputs> PairInputs(const Run& run,
                               const std::vector<PatchInput>& named);

// inputs.jsonl: a row for each input of the copy, then for those that it lacks.
Status WriteInputRows(const Run& run, const std::vector<PatchInput>& named,
                      const PatchInputs& pairs, const std::string& path);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_PATCH_PATCH_INPUTS_H_
