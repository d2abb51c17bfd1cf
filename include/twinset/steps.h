// Shows each step of a method on a few documents, as a lecture would do on the
// board.
#ifndef TWINSET_STEPS_H_
#define TWINSET_STEPS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/choices.h"
#include "twinset/error.h"
#include "twinset/options.h"

namespace twinset {
inline namespace v1 {

// Parts of the steps.
enum class StepPart : uint8_t {
  kFeatures,
  kRows,
  kMeasures,
  kSketch,
  kVotes,
  kFingerprints,
  kTables,
  kCandidates,
};
template <>
inline constexpr auto kChoices<StepPart> =
    ChoiceTable<StepPart>({{StepPart::kFeatures, "features"},
                           {StepPart::kRows, "rows"},
                           {StepPart::kMeasures, "measures"},
                           {StepPart::kSketch, "sketch"},
                           {StepPart::kVotes, "votes"},
                           {StepPart::kFingerprints, "fingerprints"},
                           {StepPart::kTables, "tables"},
                           {StepPart::kCandidates, "candidates"}});

// What the steps use instead of the method's own.
struct StepOptions {
  // Hash functions of slot tables, in place of the method's own: "2x+1 mod 5".
  // rabin-mod-prime takes its prime from the one given, "x mod 173".
  std::vector<std::string> functions = {};
  // Orders of the rows 1, 2, ... of a small universe, and permutations by the
  // images of 1, 2, ...: "3 4 5 1 2", or "34512".
  std::vector<std::string> orders = {}, images = {};
  // Rows 1 to N are shown even when no document has them.
  uint64_t universe = 0;
  // Documents that are not stored but looked up (simhash).
  std::vector<std::string> queries = {};
  // Which parts are shown. Empty: all that the method has.
  std::vector<StepPart> parts = {};
  // The most rows shown of one table; the rows left out are counted.
  uint64_t most_rows = 24;
};

// Steps as text. The bytes are the same on any machine.
struct WrittenSteps {
  std::string text;      // for a terminal: tables are aligned columns
  std::string markdown;  // the same, with tables of Markdown
};

struct ExplainedSteps {
  WrittenSteps written;
  // One HTML page without scripts: the same, with drawings, and with the curve
  // of the law by which the method proposes pairs, if it has one.
  std::string page;
  std::vector<std::string> warnings;  // inputs that end too early
};

// Shows the features of the documents and what `method` does with them, step by
// step, down to candidates and similarities. `names` and the queries are files
// or, when `in` has inputs, ids of documents in it. With --feature-hash decimal
// or binary and --shingle word:1, documents are sets of numbers and
// fingerprints. The lengths of the documents and most_rows bound cost and
// length. kUsage for options that do not fit each other.
Result<ExplainedSteps> ExplainSteps(const std::vector<std::string>& names,
                                    const InputOptions& in,
                                    const FeatureOptions& features,
                                    const MethodOptions& method,
                                    const StepOptions& steps);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_STEPS_H_
