// Options, checked and resolved: what every stage of one run reads.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RUN_PLAN_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RUN_PLAN_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/keyed_hash.h"
#include "documents/document_options.h"
#include "documents/priority.h"
#include "methods/registry.h"
#include "options/resources.h"
#include "pipeline/run/plan_options.h"
#include "pipeline/run/stage_hashes.h"
#include "read/reader.h"
#include "sketch/simd_target.h"
#include "store/saved_run.h"
#include "text/page/clean_text.h"
#include "text/tokens/features.h"
#include "twinset/collection.h"
#include "twinset/error.h"
#include "verify/passages.h"

namespace twinset {

// A value of a document that --within and --across compare.
struct ScopeField {
  enum Kind { kNone, kSource, kHost, kUrl, kLanguage, kField, kSide };
  Kind kind = kNone;
  std::string name;
  size_t field = 0;  // kField: index into Document::fields
};

// Inputs that a saved run has read: its documents are taken over.
struct StoredInputs {
  std::shared_ptr<const SavedRun> run;  // null: there are none
  StageHashes hashes;                   // of its files
  size_t begin = 0, end = 0;            // which of Plan::inputs
  std::vector<size_t> fields;  // where each of read.fields stands there
  // Only those of its documents are taken that may be in a pair.
  bool asked = false;
  // Its documents keep their ranks, features, ids and pairs: only pairs with
  // others are looked for.
  bool keeps = false;

  bool Holds(size_t source) const { return source >= begin && source < end; }
};

struct Plan {
  Plan() = default;
  Plan(Plan&&) = default;
  Plan& operator=(Plan&&) = default;

  PlanOptions options;
  const Method* method = nullptr;
  FeatureForm form = FeatureForm::kShingles;  // of view 0, what is verified
  std::vector<FeatureView> views;
  // One for each view; null for views that are not hashed.
  std::vector<std::unique_ptr<FeatureExtractor>> extractors;
  // --stop-words and --stem; null: none.
  std::shared_ptr<const TokenFilter> token_filter;
  Fingerprint fingerprint;  // the method's own, of view 0; mostly empty
  // Under which secret views are hashed (docs/methods/verification.md). In no
  // parameter, hash or log.
  HashKey key;
  // The view that is the public form of view 0, made where --max-df needs it;
  // 0: none.
  size_t public_view = 0;
  // Views 0 and 1 are of the same shingles.
  bool views_share_pass = false;
  // Set: sketches are made where shingles are made, and stored in place of the
  // views beyond the first.
  std::shared_ptr<const MethodParts> sketching;
  uint64_t sketch_bytes = 0;             // of a document, about
  bool sketches_ignore_repeats = false;  // those of view 1
  ReadOptions read;
  ReadOptions read_against;  // of the second collection of a match
  TextOptions text;
  std::vector<std::string> languages;  // canonical ranges; empty: all
  std::vector<PageKind> page_kinds;    // of InputOptions
  // With `sources` a name for each of them.
  InputList inputs;
  // Where documents come from if not from files: one collection, or the two of
  // a match. Not owned; each can be read once.
  std::vector<Source*> sources;
  // Saved runs whose inputs are not read: all before the own inputs, or one as
  // the second side of a match.
  std::vector<StoredInputs> stored;
  // Not 0: of each input only about so many bytes of records are read, for a
  // forecast.
  uint64_t sample_bytes = 0;
  // --ignore, --fields; --lexicon, --short-lexicon and a file of stop words.
  InputList ignored, tables, lexica;
  // In a match, the number of inputs of the first collection; otherwise 0.
  size_t first_side = 0;
  PassageRules passages;  // of a match by containment
  PriorityOrder priority;
  // Where each of read.fields stands in DocumentInfo::fields.
  std::vector<size_t> field_places;
  ScopeField within, across;
  ScopeField site;  // kNone: the host, or the folder of files
  std::vector<ScopeField> stats_by;
  int64_t window_seconds = 0;  // 0: no window
  bool template_drop = false;  // --template
  // Elements that more documents have make no pairs in the candidate stage: the
  // cluster and the list stage find those that they need. 0: all make pairs.
  uint64_t hot_limit = 0;
  // If a cluster has more leaders of classes, only pairs with the
  // representative are listed.
  uint64_t large_cluster = 4096;
  int threads = 1;
  SimdTargetHold simd;
  uint64_t memory_bytes = 0;
  uint64_t window_bytes = 0;  // of each reader, beside memory_bytes
  std::string work;           // folder of the work files
  std::string
      parameters_json;  // those that decide result bytes, in a fixed order
  StageHashes hashes;

  const ReadOptions& ReadOf(size_t source) const {
    return SideOf(source) == 0 ? read : read_against;
  }
  // 1 for inputs of the second collection of a match, else 0.
  size_t SideOf(size_t source) const {
    return first_side != 0 && source >= first_side ? 1 : 0;
  }

  bool IsStored(size_t source) const {
    for (const StoredInputs& run : stored)
      if (run.Holds(source)) return true;
    return false;
  }
  // How many inputs of saved runs come before those that are read.
  size_t first_own() const {
    return stored.empty() || stored[0].begin > 0 ? 0 : stored.back().end;
  }
  // The saved run that is the second side and is asked; null: none is.
  const StoredInputs* asked() const {
    return !stored.empty() && stored[0].asked ? &stored[0] : nullptr;
  }

  // Returns true iff the language of every text is to be found out.
  bool needs_language() const {
    return !languages.empty() || within.kind == ScopeField::kLanguage ||
           across.kind == ScopeField::kLanguage ||
           site.kind == ScopeField::kLanguage;
  }
  // Equal feature sets form one class only if the scopes cannot tell its
  // members apart.
  bool has_classes() const {
    return across.kind == ScopeField::kNone && window_seconds == 0 &&
           form != FeatureForm::kUnits;
  }
  // Returns true iff blocks that repeat on a site are left out of pages.
  bool drops_template() const {
    return template_drop && form != FeatureForm::kPayload &&
           form != FeatureForm::kUnits && text.content != ContentMode::kRaw;
  }
  // Returns true iff clusters say which pairs are listed (docs/spec/1.md,
  // Pairs).
  bool lists_by_cluster() const {
    return options.cluster == ClusterRule::kStar &&
           options.pairs != ListedPairs::kAll && first_side == 0;
  }
  // --verify text, where hashes stand for texts.
  bool checks_texts() const {
    return options.method.verify_text && IsHashed(form);
  }
  std::string WorkPath(const std::string& name) const {
    return work + "/" + name;
  }
};

// Sets form, views and extractors, and draws a key where there is none. kUsage
// for what the method does not accept.
Status PlanViews(Plan* plan);
// Makes the extractors of the plan's views, those of secret ones under `key`.
Status SetKey(const HashKey& key, Plan* plan);
// Sets `sketching` if the method can sketch a document by itself.
Status PlanSketching(Plan* plan);
// kUsage for parameters of the side that asks in a run of one collection.
Status CheckAskedSide(const Plan& plan);
// Sets hot_limit of a run that needs no more pairs than clusters and lists do.
void PlanHot(Plan* plan);
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
