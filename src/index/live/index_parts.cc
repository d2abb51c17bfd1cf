#include "live/index_parts.h"

#include <algorithm>
#include <ctime>

#include "base/parallel.h"

namespace twinset {

namespace {

constexpr size_t kRemovedAtOnce = 100'000;

}  // namespace

Status Index::Parts::Commit(uint64_t entries) {
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

Status Index::Parts::MergeRuns() {
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

std::vector<IndexArrival> Index::Parts::Prepare(
    std::span<IndexInput> inputs) const {
  std::vector<IndexArrival> arrivals(inputs.size());
  const auto now = static_cast<int64_t>(std::time(nullptr));
  const bool with_digests = HasDeclared();
  ParallelFor(inputs.size(), 8, options.threads, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      arrivals[i] = MakeArrival(features, now, with_digests, &inputs[i]);
  });
  return arrivals;
}

Status Index::Parts::ReadSome(uint64_t* from, std::vector<IndexEntry>* entries,
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

Status Index::Parts::AddAll(const Parts& other, const std::atomic<bool>* stop) {
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
                    arrivals[i] = MakeStoredArrival(features, origins[i],
                                                    seen[i], &entries[i].input);
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

Status Index::Parts::Explain(std::span<const IndexArrival> arrivals,
                             std::span<IndexAnswer> answers) const {
  const std::shared_lock lock(mutex);
  const IndexReader reader(store.get(), &features);
  for (size_t i = 0; i < answers.size(); ++i) {
    IndexMatch& kept = answers[i].kept;
    if (!answers[i].is_stored() || kept.id == answers[i].id ||
        kept.similarity == 1)
      continue;
    TWINSET_ASSIGN(const uint64_t entry, reader.FindNamed(kept.id));
    if (entry != kNoEntry)
      TWINSET_TRY(reader.Explain(arrivals[i].text.text, entry, &kept));
  }
  return {};
}

Result<uint64_t> Index::Parts::RemoveAll(uint32_t tag,
                                         const IndexRemovalSink& sink) {
  uint64_t from = 0, removed = 0, entries = 0;
  bool more = true;
  while (more) {
    TWINSET_TRY(Write(
        [&]() -> Status {
          IndexWriter writer(store.get(), &features);
          TWINSET_TRY(writer.RemoveDeclared(tag, &removed));
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

}  // namespace twinset
