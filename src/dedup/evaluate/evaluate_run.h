// How `evaluate` and `tune` run methods: every document is read once for each
// set of stored features, and each method leaves its pairs, over all documents
// and with their exact scores, in one sorted file.
#ifndef TWINSET_SRC_DEDUP_EVALUATE_EVALUATE_RUN_H_
#define TWINSET_SRC_DEDUP_EVALUATE_EVALUATE_RUN_H_

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/run/run.h"
#include "pipeline/run/run_folders.h"
#include "twinset/evaluate.h"

namespace twinset {

// The pairs of one method at one threshold, before exact verification.
struct MethodPairs {
  // VerifiedPair by a, b, with the scores of the base: names in its folder, by
  // PairSet. Two sets that are always the same are one file.
  std::array<std::string, kPairSets> files;
  // The set that is measured: what dedup would verify or, where people have
  // judged, what it would list.
  PairSet named = PairSet::kCandidates;
  const std::string& file() const { return files[static_cast<size_t>(named)]; }
  uint64_t count = 0;       // pairs in that file
  uint64_t proposed = 0;    // distinct pairs before the method's own filter,
  uint64_t candidates = 0;  // after it: of documents with different features
  uint64_t outside = 0;     // pairs with a document that the truth calls empty
  int bands = 0, rows = 0;
  std::optional<double> expected_recall;  // what the method promises
  std::map<std::string, double> seconds;  // by stage
  uint64_t peak_bytes = 0;                // most resident memory
  // Means per sketched document; 0 without sketches or keys.
  double sketch_bytes = 0, keys = 0;
};

class EvaluationRuns {
 public:
  // Checks everything that can be checked, makes the folders, reads the
  // documents for the truth and puts them in order.
  // `folders` are opened here and kept by the caller until its files are
  // written.
  static Result<std::unique_ptr<EvaluationRuns>> Open(
      const EvaluateOptions& options, std::optional<RunFolders>* folders);
  ~EvaluationRuns();

  // The run over what the truth compares. Its numbers are those of all pairs.
  Run* base() { return base_; }

  // truth.run: VerifiedPair by a, b: every pair of at least `threshold`.
  // Before any RunMethod.
  Status FindTruth();
  const std::map<std::string, double>& truth_seconds() const {
    return truth_seconds_;
  }
  uint64_t truth_peak_bytes() const { return truth_peak_; }

  // Its files are called `name` and more.
  Result<MethodPairs> RunMethod(const EvaluateMethod& method, double threshold,
                                const std::string& name);

  // Removes the work files.
  Status Finish();

 private:
  // What was read for the methods that store the same features.
  struct ReadGroup {
    std::string key;
    std::unique_ptr<Run> run;
    // Number + 1; of what the base has read: none.
    std::optional<PagedArray<uint64_t>> to_base;
    uint64_t peak_bytes = 0;  // resident while reading
  };
  explicit EvaluationRuns(const EvaluateOptions& options);
  PlanOptions OptionsOf(const FeatureOptions& features,
                        const MethodOptions& method) const;
  Result<Plan> PlanOf(const EvaluateMethod& method, double threshold) const;
  // The views of the first method that verifies what the truth compares and
  // stores more beside it: both are read in one pass.
  Result<std::vector<FeatureView>> SharedViews(const Plan& truth) const;
  // The run that read what `like` stores, or more; reads it when there is none.
  Result<ReadGroup*> GroupOf(const Plan& like);
  Status MapToBase(ReadGroup* group);
  // Plans of two collections.
  Result<Plan> Sided(Result<Plan> plan) const;
  Status Expand(Run* run, ReadGroup* group, const std::string& file,
                ExternalSorter<CandidatePair>* expanded, uint64_t* outside);
  Status ScoreCandidates(Run* run, ReadGroup* group, MethodPairs* pairs);
  Status KeepDecided(Run* run, ReadGroup* group, MethodPairs* pairs);
  Status KeepVerified(double threshold, MethodPairs* pairs);

  const EvaluateOptions options_;
  std::vector<std::unique_ptr<ReadGroup>> groups_;
  Run* base_ = nullptr;
  std::map<std::string, double> truth_seconds_;
  uint64_t truth_peak_ = 0;
  bool scores_fully_ = false;  // the base's verifier, from RunMethod on
  int runs_ = 0;               // numbers the work folders
  size_t first_words_ = 0;     // --in of the first of two collections, if two
  std::optional<RunFolders>* folders_ = nullptr;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_EVALUATE_EVALUATE_RUN_H_
