// Options, checked and resolved: what every stage of one run reads.
#ifndef TWINSET_SRC_PIPELINE_PLAN_H_
#define TWINSET_SRC_PIPELINE_PLAN_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/priority.h"
#include "pipeline/registry.h"
#include "read/reader.h"
#include "text/clean_text.h"
#include "text/features.h"
#include "twinset/error.h"
#include "twinset/options.h"
#include "verify/passages.h"

namespace twinset {

// A value of a document that --within and --across compare.
struct ScopeField {
  enum Kind { kNone, kSource, kHost, kUrl, kLanguage, kField, kSide };
  Kind kind = kNone;
  std::string name;
  size_t field = 0;  // kField: index into Document::fields
};

struct Plan {
  Plan() = default;
  Plan(Plan&&) = default;
  Plan& operator=(Plan&&) = default;

  DedupOptions options;
  const Method* method = nullptr;
  FeatureForm form = FeatureForm::kShingles;  // of view 0, what is verified
  std::vector<FeatureView> views;
  // One for each view; null for views that are not hashed.
  std::vector<std::unique_ptr<FeatureExtractor>> extractors;
  Fingerprint fingerprint;  // the method's own, of view 0; mostly empty
  ReadOptions read;
  TextOptions text;
  std::vector<std::string> languages;  // canonical ranges; empty: all
  InputList inputs;
  InputList ignored, tables, lexica;  // --ignore, --fields, --lexicon
  // Of a match: how many of the inputs are of the first collection. Else 0.
  size_t first_side = 0;
  PassageRules passages;  // of a match by containment
  PriorityOrder priority;
  ScopeField within, across;
  int64_t window_seconds = 0;  // 0: no window
  int threads = 1;
  uint64_t memory_bytes = 0;
  std::string work;  // folder of the work files
  std::string
      parameters_json;  // those that decide result bytes, in a fixed order
  uint64_t parameters_hash = 0;

  // Whether the language of every text is to be found out.
  bool needs_language() const {
    return !languages.empty() || within.kind == ScopeField::kLanguage ||
           across.kind == ScopeField::kLanguage;
  }
  // Equal feature sets form one class only if the scopes cannot tell its
  // members apart.
  bool has_classes() const {
    return across.kind == ScopeField::kNone && window_seconds == 0 &&
           form != FeatureForm::kUnits;
  }
  std::string WorkPath(const std::string& name) const {
    return work + "/" + name;
  }
};

// The budget of who names none: 60 % of the memory that is available to this
// process, at least 64 MB.
uint64_t DefaultMemory();

// The read options of `input`, with its preset applied. kUsage for unknown
// names.
Result<ReadOptions> MakeReadOptions(const InputOptions& input);
Result<std::unique_ptr<FeatureExtractor>> MakeExtractor(
    const FeatureOptions& options, const std::string& hash = "spec");
// What makes `view` of a text; null where it is not made of hashes.
Result<std::unique_ptr<FeatureExtractor>> MakeViewExtractor(
    const FeatureOptions& options, const FeatureView& view);
// Sets form, views and extractors. kUsage for what the method does not accept.
Status PlanViews(Plan* plan);
// What the text stage is to do; kUsage for unknown names.
Result<TextOptions> MakeTextOptions(const FeatureOptions& options);

// Where --write puts what stays of `input`: its own name, below the folder.
std::string WrittenPath(const DedupOptions& options, const InputFile& input);

// Checks everything that can be checked before the first byte is read or
// written. kUsage for what the user must change, kIo for inputs that cannot be
// opened. `method` overrides options.method.name when not null (tests plug in
// methods of their own).
Result<Plan> MakePlan(const DedupOptions& options,
                      const Method* method = nullptr);

}  // namespace twinset

#endif  // TWINSET_SRC_PIPELINE_PLAN_H_
