// Judgements go to the near-duplicates of the documents that were judged
// (docs/methods/judgement-transfer.md).
#ifndef TWINSET_SRC_CORPORA_RETRIEVAL_JUDGEMENT_TRANSFER_H_
#define TWINSET_SRC_CORPORA_RETRIEVAL_JUDGEMENT_TRANSFER_H_

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "retrieval/duplicate_list.h"
#include "retrieval/qrels_file.h"
#include "twinset/corpora/qrels.h"

namespace twinset {

// One of several judgements that meet on one document under one topic.
struct MeetingGrade {
  int32_t grade = 0;
  double similarity = kUnsaid;
};

// Which of them stands, by the rule; they are in the order of the files and at
// least one. -1: none does. Of equal grades the most similar, then the first
// one stands for the grade.
struct SettledGrade {
  int stands = -1;
  bool is_conflict = false;  // the grades differ
};
SettledGrade SettleGrades(ConflictRule rule,
                          std::span<const MeetingGrade> grades);

enum class TransferAction : uint8_t {
  kTransferred,      // the target has the grade of this source
  kMerged,           // it met there with the one that stands
  kRefusedConflict,  // sources differ, and the rule drops
  kRefusedJudged,    // the target keeps the judgement of its own
  kReplaced,         // the target's own judgement has the grade of this source
  kRemoved,          // sources and target differ, and the rule drops
};
template <>
inline constexpr auto kChoices<TransferAction> = ChoiceTable<TransferAction>(
    {{TransferAction::kTransferred, "transferred"},
     {TransferAction::kMerged, "merged"},
     {TransferAction::kRefusedConflict, "refused-conflict"},
     {TransferAction::kRefusedJudged, "refused-judged"},
     {TransferAction::kReplaced, "replaced"},
     {TransferAction::kRemoved, "removed"}});

// What became of one judgement at one target.
struct TransferStep {
  TransferAction action = TransferAction::kTransferred;
  RelevanceJudgement source;
  uint32_t target = 0;
  double similarity = kUnsaid;
  // The target's own grade before, and what it has afterwards.
  const int32_t* was = nullptr;
  const int32_t* is = nullptr;
};

struct TransferInput {
  const Qrels* source = nullptr;
  const DuplicateGraph* graph = nullptr;
  bool both_ways = false;  // else from a to b of each link
  // Judgements of the targets' collection: `source` where links go both ways.
  const Qrels* judged = nullptr;
};

struct TransferCriterion {
  TransferUnder under = TransferUnder::kSimilarity;
  double least = 0;
  bool Passes(const DuplicateLink& link) const;
  bool PassesGroups() const { return under == TransferUnder::kSimilarity; }
};

struct TransferOutcome {
  TransferCounts counts;
  // In the order in which targets are reached.
  std::vector<RelevanceJudgement> transferred, replaced;
  std::vector<RelevanceJudgement> removed;  // with the grade that they had
  uint64_t targets_agree = 0, targets_conflict = 0;  // of two sources or more
};

// `on_step`, if any, is told each source of each target. Linear in the sources
// of all targets, of which a group has the square of its size; kMemory beyond
// kMostTransferSteps.
inline constexpr uint64_t kMostTransferSteps = 200'000'000;
Result<TransferOutcome> TransferJudgements(
    const TransferInput& input, const TransferCriterion& criterion,
    ConflictRule rule, JudgedTarget judged_target,
    const std::function<Status(const TransferStep&)>& on_step);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_RETRIEVAL_JUDGEMENT_TRANSFER_H_
