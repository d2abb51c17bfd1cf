// How far two judges agree beyond chance (docs/methods/assessment.md). Only
// + - * / and sqrt: the same doubles on every machine.
#ifndef TWINSET_SRC_GROUND_ESTIMATE_AGREEMENT_H_
#define TWINSET_SRC_GROUND_ESTIMATE_AGREEMENT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "estimate/bootstrap.h"

namespace twinset {

struct JudgeAgreement {
  uint64_t items = 0;
  double observed = 0, expected = 0;  // shares of equal answers
  // Cohen's kappa (1960) with the standard error of Fleiss, Cohen and Everitt
  // (1969) and its normal interval within [-1, 1]. None without items, and
  // where chance alone makes all answers equal.
  std::optional<Estimated> kappa;
};

// `table`: categories x categories counts, row by row: the first judge's answer
// is the row, the second's the column.
JudgeAgreement AgreementOf(std::span<const uint64_t> table, size_t categories);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_ESTIMATE_AGREEMENT_H_
