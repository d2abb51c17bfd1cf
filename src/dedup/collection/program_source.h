// Documents that a program prints.
#ifndef TWINSET_SRC_DEDUP_COLLECTION_PROGRAM_SOURCE_H_
#define TWINSET_SRC_DEDUP_COLLECTION_PROGRAM_SOURCE_H_

#include <memory>
#include <string>
#include <vector>

#include "read/reader.h"
#include "twinset/collection.h"

namespace twinset {

// Starts `command`, found as a shell finds it, with standard input from
// /dev/null and the standard error of this program, and reads its standard
// output under `read`. kUsage for an empty command, kIo when it cannot be
// started.
Result<std::unique_ptr<Source>> StartProgram(
    const std::vector<std::string>& command, const ReadOptions& read);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_COLLECTION_PROGRAM_SOURCE_H_
