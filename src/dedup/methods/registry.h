// The registry: a method is a row of parts, one or more a stage, not a class
// per combination.
#ifndef TWINSET_SRC_DEDUP_METHODS_REGISTRY_H_
#define TWINSET_SRC_DEDUP_METHODS_REGISTRY_H_

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/memory_budget.h"
#include "candidate/bands.h"
#include "candidate/candidate_work.h"
#include "candidate/collection_join.h"
#include "candidate/complete/overlap_bounds.h"
#include "candidate/pair_filter.h"
#include "candidate/sketch_lookup.h"
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
  kBag,       // ascending 64-bit shingle hashes, each as often as it occurs
  kSequence,  // 64-bit shingle hashes in the order of the text
  kPayload,   // the decoded bytes
  kText,      // the clean text
  kTokens,    // the normalised tokens joined by one space
  kWeighted,  // --features-field: two numbers of 64 bits per feature, its hash
              // and its weight in 1/65536
  kPassages,  // what pipeline/read/passage_store.h writes
  kUnits,     // --unit: what unit_store.h writes
};

// Are documents stored as 64-bit hashes of their shingles?
inline bool IsHashed(FeatureForm form) {
  return form == FeatureForm::kShingles || form == FeatureForm::kBag ||
         form == FeatureForm::kSequence;
}

// One stored form of a document. A method may need several: one to verify, and
// others for its sketches.
struct FeatureView {
  FeatureForm form = FeatureForm::kShingles;
  std::string shingle;                    // of what is hashed; empty: --shingle
  FeatureHash hash = FeatureHash::kSpec;  // of what is hashed
  // Hashed under the run's secret (hash is then kSpec): for what is compared
  // by equality alone. No result may depend on the values or their order.
  bool secret = false;
  friend bool operator==(const FeatureView&, const FeatureView&) = default;
};

// The views of one document, in the order in which the method names them.
using DocumentViews = std::span<const std::string_view>;

// One pass over the views of all non-empty documents in input order; may be
// called again.
using FeaturePass =
    std::function<Status(const std::function<Status(DocumentViews)>&)>;

// What a method has at hand to learn from the corpus.
struct PrepareContext {
  FeaturePass pass;
  std::string directory;  // for files of sorts
  uint64_t parameters_hash = 0;
  uint64_t memory_bytes = 0;  // how much of the budget it may take
  MemoryBudget* budget = nullptr;
  int threads = 1;
};

// The parts of a method with all parameters fixed.
struct MethodParts {
  std::vector<std::unique_ptr<Sketcher>> sketchers;
  // In a match those of the documents of the first side, one for each of
  // `sketchers` with its layout; empty: these too.
  std::vector<std::unique_ptr<Sketcher>> asked_sketchers;
  // Which view each sketcher reads; missing: view 0.
  std::vector<size_t> sketch_views;
  // How candidates are found. With `join`, `generator` looks up single texts
  // and stands in when the join says kMemory (null: there is no such way).
  std::unique_ptr<KeyGenerator> generator;
  CollectionJoinFactory join;
  CandidateWork work;  // of finding them
  // What single texts are looked up in, where it takes less memory than the
  // keys of `generator` and finds the same documents; empty: the keys.
  SketchLookupFactory lookup;
  // For a join of prefixes: how much the documents of a pair share.
  std::optional<OverlapBounds> overlap;
  // The method's own decision over sketches; null: every candidate passes.
  std::unique_ptr<PairFilter> filter;
  // The filter looks at no threshold. With --verify none it decides alone.
  bool ignores_threshold = false;
  std::unique_ptr<Verifier> verifier;
  std::optional<double>
      expected_recall;  // at exactly the threshold; empty: nothing is promised
  int bands = 0, rows = 0;  // of a band generator
  bool complete = false;    // finds every pair at the threshold, provably
};

// A digest of stored features: equal features have equal ones.
using Fingerprint = std::function<Hash128Value(std::string_view features)>;

inline namespace v1 {
struct PairScore;
}
struct StepInput;
struct StepSketches;
class StepText;

// A pair as the method sees it.
struct ScoredPair {
  const MethodParts& parts;
  const CorpusModel* model;        // what was learnt; null: nothing
  DocumentViews views_a, views_b;  // as stored
  std::span<const Sketch> a, b;    // by sketcher
  FeaturePass for_each_views;      // over the corpus, if there is one
  // What the first sketcher reads.
  std::string_view FirstView(DocumentViews views) const {
    return views[parts.sketch_views.empty() ? 0 : parts.sketch_views[0]];
  }
};

// What `explain --steps` shows of a method beside the values of its sketches
// (methods/steps.h). Any may be empty.
struct MethodSteps {
  using Add =
      std::function<Status(const StepInput&, const StepSketches&, StepText*)>;
  Add before, after;  // how the values come about; what follows from them
  // In place of all that comes from features, sets and sketches. False: it has
  // nothing to add for this input, which all that shows.
  std::function<Result<bool>(const StepInput&, StepText*)> instead;
  // Scores of a pair beside the estimates of its sketches (twinset/inspect.h).
  std::function<Result<std::vector<PairScore>>(const ScoredPair&)> scores;
};

// The law of a method's candidates, by which `tune` chooses parameters.
enum class CandidateLaw {
  kNone,      // none is known
  kBands,     // bands of values (candidate/bands.h)
  kDistance,  // bits that differ
  kGroups,    // groups of values that are equal
  kCopies,    // values of equal texts: only collisions are to be feared
  kLexicons,  // values under random lexica
};

struct Method {
  MethodInfo info;
  MethodSteps steps;
  CandidateLaw law = CandidateLaw::kNone;
  // What stands for it in a match by containment, where a pair has a first and
  // a second document; null: it does not find the one in the other.
  std::shared_ptr<const Method> directed;
  // By which documents with equal view 0 are found before anything else; empty:
  // FeatureFingerprint (ingest.h). Equality is always confirmed by the bytes.
  std::function<Fingerprint(const MethodOptions&)> fingerprint;
  // What is stored of a document. View 0 is what is verified: it decides which
  // documents are empty or of one class, and their sizes.
  std::function<Result<std::vector<FeatureView>>(const MethodOptions&)> views;
  // Does it learn from the corpus before sketching? Empty: never.
  std::function<bool(const MethodOptions&)> learns;
  // Passes over the corpus; only called when it learns. The model is written to
  // a file of its own and handed to `make`.
  std::function<Result<CorpusModel>(const MethodOptions&,
                                    const PrepareContext&)>
      prepare;
  // kUsage for parameters out of range. `model` is null when it does not learn,
  // and when parameters are only checked before the corpus is read: the parts
  // are then not used.
  std::function<Result<MethodParts>(const MethodOptions&,
                                    const CorpusModel* model)>
      make;
};

// The sketches of a document with these views. `asked`: of the first side of a
// match.
void ComputeSketches(const MethodParts& parts, DocumentViews views,
                     std::vector<Sketch>* sketches, bool asked = false);

const std::vector<Method>& AllMethods();
// What finds pairs when no method is named: the complete join of the measure.
const Method& StandardMethod();
// Names of the methods with a property: "a, b or c".
std::string MethodsWith(const std::function<bool(const Method&)>& property);
// "" is the standard method, or where sketches are asked for the standard
// method of sketches. kUsage names the known ones.
Result<const Method*> FindMethod(std::string_view name);
Result<const Method*> FindSketchMethod(std::string_view name);

// CheckRanges, and kUsage when a parameter that was given, or differs from its
// default, is not read by the method, with the methods that read it.
Status CheckParameters(const MethodInfo& method, const MethodOptions& options);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_METHODS_REGISTRY_H_
