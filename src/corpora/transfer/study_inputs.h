// What a study reads of its corpora before it searches: judgements and topics,
// the segments of B, and which judged documents A has.
#ifndef TWINSET_SRC_CORPORA_TRANSFER_STUDY_INPUTS_H_
#define TWINSET_SRC_CORPORA_TRANSFER_STUDY_INPUTS_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "retrieval/id_table.h"
#include "transfer/segments.h"
#include "transfer/study_plan.h"
#include "transfer/study_steps.h"
#include "twinset/corpora/study.h"
#include "twinset/error.h"
#include "twinset/plain_words.h"
#include "twinset/results.h"

namespace twinset {

struct StudyInputs {
  IdTable judged;
  Segments segments;
  std::vector<SideRead> sides;  // judgements and B
};

// Topics are read too, though only the last step needs them: what is wrong with
// them is said before hours of searches. Warns of lines and ids that do not
// count. kCorrupt when no id of B is in a segment, kMemory when the table of
// judged documents and segments does not fit.
Result<StudyInputs> ReadStudyInputs(const StudyOptions& options,
                                    const StudyPlan& plan, StudySteps* steps);

// A side as the journal keeps it: a row of SidesJson.
struct SideRow {
  std::string side, input;
  uint64_t records = 0, documents = 0, quarantined = 0;

  static SideRow Of(const SideRead& side) {
    return {side.side, NameText(side.input), side.records, side.used,
            side.quarantined};
  }
  SideRead Side() const {
    SideRead read;
    read.side = side;
    read.input = NameBytes(input).value_or("");
    read.records = records;
    read.used = documents;
    read.quarantined = quarantined;
    return read;
  }
  static void Fields(auto& row, auto& field) {
    field("side", row.side);
    field("input", row.input);
    field("records", row.records);
    field("documents", row.documents);
    field("quarantined", row.quarantined);
  }
};

// The first step also reads A and the control.
struct JudgementStep : StudyJudgements {
  std::vector<SideRow> sides;

  static void Fields(auto& step, auto& field) {
    StudyJudgements::Fields(step, field);
    field("sides", step.sides);
  }
};

// Counts the judgements, and reads A and the control. kCorrupt when A has no
// judged document.
Result<JudgementStep> CountJudged(const StudyPlan& plan, const IdTable& judged,
                                  const std::atomic<bool>* stop,
                                  std::vector<std::string>* warnings);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_TRANSFER_STUDY_INPUTS_H_
