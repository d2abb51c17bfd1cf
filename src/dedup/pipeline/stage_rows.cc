#include "pipeline/stage_rows.h"

#include <algorithm>

#include "pipeline/read/late_features.h"
#include "pipeline/results/attributes_stage.h"

namespace twinset {
namespace {

Status TakeUpTemplate(Run* run) {
  if (run->counts.site_template) UseTemplate(run);
  return {};
}

Status TakeUpPruned(Run* run) {
  if (run->counts.prune) UsePruned(run);
  return {};
}

Result<std::optional<StageCost>> CostOfCandidates(Run* run) {
  return CandidateCost(*run);
}

Status TakeUpCandidates(Run* run) {
  if (run->plan.features.late) UseLateFeatures(run);
  return {};
}

bool DropsTemplate(const Plan& plan) { return plan.features.drops_template(); }
bool Prunes(const Plan& plan) { return plan.options.max_df != 0; }
}  // namespace

bool WritesCorpora(const Plan& plan) { return !plan.options.write.empty(); }
bool WritesAttributes(const Plan& plan) {
  return !plan.options.attributes.empty();
}

std::span<const Stage> BeforeWriting(std::span<const Stage> stages) {
  const auto end =
      std::find_if(stages.begin(), stages.end(),
                   [](const Stage& stage) { return stage.writes_beside; });
  return stages.first(static_cast<size_t>(end - stages.begin()));
}

// They are constants, so the lists of other files may copy them.
constinit const Stage kReadStage = {.name = "read",
                                    .run = ReadStage,
                                    .growth = StageGrowth::kBytes,
                                    .reads_inputs = true};
constinit const Stage kTemplateStage = {.name = "template",
                                        .run = TemplateStage,
                                        .growth = StageGrowth::kBytes,
                                        .take_up = TakeUpTemplate,
                                        .is_wanted = DropsTemplate};
constinit const Stage kPruneStage = {.name = "prune",
                                     .run = PruneStage,
                                     .take_up = TakeUpPruned,
                                     .is_wanted = Prunes};
constinit const Stage kPrepareStage = {
    .name = "prepare", .run = PrepareStage, .repeats = true, .is_brief = true};
constinit const Stage kOrderStage = {.name = "order",
                                     .run = OrderStage,
                                     .growth = StageGrowth::kSortedDocuments};
constinit const Stage kCandidateStage = {.name = "candidate",
                                         .run = CandidateStage,
                                         .growth = StageGrowth::kCandidates,
                                         .cost = CostOfCandidates,
                                         .take_up = TakeUpCandidates};
constinit const Stage kVerifyStage = {.name = "verify",
                                      .run = VerifyStage,
                                      .growth = StageGrowth::kPairs,
                                      .cost = VerifyCost};
constinit const Stage kClusterStage = {
    .name = "cluster", .run = ClusterStage, .growth = StageGrowth::kPairs};
constinit const Stage kListStage = {
    .name = "list", .run = ListStage, .growth = StageGrowth::kPairs};
constinit const Stage kResultStage = {.name = "result",
                                      .run = ResultStage,
                                      .growth = StageGrowth::kPairs,
                                      .repeats = true};
constinit const Stage kAttributesStage = {.name = "attributes",
                                          .run = AttributesStage,
                                          .repeats = true,
                                          .writes_beside = true,
                                          .is_wanted = WritesAttributes};
constinit const Stage kWriteStage = {.name = "write",
                                     .run = WriteStage,
                                     .repeats = true,
                                     .writes_beside = true,
                                     .is_wanted = WritesCorpora};

}  // namespace twinset
