// The files of an index and the table in memory, as one list of entries and one
// map from keys to them.
#ifndef TWINSET_SRC_INDEX_LIVE_INDEX_STORE_H_
#define TWINSET_SRC_INDEX_LIVE_INDEX_STORE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/memory_budget.h"
#include "live/index_features.h"
#include "segments/index_manifest.h"
#include "segments/index_record.h"
#include "segments/log_writer.h"
#include "segments/memory_table.h"
#include "segments/posting_run.h"
#include "store/blob_file.h"
#include "twinset/error.h"

namespace twinset {

struct IndexStoreOptions {
  bool read_only = false;
  int threads = 1;
  uint64_t memory_bytes = 0;
  uint64_t table_postings = 0;  // before a run is written; 0: from the memory
};

// An entry as it was read.
struct StoredRecord {
  IndexRecord record;
  std::string bytes;  // what `record` points into
};

// Functions that are const may run in any number of threads; any other alone.
// After an error of one that writes, the store must be opened anew: what was
// acknowledged is on the disk.
class IndexStore {
 public:
  // Makes the files of an empty index in `folder`.
  static Status Create(const std::string& folder, const Json& parameters);
  // `features` must outlive the store. kIo when another process writes to it.
  static Result<std::unique_ptr<IndexStore>> Open(
      const std::string& folder, IndexManifest manifest,
      const IndexFeatures* features, const IndexStoreOptions& options);

  uint64_t entries() const { return log_begin_ + log_->count(); }
  const IndexCounts& counts() const { return counts_; }
  const std::vector<std::string>& tags() const { return tags_; }
  bool has_declared() const;
  // Returns true iff a declared capture was not removed.
  bool IsDeclared(uint64_t entry, const IndexRecord& record) const {
    if (record.type != RecordType::kDeclared) return false;
    const auto of_tag = counts_.declared.find(record.tag);
    return of_tag == counts_.declared.end() ||
           entry >= of_tag->second.gone_till;
  }
  // Its number; kNotFound when no document ever had it.
  Result<uint32_t> FindTag(const std::string& tag) const;
  const IndexManifest& manifest() const { return manifest_; }
  const std::string& folder() const { return folder_; }
  uint64_t run_count() const { return runs_.size(); }
  uint64_t FileBytes() const;
  // What was put right when it was opened, in sentences.
  const std::vector<std::string>& repairs() const { return repairs_; }

  Status Read(uint64_t entry, StoredRecord* stored) const;
  Result<std::string> ReadText(const IndexRecord& record) const {
    return UnpackText(record.packed, record.text_bytes);
  }
  // Values of a key of kFeatures, ascending, at most `most`.
  Status Find(uint64_t key, size_t most, std::vector<uint64_t>* values) const;
  // The same of several keys: `each` takes the values of one key after the
  // other.
  Status FindEach(
      std::span<const uint64_t> keys, size_t most,
      const std::function<void(const std::vector<uint64_t>&)>& each) const;
  // The value of any other key; kNoEntry when there is none.
  Result<uint64_t> FindLast(uint64_t key) const;

  // Adds an entry, with the keys of a document that makes a class.
  Status Append(const IndexRecord& record, std::span<const uint64_t> keys);
  // Hands what was appended to the system; writes a run when it is time for it.
  Status Flush();
  std::shared_ptr<File> syncing() const { return log_->syncing(); }
  Status Seal();
  // What is known to be good of the log is noted on the disk.
  Status Close();

  // Merges of runs that go on beside everything else: Begin, Run without any
  // lock, End. None: there is nothing to merge.
  struct Merge {
    std::vector<std::shared_ptr<const PostingRun>> runs;
    IndexRange range;
    std::vector<uint64_t> files;
  };
  std::optional<Merge> BeginMerge();
  Status RunMerge(const Merge& merge) const;
  Status EndMerge(const Merge& merge);

  // Takes the texts of removed documents out of all files.
  Status Compact();
  // Makes a copy of the index in an empty folder.
  Status Snapshot(const std::string& folder);
  // The same of a store that nobody writes to; kUsage for a log that grew since
  // the snapshot was made.
  Status CopyTo(const std::string& folder) const;
  // Reads all; `repair`: makes runs that are damaged again. Returns what is
  // wrong, or was, in sentences.
  Result<std::vector<std::string>> Verify(bool repair);

 private:
  struct Log {
    IndexRange range;
    BlobReader blob;
  };
  struct Run {
    IndexRange range;
    std::shared_ptr<const PostingRun> postings;
  };

  IndexStore(std::string folder, IndexManifest manifest,
             const IndexFeatures* features, const IndexStoreOptions& options);
  Status TakeLock();
  Status OpenLogs();
  Status OpenRuns();
  Status Replay();
  Status ApplyBatch(std::vector<StoredRecord>* batch, uint64_t first);
  void Count(const IndexRecord& record, uint64_t entry);
  // How many entries at the end of the batch are void: removals for the sake of
  // a document that does not stand behind them.
  static size_t VoidTail(const std::vector<StoredRecord>& batch,
                         uint64_t first);
  void RemoveStrays();
  uint64_t NewFile() { return manifest_.next_file++; }
  Result<Log> OpenLog(const IndexRange& range) const;
  Result<Run> OpenRun(const IndexRange& range);
  Status WriteTable(const MemoryTable& table, const std::string& path) const;
  Status WriteManifest();
  Status PlaceFiles(const std::string& folder) const;
  Status RollLog();
  // A new run of entries [begin, end), from the log.
  Status RebuildRun(IndexRange* range);
  Status PostAgain(uint64_t entry, const IndexRecord& record,
                   MemoryTable* table) const;
  Status PostStubs(const std::vector<uint64_t>& stubs,
                   MemoryTable* table) const;
  bool IsGoneDeclared(uint64_t entry, const IndexRecord& record) const;
  Status RewriteLog(const IndexRange& from, const std::vector<bool>& removed,
                    IndexRange* to);
  Result<std::vector<bool>> RemovedEntries() const;
  Result<std::vector<bool>> DeadClasses() const;
  Status VerifyPostings(std::vector<std::string>* findings) const;

  const std::string folder_;
  IndexManifest manifest_;
  const IndexFeatures* const features_;
  const IndexStoreOptions options_;
  const uint64_t parameters_hash_;
  mutable MemoryBudget budget_;
  Reservation table_memory_;
  File lock_;

  std::vector<Log> logs_;  // sealed
  std::vector<Run> runs_;
  std::optional<LogWriter> log_;
  uint64_t log_begin_ = 0;  // the first entry of log_
  MemoryTable table_;       // of the entries behind the last run
  IndexCounts counts_;
  std::vector<std::string> tags_;
  std::vector<std::string> repairs_;
};

// Adds the postings of an entry.
void PostRecord(const IndexRecord& record, uint64_t entry,
                std::span<const uint64_t> keys, MemoryTable* table);

}  // namespace twinset

#endif  // TWINSET_SRC_INDEX_LIVE_INDEX_STORE_H_
