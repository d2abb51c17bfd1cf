// The ids that could not stand in a list of ids.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RESULTS_RENAMED_IDS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RESULTS_RENAMED_IDS_H_

#include <string>

#include "pipeline/run/run.h"
#include "twinset/error.h"

namespace twinset {

inline constexpr char kRenamedIds[] = "renamed.jsonl";

// renamed.jsonl, if there is a row for it: what each document is called whose
// id holds a line end, its id, and in a match its side. Counts them in
// counts.renamed_ids, and adds the warning that says so.
Status WriteRenamedIds(Run* run);

// The file of the result folder `from`, if it has one, into `to`.
Status CopyRenamedIds(const std::string& from, const std::string& to);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RESULTS_RENAMED_IDS_H_
