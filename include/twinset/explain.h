// Shows single pairs of documents the way the pipeline sees them.
#ifndef TWINSET_EXPLAIN_H_
#define TWINSET_EXPLAIN_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/choices.h"
#include "twinset/error.h"
#include "twinset/inspect.h"
#include "twinset/json.h"
#include "twinset/judgements.h"
#include "twinset/options.h"
#include "twinset/progress.h"
#include "twinset/version.h"

namespace twinset {
inline namespace v1 {

// Which of two texts a piece of their difference stands in.
enum class DiffKind : uint8_t { kBoth, kOnlyX, kOnlyY };
template <>
inline constexpr auto kChoices<DiffKind> =
    ChoiceTable<DiffKind>({{DiffKind::kBoth, "both"},
                           {DiffKind::kOnlyX, "a"},
                           {DiffKind::kOnlyY, "b"}});

// One piece of the aligned difference. Tokens are aligned; the pieces also hold
// the text between them, so the pieces of a side are its clean text, in order.
struct DiffRun {
  using Kind = DiffKind;
  using enum DiffKind;
  Kind kind = kBoth;
  std::string text;    // as written in X; kOnlyY: as in Y
  std::string text_y;  // kBoth: as written in Y, where case, signs and white
                       // space may differ
  uint64_t tokens = 0;

  static void Fields(auto& run, auto& field) {
    field("in", run.kind);
    field("tokens", run.tokens);
    field("text", run.text);
    if (run.kind == DiffKind::kBoth && run.text_y != run.text)
      field("text_b", run.text_y);
  }
};

// How likely a reader would call two documents near-duplicates
// (docs/methods/grade.md).
struct Grade {
  double probability = 0;  // in steps of 0.001
  std::string reason;      // in words
  // What the probability is computed from, in 1/65536. "jaccard" is always of
  // word 5-shingles, whatever the shingles of the run are.
  std::map<std::string, int64_t> features;

  static void Fields(auto& grade, auto& field) {
    field("probability", grade.probability);
    field("reason", grade.reason);
    field("features", grade.features);
  }
};

// The sketches of X and Y from one sketcher of the method, value by value.
struct SketchPair {
  std::string name;      // of the sketcher
  std::string modulus;   // drawn with the seed: what values are remainders by
  std::string compared;  // what is compared: places, members (of sets), bits
  int value_bits = 0;    // width of a value
  std::vector<std::string> x, y;  // the values, hexadecimal
  uint64_t equal = 0, of = 0;     // how many are equal, of how many
  // False: values in common only make a candidate, and estimate no similarity.
  bool is_estimate = true;
  double estimate = 0;
  std::optional<double> standard_error;  // nothing: no formula gives it

  static void Fields(auto& pair, auto& field) {
    field("name", pair.name);
    field("value_bits", pair.value_bits);
    field("compared", pair.compared);
    field("equal", pair.equal);
    field("of", pair.of);
    field("estimate", pair.estimate);
    field.OrNull("standard_error", pair.standard_error);
    field("a", pair.x);
    field("b", pair.y);
    if (!pair.modulus.empty()) field("modulus", pair.modulus);
  }
};

// What the sketches of one method estimate for a pair: the resemblance; for
// simhash, the share of equal bits.
struct SketchEstimate {
  std::string method;
  double estimate = 0;
  // Nothing: the sketch follows no law of shares.
  std::optional<double> standard_error;

  static void Fields(auto& row, auto& field) {
    field("method", row.method);
    field("estimate", row.estimate);
    field.OrNull("standard_error", row.standard_error);
  }
};

// A score of the method's own that decides nothing, such as those of spex.
struct PairScore {
  std::string name;  // as in JSON: "s4"
  double value = 0;
  // Nothing: it is exact, or no formula gives it.
  std::optional<double> standard_error;
  std::string meaning;  // in words

  static void Fields(auto& score, auto& field) {
    field("name", score.name);
    field("value", score.value);
    field.OrNull("standard_error", score.standard_error);
    field("meaning", score.meaning);
  }
};

// What is told of either document of a pair.
struct ExplainedDocument {
  const DocumentText& text;

  static void Fields(const auto& document, auto& field) {
    const DocumentText& text = document.text;
    field("id", text.id);
    field("title", text.title);
    field("language", text.language);
    field("charset", text.charset);
    field("url", text.url);
    field("date", text.date);
    field("source", text.source);
    field("ordinal", text.ordinal);
    if (text.truncated) field("truncated", true);
  }
};

// Everything about one pair. Measures compare shingle sets unless they say so.
struct Explanation {
  DocumentText x, y;
  uint64_t shingles_x = 0, shingles_y = 0, common = 0;
  double jaccard = 0, containment_ab = 0, containment_ba = 0, dice = 0, s3 = 0;
  double cosine = 0;           // of token frequency vectors
  double edit = 0;             // 1 - token edit distance / longer length
  uint64_t edit_distance = 0;  // in tokens; at least so, if not edit_exact
  bool edit_exact = true;
  double cosine_sets = 0;     // of the shingle sets as 0/1 vectors
  double cosine_tf = 0;       // of shingle frequencies
  double hamming_tokens = 0;  // share of places with equal tokens; 0 for
                              // sequences of different lengths
  // The same as edit and hamming_tokens, over the characters of the tokens.
  double edit_chars = 0;
  uint64_t edit_chars_distance = 0;
  bool edit_chars_exact = true;
  double hamming_chars = 0;
  std::string method;  // whose sketches are compared; empty: of none
  std::vector<SketchEstimate> estimates;  // by each method
  std::vector<PairScore> scores;          // by the method
  // By the method; none when it learns from a corpus and none was given.
  std::vector<SketchPair> sketches;
  uint64_t hamming = 0;  // places, members or bits that differ; first sketch
  double estimate = 0;   // by the first sketch
  PairRelation kind = PairRelation::kDifferent;
  std::string kind_of_difference;  // "digits only", "inserted block", ...
  DifferenceKind difference = DifferenceKind::kMixed;
  std::vector<DiffRun> diff;
  DuplicateKind duplicate_kind = DuplicateKind::kDifferent;
  std::optional<double> layout;  // jaccard of the layouts; nothing: no markup
  Grade grade;
  std::vector<std::string> warnings;  // inputs that end too early

  static void Fields(auto& e, auto& field) {
    field("a", e.x.id);
    field("b", e.y.id);
    field("kind", e.kind);
    field("kind_of_difference", e.kind_of_difference);
    field("difference", e.difference);
    field("duplicate_kind", e.duplicate_kind);
    field("grade", e.grade);
    field("jaccard", e.jaccard);
    field("containment_ab", e.containment_ab);
    field("containment_ba", e.containment_ba);
    field("dice", e.dice);
    field("cosine", e.cosine);
    field("s3", e.s3);
    field.OrNull("layout", e.layout);
    field("edit", e.edit);
    field("edit_distance", e.edit_distance);
    field("edit_exact", e.edit_exact);
    field("cosine_sets", e.cosine_sets);
    field("cosine_tf", e.cosine_tf);
    field("hamming_tokens", e.hamming_tokens);
    field("edit_chars", e.edit_chars);
    field("edit_chars_distance", e.edit_chars_distance);
    field("edit_chars_exact", e.edit_chars_exact);
    field("hamming_chars", e.hamming_chars);
    field("estimates", e.estimates);
    field("scores", e.scores);
    field("sketches", e.sketches);
    field("hamming", e.hamming);
    field("estimate", e.estimate);
    field("shingles_a", e.shingles_x);
    field("shingles_b", e.shingles_y);
    field("common", e.common);
    field.Derived("method", e.method.empty() ? Json() : Json(e.method));
    field.Derived("spec", kSpecNumber);
    field.Derived("documents",
                  std::array{ExplainedDocument{e.x}, ExplainedDocument{e.y}});
    field("diff", e.diff);
  }
};
// What --json prints.
Json SummaryJson(const Explanation& explanation);

struct ExplainOptions {
  // Files of one document each or, when `in` has inputs, ids of documents in
  // `in`, from which a learning method learns.
  std::string x, y;
  InputOptions in = {};
  FeatureOptions features = {};
  MethodOptions method = {};
  ProgressSink on_progress = {};  // documents that are looked at
  const std::atomic<bool>* stop = nullptr;
};
// kInterrupted when `stop` was set.
Result<Explanation> Explain(const ExplainOptions& options);

// Without files. Only text, layout and payload of the documents are used.
Result<Explanation> ExplainDocuments(DocumentText x, DocumentText y,
                                     const FeatureOptions& features,
                                     const MethodOptions& method);
Result<Explanation> ExplainTexts(std::string_view x, std::string_view y,
                                 const FeatureOptions& features,
                                 const MethodOptions& method);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_EXPLAIN_H_
