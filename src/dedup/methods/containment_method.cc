// The directed containment search of `match`
// (docs/methods/containment-search.md).
#include "candidate/complete/containment_join.h"
#include "methods/method_rows.h"
#include "options/parameters.h"

namespace twinset {

namespace {

Result<MethodParts> MakeContainment(const MethodOptions& options,
                                    const CorpusModel*) {
  MethodParts parts;
  parts.join = MakeContainmentJoinFactory(options.threshold);
  parts.verifier = MakeContainmentVerifier(options.threshold);
  parts.complete = true;
  parts.expected_recall = 1.0;
  return parts;
}

Method MakeContainmentMethod() {
  Method method;
  method.info.name = "containment";
  method.info.summary = "which documents of one corpus stand in another";
  method.info.source = "Broder 1997; Chaudhuri, Ganti and Kaushik 2006";
  method.info.generator = "containment";
  method.info.verifier = "containment";
  AddReads(&method.info, {"threshold", "measure"});
  method.info.symmetric = false;
  method.info.complete = true;
  method.views = [](const MethodOptions&) -> Result<std::vector<FeatureView>> {
    return std::vector<FeatureView>{
        {FeatureForm::kShingles, "", FeatureHash::kSpec, true}};
  };
  method.make = MakeContainment;
  return method;
}

}  // namespace

Result<const Method*> ContainmentSearch(const MethodOptions& options) {
  if (options.name.empty()) return ContainmentMethod();
  TWINSET_ASSIGN(const Method* method, FindMethod(options.name));
  if (method->directed) return method->directed.get();
  return Fail(
      ErrorCode::kUsage,
      "--measure containment has a complete search of its own, and "
      "--method " +
          method->info.name +
          " has no estimate of how much of one document is in another",
      "", "leave out --method, or use " + MethodsWith([](const Method& other) {
            return other.directed != nullptr;
          }));
}

const Method* ContainmentMethod() {
  static const Method method = Guarded(MakeContainmentMethod());
  return &method;
}

}  // namespace twinset
