// Shows single pairs of documents the way the pipeline sees them, and tells why
// a finished run kept or dropped a document.
#ifndef TWINSET_EXPLAIN_H_
#define TWINSET_EXPLAIN_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twinset/choices.h"
#include "twinset/error.h"
#include "twinset/inspect.h"
#include "twinset/judgements.h"
#include "twinset/options.h"
#include "twinset/progress.h"

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
  // False: values in common only make a candidate, and estimate no similarity.
  bool is_estimate = true;
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

struct DecisionOptions {
  std::string id;      // as the run names the document
  std::string folder;  // result folder of Dedup, Match or Recut
  // Where the inputs of the run are now; empty: where they were.
  std::vector<std::string> inputs, against;
  ProgressSink on_progress;  // while inputs are read again
};

enum class Fate : uint8_t {
  kKept,
  kDropped,
  kCompared,     // it is on the second side of a match, which drops nothing
  kQuarantined,  // a record that could not be used
  kRevisit,      // a record that refers to another one
};
template <>
inline constexpr auto kChoices<Fate> =
    ChoiceTable<Fate>({{Fate::kKept, "kept"},
                       {Fate::kDropped, "dropped"},
                       {Fate::kCompared, "compared"},
                       {Fate::kQuarantined, "quarantined"},
                       {Fate::kRevisit, "revisit"}});

// Another document that the run lists a pair with.
struct DecisionNeighbour {
  std::string id;
  double similarity = 0;  // by the measure of the run
};

struct DocumentDecision {
  std::string id;
  Fate fate = Fate::kKept;
  std::string sentence;  // what the run did, and because of which document
  std::string rule;      // the rule that decided, in sentences
  // For a dropped document, the one that stays in its place; for a kept one,
  // the most similar of the documents that it stands for; in a match, the best
  // partner. Empty when there is none.
  std::string other;
  std::optional<double> similarity;  // to `other`, by the measure of the run
  // The share of the shingles that the document that stays for it has: of a
  // dropped document those of its own, of a kept one those of `other`. Empty
  // where the run does not say it.
  std::optional<double> contained;
  uint64_t cluster_size = 0;  // documents, this one too; 0: no cluster
  uint64_t pairs = 0;         // listed pairs that it is in
  std::vector<DecisionNeighbour> neighbours;  // the most similar of these
  // Compares `other` as X with this document as Y, by their whole texts, when
  // both could be read again. `note` is a sentence or empty: it says why there
  // is no explanation, or that the run compared less than the whole texts.
  std::optional<Explanation> explanation;
  std::string note;
};

// Reads the rows of the result folder, and the texts again from the inputs.
// kUsage for a folder that holds no finished run of these kinds and for an id
// that the run does not have, kUnsupported for a run over units, kCorrupt for a
// damaged folder. Time: it reads the rows twice, and the inputs up to the later
// of the two documents. Memory: a few MB and two documents.
Result<DocumentDecision> ExplainDecision(const DecisionOptions& options);

// Returns true iff the path is a folder that a run over documents has finished.
bool IsFinishedRun(const std::string& path);

// The same for people, as one HTML page without scripts. If `decision` is null,
// the page is about the pair alone; if `explanation` is null, it is about the
// decision alone. Pure.
std::string ExplanationPage(const DocumentDecision* decision,
                            const Explanation* explanation);

// Writes such a page. kUsage when `path` exists.
Status WriteExplanationPage(const std::string& page, const std::string& path,
                            const std::vector<std::string>& inputs);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_EXPLAIN_H_
