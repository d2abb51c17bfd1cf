// The names of the fields that rows have.
#ifndef TWINSET_SRC_STAGES_READ_FIELD_NAMES_H_
#define TWINSET_SRC_STAGES_READ_FIELD_NAMES_H_

#include <string>
#include <vector>

#include "read/reader.h"

namespace twinset {

// The field names of the first rows of an input, each once: paths into JSON, or
// columns. Empty if the input has no rows or cannot be read. For messages: it
// opens the file again.
std::vector<std::string> FieldNamesOf(const InputFile& input,
                                      const ReadOptions& options);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_FIELD_NAMES_H_
