// The blocks of a shard while it is read.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_READ_DEALT_LOG_H_
#define TWINSET_SRC_DEDUP_PIPELINE_READ_DEALT_LOG_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "pipeline/read/dealt_block.h"
#include "pipeline/run/run.h"
#include "store/blob_file.h"
#include "twinset/error.h"
#include "twinset/json.h"

namespace twinset {

// A work file that goes on where `mark` says, count and data_bytes of its
// BlobMark, as a journal has them.
inline Result<BlobWriter> ResumeBlob(const Run& run, const std::string& name,
                                     const Json& mark) {
  return BlobWriter::Resume(run.Path(name), run.HashOf(name),
                            {mark[0].get<uint64_t>(), mark[1].get<uint64_t>()});
}

// Writes kDealtFile. Not thread-safe.
class DealtLog {
 public:
  // A new one, or the one that Keep noted down in `state`; kCorrupt when that
  // is not what it wrote.
  static Result<DealtLog> Create(const Run& run);
  static Result<DealtLog> Resume(const Run& run, const Json& state);

  // Unless a block is open, begins one at a record of a source.
  void Begin(uint32_t source, uint64_t record);
  void AddCapture() { ++block_->captures; }
  // Ends the block, of which so much was counted; `counts` begin anew, but for
  // source_documents. `failure`: the input broke off.
  Status End(const std::optional<Error>& failure, ReadCounts* counts);

  // Counts of the blocks that have ended.
  const ReadCounts& total() const { return total_; }

  Status Keep(Json* state);
  Status Finish() { return blobs_.Finish(); }

 private:
  explicit DealtLog(BlobWriter blobs) : blobs_(std::move(blobs)) {}

  BlobWriter blobs_;
  ReadCounts total_;
  std::optional<DealtBlock> block_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_READ_DEALT_LOG_H_
