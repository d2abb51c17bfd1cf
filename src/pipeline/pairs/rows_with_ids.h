// Result rows that name documents by number until they are written.
#ifndef TWINSET_SRC_PIPELINE_PAIRS_ROWS_WITH_IDS_H_
#define TWINSET_SRC_PIPELINE_PAIRS_ROWS_WITH_IDS_H_

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "pipeline/run/run.h"
#include "store/blob_file.h"
#include "twinset/error.h"

namespace twinset::inline v1 {

// Rows in order, written once the ids of the documents they name have been
// fetched together.
template <typename Row>
class RowsWithIds {
 public:
  RowsWithIds(Run* run, const BlobReader* ids,
              std::function<std::vector<uint64_t>(const Row&)> names,
              std::function<Status(const Row&, const BlobBatch&)> write)
      : run_(run),
        batch_(ids, run->Share(8), &run->budget),
        memory_(run->budget.ReserveUpTo(kMaxRows * kRowBytes, 0)),
        names_(std::move(names)),
        write_(std::move(write)) {}

  Status Add(const Row& row) {
    const auto request = [&]() -> Result<bool> {
      for (const uint64_t document : names_(row)) {
        TWINSET_ASSIGN(const bool fits, batch_.Request(document));
        if (!fits) return false;
      }
      return true;
    };
    TWINSET_ASSIGN(bool fits, request());
    if (!fits || rows_.size() >= kMaxRows) {
      TWINSET_TRY(Flush());
      TWINSET_ASSIGN(fits, request());
      if (!fits)
        return Fail(ErrorCode::kMemory, "too little memory for two ids", "",
                    "raise --memory");
    }
    rows_.push_back(row);
    return {};
  }
  Status Flush() {
    if (rows_.empty()) {
      batch_.Clear();
      return {};
    }
    TWINSET_TRY(batch_.Load(run_->plan.threads));
    for (const Row& row : rows_) TWINSET_TRY(write_(row, batch_));
    rows_.clear();
    batch_.Clear();
    return {};
  }

 private:
  static constexpr size_t kMaxRows = 1 << 13;
  static constexpr size_t kRowBytes = 512;  // with the texts of a long row
  Run* run_;
  BlobBatch batch_;
  Reservation memory_;  // for rows_
  std::function<std::vector<uint64_t>(const Row&)> names_;
  std::function<Status(const Row&, const BlobBatch&)> write_;
  std::vector<Row> rows_;
};

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_PIPELINE_PAIRS_ROWS_WITH_IDS_H_
