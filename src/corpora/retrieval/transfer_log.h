// What became of each judgement, a row each
// (docs/methods/judgement-transfer.md).
#ifndef TWINSET_SRC_CORPORA_RETRIEVAL_TRANSFER_LOG_H_
#define TWINSET_SRC_CORPORA_RETRIEVAL_TRANSFER_LOG_H_

#include <optional>
#include <string>

#include "base/file.h"
#include "retrieval/judgement_transfer.h"

namespace twinset {

class TransferLog {
 public:
  // CSV where the name ends in ".csv", else JSON lines. Without a path nothing
  // is written. `names` must outlive it.
  static Result<TransferLog> Create(const std::string& path,
                                    const StudyNames* names, ConflictRule rule);
  Status Add(const TransferStep& step);
  Status Commit();

 private:
  std::optional<OutputFile> file_;
  const StudyNames* names_ = nullptr;
  ConflictRule rule_ = ConflictRule::kMax;
  bool csv_ = false;
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_RETRIEVAL_TRANSFER_LOG_H_
