// What an index does with its files at long intervals: runs made again from the
// log, texts taken out, copies, checks.
#include <algorithm>
#include <functional>
#include <utility>

#include "live/index_store.h"
#include "pipeline/run/run_key.h"
#include "store/file_identity.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

constexpr size_t kMostFindings = 20;

// Calls `each` with every record of a sealed log.
Status ForEachRecord(const std::string& path, uint64_t parameters_hash,
                     uint64_t first,
                     const std::function<Status(uint64_t, std::string_view,
                                                IndexRecord*)>& each) {
  TWINSET_ASSIGN(BlobReader blob, BlobReader::Open(path, parameters_hash));
  std::string_view bytes;
  for (uint64_t entry = first;; ++entry) {
    TWINSET_ASSIGN(const bool more, blob.Next(&bytes));
    if (!more) return {};
    TWINSET_ASSIGN(IndexRecord record, DecodeIndexRecord(bytes, entry));
    TWINSET_TRY(each(entry, bytes, &record));
  }
}

}  // namespace

Status IndexStore::PostAgain(uint64_t entry, const IndexRecord& record,
                             MemoryTable* table) const {
  std::vector<uint64_t> keys;
  if (record.type == RecordType::kDocument && record.of_class == entry) {
    TWINSET_ASSIGN(const std::string text, ReadText(record));
    TWINSET_ASSIGN(keys, features_->KeysOf(text));
  }
  PostRecord(record, entry, keys, table);
  return {};
}

// Classes whose first document has no text any more are found by the text that
// stands for them now.
Status IndexStore::PostStubs(const std::vector<uint64_t>& stubs,
                             MemoryTable* table) const {
  StoredRecord stub, newest, with_text;
  for (const uint64_t entry : stubs) {
    TWINSET_ASSIGN(const uint64_t last,
                   FindLast(IndexKey::OfNumber(IndexKey::kClass, entry)));
    if (last == kNoEntry) continue;
    TWINSET_TRY(Read(last, &newest));
    if (newest.record.state.documents == 0) continue;
    TWINSET_TRY(Read(entry, &stub));
    TWINSET_TRY(Read(newest.record.state.text, &with_text));
    TWINSET_ASSIGN(const std::string text, ReadText(with_text.record));
    TWINSET_ASSIGN(const auto keys, features_->KeysOf(text));
    const uint64_t value = ClassValue::Of(entry, stub.record.is_kept(entry));
    for (const uint64_t key : keys) table->Add(key, value);
  }
  return {};
}

Status IndexStore::RebuildRun(IndexRange* range) {
  const uint64_t most = table_memory_.bytes() / MemoryTable::kBytesAPosting;
  std::vector<uint64_t> parts, stubs;
  MemoryTable table;
  const auto write = [&]() -> Status {
    parts.push_back(NewFile());
    TWINSET_TRY(WriteTable(table, IndexRunPath(folder_, parts.back())));
    table = MemoryTable();
    return {};
  };
  StoredRecord stored;
  for (uint64_t entry = range->begin; entry < range->end; ++entry) {
    TWINSET_TRY(Read(entry, &stored));
    TWINSET_TRY(PostAgain(entry, stored.record, &table));
    if (stored.record.type == RecordType::kRemoved &&
        stored.record.of_class == entry)
      stubs.push_back(entry);
    if (table.count() >= most) TWINSET_TRY(write());
  }
  TWINSET_TRY(write());
  const auto merge = [&]() -> Result<uint64_t> {
    std::vector<std::unique_ptr<PostingRun>> runs;
    std::vector<const PostingRun*> of;
    for (const uint64_t part : parts) {
      TWINSET_ASSIGN(auto run, PostingRun::Open(IndexRunPath(folder_, part),
                                                parameters_hash_, &budget_));
      of.push_back(run.get());
      runs.push_back(std::move(run));
    }
    const uint64_t file = NewFile();
    TWINSET_TRY(MergeRuns(of, IndexRunPath(folder_, file), parameters_hash_));
    for (const uint64_t part : parts)
      TWINSET_TRY(RemoveFile(IndexRunPath(folder_, part)));
    return file;
  };
  TWINSET_ASSIGN(range->file, merge());
  if (stubs.empty()) return {};
  // What this run says of classes counts too, where no later one does.
  const auto place = std::find_if(
      runs_.begin(), runs_.end(),
      [&](const Run& run) { return run.range.begin == range->begin; });
  TWINSET_ASSIGN(*place, OpenRun(*range));
  TWINSET_TRY(PostStubs(stubs, &table));
  parts = {range->file};
  TWINSET_TRY(write());
  TWINSET_ASSIGN(range->file, merge());
  return {};
}

Result<std::vector<bool>> IndexStore::RemovedEntries() const {
  std::vector<bool> removed(entries());
  for (const Log& log : logs_) {
    TWINSET_TRY(ForEachRecord(
        IndexLogPath(folder_, log.range.file), parameters_hash_,
        log.range.begin,
        [&](uint64_t, std::string_view, IndexRecord* record) -> Status {
          for (const uint64_t entry : record->removed) removed[entry] = true;
          return {};
        }));
  }
  return removed;
}

Result<std::vector<bool>> IndexStore::DeadClasses() const {
  std::vector<bool> dead(entries());
  for (const Log& log : logs_) {
    TWINSET_TRY(ForEachRecord(
        IndexLogPath(folder_, log.range.file), parameters_hash_,
        log.range.begin,
        [&](uint64_t, std::string_view, IndexRecord* record) -> Status {
          if (record->is_of_class())
            dead[record->of_class] = record->state.documents == 0;
          return {};
        }));
  }
  return dead;
}

bool IndexStore::IsGoneDeclared(uint64_t entry,
                                const IndexRecord& record) const {
  return record.type == RecordType::kDeclared && !IsDeclared(entry, record);
}

Status IndexStore::RewriteLog(const IndexRange& from,
                              const std::vector<bool>& removed,
                              IndexRange* to) {
  *to = {NewFile(), from.begin, from.end};
  TWINSET_ASSIGN(
      BlobWriter writer,
      BlobWriter::Create(IndexLogPath(folder_, to->file), parameters_hash_));
  std::string stub;
  TWINSET_TRY(ForEachRecord(
      IndexLogPath(folder_, from.file), parameters_hash_, from.begin,
      [&](uint64_t entry, std::string_view bytes,
          IndexRecord* record) -> Status {
        const bool is_declared = IsGoneDeclared(entry, *record);
        if (!is_declared &&
            (!removed[entry] || record->type != RecordType::kDocument))
          return writer.Append(bytes);
        if (!is_declared) record->type = RecordType::kRemoved;
        record->id.clear();
        record->url.clear();
        record->date.clear();
        record->digest.clear();
        record->payload_hash = {};
        record->text_bytes = 0;
        record->packed = {};
        stub.clear();
        EncodeIndexRecord(*record, entry, &stub);
        return writer.Append(stub);
      }));
  return writer.Finish();
}

Status IndexStore::Compact() {
  TWINSET_TRY(Seal());
  if (log_->count() > 0) TWINSET_TRY(RollLog());
  TWINSET_TRY(WriteManifest());
  const Reservation bitmap = budget_.ReserveUpTo(entries() / 8, entries() / 8);
  TWINSET_ASSIGN(const std::vector<bool> removed, RemovedEntries());
  std::vector<std::string> old;
  for (Log& log : logs_) {
    const IndexRange range = log.range;
    bool has_texts = false;
    TWINSET_TRY(ForEachRecord(
        IndexLogPath(folder_, range.file), parameters_hash_, range.begin,
        [&](uint64_t entry, std::string_view, IndexRecord* record) -> Status {
          has_texts |=
              (removed[entry] && record->type == RecordType::kDocument) ||
              (IsGoneDeclared(entry, *record) && !record->digest.empty());
          return {};
        }));
    if (!has_texts) continue;
    IndexRange made;
    TWINSET_TRY(RewriteLog(range, removed, &made));
    TWINSET_ASSIGN(log, OpenLog(made));
    old.push_back(IndexLogPath(folder_, range.file));
    old.push_back(old.back() + ".idx");
  }
  TWINSET_ASSIGN(const std::vector<bool> dead, DeadClasses());
  if (!runs_.empty()) {
    const IndexRange range = {NewFile(), 0, runs_.back().range.end};
    std::vector<const PostingRun*> runs;
    for (const Run& run : runs_) {
      runs.push_back(run.postings.get());
      old.push_back(run.postings->path());
    }
    const auto keeps = [&dead](const IndexPosting& posting) {
      return IndexKey::KeepsLast(posting.key) ||
             !dead[ClassValue::Number(posting.value)];
    };
    TWINSET_TRY(MergeRuns(runs, IndexRunPath(folder_, range.file),
                          parameters_hash_, keeps));
    TWINSET_ASSIGN(Run merged, OpenRun(range));
    runs_.clear();
    runs_.push_back(std::move(merged));
  }
  TWINSET_TRY(WriteManifest());
  for (const std::string& path : old) TWINSET_TRY(RemoveFile(path));
  return {};
}

Status IndexStore::Snapshot(const std::string& folder) {
  TWINSET_TRY(Seal());
  if (log_->count() > 0) {
    TWINSET_TRY(RollLog());
    TWINSET_TRY(WriteManifest());
  }
  return PlaceFiles(folder);
}

Status IndexStore::CopyTo(const std::string& folder) const {
  if (log_->count() == 0) return PlaceFiles(folder);
  return Fail(ErrorCode::kUsage, "documents were added to it since", folder_,
              "twinset index snapshot makes a copy of such an index");
}

// It must have no entries in the log that grows.
Status IndexStore::PlaceFiles(const std::string& folder) const {
  const auto place = [&](const std::string& path) {
    const size_t slash = path.rfind('/');
    return PlaceFile(path, folder + path.substr(slash));
  };
  for (const Log& log : logs_) {
    const std::string path = IndexLogPath(folder_, log.range.file);
    TWINSET_TRY(place(path));
    TWINSET_TRY(place(path + ".idx"));
  }
  for (const Run& run : runs_) TWINSET_TRY(place(run.postings->path()));
  TWINSET_ASSIGN(const HashKey key, LoadKey(folder_, "index"));
  TWINSET_TRY(StoreKey(folder, key));
  TWINSET_TRY(
      LogWriter::Create(IndexLogPath(folder, manifest_.log), parameters_hash_));
  TWINSET_TRY(SyncDirectory(folder));
  IndexManifest copy = manifest_;
  copy.log_bytes = 0;
  return copy.Write(folder);
}

Status IndexStore::VerifyPostings(std::vector<std::string>* findings) const {
  StoredRecord stored, newest;
  IndexCounts counts;
  const uint64_t limit =
      std::max<uint64_t>(features_->options().method.bucket_limit, 4096);
  const auto find = [&](const std::string& what) {
    if (findings->size() < kMostFindings) findings->push_back(what);
  };
  std::vector<uint64_t> values;
  for (uint64_t entry = 0; entry < entries(); ++entry) {
    if (const Status read = Read(entry, &stored); !read) {
      find(read.error().ToString());
      continue;
    }
    const IndexRecord& record = stored.record;
    if (record.type == RecordType::kTag) continue;
    if (record.type == RecordType::kUndeclared)
      counts.declared[record.tag] = {0, entry};
    if (record.type == RecordType::kDeclared) {
      ++counts.declared[record.tag].captures;
      TWINSET_ASSIGN(
          const uint64_t of_digest,
          FindLast(IndexKey::OfHash(IndexKey::kDeclared, record.digest_hash)));
      if (of_digest == kNoEntry || of_digest < entry)
        find("capture " + Printable(record.url) +
             " is not found by its digest");
    }
    if (!record.is_of_class()) continue;
    if (!record.is_document()) {
      counts.documents -= record.removed.size();
      counts.kept -= record.removed_kept;
      counts.empty -= record.removed_empty;
      continue;
    }
    ++counts.documents;
    counts.arrivals = std::max(counts.arrivals, record.arrival + 1);
    counts.kept += record.is_kept(entry);
    counts.empty += record.features == 0;
    if (record.type == RecordType::kRemoved) continue;
    const std::string name = "document " + Printable(record.Name());
    TWINSET_ASSIGN(const uint64_t of_id,
                   FindLast(IndexKey::OfHash(IndexKey::kId, record.id_hash)));
    if (of_id == kNoEntry || of_id < entry)
      find(name + " is not found by its id");
    if (record.has_id) {
      TWINSET_ASSIGN(
          const uint64_t of_content,
          FindLast(IndexKey::OfHash(IndexKey::kContent, record.content_hash)));
      if (of_content == kNoEntry || of_content < entry)
        find(name + " is not found by its content");
    }
    for (const auto& [kind, hash] :
         {std::pair(IndexKey::kUrl, record.url_hash),
          std::pair(IndexKey::kDigest, record.digest_hash)}) {
      if (hash == 0) continue;
      TWINSET_ASSIGN(const uint64_t of_hash,
                     FindLast(IndexKey::OfHash(kind, hash)));
      if (of_hash == kNoEntry || of_hash < entry)
        find(name + " is not found by its " +
             (kind == IndexKey::kUrl ? "address" : "digest"));
    }
    const auto text = ReadText(record);
    if (!text) {
      find(name + ": " + text.error().ToString());
      continue;
    }
    TWINSET_ASSIGN(
        const uint64_t last,
        FindLast(IndexKey::OfNumber(IndexKey::kClass, record.of_class)));
    if (last != kNoEntry) {
      TWINSET_TRY(Read(last, &newest));
      if (newest.record.state.documents == 0) continue;
    } else if (record.of_class != entry) {
      find(name + " is not found by its class");
    }
    TWINSET_ASSIGN(const auto keys, features_->KeysOf(*text));
    for (const uint64_t key : keys) {
      values.clear();
      TWINSET_TRY(Find(key, limit, &values));
      const bool has =
          std::any_of(values.begin(), values.end(), [&](uint64_t value) {
            return ClassValue::Number(value) == record.of_class;
          });
      if (has || values.size() >= limit) continue;
      find(name + " is not found by its features");
      break;
    }
  }
  if (counts != counts_) find("the counts are not those of the documents");
  return {};
}

Result<std::vector<std::string>> IndexStore::Verify(bool repair) {
  std::vector<std::string> findings;
  bool has_bad_runs = false;
  for (Run& run : runs_) {
    IndexPosting before;
    bool is_sorted = true;
    const Status read =
        run.postings->ForEach([&](const IndexPosting& posting) -> Status {
          is_sorted &= !(posting < before);
          before = posting;
          return {};
        });
    Status filters = run.postings->CheckFilters();
    if (read && filters && is_sorted) continue;
    findings.push_back(!read      ? read.error().ToString()
                       : !filters ? filters.error().ToString()
                                  : run.postings->path() +
                                        ": the postings are not in order");
    has_bad_runs = true;
    if (!repair) continue;
    const std::string path = run.postings->path();
    IndexRange range = run.range;
    run.postings = nullptr;
    TWINSET_TRY(RebuildRun(&range));
    TWINSET_ASSIGN(run, OpenRun(range));
    TWINSET_TRY(WriteManifest());
    TWINSET_TRY(RemoveFile(path));
    findings.back() += " (made again from the log)";
  }
  if (!has_bad_runs || repair) TWINSET_TRY(VerifyPostings(&findings));
  return findings;
}

}  // namespace twinset
