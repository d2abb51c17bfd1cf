// The stages of a run as rows. Whoever goes through stages asks the row what it
// is, and never its name: a new stage is a row in the list of its job.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_STAGE_ROWS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_STAGE_ROWS_H_

#include <optional>
#include <span>

#include "pipeline/pairs/stage_costs.h"
#include "pipeline/run/run.h"

namespace twinset {

// With what the time of a stage grows.
enum class StageGrowth {
  kBytes,
  kDocuments,
  kSortedDocuments,
  kCandidates,
  kPairs
};

struct Stage {
  const char* name;
  Status (*run)(Run*);
  StageGrowth growth = StageGrowth::kDocuments;
  // A resumed run does it again: what it makes is not in the work files, or
  // stands in folders that nobody watched meanwhile.
  bool repeats = false;
  // It is done at once: a resumed run does not go on "at" it.
  bool is_brief = false;
  // It writes beside the result folder (--attributes, --write): a sample ends
  // before it.
  bool writes_beside = false;
  // It reads the inputs: what it takes at once does not grow with them.
  bool reads_inputs = false;
  // What it would cost, where that is known before it begins; null: it never
  // is.
  Result<std::optional<StageCost>> (*cost)(Run*) = nullptr;
  // Makes later stages read what it left when it was done before; null: they
  // find it.
  Status (*take_up)(Run*) = nullptr;
  // Returns true iff it has something to do in a run of this plan; null: it
  // always has.
  bool (*is_wanted)(const Plan&) = nullptr;
};

// The stages before the first that writes beside the result folder.
std::span<const Stage> BeforeWriting(std::span<const Stage> stages);

// Returns true iff there is --write, or --attributes.
bool WritesCorpora(const Plan& plan);
bool WritesAttributes(const Plan& plan);

// Those that several jobs have.
extern const Stage kReadStage, kTemplateStage, kPruneStage, kPrepareStage,
    kOrderStage, kCandidateStage, kVerifyStage, kClusterStage, kListStage,
    kResultStage, kAttributesStage, kWriteStage;

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_STAGE_ROWS_H_
