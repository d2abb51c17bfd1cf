// A run in parts, each read by a machine of its own: ReadShard makes of some
// records what the first stage of Dedup makes of all, and Merge goes on from
// there, with the result files of one run over all inputs
// (docs/formats/shard.md).
#ifndef TWINSET_SHARDS_H_
#define TWINSET_SHARDS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "twinset/dedup.h"
#include "twinset/error.h"
#include "twinset/options.h"

namespace twinset {
inline namespace v1 {

// Part `number` of `of` parts, counted from 0. of == 0: the whole.
struct Shard {
  uint32_t number = 0, of = 0;
  friend bool operator==(const Shard&, const Shard&) = default;
};

// A merge holds each of them open.
inline constexpr uint32_t kMostShards = 512, kMostParts = 64;

// What became of the records of one shard.
struct ShardSummary : RunSummary {
  Shard shard;
  bool was_there = false;  // it was finished before; nothing was read
};

// Reads the records of one shard and leaves what a merge needs in options.save,
// the manifest shard.json last. `options` are those of the whole run, and all
// its inputs; every shard of a run gets the same, and the same key. Which
// records a shard reads follows from the sizes of the files; it may be none. A
// shard that is finished with these options and inputs is left as it is. With
// options.resume one that was begun goes on, and one that was not begins.
// Errors: kUsage for options that a shard does not have (out, write,
// attributes, report, limit, add), inputs that are no files, and no key;
// otherwise those of Dedup. Memory and threads: as Dedup.
Result<ShardSummary> ReadShard(const DedupOptions& options, const Shard& shard);

// Their options and inputs are those of the run. `input` does not count.
struct MergeOptions : JobOptions {
  // The folders of all shards of a run, in any order, and for Merge those of
  // all parts that were made of these shards, if any were.
  std::vector<std::string> shards;
  std::string save;  // as in SavedRunOptions
  bool resume = false;
  // As in RunOptions.
  double checkpoint_seconds = 20;
  std::function<void(const std::string&)> on_notice;
  double notice_seconds = 600;
};

// Writes the result files that Dedup with the options of the shards writes for
// the inputs, byte for byte, into options.out. Reads no input, unless
// options.report is set, and never writes a shard or a part. With parts it
// looks for no pairs: it takes those that the parts have found. Errors: kUsage
// when a shard is missing, or has other options, inputs or another key than the
// first, when a part is missing or was made of other shards, and for parts with
// options.save; kCorrupt and kUnsupported for one that is damaged or of another
// version; otherwise those of Dedup.
Result<DedupSummary> Merge(const MergeOptions& options);

// What became of one part of a merge.
struct PartSummary : RunSummary {
  Shard part;
  uint64_t compared = 0, accepted = 0;  // pairs
  bool was_there = false;  // it was finished before; nothing was compared
};

// Finds some of the pairs of the shards, those of part.number of part.of, and
// leaves them in options.save, the manifest part.json last, so that a merge is
// no single machine's work. A part that is finished is left as it is; with
// options.resume one that was begun goes on, and one that was not begins.
// Errors: kUsage for a part that is none, and for `out` or `report`; otherwise
// those of Merge.
Result<PartSummary> MergePart(const MergeOptions& options, const Shard& part);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_SHARDS_H_
