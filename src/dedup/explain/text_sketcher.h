// The sketches of single documents, the same as in a run of their method.
#ifndef TWINSET_SRC_DEDUP_EXPLAIN_TEXT_SKETCHER_H_
#define TWINSET_SRC_DEDUP_EXPLAIN_TEXT_SKETCHER_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "documents/pass_progress.h"
#include "methods/registry.h"
#include "pipeline/run/plan.h"
#include "twinset/explain.h"
#include "twinset/inspect.h"

namespace twinset {

class TextSketcher {
 public:
  // A method that learns first learns from the documents of `corpus`, which is
  // then read once or more; kUnsupported when that has no inputs.
  static Result<TextSketcher> Create(const Method& method,
                                     const FeatureOptions& features,
                                     const MethodOptions& options,
                                     const InputOptions& corpus,
                                     const PassWatch& watch = {});
  // Does the method learn from a corpus what its sketches are made of?
  static bool Learns(const Method& method, const MethodOptions& options);

  const Method& method() const { return *plan_.features.method; }
  const MethodOptions& options() const { return plan_.options.method; }
  const MethodParts& parts() const { return parts_; }
  // What its views are made by.
  const Plan& plan() const { return plan_; }
  // What was learnt; null when the method does not learn.
  const CorpusModel* model() const { return model_ ? &*model_ : nullptr; }

  // The views of a document as stored, and one sketch for each sketcher. An
  // empty document has empty sketches.
  std::vector<std::string> Views(const DocumentText& document) const;
  std::vector<Sketch> Sketches(const std::vector<std::string>& views) const;
  // The view that sketcher number `sketcher` reads.
  size_t ViewOf(size_t sketcher) const {
    return parts_.sketch_views.empty() ? 0 : parts_.sketch_views[sketcher];
  }

  // What makes the features of that sketcher; null where they are no hashes.
  const FeatureExtractor* ExtractorFor(size_t sketcher) const {
    return plan_.features.extractors[ViewOf(sketcher)].get();
  }

  // kIo when a file of the corpus was written or replaced since Create: what
  // was read of it more than once may differ.
  Status CheckCorpus() const;

  // Calls `body` with the views of every document of `input` that is not empty,
  // in input order.
  Status ForEachViews(const InputOptions& input,
                      const std::function<Status(DocumentViews)>& body,
                      const PassWatch& watch = {}) const;

 private:
  friend Result<std::vector<std::string>> v1::ForEachSketch(
      const InputOptions&, const FeatureOptions&, const MethodOptions&,
      const std::function<bool(const SketchRow&)>&,
      const std::function<void(const RejectedRecord&)>&);

  TextSketcher() = default;
  Status Learn(const InputOptions& corpus, const PassWatch& watch);

  Plan plan_;
  MethodParts parts_;
  std::optional<CorpusModel> model_;
};

// The method's own scores of two documents that are not empty; none where it
// has none. `corpus` is what it learnt from.
Result<std::vector<PairScore>> ScoresOf(const TextSketcher& sketcher,
                                        const InputOptions& corpus,
                                        const DocumentText& x,
                                        const DocumentText& y);

// The sketches of two documents side by side, one for each sketcher; of empty
// documents none.
std::vector<SketchPair> CompareSketchesOf(const TextSketcher& sketcher,
                                          const DocumentText& x,
                                          const DocumentText& y);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_EXPLAIN_TEXT_SKETCHER_H_
