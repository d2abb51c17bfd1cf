// What `leak` writes: rows, table of splits, summary, report
// (docs/formats/leak.md).
#ifndef TWINSET_SRC_STUDY_LEAK_REPORT_H_
#define TWINSET_SRC_STUDY_LEAK_REPORT_H_

#include <string>
#include <vector>

#include "store/result_folder.h"
#include "twinset/error.h"
#include "twinset/leak.h"

namespace twinset::inline v1 {

std::string LeakSummary(const LeakOptions& options, const LeakResult& result);
// Into options.out, which is `folder`; `clean` are ids of items, `match` is the
// folder of the match that found them; summary.json last.
Status WriteLeaks(const LeakOptions& options, const LeakResult& result,
                  const std::vector<std::string>& clean,
                  const std::string& match, ResultFolder* folder);

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_STUDY_LEAK_REPORT_H_
