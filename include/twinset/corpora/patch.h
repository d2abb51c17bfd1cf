// Writes a finished run as one small file, which repairs a copy of its corpus
// elsewhere (docs/methods/patch.md).
#ifndef TWINSET_CORPORA_PATCH_H_
#define TWINSET_CORPORA_PATCH_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "twinset/choices.h"
#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/options.h"
#include "twinset/progress.h"
#include "twinset/results.h"

namespace twinset {
inline namespace v1 {

struct PatchMakeOptions : InputsNow {  // `against` is not read
  std::string run;                     // result folder of Dedup
  ResourceOptions resources;  // key is not read; tmp: for the work files
  std::string sign;           // PEM file of an Ed25519 private key; empty: none
  std::string out;            // file of the patch
  bool overwrite = false;
  const std::atomic<bool>* stop = nullptr;
  ProgressSink on_progress;
};

struct PatchMakeResult {
  uint64_t inputs = 0, documents = 0;
  uint64_t entries = 0;   // records that the patch names
  uint64_t dropped = 0;   // documents that the run drops
  uint64_t left_out = 0;  // records that are no documents, by choice of the run
  uint64_t bytes = 0;     // of the file
  std::string public_key;  // of the signature, in hex; empty: not signed
  std::vector<std::string> warnings;
  Json json;  // what summary.json holds
  ResultPage page;
};

inline const Json& SummaryJson(const PatchMakeResult& result) {
  return result.json;
}

// Reads the inputs of the run again. Errors: kUsage for a folder that holds no
// finished run of dedup, for a run that changes nothing (--action report), for
// a run over units and for one with --limit; kIo when inputs have changed;
// kCorrupt, kInterrupted. After an error there is no file.
Result<PatchMakeResult> MakePatch(const PatchMakeOptions& options);

// How records of a copy are found.
enum class PatchMatch : uint8_t {
  kPlace,   // name of the input, and number of the record in it
  kId,      // their ids
  kDigest,  // their payloads
};
template <>
inline constexpr auto kChoices<PatchMatch> =
    ChoiceTable<PatchMatch>({{PatchMatch::kPlace, "place"},
                             {PatchMatch::kId, "id"},
                             {PatchMatch::kDigest, "digest"}});

struct PatchApplyOptions {
  std::string patch;
  std::vector<std::string> inputs;    // the copy
  std::vector<std::string> networks;  // as in InputsNow
  PatchMatch match_by = PatchMatch::kPlace;
  std::string trusted_key;  // PEM file of the key that has signed; empty: any
  ResourceOptions resources;
  std::string out;    // result folder
  std::string write;  // folder for the repaired corpus; empty: only compare
  bool overwrite = false, resume = false;
  double checkpoint_seconds = 20;  // as in RunOptions
  const std::atomic<bool>* stop = nullptr;
  ProgressSink on_progress;
};

struct PatchApplyResult {
  uint64_t inputs = 0;     // of the copy
  uint64_t identical = 0;  // equal to those of the patch, byte for byte
  uint64_t entries = 0;    // records that the patch names
  uint64_t matched = 0;    // found as they were
  // The other records, by reason. All of them stay as they are.
  uint64_t missing = 0;           // no such record
  uint64_t differing = 0;         // a record of another payload
  uint64_t without_kept = 0;      // found, but not the record kept for it
  uint64_t differing_inputs = 0;  // with another digest, or of another name
  uint64_t missing_inputs = 0;    // named by the patch and not given
  // Records of differing inputs that cannot be read. `write` leaves them out,
  // as a run does. Warnings name the first of each input.
  uint64_t quarantined = 0;
  uint64_t changed = 0;   // records that go, or are replaced or annotated
  std::string signed_by;  // public key in hex; empty: not signed
  std::vector<std::string> warnings;
  Json json;  // what summary.json holds
  ResultPage page;

  uint64_t mismatches() const { return missing + differing + without_kept; }
  // With PatchMatch::kPlace, this also needs the inputs of the patch.
  bool is_exact = false;
};

inline const Json& SummaryJson(const PatchApplyResult& result) {
  return result.json;
}

// Writes the folder that docs/methods/patch.md describes and, with `write`, the
// corpus as the run would have written it. Records that do not match are kept
// and listed; this is no error. Inputs are never written. Errors: kUsage,
// kCorrupt for a patch that is damaged or not signed by the trusted key,
// kUnsupported, kIo (with `write` also for an input that cannot be read to its
// end), kMemory, kInterrupted: the same call with `resume` goes on.
Result<PatchApplyResult> ApplyPatch(const PatchApplyOptions& options);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_CORPORA_PATCH_H_
