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

namespace twinset {

// A value of a document that --within and --across compare.
struct ScopeField {
  enum Kind { kNone, kSource, kHost, kUrl, kLanguage, kField } kind = kNone;
  std::string name;
  size_t field = 0;  // kField: index into Document::fields
};

struct Plan {
  DedupOptions options;
  const Method* method = nullptr;
  FeatureForm form = FeatureForm::kShingles;
  std::unique_ptr<FeatureExtractor> extractor;
  ReadOptions read;
  TextOptions text;
  std::vector<std::string> languages;  // canonical ranges; empty: all
  std::vector<InputFile> inputs;
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

// The read options of `input`, with its preset applied. kUsage for unknown
// names.
Result<ReadOptions> MakeReadOptions(const InputOptions& input);
Result<std::unique_ptr<FeatureExtractor>> MakeExtractor(
    const FeatureOptions& options);
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
