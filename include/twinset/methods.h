// The registry of methods, as plain values.
#ifndef TWINSET_METHODS_H_
#define TWINSET_METHODS_H_

#include <concepts>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twinset/error.h"
#include "twinset/options.h"
#include "twinset/parameters.h"

namespace twinset {
inline namespace v1 {

// A parameter that a method reads; the range is the method's own and may be
// narrower than that in the table (twinset/parameters.h).
struct MethodParameter {
  std::string name, default_value;
  ParameterRange range;
  std::string meaning, unit, source;
};

// A row of the registry: which part plugs into which stage.
struct MethodInfo {
  std::string name, summary, source;  // source: the paper that defines it
  std::vector<std::string> prepare;   // passes over the corpus before sketching
  std::vector<std::string> sketches;
  std::string generator;  // candidate generator
  std::vector<std::string> filters;
  std::string verifier;
  std::vector<MethodParameter> parameters;
  bool incremental =
      false;  // one document can be looked up in a stored collection
  bool symmetric = true;
  bool complete = false;  // finds every pair at the threshold, provably
  // Finds the pairs when no method is named. Studies take its pairs as the ones
  // that a method should find.
  bool is_standard = false;
  // Makes the sketches when no method is named, where sketches are asked for.
  bool is_standard_sketch = false;
  std::string why;  // why it finds some pairs and misses others
};

std::vector<MethodInfo> Methods();

// Resets the parameters that the method does not read to their defaults; does
// nothing for an unknown name.
void ForgetUnread(std::string_view method, MethodOptions* options);

// A published configuration or the defaults of another package, as the flags
// that give them: text stage, method and clusters. `equal` says what is the
// same as in the original, `differs` what is not.
struct PresetInfo {
  std::string name, summary, source, equal, differs;
  std::vector<std::pair<std::string, std::string>> settings;  // flag, value
};
std::vector<PresetInfo> Presets();
// Sets what the preset fixes and leaves the rest of the options as it is.
// kUsage for an unknown name; the remedy lists all names.
Status ApplyPreset(std::string_view name, ParameterValues* values);
// The same for DedupOptions and MatchOptions. kUsage also for a preset that
// cuts units.
template <typename Options>
requires(!std::derived_from<Options, ParameterValues>) Status
    ApplyPreset(std::string_view name, Options* options) {
  ParameterValues values = ValuesOf(*options);
  TWINSET_TRY(ApplyPreset(name, &values));
  if (values.cuts_units) {
    return Fail(ErrorCode::kUsage,
                "preset " + std::string(name) + " cuts units of text");
  }
  TakeValues(values, options);
  return {};
}

// Bands and rows for a threshold, and the recall they promise at exactly the
// threshold.
struct BandPlan {
  int bands = 0, rows = 0;
  double expected_recall = 0;
};
// Returns the cheapest plan (most rows, then fewest bands) with an expected
// recall >= `recall` within `permutations`. kUsage when none exists.
Result<BandPlan> PlanBands(double threshold, int permutations, double recall);

// Names of the SIMD targets that this CPU can run, best first.
std::vector<std::string> SimdTargets();

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_METHODS_H_
