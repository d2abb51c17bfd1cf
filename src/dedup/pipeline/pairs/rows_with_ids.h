// Result rows that name documents by number until they are written.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_PAIRS_ROWS_WITH_IDS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_PAIRS_ROWS_WITH_IDS_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "pipeline/run/run.h"
#include "read/input_list.h"
#include "report/row_writer.h"
#include "store/blob_file.h"
#include "twinset/error.h"

namespace twinset {

// The name of a source, shared by its rows: they are in input order.
using SharedSource = std::shared_ptr<const std::string>;
class SharedSources {
 public:
  const SharedSource& Of(const InputList& inputs, size_t source) {
    if (name_ == nullptr || source != at_) {
      name_ = std::make_shared<const std::string>(inputs[source].source);
      at_ = source;
    }
    return name_;
  }

 private:
  size_t at_ = 0;
  SharedSource name_;
};

// Rows in order, written by all threads once the ids of the documents they name
// are in memory. Row has a member `std::array<uint64_t, N> names() const`, the
// numbers of these documents. `format` writes a row and ends it; it is called
// by many threads.
template <typename Row>
class RowsWithIds {
 public:
  RowsWithIds(
      Run* run, const BlobReader* ids, RowWriter* file,
      std::function<void(const Row&, const BlobBatch&, RowText*)> format)
      : run_(run),
        ids_(ids, run->Share(8), &run->budget),
        memory_(run->budget.ReserveUpTo(
            std::min(kMostRows * kRowBytes, run->Share(16)),
            kFewRows * kRowBytes)),
        file_(file),
        format_(std::move(format)) {}

  Status Add(const Row& row) {
    if (rows_.size() >= memory_.bytes() / kRowBytes) {
      TWINSET_TRY(Flush());
      // Where rows are many, all ids cost less than each for itself.
      if (!std::exchange(is_many_, true)) {
        ids_.Clear();
        TWINSET_TRY(ids_.LoadAll(run_->plan.machine.threads));
      }
    }
    TWINSET_ASSIGN(bool fits, Request(row));
    if (!fits) {
      TWINSET_TRY(Flush());
      ids_.Clear();
      TWINSET_ASSIGN(fits, Request(row));
      if (!fits)
        return Fail(ErrorCode::kMemory, "too little memory for two ids", "",
                    "raise --memory");
    }
    rows_.push_back(row);
    return {};
  }

  Status Flush() {
    TWINSET_TRY(ids_.Load(run_->plan.machine.threads));
    TWINSET_TRY(file_->WriteRows(
        rows_.size(), run_->plan.machine.threads, &run_->budget,
        [&](size_t i, RowText* to) { format_(rows_[i], ids_, to); }));
    rows_.clear();
    return {};
  }

 private:
  static constexpr uint64_t kMostRows = 1 << 16;
  static constexpr uint64_t kFewRows = 1 << 8;
  // Twice: a vector that grows. Rows with texts are taken to be long.
  static constexpr uint64_t kRowBytes =
      2 * sizeof(Row) + (std::is_trivially_copyable_v<Row> ? 0 : 512);

  Result<bool> Request(const Row& row) {
    for (const uint64_t document : row.names()) {
      TWINSET_ASSIGN(const bool fits, ids_.Request(document));
      if (!fits) return false;
    }
    return true;
  }

  Run* run_;
  BlobBatch ids_;
  Reservation memory_;  // for rows_
  RowWriter* file_;
  std::function<void(const Row&, const BlobBatch&, RowText*)> format_;
  std::vector<Row> rows_;
  bool is_many_ = false;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_PAIRS_ROWS_WITH_IDS_H_
