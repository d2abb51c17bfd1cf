// Inputs that are read more than once are the same each time.
#ifndef TWINSET_SRC_DEDUP_DOCUMENTS_WATCHED_INPUTS_H_
#define TWINSET_SRC_DEDUP_DOCUMENTS_WATCHED_INPUTS_H_

#include <vector>

#include "read/reader.h"
#include "twinset/options.h"

namespace twinset {

class WatchedInputs {
 public:
  // Notes how the files are, before the first time.
  static Result<WatchedInputs> Begin(const InputOptions& input) {
    TWINSET_ASSIGN(auto files, ListInputs(input));
    return WatchedInputs(std::move(files));
  }
  // After the last time: kIo when one was written or replaced since.
  Status Check() const {
    for (const InputFile& file : files_) TWINSET_TRY(CheckUnchanged(file));
    return {};
  }

 private:
  explicit WatchedInputs(InputList files) : files_(std::move(files)) {}
  InputList files_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_DOCUMENTS_WATCHED_INPUTS_H_
