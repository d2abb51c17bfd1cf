// Judged pairs for `evaluate`, from a file (docs/formats/evaluation.md).
#ifndef TWINSET_SRC_DEDUP_EVALUATE_EVALUATE_TRUTH_H_
#define TWINSET_SRC_DEDUP_EVALUATE_EVALUATE_TRUTH_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/sort_records.h"
#include "pipeline/run/run.h"

namespace twinset {

struct JudgedPair {
  uint64_t a = 0, b = 0;  // documents, a < b
  double value = 0;       // label or similarity
  std::array<uint64_t, 2> SortWords() const { return {a, b}; }
};

struct JudgedPairs {
  // label: only these pairs are judged. similarity: all others are not similar.
  bool labels = false;
  std::vector<JudgedPair> pairs;     // ascending, distinct
  uint64_t undecided = 0;            // labels that are no number
  uint64_t unknown = 0;              // pairs of documents that are not there
  std::vector<std::string> missing;  // the first few of their ids
};

// Rows with `a` and `b` (or `id_a` and `id_b`) and `label` or `similarity`, as
// JSONL, CSV or TSV, plain or compressed, or the labels of an assessor
// (docs/methods/assessment.md). The ids are those that a run gives
// the documents of `run`, whose order stage is done. kUsage for rows without
// these fields and for pairs judged twice differently; kCorrupt for a file
// without a pair and when no document is found. Memory: in proportion to the
// file.
Result<JudgedPairs> ReadJudgedPairs(const Run& run, const std::string& path);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_EVALUATE_EVALUATE_TRUTH_H_
