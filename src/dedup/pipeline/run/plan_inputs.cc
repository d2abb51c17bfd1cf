#include "pipeline/run/plan_inputs.h"

#include <algorithm>
#include <utility>

#include "base/machine.h"
#include "documents/document_options.h"
#include "pipeline/run/run_folders.h"

namespace twinset {
namespace {

Status ListFiles(const PlanOptions& options, PlanInputs* made) {
  TWINSET_ASSIGN(made->files, ListRunInputs(options, options.input.inputs));
  // A saved run has kept their shingles.
  if (options.add.empty()) {
    TWINSET_ASSIGN(
        made->ignored,
        ListInputs(options.ignore, {.networks = options.input.networks}));
  }
  TWINSET_ASSIGN(
      made->tables,
      ListInputs(options.fields, {.holding = "attributes",
                                  .networks = options.input.networks}));
  std::vector<std::string> lists = {
      options.method.lexicon, options.method.short_lexicon,
      TokenFilter::FileOf(options.features.stop_words)};
  std::erase(lists, "");
  TWINSET_ASSIGN(made->lexica, ListInputs(lists));
  return {};
}

// Returns true iff the page cache would give the inputs room that the work
// files need, which are about as large and are read twice. In 10^7 documents
// (15.6 GB) of a machine of 24 GB that is a quarter of what is read from the
// disk.
bool AreReadOnce(const PlanOptions& options, const InputList& files) {
  if (!options.write.empty()) return false;
  uint64_t bytes = 0;
  for (const InputFile& input : files) bytes += input.state.size;
  return bytes > AvailableMemory() / 2;
}

}  // namespace

Status CheckColumnsOf(const PlanInputs& inputs, size_t begin, size_t end) {
  const size_t middle =
      inputs.first_side == 0 ? end : std::clamp(inputs.first_side, begin, end);
  TWINSET_TRY(CheckColumns(inputs.files, begin, middle, inputs.read));
  return CheckColumns(inputs.files, middle, end, inputs.read_against);
}

Result<ReadOptions> MakeRead(const PlanOptions& options,
                             std::vector<std::string> fields) {
  TWINSET_ASSIGN(ReadOptions read, MakeReadOptions(options.input));
  read.stop = options.stop;
  read.fields = std::move(fields);
  // For revisit records, also those of a later run that takes this one up.
  read.keep_stored =
      !options.write.empty() || !options.save.empty() || options.shard.of > 0;
  return read;
}

Result<PlanInputs> MakeInputs(const PlanOptions& options, ReadOptions read,
                              std::optional<InputList> files) {
  PlanInputs made;
  made.read = std::move(read);
  if (files) {
    made.files = *std::move(files);
    return made;
  }
  TWINSET_TRY(ListFiles(options, &made));
  made.read.once = AreReadOnce(options, made.files);
  return made;
}

}  // namespace twinset
