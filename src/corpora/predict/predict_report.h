// What `predict` says of its rules: summary, table, report
// (docs/methods/predict.md).
#ifndef TWINSET_SRC_CORPORA_PREDICT_PREDICT_REPORT_H_
#define TWINSET_SRC_CORPORA_PREDICT_PREDICT_REPORT_H_

#include <string>

#include "report/kept_page.h"
#include "twinset/corpora/predict.h"

namespace twinset {

std::string SavingsCsv(const Validation& validation);
KeptPage PredictPage(const PredictResult& result);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_PREDICT_PREDICT_REPORT_H_
