// The entries of a patch, made of a run and its inputs.
#ifndef TWINSET_SRC_CORPORA_PATCH_PATCH_ENTRIES_H_
#define TWINSET_SRC_CORPORA_PATCH_PATCH_ENTRIES_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/memory_budget.h"
#include "base/sort_records.h"
#include "documents/pass_progress.h"
#include "documents/text_stage.h"
#include "patch/patch_file.h"
#include "patch/patch_rows.h"
#include "pipeline/run/plan.h"
#include "store/blob_file.h"
#include "store/external_sort.h"
#include "store/scratch_folder.h"

namespace twinset {

// A document in a cluster, by its cluster, the representative first.
struct PatchFact {
  Hash128Value cluster;
  uint64_t is_member = 0, entry = 0;
  Hash128Value stored;  // of its payload as stored; {}: not of an archive
  uint64_t form = 0;    // DigestForm of the digest that its archive declares
  uint64_t is_warc = 0;
  std::array<uint64_t, 4> SortWords() const {
    return {cluster.high, cluster.low, is_member, entry};
  }
};

// What is known of an entry when all inputs are read.
struct PatchLink {
  // kNamed: another entry needs its address. The others are of members of a
  // cluster, and what takes their place.
  enum What : uint64_t { kNamed, kMember, kRevisit, kNear };
  uint64_t entry = 0, target = 0, what = kNamed;
  uint64_t form = 0;  // kRevisit: DigestForm of its digest
  std::array<uint64_t, 3> SortWords() const { return {entry, what, target}; }
};

// Reads a run of `plan` and its inputs once more. In this order: Read, Write.
// Not thread-safe. Memory: a third of the budget for sorts, and one record.
class PatchEntries {
 public:
  // Counts that Read fills in, for the head.
  PatchHead head;
  std::vector<std::string> warnings;

  PatchEntries(const std::string& run, const Plan& plan,
               const ScratchFolder& work, MemoryBudget* budget);

  // kIo when the inputs do not hold the documents of the run.
  Status Read(const std::atomic<bool>* stop, PassProgress* progress);
  Status Write(PatchWriter* writer);

 private:
  ExternalSortOptions SortOptions(const std::string& name) const;
  Status ReadSource(uint32_t source, const std::atomic<bool>* stop,
                    PassProgress* progress);
  Status AddDocument(Record* record, const InputFile& input, bool is_warc);
  Result<bool> IsRefused(const Record& record, const std::string& source);
  Status AddEntry(PatchEntry entry);
  Status Link();
  Status LinkMember(const PatchFact& kept, const PatchFact& member);

  const std::string run_;
  const Plan& plan_;
  const ScratchFolder& work_;
  MemoryBudget* budget_;
  ExternalSorter<PatchFact> facts_;
  ExternalSorter<PatchLink> links_;
  std::optional<TextStage> text_;  // where it refuses documents by choice
  std::optional<BlobWriter> inputs_, entries_;
  std::optional<PlaceReader<ClusteredPlace>> clusters_;
  std::optional<PlaceReader<RefusedPlace>> refused_;
  std::optional<IdList> keep_, drop_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_PATCH_PATCH_ENTRIES_H_
