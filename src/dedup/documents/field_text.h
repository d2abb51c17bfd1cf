// Documents with further fields of their rows.
#ifndef TWINSET_SRC_DEDUP_DOCUMENTS_FIELD_TEXT_H_
#define TWINSET_SRC_DEDUP_DOCUMENTS_FIELD_TEXT_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "read/input_list.h"
#include "twinset/inspect.h"

namespace twinset {

// Names and values, in asked order; texts as they are, everything else as it is
// written in JSON; empty when the row has no such field.
using FieldValues = std::vector<std::pair<std::string, std::string>>;

// ForEachText, with the fields `names` (dotted paths) of each row.
Status ForEachTextWithFields(
    const InputOptions& input, const FeatureOptions& features,
    const TextDetails& details, const std::vector<std::string>& names,
    const std::function<bool(const DocumentText&, const FieldValues&)>&
        on_document,
    const std::function<void(const RejectedRecord&)>& on_rejected);

// The same over files that are listed already.
Status ForEachListedText(
    const InputList& files, const InputOptions& input,
    const FeatureOptions& features, const TextDetails& details,
    const std::vector<std::string>& names,
    const std::function<bool(const DocumentText&, const FieldValues&)>&
        on_document,
    const std::function<void(const RejectedRecord&)>& on_rejected);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_DOCUMENTS_FIELD_TEXT_H_
