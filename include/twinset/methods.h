// What is inside: the registry of methods, as plain values.
#ifndef TWINSET_METHODS_H_
#define TWINSET_METHODS_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twinset/error.h"
#include "twinset/options.h"
#include "twinset/parameters.h"

namespace twinset {

// A parameter that a method reads; the range is the method's own, which may be
// narrower than that of the table (twinset/parameters.h).
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
      false;  // one document can be asked against a stored collection
  bool symmetric = true;
  bool complete = false;     // finds every pair at the threshold, provably
  bool is_standard = false;  // runs where no method is named
  // What --exact selects, and what says which pairs a study should have found.
  bool is_complete_join = false;
  std::string why;  // why it finds and misses what it does
};

std::vector<MethodInfo> Methods();

// Puts the parameters that the method does not read back to their defaults;
// nothing for an unknown name.
void ForgetUnread(std::string_view method, MethodOptions* options);

// A published configuration or the defaults of another package, as the flags
// that give them: text stage, method and clusters. `equal` says what is the
// same as there, `differs` what is not.
struct PresetInfo {
  std::string name, summary, source, equal, differs;
  std::vector<std::pair<std::string, std::string>> settings;  // flag, value
};
std::vector<PresetInfo> Presets();
// Sets what the preset fixes and leaves the rest of the options as it is.
// kUsage for an unknown name; the remedy has all.
Status ApplyPreset(std::string_view name, DedupOptions* options);

// Bands and rows for a threshold, and the recall they promise at exactly the
// threshold.
struct BandPlan {
  int bands = 0, rows = 0;
  double expected_recall = 0;
};
// The cheapest plan (most rows, then fewest bands) with expected recall >=
// `recall` within `permutations`. kUsage when none exists.
Result<BandPlan> PlanBands(double threshold, int permutations, double recall);

// Names of the SIMD targets this CPU runs, best first.
std::vector<std::string> SimdTargets();

}  // namespace twinset

#endif  // TWINSET_METHODS_H_
