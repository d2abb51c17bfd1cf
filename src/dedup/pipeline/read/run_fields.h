// Says whether the fields that a run asks for are there.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_READ_RUN_FIELDS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_READ_RUN_FIELDS_H_

#include <string>
#include <vector>

#include "documents/field_check.h"
#include "pipeline/run/run.h"

namespace twinset {

// The fields that side `side` was asked for by name, and how many of its
// documents have them.
std::vector<AskedField> AskedFieldsOf(const Run& run, size_t side);

// So many rows of a side are enough to say that a field is not there.
inline constexpr uint64_t kRowsForNotice = 1000;
// What is said, once, when the first kRowsForNotice records of `side` were
// read and none has the field of the text (`lacks_text`), or one that was asked
// for by name; empty when all is well. The run goes on.
std::string FieldNotice(const Plan& plan, const ReadCounts& counts, size_t side,
                        bool lacks_text);

// kUsage when no record that was read has the text field, or no document one
// that was asked for by name: what their rows have, and what may be meant.
// Collections of a program are not looked at again.
Status CheckRunFields(const Run& run);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_READ_RUN_FIELDS_H_
