#include "pipeline/read/dealt_log.h"

#include <utility>
#include <vector>

#include "pipeline/read/read_files.h"

namespace twinset {

Result<DealtLog> DealtLog::Create(const Run& run) {
  TWINSET_ASSIGN(auto blobs, CreateBlob(run, kDealtFile));
  return DealtLog(std::move(blobs));
}

Result<DealtLog> DealtLog::Resume(const Run& run, const Json& state) {
  TWINSET_ASSIGN(auto blobs,
                 ResumeBlob(run, kDealtFile, state.at("dealt_mark")));
  DealtLog log(std::move(blobs));
  if (!FieldsFromJson(state.at("total"), 0, &log.total_) ||
      (state.contains("block") &&
       !FieldsFromJson(state.at("block"), 0, &log.block_.emplace())))
    return run.WrongJournal();
  return log;
}

void DealtLog::Begin(uint32_t source, uint64_t record) {
  if (block_) return;
  block_.emplace();
  block_->source = source;
  block_->record = record;
}

Status DealtLog::End(const std::optional<Error>& failure, ReadCounts* counts) {
  DealtBlock block = *std::exchange(block_, {});
  std::vector<uint64_t> documents;
  std::swap(documents, counts->source_documents);
  block.counts = std::exchange(*counts, {});
  std::swap(documents, counts->source_documents);
  if (failure) {
    block.failure = failure->ToString();
    if (failure->code == ErrorCode::kUsage) block.is_misuse = true;
  }
  total_.Add(block.counts, 0, 0);
  if (block.counts.records == 0 && !block.failure) return {};
  return blobs_.Append(EncodeDealtBlock(block));
}

Status DealtLog::Keep(Json* state) {
  TWINSET_ASSIGN(const BlobMark mark, blobs_.Checkpoint());
  (*state)["dealt_mark"] = {mark.count, mark.data_bytes};
  (*state)["total"] = FieldsToJson(total_);
  if (block_) (*state)["block"] = FieldsToJson(*block_);
  return {};
}

}  // namespace twinset
