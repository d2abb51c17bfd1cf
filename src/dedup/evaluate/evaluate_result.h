// What an evaluation knows when all is counted, and how it is written.
#ifndef TWINSET_SRC_DEDUP_EVALUATE_EVALUATE_RESULT_H_
#define TWINSET_SRC_DEDUP_EVALUATE_EVALUATE_RESULT_H_

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "evaluate/evaluate_count.h"
#include "evaluate/evaluate_groups.h"
#include "evaluate/evaluate_run.h"
#include "report/kept_page.h"
#include "text/tokens/token_filter.h"
#include "twinset/evaluate.h"
#include "verify/difference_kind.h"

namespace twinset {

// Counts for one kind of difference, in the samples.
struct KindCounts {
  uint64_t real = 0, found = 0;  // true pairs, and those that were found
  uint64_t wrong = 0;            // found pairs that are none
  GroupedTrials recall;          // the same true pairs by group
};

// The figures of one set of a method's pairs.
struct SetFigures {
  PairCounts counts;
  GroupedCounts groups;
  DocumentFigures documents;
};

// A method at a threshold. `counts`, `groups` and what follows from them are of
// the set that `pairs` names.
struct EvaluationEntry {
  size_t method = 0, threshold = 0;  // indices
  MethodPairs pairs;
  MethodCounts counts;
  MethodGroups groups;
  std::array<SetFigures, kPairSets> sets;  // by PairSet
  CandidateSpread spread;
  std::vector<uint64_t> hub_documents;  // of spread
  std::array<KindCounts, kDifferenceKinds> kinds{};
  // The first sampled pair of a kind that was missed, and that was wrong.
  std::array<std::optional<CandidatePair>, kDifferenceKinds> missed, wrong;
};

// Without truth: the number of true pairs at a threshold.
struct RecaptureResult {
  uint64_t seen = 0;
  double groups = 0;                    // what those seen are worth
  std::vector<SizeEstimate> by_method;  // it against all others
  size_t largest = 0;                   // the method of the largest of these
  std::vector<SizeEstimate> of_two;     // as Recapture::of_two
};

struct Evaluation {
  EvaluateOptions options;
  std::shared_ptr<const TokenFilter> token_filter;  // null: none
  uint64_t documents = 0, empty = 0, copies = 0;
  uint64_t counted = 0;  // of the first of two collections; else all
  bool complete = true;
  std::vector<std::string> incomplete;      // inputs that broke off
  std::vector<std::string> field_warnings;  // ReadWarnings of the documents
  std::optional<JudgedPairs> judged;
  SimilarityBins bins{};           // of the true pairs from the floor on
  std::vector<TruthCounts> truth;  // by threshold
  std::vector<RecaptureResult> recapture;  // by threshold; empty with truth
  std::vector<EvaluationEntry> entries;    // by method, then threshold
  std::map<uint64_t, std::string> ids;     // of example pairs and hubs
  std::map<std::string, double> truth_seconds;
  uint64_t truth_peak_bytes = 0;
  double seconds = 0;
};

// Precision, recall and F1 with their intervals, rounded for files.
EvaluationRow RowOf(const Evaluation& evaluation, const EvaluationEntry& entry);
// Candidates that the method proposed, a document.
double CandidatesPerDocument(const Evaluation& evaluation,
                             const EvaluationEntry& entry);
Proportion ProportionOf(const GroupedTrials& trials);
// Why a share or size of pairs has no interval: the groups are worth so many.
std::string WhyFewGroups(double groups);
double SecondsOf(const MethodPairs& pairs);

// docs/formats/evaluation.md
Json EvaluationJson(const Evaluation& evaluation);
std::string EvaluationCsv(const Evaluation& evaluation);
KeptPage EvaluationPage(const Evaluation& evaluation);

// One line for each input, row or label that could not be used as it stands.
std::vector<std::string> EvaluationWarnings(const Evaluation& evaluation);

// Runs and counts; writes nothing but work files, which are gone when it
// returns. Opens `folders`, which the caller keeps until its files are written.
Result<Evaluation> RunEvaluation(const EvaluateOptions& options,
                                 std::optional<RunFolders>* folders);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_EVALUATE_EVALUATE_RESULT_H_
