#include "live/index_store.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "base/hash.h"
#include "base/parallel.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

constexpr char kLockFile[] = "writer.lock";
// A log is sealed at the next run when it has so many bytes or entries.
constexpr uint64_t kLogBytes = 256 << 20, kLogEntries = 1 << 18;
constexpr size_t kReplayBatch = 512;
constexpr uint64_t kLeastTable = 1 << 12, kMostTable = 1 << 20;
constexpr size_t kRunsAMerge = 4;
// More entries than these are not left to the one who opens the index next.
constexpr uint64_t kMostReplayed = 4096;

uint64_t TablePostings(const IndexStoreOptions& options) {
  if (options.table_postings > 0) return options.table_postings;
  return std::clamp(options.memory_bytes / 4 / MemoryTable::kBytesAPosting,
                    kLeastTable, kMostTable);
}

// Changes with the parameters and with each index, so that no file of another
// one is taken for one of this.
uint64_t ParametersHash(const IndexManifest& manifest) {
  return Hash64(manifest.parameters.dump());
}

}  // namespace

void PostRecord(const IndexRecord& record, uint64_t entry,
                std::span<const uint64_t> keys, MemoryTable* table) {
  if (record.type == RecordType::kDeclared)
    table->Add(IndexKey::OfHash(IndexKey::kDeclared, record.digest_hash),
               entry);
  if (!record.is_of_class()) return;
  if (record.of_class != entry) {
    table->Add(IndexKey::OfNumber(IndexKey::kClass, record.of_class), entry);
  } else {
    const uint64_t value = ClassValue::Of(entry, record.is_kept(entry));
    for (const uint64_t key : keys) table->Add(key, value);
  }
  if (!record.is_document()) return;
  table->Add(IndexKey::OfHash(IndexKey::kId, record.id_hash), entry);
  if (record.has_id)
    table->Add(IndexKey::OfHash(IndexKey::kContent, record.content_hash),
               entry);
  if (!record.is_kept(entry))
    table->Add(IndexKey::OfNumber(IndexKey::kDropped, record.kept_for), entry);
  if (record.url_hash != 0)
    table->Add(IndexKey::OfHash(IndexKey::kUrl, record.url_hash), entry);
  if (record.digest_hash != 0)
    table->Add(IndexKey::OfHash(IndexKey::kDigest, record.digest_hash), entry);
}

IndexStore::IndexStore(std::string folder, IndexManifest manifest,
                       const IndexFeatures* features,
                       const IndexStoreOptions& options)
    : folder_(std::move(folder)),
      manifest_(std::move(manifest)),
      features_(features),
      options_(options),
      parameters_hash_(ParametersHash(manifest_)),
      budget_(options.memory_bytes) {}

Status IndexStore::Create(const std::string& folder, const Json& parameters) {
  IndexManifest manifest;
  manifest.parameters = parameters;
  manifest.log = manifest.next_file++;
  TWINSET_TRY(LogWriter::Create(IndexLogPath(folder, manifest.log),
                                ParametersHash(manifest)));
  return manifest.Write(folder);
}

Result<std::unique_ptr<IndexStore>> IndexStore::Open(
    const std::string& folder, IndexManifest manifest,
    const IndexFeatures* features, const IndexStoreOptions& options) {
  std::unique_ptr<IndexStore> store(
      new IndexStore(folder, std::move(manifest), features, options));
  const uint64_t table = TablePostings(options) * MemoryTable::kBytesAPosting;
  store->table_memory_ = store->budget_.ReserveUpTo(table, table);
  TWINSET_TRY(store->TakeLock());
  TWINSET_TRY(store->OpenLogs());
  TWINSET_TRY(store->OpenRuns());
  TWINSET_TRY(store->Replay());
  if (!options.read_only) store->RemoveStrays();
  return store;
}

Status IndexStore::TakeLock() {
  if (options_.read_only) return {};
  TWINSET_ASSIGN(lock_, File::OpenToLock(folder_ + "/" + kLockFile));
  TWINSET_ASSIGN(const bool is_mine, lock_.Lock());
  if (!is_mine) {
    return Fail(ErrorCode::kIo, "another process is writing to the index",
                folder_,
                "wait for its end; any number may read meanwhile, and many "
                "may write by one twinset serve");
  }
  // Whoever wrote until now may have replaced it.
  TWINSET_ASSIGN(IndexManifest now, IndexManifest::Read(folder_));
  manifest_ = std::move(now);
  return {};
}

Result<IndexStore::Log> IndexStore::OpenLog(const IndexRange& range) const {
  const std::string path = IndexLogPath(folder_, range.file);
  TWINSET_ASSIGN(BlobReader blob, BlobReader::Open(path, parameters_hash_));
  if (blob.count() == range.end - range.begin)
    return Log{range, std::move(blob)};
  return Fail(ErrorCode::kCorrupt, "the log has another number of entries",
              path, "bring the index back from a snapshot");
}

Status IndexStore::OpenLogs() {
  for (const IndexRange& range : manifest_.logs) {
    TWINSET_ASSIGN(Log log, OpenLog(range));
    logs_.push_back(std::move(log));
  }
  return {};
}

Result<IndexStore::Run> IndexStore::OpenRun(const IndexRange& range) {
  TWINSET_ASSIGN(auto run, PostingRun::Open(IndexRunPath(folder_, range.file),
                                            parameters_hash_, &budget_));
  return Run{range, std::move(run)};
}

Status IndexStore::OpenRuns() {
  std::vector<size_t> damaged;
  for (size_t i = 0; i < manifest_.runs.size(); ++i) {
    auto run = OpenRun(manifest_.runs[i]);
    if (run) {
      runs_.push_back(std::move(*run));
      continue;
    }
    const bool is_there =
        FileExists(IndexRunPath(folder_, manifest_.runs[i].file));
    const bool can_repair =
        !options_.read_only &&
        (run.error().code == ErrorCode::kCorrupt || !is_there);
    if (!can_repair) {
      run.error().remedy = "make it again: twinset index verify --repair";
      return tl::unexpected(run.error());
    }
    repairs_.push_back("a run of postings was made again from the log: " +
                       run.error().ToString());
    damaged.push_back(i);
    runs_.push_back({manifest_.runs[i], nullptr});
  }
  if (damaged.empty()) return {};
  // The entries of the log that grows are read for this too.
  std::vector<uint64_t> ends;
  const std::string path = IndexLogPath(folder_, manifest_.log);
  TWINSET_TRY(ReadLog(
      path, parameters_hash_, manifest_.log_bytes,
      [](uint64_t, std::string_view) { return Status(); }, &ends));
  TWINSET_ASSIGN(log_, LogWriter::View(path, std::move(ends)));
  log_begin_ = manifest_.sealed();
  for (const size_t i : damaged) {
    TWINSET_TRY(RebuildRun(&runs_[i].range));
    TWINSET_ASSIGN(runs_[i], OpenRun(runs_[i].range));
    manifest_.runs[i] = runs_[i].range;
  }
  return WriteManifest();
}

Status IndexStore::Replay() {
  log_begin_ = manifest_.sealed();
  counts_ = manifest_.counts;
  tags_ = manifest_.tags;
  const std::string path = IndexLogPath(folder_, manifest_.log);
  std::vector<StoredRecord> batch;
  uint64_t next = manifest_.covered();
  // A replacement is applied whole, or not at all.
  std::vector<StoredRecord> held;
  const auto flush = [&]() -> Status {
    const size_t tail = VoidTail(batch, next);
    held.assign(
        std::make_move_iterator(batch.end() - static_cast<ptrdiff_t>(tail)),
        std::make_move_iterator(batch.end()));
    batch.resize(batch.size() - tail);
    TWINSET_TRY(ApplyBatch(&batch, next));
    next += batch.size();
    batch = std::exchange(held, {});
    return {};
  };
  std::vector<uint64_t> ends;
  TWINSET_ASSIGN(const LogTail tail,
                 ReadLog(
                     path, parameters_hash_, manifest_.log_bytes,
                     [&](uint64_t number, std::string_view bytes) -> Status {
                       if (log_begin_ + number < manifest_.covered()) return {};
                       batch.emplace_back().bytes = bytes;
                       return batch.size() < kReplayBatch ? Status() : flush();
                     },
                     &ends));
  TWINSET_TRY(flush());
  ends.resize(ends.size() - batch.size());
  if (log_begin_ + tail.frames < manifest_.covered()) {
    return Fail(ErrorCode::kCorrupt, "the log ends before the runs of postings",
                path, "bring the index back from a snapshot");
  }
  if (options_.read_only) {
    TWINSET_ASSIGN(log_, LogWriter::View(path, std::move(ends)));
    return {};
  }
  if (!batch.empty())
    repairs_.push_back(
        "a document that was being replaced when the program ended stays as "
        "it was");
  if (tail.torn_bytes > 0) {
    repairs_.push_back(
        CountText(tail.torn_bytes, "byte") +
        std::string(WordFor(tail.torn_bytes, " was", " were")) +
        " taken away behind the last record that is whole: what was being "
        "written when the program ended, or damaged since");
  }
  TWINSET_ASSIGN(log_,
                 LogWriter::Continue(path, parameters_hash_, std::move(ends)));
  return log_->Sync();
}

size_t IndexStore::VoidTail(const std::vector<StoredRecord>& batch,
                            uint64_t first) {
  size_t tail = 0;
  while (tail < batch.size()) {
    const size_t at = batch.size() - tail - 1;
    const auto record = DecodeIndexRecord(batch[at].bytes, first + at);
    if (!record || !record->is_replacement) break;
    ++tail;
  }
  return tail;
}

// Makes the keys in parallel and adds the postings in order.
Status IndexStore::ApplyBatch(std::vector<StoredRecord>* batch,
                              uint64_t first) {
  std::vector<std::vector<uint64_t>> keys(batch->size());
  std::vector<Status> made(batch->size());
  ParallelFor(batch->size(), 16, options_.threads,
              [&](size_t begin, size_t end) {
                for (size_t i = begin; i < end; ++i) {
                  made[i] = [&]() -> Status {
                    StoredRecord& stored = (*batch)[i];
                    TWINSET_ASSIGN(stored.record,
                                   DecodeIndexRecord(stored.bytes, first + i));
                    const IndexRecord& record = stored.record;
                    if (!record.is_document() || record.of_class != first + i)
                      return {};
                    TWINSET_ASSIGN(const std::string text, ReadText(record));
                    TWINSET_ASSIGN(keys[i], features_->KeysOf(text));
                    return {};
                  }();
                }
              });
  for (size_t i = 0; i < batch->size(); ++i) {
    TWINSET_TRY(made[i]);
    PostRecord((*batch)[i].record, first + i, keys[i], &table_);
    Count((*batch)[i].record, first + i);
  }
  return {};
}

void IndexStore::Count(const IndexRecord& record, uint64_t entry) {
  if (record.type == RecordType::kTag) {
    tags_.push_back(record.id);
  } else if (record.is_document()) {
    ++counts_.documents;
    counts_.arrivals = std::max(counts_.arrivals, record.arrival + 1);
    counts_.kept += record.is_kept(entry);
    counts_.empty += record.features == 0;
  } else if (record.type == RecordType::kDeclared) {
    ++counts_.declared[record.tag].captures;
  } else if (record.type == RecordType::kUndeclared) {
    counts_.declared[record.tag] = {0, entry};
  } else {
    counts_.documents -= record.removed.size();
    counts_.kept -= record.removed_kept;
    counts_.empty -= record.removed_empty;
  }
}

// Files that no manifest names are of something that did not come to its end.
void IndexStore::RemoveStrays() {
  std::set<uint64_t> named = {manifest_.log};
  for (const auto& log : manifest_.logs) named.insert(log.file);
  for (const auto& run : manifest_.runs) named.insert(run.file);
  std::error_code error;
  for (const auto& entry :
       std::filesystem::directory_iterator(folder_, error)) {
    const uint64_t file = IndexFileOfName(entry.path().filename().string());
    if (file != 0 && !named.contains(file))
      (void)RemoveFile(entry.path().string());
  }
}

Result<uint32_t> IndexStore::FindTag(const std::string& tag) const {
  const auto at = std::find(tags_.begin(), tags_.end(), tag);
  if (at != tags_.end()) return static_cast<uint32_t>(at - tags_.begin()) + 1;
  return Fail(ErrorCode::kNotFound,
              "no document has the tag '" + Printable(tag) + "'", folder_,
              "twinset index stats lists the tags");
}

Status IndexStore::Read(uint64_t entry, StoredRecord* stored) const {
  if (entry >= entries()) {
    return Fail(ErrorCode::kCorrupt,
                "entry " + std::to_string(entry) + " of " +
                    std::to_string(entries()) + " was asked for",
                folder_, "look at it: twinset index verify");
  }
  if (entry >= log_begin_) {
    TWINSET_TRY(log_->ReadOne(entry - log_begin_, &stored->bytes));
  } else {
    const auto log = std::upper_bound(
        logs_.begin(), logs_.end(), entry,
        [](uint64_t number, const Log& of) { return number < of.range.end; });
    TWINSET_TRY(log->blob.ReadOne(entry - log->range.begin, &stored->bytes));
  }
  TWINSET_ASSIGN(stored->record, DecodeIndexRecord(stored->bytes, entry));
  return {};
}

Status IndexStore::Find(uint64_t key, size_t most,
                        std::vector<uint64_t>* values) const {
  for (const Run& run : runs_) {
    if (run.postings != nullptr)
      TWINSET_TRY(run.postings->Find(key, most, values));
  }
  table_.Find(key, most, values);
  return {};
}

Status IndexStore::FindEach(
    std::span<const uint64_t> keys, size_t most,
    const std::function<void(const std::vector<uint64_t>&)>& each) const {
  constexpr size_t kAtOnce = PostingRun::kScreened;
  thread_local std::vector<uint64_t> values, may_have;  // bits of each run
  for (; !keys.empty(); keys = keys.subspan(std::min(kAtOnce, keys.size()))) {
    const auto some = keys.first(std::min(kAtOnce, keys.size()));
    for (const uint64_t key : some) table_.Prefetch(key);
    may_have.clear();
    for (const Run& run : runs_)
      may_have.push_back(run.postings == nullptr ? 0
                                                 : run.postings->Screen(some));
    for (size_t i = 0; i < some.size(); ++i) {
      values.clear();
      for (size_t run = 0; run < runs_.size(); ++run) {
        if ((may_have[run] >> i & 1) != 0)
          TWINSET_TRY(runs_[run].postings->Find(some[i], most, &values));
      }
      table_.Find(some[i], most, &values);
      each(values);
    }
  }
  return {};
}

Result<uint64_t> IndexStore::FindLast(uint64_t key) const {
  thread_local std::vector<uint64_t> found;
  found.clear();
  table_.Find(key, 1, &found);
  for (size_t i = runs_.size(); i > 0 && found.empty(); --i) {
    if (runs_[i - 1].postings != nullptr)
      TWINSET_TRY(runs_[i - 1].postings->Find(key, 1, &found));
  }
  return found.empty() ? kNoEntry : found[0];
}

Status IndexStore::Append(const IndexRecord& record,
                          std::span<const uint64_t> keys) {
  const uint64_t entry = entries();
  std::string bytes;
  EncodeIndexRecord(record, entry, &bytes);
  log_->Append(bytes);
  PostRecord(record, entry, keys, &table_);
  Count(record, entry);
  return {};
}

Status IndexStore::Flush() {
  TWINSET_TRY(log_->Flush());
  return table_.count() < TablePostings(options_) ? Status() : Seal();
}

Status IndexStore::WriteTable(const MemoryTable& table,
                              const std::string& path) const {
  TWINSET_ASSIGN(auto writer, PostingRunWriter::Create(path, parameters_hash_));
  for (const IndexPosting& posting : table.Sorted())
    TWINSET_TRY(writer.Append(posting));
  return writer.Finish();
}

Status IndexStore::WriteManifest() {
  manifest_.logs.clear();
  for (const Log& log : logs_) manifest_.logs.push_back(log.range);
  manifest_.runs.clear();
  for (const Run& run : runs_) manifest_.runs.push_back(run.range);
  // The names of new files first.
  TWINSET_TRY(SyncDirectory(folder_));
  return manifest_.Write(folder_);
}

Status IndexStore::RollLog() {
  const IndexRange range = {manifest_.log, log_begin_, entries()};
  const uint64_t next = NewFile();
  TWINSET_ASSIGN(LogWriter log, LogWriter::Create(IndexLogPath(folder_, next),
                                                  parameters_hash_));
  TWINSET_TRY(log_->Seal());
  TWINSET_ASSIGN(Log sealed, OpenLog(range));
  logs_.push_back(std::move(sealed));
  log_ = std::move(log);
  log_begin_ = range.end;
  manifest_.log = next;
  manifest_.log_bytes = 0;
  return {};
}

Status IndexStore::Seal() {
  const uint64_t end = entries();
  TWINSET_TRY(log_->Flush());
  TWINSET_TRY(log_->Sync());
  if (end > manifest_.covered()) {
    const IndexRange range = {NewFile(), manifest_.covered(), end};
    TWINSET_TRY(WriteTable(table_, IndexRunPath(folder_, range.file)));
    TWINSET_ASSIGN(Run run, OpenRun(range));
    runs_.push_back(std::move(run));
    table_.Clear();
    manifest_.counts = counts_;
    manifest_.tags = tags_;
  }
  manifest_.log_bytes = log_->bytes();
  if (log_->bytes() >= kLogBytes || log_->count() >= kLogEntries)
    TWINSET_TRY(RollLog());
  return WriteManifest();
}

Status IndexStore::Close() {
  if (options_.read_only) return {};
  if (entries() - manifest_.covered() > kMostReplayed) return Seal();
  TWINSET_TRY(log_->Flush());
  if (manifest_.log_bytes == log_->bytes()) return {};
  TWINSET_TRY(log_->Sync());
  manifest_.log_bytes = log_->bytes();
  return WriteManifest();
}

std::optional<IndexStore::Merge> IndexStore::BeginMerge() {
  // The newest runs, as long as each is no larger than those behind it
  // together: so a posting is merged as often as its run can double.
  size_t from = runs_.size();
  uint64_t postings = 0;
  while (from > 0 && (from == runs_.size() ||
                      runs_[from - 1].postings->count() <= postings))
    postings += runs_[--from].postings->count();
  if (runs_.size() - from < kRunsAMerge) return std::nullopt;
  Merge merge;
  merge.range = {NewFile(), runs_[from].range.begin, runs_.back().range.end};
  for (size_t i = from; i < runs_.size(); ++i) {
    merge.runs.push_back(runs_[i].postings);
    merge.files.push_back(runs_[i].range.file);
  }
  return merge;
}

Status IndexStore::RunMerge(const Merge& merge) const {
  std::vector<const PostingRun*> runs;
  for (const auto& run : merge.runs) runs.push_back(run.get());
  return MergeRuns(runs, IndexRunPath(folder_, merge.range.file),
                   parameters_hash_);
}

Status IndexStore::EndMerge(const Merge& merge) {
  size_t first = 0;
  while (first < runs_.size() && runs_[first].range.file != merge.files[0])
    ++first;
  // A compaction made them anew meanwhile.
  if (first + merge.files.size() > runs_.size()) return {};
  TWINSET_ASSIGN(Run merged, OpenRun(merge.range));
  const auto at = runs_.begin() + static_cast<ptrdiff_t>(first);
  *at = std::move(merged);
  runs_.erase(at + 1, at + static_cast<ptrdiff_t>(merge.files.size()));
  TWINSET_TRY(WriteManifest());
  for (const uint64_t file : merge.files)
    TWINSET_TRY(RemoveFile(IndexRunPath(folder_, file)));
  return {};
}

uint64_t IndexStore::FileBytes() const {
  uint64_t bytes = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, error))
    bytes += FileSize(entry.path().string()).value_or(0);
  return bytes;
}

}  // namespace twinset
