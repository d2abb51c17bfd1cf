// The registry: a method is a row of parts, one or more a stage, not a class
// per combination.
#ifndef TWINSET_SRC_PIPELINE_REGISTRY_H_
#define TWINSET_SRC_PIPELINE_REGISTRY_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "candidate/bands.h"
#include "core/values.h"
#include "sketch/sketcher.h"
#include "twinset/error.h"
#include "twinset/methods.h"
#include "twinset/options.h"
#include "verify/verifier.h"

namespace twinset {

// What the text stage hands on of a document: what is stored, sketched and
// verified.
enum class FeatureForm {
  kShingles,  // ascending unique 64-bit shingle hashes
  kPayload,   // the decoded bytes
  kText,      // the clean text
  kTokens,    // the normalised tokens joined by one space
  kUnits,     // --unit: what unit_store.h writes
};

// One pass over the features of all non-empty documents in input order; may be
// called again.
using FeaturePass = std::function<Status(
    const std::function<Status(std::string_view features)>&)>;

// The parts of a method with all parameters fixed.
struct MethodParts {
  std::vector<std::unique_ptr<Sketcher>> sketchers;
  std::unique_ptr<KeyGenerator> generator;
  std::unique_ptr<Verifier> verifier;
  std::optional<double>
      expected_recall;  // at exactly the threshold; empty: nothing is promised
  int bands = 0, rows = 0;  // of a band generator
};

struct Method {
  MethodInfo info;
  std::function<Result<FeatureForm>(const MethodOptions&)> form;
  // Passes over the corpus before sketching; empty when it needs none. The
  // model is written to a file of its own and handed to `make`.
  std::function<Result<CorpusModel>(const MethodOptions&, const FeaturePass&)>
      prepare;
  // `model` is null exactly when `prepare` is empty. kUsage for parameters out
  // of range.
  std::function<Result<MethodParts>(const MethodOptions&,
                                    const CorpusModel* model)>
      make;
};

const std::vector<Method>& AllMethods();
// kUsage names the known ones.
Result<const Method*> FindMethod(std::string_view name);

}  // namespace twinset

#endif  // TWINSET_SRC_PIPELINE_REGISTRY_H_
