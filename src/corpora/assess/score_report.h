// What `assess score` writes (docs/methods/assessment.md).
#ifndef TWINSET_SRC_CORPORA_ASSESS_SCORE_REPORT_H_
#define TWINSET_SRC_CORPORA_ASSESS_SCORE_REPORT_H_

#include <string>

#include "report/kept_page.h"
#include "twinset/corpora/assess.h"

namespace twinset {

std::string ScoreCsv(const ScoreResult& result);
std::string DisagreementRow(const ScoreResult& result,
                            const Disagreement& disagreement);
KeptPage ScorePage(const ScoreResult& result);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_ASSESS_SCORE_REPORT_H_
