// What the rows of the registry are made of. A row names its sketches, its
// generator and its filter; view 0, the measure and what the measure learns are
// the same for all and are added by MakeMethod.
#ifndef TWINSET_SRC_DEDUP_METHODS_METHOD_ROWS_H_
#define TWINSET_SRC_DEDUP_METHODS_METHOD_ROWS_H_

#include <functional>
#include <string>
#include <vector>

#include "methods/registry.h"

namespace twinset {

struct MethodRow {
  MethodInfo info;
  MethodSteps steps;
  CandidateLaw law = CandidateLaw::kNone;
  // The features that each sketcher of `make` reads, in their order.
  std::function<Result<std::vector<FeatureView>>(const MethodOptions&)>
      sketch_views;
  // Does it learn from the corpus first, and what? The pass gives the sketch
  // views in the order of sketch_views. Both may be empty.
  std::function<bool(const MethodOptions&)> learns;
  std::function<Result<std::string>(const MethodOptions&,
                                    const PrepareContext&)>
      prepare;
  // Sketchers, generator or join, filter, and what they promise at the
  // threshold if the sketches see the features that the measure sees. The
  // verifier is left empty. `model` is what prepare returned; null when nothing
  // was learnt, and when parameters are only checked.
  std::function<Result<MethodParts>(const MethodOptions&,
                                    const std::string* model)>
      make;
  // `make` for a match by containment: of a pair the first document is that of
  // the first corpus. May be empty.
  std::function<Result<MethodParts>(const MethodOptions&,
                                    const std::string* model)>
      make_directed;
  // In place of `make`: `idf` is what the measure learnt, or null.
  std::function<Result<MethodParts>(const MethodOptions&,
                                    const FeatureIdf& idf)>
      make_weighted;
};

// The row with --measure: view 0 and verifier by the measure, and the promised
// recall withdrawn where the measure is not resemblance of the sketched
// features.
Method MakeMethod(const MethodRow& row);

// The method as its users see it: the row is handed what it reads and no other
// parameter, and refuses what is not in range. kInternal when its generator or
// its filter reads other sketches than its sketchers make.
Method Guarded(Method row);

// What the row's `prepare` returned, of what MakeMethod stores as the model.
Result<std::string> RowModel(const CorpusModel& model);

// The view that sketches read: --sketch-shingle and --feature-hash, in `form`.
FeatureView SketchedFeatures(const MethodOptions& options, FeatureForm form);

// The search of `match --measure containment`: the complete one where no method
// is named. kUsage for a method that has no estimate of containment.
Result<const Method*> ContainmentSearch(const MethodOptions& options);
// The complete one; never null.
const Method* ContainmentMethod();

// Rows by family, one function a file <family>_methods.cc.
std::vector<Method> ExactMethods();     // exact, rabin-mod-prime
std::vector<Method> MinHashMethods();   // minhash, fss, one-permutation, ...
std::vector<Method> SimHashMethods();   // simhash, fuzzy
std::vector<Method> LexiconMethods();   // i-match, rare-chunks, spex
std::vector<Method> JoinMethods();      // complete
std::vector<Method> CombinedMethods();  // henzinger-combined

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_METHODS_METHOD_ROWS_H_
