// What a measurement of change leaves in its folder (docs/methods/change.md).
#ifndef TWINSET_SRC_CORPORA_CHANGE_CHANGE_REPORT_H_
#define TWINSET_SRC_CORPORA_CHANGE_CHANGE_REPORT_H_

#include <string>
#include <vector>

#include "change/change_examples.h"
#include "report/kept_page.h"
#include "twinset/corpora/change.h"

namespace twinset {

std::vector<std::string> ChangeResultFiles(const ChangeOptions& options);
// `examples` may be null.
KeptPage ChangePage(const ChangeOptions& options, const ChangeResult& result,
                    const ChangeExamples* examples);
// steps.csv, survival.csv, the report and, last, the summary.
Status WriteChangeTables(const ChangeOptions& options,
                         const ChangeResult& result);
// What a reader calls the state of a page.
std::string StateText(PageState state);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_CHANGE_CHANGE_REPORT_H_
