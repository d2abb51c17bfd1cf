// Measures methods against the truth on a corpus of your own
// (docs/methods/evaluate.md).
#ifndef TWINSET_EVALUATE_H_
#define TWINSET_EVALUATE_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/choices.h"
#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/options.h"
#include "twinset/results.h"

namespace twinset {
inline namespace v1 {

// Which pairs an evaluation takes as the true ones.
enum class TruthKind : uint8_t {
  kComplete,  // all, found by the complete join of the measure
  kNone,      // unknown: recall is estimated by capture-recapture
};
template <>
inline constexpr auto kChoices<TruthKind> = ChoiceTable<TruthKind>(
    {{TruthKind::kComplete, "complete"}, {TruthKind::kNone, "none"}});

// A method as it is measured. Its threshold is set from
// EvaluateOptions::thresholds, its measure from EvaluateOptions::measure.
struct EvaluateMethod {
  std::string label;  // how results call it; unique
  FeatureOptions features;
  MethodOptions method;
};

struct EvaluateOptions {
  InputOptions input;  // files that can be read more than once
  // Inputs of a second collection, read like `input.inputs`. If there are any,
  // a pair joins a document of `input.inputs` and one of these.
  std::vector<std::string> against;
  FeatureOptions features;  // what the truth compares
  Measure measure = Measure::kJaccard;
  std::vector<EvaluateMethod> methods;
  std::vector<double> thresholds = {0.8};  // a true pair has at least this
  // The histogram and the recall by similarity include the pairs of this
  // similarity and above; 0: the least threshold.
  double floor = 0;
  TruthKind truth = TruthKind::kComplete;
  // File of judged pairs (docs/formats/evaluation.md), which are then the
  // truth; empty: it is as `truth` says.
  std::string judged;
  double relevant = 1;     // labels from here on count as duplicates
  uint64_t sample = 1000;  // true pairs whose kind of difference is determined
  // Also measures the peak memory of each method. This is the peak of the whole
  // process: the call resets it and trims the heap. Only for programs that do
  // nothing else meanwhile.
  bool measure_memory = false;
  ResourceOptions resources;
  std::string out;
  bool overwrite = false;
  std::function<void(const Progress&)> on_progress;
  const std::atomic<bool>* stop = nullptr;
};

struct Proportion {
  double value = 0, low = 0, high = 1;  // 95 %; value 0 with [0, 1]: undefined
  // Why there is no interval of 95 % (docs/methods/intervals.md); empty: low
  // and high are the ends of one.
  std::string no_interval = {};
};

// The sets of pairs that are measured for a method: the pairs that it proposes,
// those that its sketches alone accept (--verify none lists them), and those
// that it names and exact verification accepts.
enum class PairSet : uint8_t { kCandidates, kDecision, kVerified };
inline constexpr size_t kPairSets = 3;
std::string_view PairSetName(PairSet set);  // candidates, decision, verified

// Documents that have a true pair; those of them for which a true pair was
// found; and those for which the most similar one was found. With two
// collections, only documents of the first count.
struct DocumentFigures {
  uint64_t with_true = 0, found = 0, best_found = 0;
};

// In how many pairs of the candidate set a document is, over all documents, or,
// with two collections, over those of the first.
struct CandidateSpread {
  uint64_t quartile1 = 0, median = 0, quartile3 = 0, percentile99 = 0, most = 0;
  struct Hub {
    std::string id;
    uint64_t candidates = 0;
  };
  std::vector<Hub> hubs;  // up to five with the most
};

struct EvaluatedSet {
  PairSet set = PairSet::kCandidates;
  uint64_t found = 0, correct = 0;
  Proportion precision, recall, f1;  // recall and f1: of known truth
  DocumentFigures documents;
};

// What a method found at a threshold. `real` is the number of true pairs; with
// TruthKind::kNone, its estimate.
struct EvaluationRow {
  std::string label;
  // The set that the figures below describe: the method's decision if it
  // filters its candidates by its sketches before they are verified, else its
  // candidates.
  PairSet set = PairSet::kCandidates;
  std::vector<EvaluatedSet> sets;  // all three
  double threshold = 0;
  uint64_t real = 0, found = 0, correct = 0;
  Proportion precision, recall, f1;
  double candidates_per_document = 0;
  CandidateSpread spread;
  // What the method keeps for a document that it sketches; 0: no sketches.
  double sketch_bytes_per_document = 0, keys_per_document = 0;
  double seconds = 0;
  uint64_t peak_bytes = 0;  // 0 without measure_memory
};

struct EvaluationSummary {
  uint64_t documents = 0;
  std::vector<EvaluationRow> rows;  // by method, then threshold
  std::vector<std::string> warnings;
  Json json;  // what evaluation.json holds
  ResultPage page;

  static constexpr bool kShowsAllRows = true;
  static constexpr char kPageFile[] = "evaluation.html";
};

inline const Json& SummaryJson(const EvaluationSummary& result) {
  return result.json;
}

// Runs each method at each threshold, compares the pairs that it names by
// itself, before any exact verification, with the truth, and writes
// evaluation.json, .csv and .html into options.out. Until it returns, work
// files are below the folder (or resources.tmp). The errors are those of Dedup,
// but nothing is resumable. As thread-safe as Dedup.
Result<EvaluationSummary> Evaluate(const EvaluateOptions& options);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_EVALUATE_H_
