// The ids that could not stand in a list of ids.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RESULTS_RENAMED_IDS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RESULTS_RENAMED_IDS_H_

#include <optional>
#include <string>
#include <string_view>

#include "base/file.h"
#include "pipeline/run/run.h"
#include "twinset/error.h"

namespace twinset {

inline constexpr char kRenamedIds[] = "renamed.jsonl";

// renamed.jsonl, if there is a row for it: what each document is called whose
// id holds a line end, its id, and in a match its side. Counts them in
// counts.renamed_ids, and adds the warning that says so.
class RenamedIds {
 public:
  explicit RenamedIds(Run* run) : run_(run) { run->counts.renamed_ids = 0; }
  // The next document, which is called `id`.
  Status Add(std::string_view id, const DocumentInfo& info);
  Status Finish();

 private:
  Run* const run_;
  std::optional<OutputFile> file_;
};
// The same of all documents, by a pass over them.
Status WriteRenamedIds(Run* run);

// A file of the result folder `from`, if it has one, into `to`.
Status CopyResultFile(const std::string& name, const std::string& from,
                      const std::string& to);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RESULTS_RENAMED_IDS_H_
