// What a run reads: files, saved runs or sources, and how.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RUN_PLAN_INPUTS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RUN_PLAN_INPUTS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/run/plan_options.h"
#include "pipeline/run/stage_hashes.h"
#include "read/reader.h"
#include "store/saved_run.h"
#include "twinset/collection.h"
#include "twinset/error.h"

namespace twinset {

// Inputs that a saved run has read: its documents are taken over.
struct StoredInputs {
  std::shared_ptr<const SavedRun> run;  // null: there are none
  std::string name;                     // by which results know it
  StageHashes hashes;                   // of its files
  size_t begin = 0, end = 0;            // which of PlanInputs::files
  std::vector<size_t> fields;  // where each of read.fields stands there
  // Only those of its documents are taken that may be in a pair.
  bool asked = false;
  // Its documents keep their ranks, features, ids and pairs: only pairs with
  // others are looked for.
  bool keeps = false;

  bool Holds(size_t source) const { return source >= begin && source < end; }
};

struct PlanInputs {
  // With `sources` a name for each of them.
  InputList files;
  // Where documents come from if not from files: one collection, or the two of
  // a match. Not owned; each can be read once.
  std::vector<Source*> sources;
  // Saved runs whose inputs are not read: all before the own inputs, or one as
  // the second side of a match.
  std::vector<StoredInputs> stored;
  // The shards, by their numbers, that have read `files`; empty: they are read
  // by this run.
  std::vector<std::shared_ptr<const SavedRun>> shards;
  // The parts, by their numbers, that have found the pairs of `shards`; empty:
  // this run finds them.
  std::vector<std::shared_ptr<const SavedRun>> parts;
  // In a match, the number of inputs of the first collection; otherwise 0.
  size_t first_side = 0;
  ReadOptions read;
  ReadOptions read_against;  // of the second collection of a match
  // Not 0: of each input only about so many bytes of records are read, for a
  // forecast.
  uint64_t sample_bytes = 0;
  // --ignore, --fields; --lexicon, --short-lexicon and a file of stop words.
  InputList ignored, tables, lexica;
  // What a command reads beside these documents: the test items of `leak`.
  InputList beside;

  const ReadOptions& ReadOf(size_t source) const {
    return SideOf(source) == 0 ? read : read_against;
  }
  // 1 for inputs of the second collection of a match, else 0.
  size_t SideOf(size_t source) const {
    return first_side != 0 && source >= first_side ? 1 : 0;
  }
  bool IsStored(size_t source) const {
    for (const StoredInputs& run : stored)
      if (run.Holds(source)) return true;
    return false;
  }
  // How many inputs of saved runs come before those that are read.
  size_t first_own() const {
    return stored.empty() || stored[0].begin > 0 ? 0 : stored.back().end;
  }
  // The saved run that is the second side and is asked; null: none is.
  const StoredInputs* asked() const {
    return !stored.empty() && stored[0].asked ? &stored[0] : nullptr;
  }
};

// CheckColumns of the inputs from `begin` to `end`, each side as it is read.
Status CheckColumnsOf(const PlanInputs& inputs, size_t begin, size_t end);

// How the options say that inputs are read; `fields`: those that are read of
// each document.
Result<ReadOptions> MakeRead(const PlanOptions& options,
                             std::vector<std::string> fields);

// Lists the files. `files`: those of a saved run; then no input, and no file of
// --ignore, --fields or --lexicon, is looked for. kIo for what cannot be
// opened.
Result<PlanInputs> MakeInputs(const PlanOptions& options, ReadOptions read,
                              std::optional<InputList> files);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RUN_PLAN_INPUTS_H_
