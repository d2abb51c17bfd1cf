// Near-duplicates of a study as its page shows them: judged documents of A
// beside those of B that get their judgements.
#ifndef TWINSET_SRC_CORPORA_TRANSFER_PAIR_EXAMPLES_H_
#define TWINSET_SRC_CORPORA_TRANSFER_PAIR_EXAMPLES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "report/kept_page.h"
#include "retrieval/id_table.h"
#include "transfer/study_plan.h"
#include "twinset/error.h"

namespace twinset {

struct ExampleInput {
  const StudyPlan* plan = nullptr;
  const IdTable* judged = nullptr;
  ContentMode content = ContentMode::kAll;
  std::string folder, pairs;  // FOLDER/PAIRS.jsonl: {"a","b","similarity"}
};

// Up to nine pairs, the least alike first, drawn under the seed of the plan: a
// few for each range of similarity. Reads both collections up to the last text
// that is shown.
Result<std::vector<html::TextPair>> ReadExamples(const ExampleInput& input);

void AddExamples(const std::vector<html::TextPair>& pairs, uint64_t seed,
                 KeptPage* page);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_TRANSFER_PAIR_EXAMPLES_H_
