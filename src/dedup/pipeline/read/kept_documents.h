// Documents of saved runs that keep what was decided of them: their ranks, ids
// and pairs (docs/formats/saved-run.md, dedup --add).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_READ_KEPT_DOCUMENTS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_READ_KEPT_DOCUMENTS_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/run/run.h"

namespace twinset {

// Which documents of a run whose inputs are read are kept: the first ones, run
// by run. None of a run that decides everything itself.
class KeptDocuments {
 public:
  // What one saved run has brought.
  struct Part {
    const StoredInputs* stored;
    uint64_t begin, end;  // its documents
  };
  explicit KeptDocuments(const Run& run);

  const std::vector<Part>& parts() const { return parts_; }
  // Documents before this one are kept.
  uint64_t end() const { return parts_.empty() ? 0 : parts_.back().end; }
  // Returns true iff one saved run has both, so that it knows whether they are
  // a pair.
  bool AreDecided(const CandidatePair& pair) const;

 private:
  std::vector<Part> parts_;
};

// Calls `body` with the rank of every kept document in order: those of one run
// stand behind those of the run before it. kCorrupt for a rank that no document
// can have.
Status ForEachKeptRank(const KeptDocuments& kept,
                       const std::function<Status(uint64_t rank)>& body);

// The counts of each saved run.
Status ForEachKeptCounts(
    const KeptDocuments& kept,
    const std::function<void(const RunCounts& counts)>& body);

// The ids that the saved runs gave, document by document.
class KeptIds {
 public:
  explicit KeptIds(const KeptDocuments& kept) : kept_(kept) {}
  // The id of the next kept document; of any other the id that it has.
  Result<std::string> Next(const std::string& own);

 private:
  const KeptDocuments& kept_;
  size_t part_ = 0;
  uint64_t document_ = 0;
  std::optional<BlobReader> ids_;
};

// The pairs that the saved runs verified, in order.
class KeptPairs {
 public:
  using Sink = std::function<Status(const VerifiedPair&)>;
  static Result<KeptPairs> Open(Run* run);

  // Hands on the pairs before `pair`.
  Status Before(const CandidatePair& pair, const Sink& sink);
  // Hands on all that are left.
  Status Finish(const Sink& sink);

 private:
  explicit KeptPairs(const Run& run) : kept_(run) {}
  Status Advance();
  Status AdvanceInPart();
  // Pairs are those of the first documents of classes, and a class of a later
  // run may have a better one now.
  Status FindCopies(Run* run);
  Result<bool> IsCopy(uint64_t document);

  KeptDocuments kept_;
  size_t part_ = 0;
  std::optional<RunReader<VerifiedPair>> pairs_;
  std::optional<VerifiedPair> next_;
  std::optional<PagedArray<uint64_t>> copies_;  // a bit per document
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_READ_KEPT_DOCUMENTS_H_
