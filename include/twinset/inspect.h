// Looking at single documents and pairs the way the pipeline sees them.
#ifndef TWINSET_INSPECT_H_
#define TWINSET_INSPECT_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twinset/error.h"
#include "twinset/options.h"

namespace twinset {

// One document after the read and text stages.
struct DocumentText {
  std::string id, text, title, language, charset, url, date, source;
  uint64_t ordinal = 0;
  std::vector<std::string> links;
  std::vector<std::string> tokens;  // normalised; filled when asked for
  bool used_fallback = false;
};

// A record that is not a document.
struct RejectedRecord {
  std::string source, id, stage, reason, detail;
  uint64_t offset = 0, ordinal = 0;
  bool quarantined = false;  // else skipped
};

// Calls on_document for every document of the inputs in input order and
// on_rejected for every other record. on_document returns false to stop.
Status ForEachText(
    const InputOptions& input, const FeatureOptions& features, bool want_tokens,
    const std::function<bool(const DocumentText&)>& on_document,
    const std::function<void(const RejectedRecord&)>& on_rejected);

// One row of `twinset sketch`: the sketch in its written form (hex, values in
// order).
struct SketchRow {
  std::string id, method, sketch;
};
Status ForEachSketch(
    const InputOptions& input, const FeatureOptions& features,
    const MethodOptions& method,
    const std::function<bool(const SketchRow&)>& on_row,
    const std::function<void(const RejectedRecord&)>& on_rejected);

// One run of the aligned difference, in tokens. kBoth tokens are in X and Y.
struct DiffRun {
  enum Kind { kBoth, kOnlyX, kOnlyY } kind = kBoth;
  std::string text;  // the tokens as they stand in the clean text
  uint64_t tokens = 0;
};

// Everything about one pair. Measures over shingle sets unless said otherwise.
struct Explanation {
  DocumentText x, y;
  uint64_t shingles_x = 0, shingles_y = 0, common = 0;
  double jaccard = 0, containment_ab = 0, containment_ba = 0, dice = 0, s3 = 0;
  double cosine = 0;  // of token frequency vectors
  double edit = 0;    // 1 - token edit distance / longer length
  uint64_t edit_distance =
      0;  // in tokens; a lower bound when edit_exact is false
  bool edit_exact = true;
  uint64_t hamming = 0;  // positions at which the sketches differ
  double estimate = 0;   // the sketches' estimate of jaccard
  std::string kind;      // "same bytes", "same text", "same tokens",
                         // "near-duplicate", "different"
  std::string
      kind_of_difference;  // one line: "digits only", "inserted block", ...
  std::vector<DiffRun> diff;
};

// Explains documents x and y: files, or ids of documents in `in` when it has
// inputs.
Result<Explanation> Explain(const std::string& x, const std::string& y,
                            const InputOptions& in,
                            const FeatureOptions& features,
                            const MethodOptions& method);

// Lower-level: the measures of two texts (no files involved).
Result<Explanation> ExplainTexts(std::string_view x, std::string_view y,
                                 const FeatureOptions& features,
                                 const MethodOptions& method);

}  // namespace twinset

#endif  // TWINSET_INSPECT_H_
