#include "twinset/index.h"

#include <algorithm>
#include <condition_variable>
#include <ctime>
#include <filesystem>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <utility>

#include "base/bytes.h"
#include "base/machine.h"
#include "base/parallel.h"
#include "base/stop.h"
#include "live/index_features.h"
#include "live/index_reader.h"
#include "live/index_store.h"
#include "live/index_writer.h"
#include "options/resources.h"
#include "pipeline/run/run_key.h"
#include "store/result_folder.h"
#include "twinset/plain_words.h"
#include "twinset/version.h"

namespace twinset {

namespace {

constexpr char kCommand[] = "index";
constexpr uint64_t kMostMemory = uint64_t{1} << 30;
constexpr uint64_t kLeastMemory = 64 << 20;
// So many documents are made ready, then decided, at a time.
constexpr size_t kStepDocuments = 512;
constexpr uint64_t kStepBytes = 32 << 20;
constexpr size_t kRemovedAtOnce = 100'000;
constexpr int kReaderTries = 5;

uint64_t MemoryOf(const IndexOpenOptions& options) {
  if (options.memory_bytes > 0)
    return std::max(options.memory_bytes, kLeastMemory);
  return std::min(DefaultMemory(), kMostMemory);
}

// A std::shared_mutex by which those who read never keep out one who writes:
// whoever comes behind a writer waits for it. That of the system lets readers
// pass for as long as others read.
class FairMutex {
 public:
  void lock() {
    const std::lock_guard turn(turn_);
    mutex_.lock();
  }
  void unlock() { mutex_.unlock(); }
  void lock_shared() {
    const std::lock_guard turn(turn_);
    mutex_.lock_shared();
  }
  void unlock_shared() { mutex_.unlock_shared(); }

 private:
  std::mutex turn_;
  std::shared_mutex mutex_;
};

// The folder of a new index, open until its files stand.
Result<ResultFolder> NewFolder(const std::string& folder,
                               const std::string& command) {
  FolderRequest request;
  request.path = folder;
  request.command = command;
  request.done = IndexManifest::kName;
  auto opened = ResultFolder::Open(std::move(request));
  if (!opened) {
    opened.error().remedy = "name a folder that is not there yet";
    return tl::unexpected(opened.error());
  }
  ResultFolder made = std::move(*opened);
  TWINSET_TRY(made.Begin({}, {"."}));
  return made;
}

// kUnsupported, with both values, where the parameters of the manifest are not
// what this build makes of them.
Status CheckParameters(const Json& stored, const Json& made,
                       const std::string& folder) {
  for (const auto& [name, value] : made.items()) {
    if (stored[name] == value) continue;
    return Fail(ErrorCode::kUnsupported,
                "the index was made with " + name + " " + stored[name].dump() +
                    ", which is " + value.dump() + " now",
                folder, "put what it was made with back, or make another one");
  }
  return {};
}

}  // namespace

Json v1::SummaryJson(const IndexStats& stats) {
  return Json{{"documents", stats.documents},
              {"kept", stats.kept},
              {"dropped", stats.dropped()},
              {"empty", stats.empty},
              {"arrivals", stats.arrivals},
              {"entries", stats.entries},
              {"runs", stats.runs},
              {"bytes", stats.bytes},
              {"tags", stats.tags},
              {"expected_recall", stats.expected_recall},
              {"parameters", stats.parameters}};
}

struct Index::Parts {
  explicit Parts(IndexFeatures made) : features(std::move(made)) {}

  // Fails once something could not be written, and when the index is closed.
  Status CheckWorks() const {
    if (failed) return tl::unexpected(*failed);
    return {};
  }
  Status CheckWrites() const {
    TWINSET_TRY(CheckWorks());
    if (options.read_only || closed)
      return Fail(
          ErrorCode::kUsage,
          closed ? "the index is closed" : "the index is open for reading only",
          folder);
    return {};
  }

  // Runs `change`, which alone sees the store, and hands what it appended to
  // the system. *entries becomes what must be synced to acknowledge it.
  template <typename Change>
  Status Write(const Change& change, uint64_t* entries) {
    const std::unique_lock lock(mutex);
    TWINSET_TRY(CheckWrites());
    const uint64_t before = store->entries();
    Status status = [&]() -> Status {
      try {
        TWINSET_TRY(change());
        return {};
      } catch (const std::bad_alloc&) {
        return NoMemory();
      }
    }();
    const bool changed = store->entries() != before;
    const bool was_good = status.has_value();
    if (status) status = Flush();
    // A question that failed before anything was written does no harm.
    if (!status && (changed || was_good)) Break(status.error());
    *entries = store->entries();
    Announce();
    return status;
  }
  Status Flush() try { return store->Flush(); } catch (const std::bad_alloc&) {
    return NoMemory();
  }
  void Break(Error error) {
    error.remedy = "open the index again: what was acknowledged is there" +
                   (error.remedy.empty() ? "" : "; " + error.remedy);
    failed = std::move(error);
  }

  // The newest state of the log that can be synced.
  void Announce() {
    const std::lock_guard lock(commit_mutex);
    syncing = store->syncing();
    flushed = store->entries();
  }
  // Waits until so many entries are on the disk: one thread syncs for all that
  // wait.
  Status Commit(uint64_t entries) {
    std::unique_lock lock(commit_mutex);
    while (synced < entries) {
      // The system tells of a failure once: what is synced after it says
      // nothing of what came before.
      if (sync_error) return tl::unexpected(*sync_error);
      if (is_syncing) {
        committed.wait(lock);
        continue;
      }
      is_syncing = true;
      const std::shared_ptr<File> file = syncing;
      const uint64_t reached = flushed;
      lock.unlock();
      const Status status = file->Sync();
      lock.lock();
      is_syncing = false;
      if (status) {
        synced = std::max(synced, reached);
      } else {
        sync_error = status.error();
      }
      committed.notify_all();
      if (!status) {
        lock.unlock();
        const std::unique_lock all(mutex);
        Break(status.error());
        return status;
      }
    }
    return {};
  }
  Status Acknowledge(uint64_t entries) {
    if (options.durability == Durability::kRelaxed) return {};
    return Commit(entries);
  }

  // Merges runs until there are few; others go on meanwhile.
  Status MergeRuns() {
    const std::unique_lock one(merge_mutex, std::try_to_lock);
    if (!one.owns_lock()) return {};
    for (;;) {
      std::optional<IndexStore::Merge> merge;
      {
        const std::unique_lock lock(mutex);
        TWINSET_TRY(CheckWrites());
        merge = store->BeginMerge();
      }
      if (!merge) return {};
      Status status = store->RunMerge(*merge);
      const std::unique_lock lock(mutex);
      if (status) status = store->EndMerge(*merge);
      if (!status) Break(status.error());
      TWINSET_TRY(status);
    }
  }

  // Runs what replaces files, with nobody else at work.
  template <typename Work>
  auto Alone(const Work& work) -> decltype(work()) {
    const std::unique_lock one(merge_mutex);
    const std::unique_lock lock(mutex);
    TWINSET_TRY(CheckWrites());
    auto result = [&]() -> decltype(work()) {
      try {
        return work();
      } catch (const std::bad_alloc&) {
        return NoMemory();
      }
    }();
    if (!result) Break(result.error());
    Announce();
    return result;
  }

  std::vector<IndexArrival> Prepare(std::span<IndexInput> inputs) const {
    std::vector<IndexArrival> arrivals(inputs.size());
    const auto now = static_cast<int64_t>(std::time(nullptr));
    ParallelFor(inputs.size(), 8, options.threads,
                [&](size_t begin, size_t end) {
                  for (size_t i = begin; i < end; ++i)
                    arrivals[i] = MakeArrival(features, now, &inputs[i]);
                });
    return arrivals;
  }

  // Documents that are there from entry *from on, some at a time.
  Status ReadSome(uint64_t* from, std::vector<IndexEntry>* entries,
                  std::vector<IndexOrigin>* origins,
                  std::vector<int64_t>* seen) const {
    const std::shared_lock lock(mutex);
    TWINSET_TRY(CheckWorks());
    const IndexReader reader(store.get(), &features);
    entries->clear();
    origins->clear();
    seen->clear();
    StoredRecord stored;
    uint64_t bytes = 0;
    for (; *from < store->entries() && entries->size() < kStepDocuments &&
           bytes < kStepBytes;
         ++*from) {
      TWINSET_TRY(store->Read(*from, &stored));
      const IndexRecord& record = stored.record;
      TWINSET_ASSIGN(const bool is_there, reader.IsThere(*from, record));
      if (!is_there) continue;
      IndexEntry& entry = entries->emplace_back();
      entry.name = record.Name();
      entry.is_kept = record.is_kept(*from);
      Document& document = entry.input.document;
      document.id = record.id;
      document.provenance.url = record.url;
      document.provenance.date = record.date;
      document.provenance.digest = record.digest;
      TWINSET_ASSIGN(document.payload, store->ReadText(record));
      if (record.tag > 0) entry.input.tag = store->tags()[record.tag - 1];
      bytes += document.payload.size();
      origins->push_back({record.arrival, record.same_id, record.has_id});
      seen->push_back(record.seen);
    }
    return {};
  }

  // Decides about the documents of another index.
  Status AddAll(const Parts& other, const std::atomic<bool>* stop) {
    std::vector<IndexEntry> entries;
    std::vector<IndexOrigin> origins;
    std::vector<int64_t> seen;
    uint64_t from = 0, written = 0;
    for (;;) {
      TWINSET_TRY(CheckStop(stop));
      TWINSET_TRY(other.ReadSome(&from, &entries, &origins, &seen));
      if (entries.empty()) return {};
      std::vector<IndexArrival> arrivals(entries.size());
      ParallelFor(entries.size(), 8, options.threads,
                  [&](size_t begin, size_t end) {
                    for (size_t i = begin; i < end; ++i)
                      arrivals[i] = MakeStoredArrival(
                          features, origins[i], seen[i], &entries[i].input);
                  });
      TWINSET_TRY(Write(
          [&]() -> Status {
            IndexWriter writer(store.get(), &features);
            for (const IndexArrival& arrival : arrivals)
              TWINSET_TRY(writer.Add(arrival));
            return {};
          },
          &written));
      TWINSET_TRY(MergeRuns());
    }
  }

  // Answers a question about a document, beside other questions.
  template <typename Ask>
  Result<IndexFound> Answer(Document* document, const Ask& ask) const {
    const IndexedText text = features.Take(document);
    if (!text.rejected.empty()) {
      IndexFound found;
      found.rejected = text.rejected;
      found.detail = text.detail;
      return found;
    }
    const std::shared_lock lock(mutex);
    TWINSET_TRY(CheckWorks());
    Result<IndexFound> found = ask(IndexReader(store.get(), &features), text);
    if (found) found->is_empty = text.features.empty();
    return found;
  }

  // Says of what was dropped how it differs from the kept one, if that is still
  // there.
  Status Explain(std::span<const IndexArrival> arrivals,
                 std::span<IndexAnswer> answers) const {
    const std::shared_lock lock(mutex);
    const IndexReader reader(store.get(), &features);
    for (size_t i = 0; i < answers.size(); ++i) {
      IndexMatch& kept = answers[i].kept;
      if (kept.id == answers[i].id || kept.similarity == 1) continue;
      TWINSET_ASSIGN(const uint64_t entry, reader.FindNamed(kept.id));
      if (entry != kNoEntry)
        TWINSET_TRY(reader.Explain(arrivals[i].text.text, entry, &kept));
    }
    return {};
  }

  Result<uint64_t> RemoveAll(uint32_t tag, const IndexRemovalSink& sink) {
    uint64_t from = 0, removed = 0, entries = 0;
    bool more = true;
    while (more) {
      TWINSET_TRY(Write(
          [&]() -> Status {
            IndexWriter writer(store.get(), &features);
            TWINSET_ASSIGN(const auto found,
                           writer.WithTag(tag, kRemovedAtOnce, &from));
            removed += found.size();
            more = from < store->entries();
            return writer.Remove(found, sink);
          },
          &entries));
    }
    TWINSET_TRY(Acknowledge(entries));
    return removed;
  }

  const IndexFeatures features;
  std::string folder;
  IndexOpenOptions options;
  mutable FairMutex mutex;  // over the store, failed and closed
  std::unique_ptr<IndexStore> store;
  std::optional<Error> failed;
  bool closed = false;
  std::mutex merge_mutex;  // taken before `mutex`

  std::mutex commit_mutex;  // over what follows; taken after `mutex`
  std::condition_variable committed;
  std::shared_ptr<File> syncing;
  std::optional<Error> sync_error;
  uint64_t flushed = 0, synced = 0;
  bool is_syncing = false;
};

Index::Index(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Index::~Index() { (void)Close(); }

Status Index::Create(const std::string& folder,
                     const IndexOptions& options) try {
  HashKey key;
  if (options.key.empty()) {
    TWINSET_ASSIGN(key, DrawHashKey());
  } else {
    TWINSET_ASSIGN(key, ReadKeyFile(options.key));
  }
  TWINSET_ASSIGN(const IndexFeatures features,
                 IndexFeatures::Make(options, key));
  TWINSET_ASSIGN(const ResultFolder made,
                 NewFolder(folder, std::string(kCommand) + " create"));
  TWINSET_TRY(StoreKey(made.path(), key));
  // No file of one index is taken for one of another.
  TWINSET_ASSIGN(const HashKey identity, DrawHashKey());
  Json parameters = {{"identity", WriteHashKey(identity)},
                     {"spec", kSpecNumber}};
  parameters.update(features.Parameters());
  return IndexStore::Create(made.path(), parameters);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<std::unique_ptr<Index>> Index::Open(
    const std::string& folder, const IndexOpenOptions& options) try {
  for (int tries = 1;; ++tries) {
    TWINSET_ASSIGN(IndexManifest manifest, IndexManifest::Read(folder));
    TWINSET_ASSIGN(const HashKey key, LoadKey(folder, "index"));
    TWINSET_ASSIGN(const ComparisonOptions comparison,
                   IndexComparison(manifest.parameters));
    TWINSET_TRY(CheckExpected(comparison, options.expected, folder));
    TWINSET_ASSIGN(IndexFeatures features,
                   IndexFeatures::Make(comparison, key));
    TWINSET_TRY(
        CheckParameters(manifest.parameters, features.Parameters(), folder));
    auto parts = std::make_unique<Parts>(std::move(features));
    parts->folder = folder;
    parts->options = options;
    parts->options.memory_bytes = MemoryOf(options);
    parts->options.threads =
        ResolveThreads(options.threads, parts->options.memory_bytes);
    const IndexManifest before = manifest;
    auto store =
        IndexStore::Open(folder, std::move(manifest), &parts->features,
                         {options.read_only, parts->options.threads,
                          parts->options.memory_bytes, options.run_postings});
    if (store) {
      parts->store = std::move(*store);
      parts->synced = parts->store->entries();
      parts->Announce();
      return std::unique_ptr<Index>(new Index(std::move(parts)));
    }
    // Who writes may have replaced files between two steps of a reader.
    const auto now = IndexManifest::Read(folder);
    if (!options.read_only || tries == kReaderTries || !now ||
        (now->logs == before.logs && now->runs == before.runs))
      return tl::unexpected(store.error());
  }
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<std::vector<IndexAnswer>> Index::CheckAndAdd(
    std::vector<IndexInput> batch, const IndexAddOptions& options) try {
  std::vector<IndexAnswer> answers;
  answers.reserve(batch.size());
  uint64_t entries = 0;
  for (size_t begin = 0; begin < batch.size();) {
    size_t end = begin;
    for (uint64_t bytes = 0; end < batch.size() &&
                             end - begin < kStepDocuments && bytes < kStepBytes;
         ++end)
      bytes += batch[end].document.payload.size();
    const auto arrivals =
        parts_->Prepare(std::span(batch).subspan(begin, end - begin));
    TWINSET_TRY(parts_->Write(
        [&]() -> Status {
          IndexWriter writer(parts_->store.get(), &parts_->features);
          for (const IndexArrival& arrival : arrivals) {
            TWINSET_ASSIGN(IndexAnswer answer, writer.Add(arrival));
            answers.push_back(std::move(answer));
          }
          return {};
        },
        &entries));
    if (options.why)
      TWINSET_TRY(parts_->Explain(
          arrivals, std::span(answers).subspan(begin, end - begin)));
    begin = end;
  }
  TWINSET_TRY(parts_->Acknowledge(entries));
  TWINSET_TRY(parts_->MergeRuns());
  return answers;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<IndexFound> Index::Check(Document document, uint64_t limit) const try {
  IndexQuery query;
  query.limit = limit;
  return Check(std::move(document), std::move(query));
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<IndexFound> Index::Check(Document document, IndexQuery query) const try {
  query.one_of_equal = true;
  return Query(std::move(document), query);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<IndexFound> Index::Query(Document document,
                                const IndexQuery& query) const try {
  return parts_->Answer(
      &document, [&](const IndexReader& reader, const IndexedText& text) {
        return reader.Query(text, query);
      });
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<std::optional<IndexDocument>> Index::Find(const std::string& id) const
    try {
  const std::shared_lock lock(parts_->mutex);
  TWINSET_TRY(parts_->CheckWorks());
  const IndexReader reader(parts_->store.get(), &parts_->features);
  TWINSET_ASSIGN(const uint64_t entry, reader.FindNamed(id));
  if (entry == kNoEntry) return std::optional<IndexDocument>();
  return reader.Document(entry);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

bool Index::HasTag(const std::string& tag) const {
  const std::shared_lock lock(parts_->mutex);
  return parts_->store->FindTag(tag).has_value();
}

namespace {

// Leaves of the tags those that one of several indexes has; nothing where none
// of its documents can pass. A tag that no index has is left to be refused.
std::optional<IndexQuery> QueryOfOne(std::span<const Index* const> indexes,
                                     const Index& one, IndexQuery query) {
  const bool is_within = !query.within_tags.empty();
  for (auto* tags : {&query.within_tags, &query.without_tags})
    std::erase_if(*tags, [&](const std::string& tag) {
      return !one.HasTag(tag) && std::any_of(indexes.begin(), indexes.end(),
                                             [&](const Index* other) {
                                               return other->HasTag(tag);
                                             });
    });
  if (is_within && query.within_tags.empty()) return std::nullopt;
  return query;
}

}  // namespace

Result<IndexFound> v1::QueryAll(std::span<const Index* const> indexes,
                                const Document& document,
                                const IndexQuery& query) try {
  IndexFound all;
  for (size_t i = 0; i < indexes.size(); ++i) {
    const auto asked = QueryOfOne(indexes, *indexes[i], query);
    if (!asked) continue;
    TWINSET_ASSIGN(IndexFound found, indexes[i]->Query(document, *asked));
    // What one index cannot compare, none is asked.
    if (!found.rejected.empty()) return found;
    all.is_bounded |= found.is_bounded;
    all.is_empty |= found.is_empty;
    for (IndexMatch& match : found.matches) {
      match.index = i;
      all.matches.push_back(std::move(match));
    }
  }
  std::stable_sort(all.matches.begin(), all.matches.end(),
                   [](const IndexMatch& x, const IndexMatch& y) {
                     return x.similarity > y.similarity;
                   });
  if (query.limit > 0 && all.matches.size() > query.limit)
    all.matches.resize(query.limit);
  return all;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<std::vector<IndexCapture>> Index::Captures(
    const IndexCaptureQuery& query) const try {
  const std::shared_lock lock(parts_->mutex);
  TWINSET_TRY(parts_->CheckWorks());
  return IndexReader(parts_->store.get(), &parts_->features).Captures(query);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<std::string> Index::TextOf(Document document) const try {
  IndexedText text = parts_->features.Take(&document);
  if (text.rejected.empty()) return std::move(text.text);
  return Fail(ErrorCode::kUsage,
              "the document cannot be compared: " + text.rejected +
                  (text.detail.empty() ? "" : " (" + text.detail + ")"));
} catch (const std::bad_alloc&) {
  return NoMemory();
}

ComparisonOptions Index::Comparison() const {
  return parts_->features.options();
}

Result<uint64_t> Index::Remove(const std::string& id,
                               const IndexRemovalSink& sink) try {
  uint64_t entries = 0, removed = 0;
  TWINSET_TRY(parts_->Write(
      [&]() -> Status {
        const IndexReader reader(parts_->store.get(), &parts_->features);
        TWINSET_ASSIGN(const uint64_t found, reader.FindNamed(id));
        if (found == kNoEntry) return {};
        removed = 1;
        return IndexWriter(parts_->store.get(), &parts_->features)
            .Remove({found}, sink);
      },
      &entries));
  TWINSET_TRY(parts_->Acknowledge(entries));
  return removed;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<uint64_t> Index::RemoveTag(const std::string& tag,
                                  const IndexRemovalSink& sink) try {
  uint32_t number = 0;
  {
    const std::shared_lock lock(parts_->mutex);
    TWINSET_ASSIGN(number, parts_->store->FindTag(tag));
  }
  return parts_->RemoveAll(number, sink);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

IndexStats Index::Stats() const {
  const std::shared_lock lock(parts_->mutex);
  const IndexStore& store = *parts_->store;
  IndexStats stats;
  stats.documents = store.counts().documents;
  stats.kept = store.counts().kept;
  stats.empty = store.counts().empty;
  stats.arrivals = store.counts().arrivals;
  stats.entries = store.entries();
  stats.runs = store.run_count();
  stats.bytes = store.FileBytes();
  stats.tags = store.tags();
  stats.expected_recall = parts_->features.expected_recall();
  stats.parameters = store.manifest().parameters;
  stats.repairs = store.repairs();
  return stats;
}

Result<std::vector<std::string>> Index::Verify(bool repair) try {
  if (repair) return parts_->Alone([&] { return parts_->store->Verify(true); });
  const std::shared_lock lock(parts_->mutex);
  TWINSET_TRY(parts_->CheckWorks());
  return parts_->store->Verify(false);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Status Index::Compact() try {
  return parts_->Alone([&] { return parts_->store->Compact(); });
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Status Index::Snapshot(const std::string& folder) try {
  TWINSET_ASSIGN(const ResultFolder made,
                 NewFolder(folder, std::string(kCommand) + " snapshot"));
  return parts_->Alone([&] { return parts_->store->Snapshot(made.path()); });
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Status Index::Restore(const std::string& snapshot,
                      const std::string& folder) try {
  IndexOpenOptions reading;
  reading.read_only = true;
  TWINSET_ASSIGN(const auto index, Open(snapshot, reading));
  TWINSET_ASSIGN(const auto findings, index->Verify());
  if (!findings.empty())
    return Fail(ErrorCode::kCorrupt, findings.front(), snapshot,
                "restore another snapshot");
  TWINSET_ASSIGN(const ResultFolder made,
                 NewFolder(folder, std::string(kCommand) + " restore"));
  return index->parts_->store->CopyTo(made.path());
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Status Index::ForEach(const IndexEntrySink& each) const try {
  std::vector<IndexEntry> entries;
  std::vector<IndexOrigin> origins;
  std::vector<int64_t> seen;
  for (uint64_t from = 0;;) {
    TWINSET_TRY(parts_->ReadSome(&from, &entries, &origins, &seen));
    if (entries.empty()) return {};
    for (const IndexEntry& entry : entries) {
      TWINSET_ASSIGN(const bool more, each(entry));
      if (!more) return {};
    }
  }
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Status Index::Rebuild(
    const std::string& folder,
    const std::vector<std::pair<std::string, std::string>>& changed,
    const std::atomic<bool>* stop) const try {
  IndexOptions made;
  TWINSET_ASSIGN(static_cast<ComparisonOptions&>(made),
                 ChangedComparison(parts_->features.options(), changed));
  // What is not whole has another name.
  const std::string partial = folder + ".partial";
  std::error_code error;
  if (std::filesystem::exists(folder, error))
    return Fail(ErrorCode::kUsage, "the folder is there", folder,
                "name a folder that is not there yet");
  if (std::filesystem::exists(partial, error))
    return Fail(ErrorCode::kUsage, "the folder is there", partial,
                "remove it, if a rebuild that was cut off has left it");
  TWINSET_TRY(Create(partial, made));
  IndexOpenOptions opening = parts_->options;
  opening.read_only = false;
  opening.durability = Durability::kRelaxed;
  opening.expected.clear();
  const Status done = [&]() -> Status {
    TWINSET_ASSIGN(const auto index, Open(partial, opening));
    if (!parts_->features.stores_texts() ||
        !index->parts_->features.stores_texts())
      return Fail(ErrorCode::kUnsupported,
                  "bytes are compared, of which no other index can be made",
                  parts_->folder, "make it from the inputs");
    TWINSET_TRY(index->parts_->AddAll(*parts_, stop));
    return index->Close();
  }();
  if (!done) {
    (void)RemoveTree(partial);  // `done` is the error to tell
    return done;
  }
  TWINSET_TRY(RenameFile(partial, folder));
  return SyncDirectory(folder + "/..");
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Status Index::Sync() try {
  uint64_t entries = 0;
  {
    const std::shared_lock lock(parts_->mutex);
    TWINSET_TRY(parts_->CheckWorks());
    if (parts_->options.read_only || parts_->closed) return {};
    entries = parts_->store->entries();
  }
  return parts_->Commit(entries);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Status Index::Close() try {
  const std::unique_lock one(parts_->merge_mutex);
  const std::unique_lock lock(parts_->mutex);
  if (parts_->closed || parts_->options.read_only) return {};
  TWINSET_TRY(parts_->CheckWorks());
  parts_->closed = true;
  return parts_->store->Close();
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
