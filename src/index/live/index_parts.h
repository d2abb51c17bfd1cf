// What an index (twinset/index.h) holds, and the order in which threads come to
// it.
#ifndef TWINSET_SRC_INDEX_LIVE_INDEX_PARTS_H_
#define TWINSET_SRC_INDEX_LIVE_INDEX_PARTS_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/stop.h"
#include "live/index_features.h"
#include "live/index_reader.h"
#include "live/index_store.h"
#include "live/index_writer.h"
#include "twinset/index.h"

namespace twinset {

// So many documents are made ready, then decided, at a time.
inline constexpr size_t kStepDocuments = 128;
inline constexpr uint64_t kStepBytes = 32 << 20;

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

  // Returns true iff lists declare captures, as the last change left it. Waits
  // for nobody.
  bool HasDeclared() const { return has_declared; }

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

  // The newest state of the log that can be synced, and of what is declared.
  void Announce() {
    has_declared = store->has_declared();
    const std::lock_guard lock(commit_mutex);
    syncing = store->syncing();
    flushed = store->entries();
  }
  // Waits until so many entries are on the disk: one thread syncs for all that
  // wait.
  Status Commit(uint64_t entries);
  Status Acknowledge(uint64_t entries) {
    if (options.durability == Durability::kRelaxed) return {};
    return Commit(entries);
  }

  // Merges runs until there are few; others go on meanwhile.
  Status MergeRuns();

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

  std::vector<IndexArrival> Prepare(std::span<IndexInput> inputs) const;

  // Documents that are there from entry *from on, some at a time.
  Status ReadSome(uint64_t* from, std::vector<IndexEntry>* entries,
                  std::vector<IndexOrigin>* origins,
                  std::vector<int64_t>* seen) const;

  // Decides about the documents of another index.
  Status AddAll(const Parts& other, const std::atomic<bool>* stop);

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
                 std::span<IndexAnswer> answers) const;

  Result<uint64_t> RemoveAll(uint32_t tag, const IndexRemovalSink& sink);

  const IndexFeatures features;
  std::string folder;
  IndexOpenOptions options;
  mutable FairMutex mutex;  // over the store, failed and closed
  std::unique_ptr<IndexStore> store;
  std::optional<Error> failed;
  bool closed = false;
  std::atomic<bool> has_declared = false;
  std::mutex merge_mutex;  // taken before `mutex`

  std::mutex commit_mutex;  // over what follows; taken after `mutex`
  std::condition_variable committed;
  std::shared_ptr<File> syncing;
  std::optional<Error> sync_error;
  uint64_t flushed = 0, synced = 0;
  bool is_syncing = false;
};

}  // namespace twinset

#endif  // TWINSET_SRC_INDEX_LIVE_INDEX_PARTS_H_
