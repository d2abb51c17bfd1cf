#include "twinset/index.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/machine.h"
#include "base/parallel.h"
#include "live/index_parts.h"
#include "options/resources.h"
#include "pipeline/run/run_key.h"
#include "pipeline/saved/saved_options.h"
#include "store/result_folder.h"
#include "twinset/plain_words.h"
#include "twinset/version.h"

namespace twinset {

namespace {

constexpr char kTheIndex[] = "the index";
constexpr char kCommand[] = "index";
constexpr uint64_t kMostMemory = uint64_t{1} << 30;
constexpr uint64_t kLeastMemory = 64 << 20;
constexpr int kReaderTries = 5;

uint64_t MemoryOf(const IndexOpenOptions& options) {
  if (options.memory_bytes > 0)
    return std::max(options.memory_bytes, kLeastMemory);
  return std::min(DefaultMemory(), kMostMemory);
}

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

// Documents that are made ready, then decided, together: some from `begin` on.
std::span<IndexInput> NextStep(std::span<IndexInput> batch, size_t begin) {
  size_t end = begin;
  for (uint64_t bytes = 0;
       end < batch.size() && end - begin < kStepDocuments && bytes < kStepBytes;
       ++end)
    bytes += batch[end].document.payload.size();
  return batch.subspan(begin, end - begin);
}

}  // namespace

Json v1::SummaryJson(const IndexStats& stats) {
  return Json{{"documents", stats.documents},
              {"kept", stats.kept},
              {"dropped", stats.dropped()},
              {"empty", stats.empty},
              {"declared", stats.declared},
              {"arrivals", stats.arrivals},
              {"entries", stats.entries},
              {"runs", stats.runs},
              {"bytes", stats.bytes},
              {"tags", stats.tags},
              {"expected_recall", stats.expected_recall},
              {"parameters", stats.parameters}};
}

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
  std::vector<IndexArrival> arrivals, next;
  size_t begin = 0;  // of those that are made ready
  const auto prepare = [&]() -> Status {
    next = parts_->Prepare(NextStep(batch, begin));
    begin += next.size();
    return {};
  };
  const auto write = [&]() -> Status {
    TWINSET_TRY(parts_->Write(
        [&]() -> Status {
          IndexWriter writer(parts_->store.get(), &parts_->features);
          for (const IndexArrival& arrival : arrivals) {
            TWINSET_ASSIGN(IndexAnswer answer, writer.Add(arrival, options));
            answers.push_back(std::move(answer));
          }
          return {};
        },
        &entries));
    if (!options.why) return {};
    return parts_->Explain(arrivals, std::span(answers).last(arrivals.size()));
  };
  TWINSET_TRY(prepare());
  while (!next.empty()) {
    arrivals = std::move(next);
    next.clear();
    // One thread decides while the others make the next documents ready.
    TWINSET_TRY(begin == batch.size()
                    ? write()
                    : RunBeside(parts_->options.threads, {write, prepare}));
  }
  // A thread is worth its start where there is much to merge.
  TWINSET_TRY(
      RunBeside(batch.size() > kStepDocuments ? parts_->options.threads : 1,
                {[&] { return parts_->Acknowledge(entries); },
                 [&] { return parts_->MergeRuns(); }}));
  return answers;
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
  for (const auto& [tag, declared] : store.counts().declared)
    stats.declared += declared.captures;
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

const std::string& Index::folder() const { return parts_->store->folder(); }

Status Index::Snapshot(const std::string& folder) try {
  TWINSET_TRY(CheckOutside(this->folder(), kTheIndex, {folder}));
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
  TWINSET_TRY(CheckOutside(snapshot, "the snapshot", {folder}));
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
  TWINSET_TRY(CheckOutside(this->folder(), kTheIndex, {folder}));
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
