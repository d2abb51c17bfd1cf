// The registry of methods as plain values, and the parameters that decide how a
// run finds duplicates. Each parameter is declared once, in
// src/dedup/options/parameter_table.cc. Flags, help, presets, `twinset
// methods`, checks and the parameters in summary.json follow from that table.
#ifndef TWINSET_METHODS_H_
#define TWINSET_METHODS_H_

#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "twinset/error.h"
#include "twinset/options.h"

namespace twinset {
inline namespace v1 {

// Values of all parameters, whichever run reads them.
struct ParameterValues : ComparisonOptions, ClusterOptions, UnitOptions {
  bool cuts_units = false;  // a unit is set: they are those of Cut
};

// Returns the parameters among the options of a run, with defaults for those
// that the run does not have; TakeValues goes back.
template <typename Options>
ParameterValues ValuesOf(const Options& options) {
  ParameterValues values;
  CopyParts<ComparisonOptions, PriorityOptions, ClusterOptions, UnitOptions>(
      options, &values);
  return values;
}
template <typename Options>
void TakeValues(const ParameterValues& values, Options* options) {
  CopyParts<ComparisonOptions, PriorityOptions, ClusterOptions, UnitOptions>(
      values, options);
}

// The values that a parameter can take.
struct ParameterRange {
  enum Kind {
    kAny,     // all that its type holds
    kWhole,   // whole numbers, low to high
    kShare,   // above 0, or 0 too if `from_zero`, and at most 1, or below 1 if
              // `open`
    kChoice,  // one of `choices`
    kMethod,  // the name of a method
    kFile,    // the path of a file, which `words` describe
    kWords,   // as `words` say; the code that reads the value checks it
  };
  static constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();

  Kind kind = kAny;
  int64_t low = 0, high = kNoLimit;
  // When set, the upper end is the value of this parameter plus `high`.
  std::string_view high_of = {};
  bool open = false, from_zero = false;
  std::vector<std::string_view> choices = {};  // of kWords: often meant
  std::string_view words = {};

  // "1..64", "0..bits - 1", ">= 1", "(0, 1]", "set|tf".
  std::string Text() const;
};

// Two switches under one name: the first choice sets neither, the second choice
// sets the first switch, the third sets both.
struct SwitchLevels {
  bool MethodOptions::*first;
  bool MethodOptions::*second;
};

// A field that is one of a list (twinset/choices.h): reads and sets the name of
// its value.
struct ChoiceField {
  std::string_view (*name)(const ParameterValues& options);
  // False for a name that the list does not have.
  bool (*set)(std::string_view name, ParameterValues* options);
};

// Where the value is.
using ParameterField =
    std::variant<std::string MethodOptions::*, int MethodOptions::*,
                 uint64_t MethodOptions::*, double MethodOptions::*,
                 bool MethodOptions::*, SwitchLevels, ChoiceField,
                 std::string FeatureOptions::*, uint64_t ComparisonOptions::*,
                 uint64_t UnitOptions::*, double ClusterOptions::*,
                 std::vector<std::string> PriorityOptions::*>;

enum class ParameterGroup {
  kSearch,    // which method runs, and how; read by all methods
  kMethod,    // read by the methods whose rows name it
  kFeatures,  // what is compared
  kClusters,  // what is done with the pairs
  kUnits,     // for a run over units of text
};

struct Parameter {
  std::string_view name;  // of the flag, without its dashes
  ParameterGroup group = ParameterGroup::kMethod;
  ParameterField field;
  ParameterRange range = {};
  std::string_view value = "N";   // how help names the value; empty: a switch
  std::string_view unit = {};     // of a number that has a unit
  std::string_view help;          // one line, no final period
  std::string_view details = {};  // whole sentences
  // What happens at the default, when the value itself does not say so.
  std::string_view default_words = {};
  std::string_view source =
      {};  // the paper that defines it, where there is one
  // summary.json lists it even at its default. Only for kSearch and kMethod:
  // the other groups are always listed.
  bool always_written = false;
  // For the other groups: summary.json leaves it out at its default.
  bool left_out_at_default = false;
};

// All of them, in the order of help. Thread-safe; valid for ever.
std::span<const Parameter> Parameters();
// Null for an unknown name.
const Parameter* FindParameter(std::string_view name);

// The value as the command line takes it; lists have commas.
std::string ParameterText(const Parameter& parameter,
                          const ParameterValues& options);
// default_words, or else the text of the value in default-constructed options.
std::string DefaultText(const Parameter& parameter);
// kUsage, with the range, for text that is not a valid value; bounds that
// depend on other parameters are not checked. Switches take "true" and "false".
Status SetParameter(const Parameter& parameter, std::string_view text,
                    ParameterValues* options);

// Names of the methods that read the parameter, in the order of the registry.
std::vector<std::string> MethodsReading(std::string_view parameter);

// A parameter that a method reads; the range is the method's own and may be
// narrower than that in the table (twinset/methods.h).
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
