#include "methods/minhash_parts.h"

#include "candidate/value_keys.h"
#include "options/parameters.h"
#include "sketch/minhash_family.h"

namespace twinset {

Result<std::vector<FeatureView>> SketchedShingles(
    const MethodOptions& options) {
  return std::vector<FeatureView>{
      SketchedFeatures(options, FeatureForm::kShingles)};
}

int SuperShinglesToAgree(const MethodOptions& options) {
  return options.agree == 0 ? 2 : options.agree;
}

Status AddSuperShingles(const MethodOptions& options, MethodParts* parts) {
  const int agree = SuperShinglesToAgree(options);
  if (agree > options.groups) {
    return Fail(ErrorCode::kUsage,
                "--agree " + std::to_string(agree) + " is more than the " +
                    std::to_string(options.groups) + " super-shingles",
                "", "give at most --groups");
  }
  SuperShingleGroups groups;
  groups.groups = options.groups;
  groups.group_size = options.group_size;
  groups.by_value = options.group_by == GroupBy::kValue;
  TWINSET_ASSIGN(auto sketcher, MakeSuperShingleSketcher(groups, options.seed));
  const size_t place = parts->sketchers.size();
  parts->sketchers.push_back(std::move(sketcher));
  parts->filter = MakeAgreementFilter(place, 2, static_cast<size_t>(agree));
  parts->ignores_threshold = true;
  if (!groups.by_value) {
    double all_agree = 1;
    for (int i = 0; i < options.group_size; ++i) all_agree *= options.threshold;
    parts->expected_recall =
        AgreementProbability(all_agree, options.groups, agree);
  }
  return {};
}

void ReadSuperShingles(MethodInfo* method) {
  AddReads(
      method,
      {"groups", "group-size", "group-by", {"agree", UpTo(1, "groups"), "2"}});
}

}  // namespace twinset
