// What a run makes of each text: the views of a method, and under which secret.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RUN_PLAN_FEATURES_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RUN_PLAN_FEATURES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/keyed_hash.h"
#include "documents/document_options.h"
#include "methods/registry.h"
#include "pipeline/run/plan_options.h"
#include "text/page/clean_text.h"
#include "text/tokens/features.h"
#include "twinset/error.h"
#include "verify/passages.h"

namespace twinset {

struct PlanFeatures {
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
  // Work files hold keys in place of sketches, and features only of documents
  // in candidate pairs: the candidate stage reads those again (PlanLate).
  bool late = false;
  TextOptions text;
  bool template_drop = false;  // --template
  PassageRules passages;       // of a match by containment

  // Returns true iff blocks that repeat on a site are left out of pages.
  bool drops_template() const {
    return template_drop && form != FeatureForm::kPayload &&
           form != FeatureForm::kUnits && text.content != ContentMode::kRaw;
  }
};

// `method`: that of options->method.name if null. Writes what follows from the
// method into *options. kUsage for what the method does not accept; kIo for a
// key or a list of stop words that cannot be read.
Result<PlanFeatures> MakeFeatures(const Method* method, PlanOptions* options);

// Sets form, views and extractors of made->method, and draws a key where there
// is none. kUsage for what the method does not accept.
Status MakeViews(const PlanOptions& options, PlanFeatures* made);
// Makes the extractors of the views, those of secret ones under `key`.
Status SetKey(const PlanOptions& options, const HashKey& key,
              PlanFeatures* made);
// Sets `sketching` if the method can sketch a document by itself.
Status MakeSketching(const PlanOptions& options, PlanFeatures* made);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RUN_PLAN_FEATURES_H_
