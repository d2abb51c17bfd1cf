// Shows single pairs of documents the way the pipeline sees them.
#ifndef TWINSET_EXPLAIN_H_
#define TWINSET_EXPLAIN_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twinset/error.h"
#include "twinset/inspect.h"
#include "twinset/judgements.h"
#include "twinset/options.h"

namespace twinset {
inline namespace v1 {

// One piece of the aligned difference. Tokens are aligned; the pieces also hold
// the text between them, so the pieces of a side are its clean text, in order.
struct DiffRun {
  enum Kind { kBoth, kOnlyX, kOnlyY } kind = kBoth;
  std::string text;    // as written in X; kOnlyY: as in Y
  std::string text_y;  // kBoth: as written in Y, where case, signs and white
                       // space may differ
  uint64_t tokens = 0;
};

// How likely a reader would call two documents near-duplicates
// (docs/methods/grade.md).
struct Grade {
  double probability = 0;  // in steps of 0.001
  std::string reason;      // in words
  // What the probability is computed from, in 1/65536. "jaccard" is always of
  // word 5-shingles, whatever the shingles of the run are.
  std::vector<std::pair<std::string, int64_t>> features;
};

// The sketches of X and Y from one sketcher of the method, value by value.
struct SketchPair {
  std::string name;      // of the sketcher
  std::string modulus;   // drawn with the seed: what values are remainders by
  std::string compared;  // what is compared: places, members (of sets), bits
  int value_bits = 0;    // width of a value
  std::vector<std::string> x, y;  // the values, hexadecimal
  uint64_t equal = 0, of = 0;     // how many are equal, of how many
  double estimate = 0;
  double standard_error = -1;  // -1: no formula gives it
};

// What the sketches of one method estimate for a pair: the resemblance; for
// simhash, the share of equal bits.
struct SketchEstimate {
  std::string method;
  double estimate = 0;
  double standard_error = -1;  // -1: the sketch follows no law of shares
};

// A score of the method's own that decides nothing, such as those of spex.
struct PairScore {
  std::string name;  // as in JSON: "s4"
  double value = 0;
  double standard_error = -1;  // -1: exact, or no formula gives it
  std::string meaning;         // in words
};

// Everything about one pair. Measures compare shingle sets unless they say so.
struct Explanation {
  DocumentText x, y;
  uint64_t shingles_x = 0, shingles_y = 0, common = 0;
  double jaccard = 0, containment_ab = 0, containment_ba = 0, dice = 0, s3 = 0;
  double cosine = 0;  // of token frequency vectors
  double edit = 0;    // 1 - token edit distance / longer length
  uint64_t edit_distance =
      0;  // in tokens; a lower bound when edit_exact is false
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
  std::vector<SketchEstimate> estimates;  // by each method
  std::vector<PairScore> scores;          // by the method
  // By the method; none when it learns from a corpus and none was given.
  std::vector<SketchPair> sketches;
  uint64_t hamming = 0;  // places, members or bits that differ; first sketch
  double estimate = 0;   // by the first sketch
  PairRelation kind = PairRelation::kDifferent;
  std::string
      kind_of_difference;  // one line: "digits only", "inserted block", ...
  DifferenceKind difference = DifferenceKind::kMixed;
  std::vector<DiffRun> diff;
  DuplicateKind duplicate_kind = DuplicateKind::kDifferent;
  double layout = -1;  // jaccard of the layouts; -1: no markup in either
  Grade grade;
};

// Explains documents x and y. They are files of one document each or, when `in`
// has inputs, ids of documents in `in`, from which a learning method learns.
Result<Explanation> Explain(const std::string& x, const std::string& y,
                            const InputOptions& in,
                            const FeatureOptions& features,
                            const MethodOptions& method);

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
