// Options, checked and resolved: what every stage of one run reads.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RUN_PLAN_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RUN_PLAN_H_

#include <optional>
#include <string>
#include <vector>

#include "pipeline/run/plan_features.h"
#include "pipeline/run/plan_inputs.h"
#include "pipeline/run/plan_machine.h"
#include "pipeline/run/plan_options.h"
#include "pipeline/run/plan_scope.h"
#include "pipeline/run/stage_hashes.h"
#include "twinset/collection.h"
#include "twinset/error.h"

namespace twinset {

// A run is planned in four parts, made in this order: what costs nothing is
// checked before files are looked for.
struct Plan {
  Plan() = default;
  Plan(Plan&&) = default;
  Plan& operator=(Plan&&) = default;

  PlanOptions options;
  PlanFeatures features;
  PlanScope scope;
  PlanMachine machine;
  PlanInputs inputs;
  // Those that decide result bytes, in a fixed order.
  std::string parameters_json;
  StageHashes hashes;

  // Equal feature sets form one class only if the scopes cannot tell its
  // members apart.
  bool has_classes() const {
    return scope.joins_equals() && features.form != FeatureForm::kUnits;
  }
  // Returns true iff clusters say which pairs are listed (docs/spec/1.md,
  // Pairs).
  bool lists_by_cluster() const {
    return options.cluster == ClusterRule::kStar &&
           options.pairs != ListedPairs::kAll && inputs.first_side == 0;
  }
  // --verify text, where hashes stand for texts.
  bool checks_texts() const {
    return options.method.verify_text && IsHashed(features.form);
  }
};

// kUsage for parameters of the side that asks in a run of one collection.
Status CheckAskedSide(const Plan& plan);
// Sets scope.hot_limit of a run that needs no more pairs than clusters and
// lists do.
void PlanHot(Plan* plan);
// Sets features.late where the options ask for it and the run can do it; if it
// cannot, returns why not.
std::string PlanLate(Plan* plan);
// Makes `hashes` of the other members; after any change of parameters_json.
void SetHashes(Plan* plan);

// Checks everything that can be checked before the first byte is read or
// written. kUsage for what the user must change, kIo for inputs that cannot be
// opened. `method` overrides options.method.name when not null (tests plug in
// methods of their own).
// `inputs`: those of a saved run; then no input, and no file of --ignore,
// --fields or --lexicon, is looked for.
Result<Plan> MakePlan(const PlanOptions& options,
                      const Method* method = nullptr,
                      std::optional<InputList> inputs = {});

// The same for documents of `sources` and work files in the folder `work`,
// which exists. options.out and options.input.inputs do not count.
Result<Plan> MakeSourcePlan(const PlanOptions& options,
                            std::vector<Source*> sources,
                            const std::string& work,
                            const Method* method = nullptr);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RUN_PLAN_H_
