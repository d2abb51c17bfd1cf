// What a shard leaves of each block of records that it reads: a merge puts the
// blocks of all shards in the order of the inputs (docs/formats/shard.md).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_READ_DEALT_BLOCK_H_
#define TWINSET_SRC_DEDUP_PIPELINE_READ_DEALT_BLOCK_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/field_list.h"
#include "pipeline/run/read_counts.h"
#include "twinset/json.h"

namespace twinset {

// The work file of a shard with a blob for each of its blocks, in order.
inline constexpr char kDealtFile[] = "dealt.blob";

// Records of one input that stand side by side. Its documents, captures and
// quarantined records are the next ones in the other files of the shard.
struct DealtBlock {
  uint64_t source = 0;    // number of the input
  uint64_t record = 0;    // number of its first record, as the reader counts
  ReadCounts counts;      // of the block alone; without source_documents
  uint64_t captures = 0;  // blobs in revisits.blob
  // The input broke off behind the block: why, and if that is misuse, as of a
  // table without the column that was asked for.
  std::optional<std::string> failure;
  std::optional<bool> is_misuse;

  static void Fields(auto& block, auto& field) {
    field("source", block.source);
    field("record", block.record);
    field("counts", block.counts);
    field("captures", block.captures);
    field("failure", block.failure);
    field("is_misuse", block.is_misuse);
  }
};

// What the read stage of a shard says beside its counts: [field, id] when no
// document has a row in the files of --fields, and a notice.
inline constexpr char kUnusedFields[] = "unused_fields", kHint[] = "hint";

inline std::string EncodeDealtBlock(const DealtBlock& block) {
  return FieldsToJson(block).dump();
}
// False when the bytes are no such block.
inline bool DecodeDealtBlock(std::string_view bytes, DealtBlock* block) {
  return FieldsFromJson(Json::Parse(std::string(bytes)), 0, block);
}

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_READ_DEALT_BLOCK_H_
