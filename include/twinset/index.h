// A live index: documents that are stored one after the other, each asked for
// what is already there, on a disk that keeps what was acknowledged.
//
//   auto index = twinset::Index::Open("pages.index");
//   std::vector<twinset::IndexInput> batch(1);
//   batch[0].document.id = "http://example.org/";
//   batch[0].document.payload = text;
//   auto answers = (*index)->CheckAndAdd(std::move(batch));
//   if (answers && (*answers)[0].is_new) Keep(text);
//
// Documents arrive in an order, which is their priority, and each is compared
// by itself. docs/methods/index.md says which answers those of Dedup and Match
// are.
#ifndef TWINSET_INDEX_H_
#define TWINSET_INDEX_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twinset/choices.h"
#include "twinset/document.h"
#include "twinset/error.h"
#include "twinset/index_answers.h"
#include "twinset/json.h"
#include "twinset/options.h"

namespace twinset {
inline namespace v1 {

// When a change is acknowledged.
enum class Durability : uint8_t {
  kSynced,   // it is on the disk: it survives a crash and a loss of power
  kRelaxed,  // the system has it: it survives the end of the process, however
             // that ends; a loss of power may take what came since the last
             // run of postings was written or the index was closed
};
template <>
inline constexpr auto kChoices<Durability> = ChoiceTable<Durability>(
    {{Durability::kSynced, "synced"}, {Durability::kRelaxed, "relaxed"}});

// Frozen when an index is made. The method is minhash unless named;
// kUnsupported for one that looks at all documents together (complete) and for
// measures by which two documents alone do not decide.
struct IndexOptions : ComparisonOptions {
  std::string key;  // as in ResourceOptions
};

struct IndexOpenOptions {
  // Sees the index as it is now, whatever is written to it later.
  bool read_only = false;
  Durability durability = Durability::kSynced;
  int threads = 0;            // 0: all
  uint64_t memory_bytes = 0;  // 0: 60 % of what is available, at most 1 GB
  // Parameters, named and written as the command line has them, that the index
  // must have: kUsage, with both values, if it does not.
  std::vector<std::pair<std::string, std::string>> expected;
  uint64_t run_postings = 0;  // in memory before they are written; 0: derived
};

// A document that arrives, and the set that it belongs to: a crawl, a dump.
struct IndexInput {
  Document document;
  std::string tag;  // empty: none; what is not UTF-8 becomes U+FFFD
  // `stored` is the whole payload as an archive has it, with its content
  // coding; empty where that is Document::payload.
  bool is_stored = false;
  std::string stored = {};
};

// A document that is there, with what was decided of it.
struct IndexEntry {
  std::string name;  // by which the index knows it
  bool is_kept = false;
  // Its text is that which is compared; its id is without "#2".
  IndexInput input;
};
// Returns false to stop.
using IndexEntrySink = std::function<Result<bool>(const IndexEntry&)>;

// A document as the index has it.
struct IndexDocument {
  std::string id, url, date, tag;  // the date as it was written
  std::string digest;              // of its payload, where it came with one
  std::string seen;                // RFC 3339: its date, or when it came
  uint64_t arrival = 0;            // its number among the documents that came
  // Itself if it is kept, else the document for which it was dropped; empty
  // when that one was removed since.
  std::string kept_for;
  bool is_kept = false;
  uint64_t copies = 0;  // equal in what is compared, with itself
  uint64_t features = 0;
  std::string text;  // that is compared
};

// A document as archives look for it.
struct IndexCaptureQuery {
  std::string url, digest;  // either, or both; as they came
  uint64_t most = 10'000;   // of those that came last
};
struct IndexCapture {
  std::string id, url, digest;  // SHA-1 without the name of the algorithm
  std::string seen;             // RFC 3339
  bool is_kept = false;
};
// The digest of a payload as captures have it: SHA-1 in base 32.
std::string CaptureDigest(std::string_view payload);

struct IndexStats {
  uint64_t documents = 0, kept = 0, empty = 0;  // that are there
  uint64_t declared = 0;  // digests that lists declare; no documents
  uint64_t arrivals = 0;  // that ever came
  uint64_t entries = 0, runs = 0, bytes = 0;
  std::vector<std::string> tags;
  double expected_recall = 0;  // at exactly the threshold; 0: nothing stated
  Json parameters;
  std::vector<std::string> repairs;  // what was put right at opening

  uint64_t dropped() const { return documents - kept; }
};
Json SummaryJson(const IndexStats& stats);

// Something that a removal did: took `id` away; or, where `dropped` is set,
// left that document without the one for which it had been dropped. It stays
// dropped.
struct IndexRemoval {
  std::string id, dropped;
};
using IndexRemovalSink = std::function<void(const IndexRemoval&)>;

// Thread-safe: any number of threads may call everything. One process at a time
// may have an index open for writing, and any number for reading. Changes are
// acknowledged by their return (Durability); what is not acknowledged when the
// process ends is, document by document, wholly in or out. After an error of
// the disk, every call fails with it until the index is opened anew. Memory:
// memory_bytes, and for each thread what a document takes.
class Index {
 public:
  // Makes an empty index in a folder of its own
  // (docs/formats/result-folder.md).
  static Status Create(const std::string& folder,
                       const IndexOptions& options = {});
  // kUsage for a folder that is no index; kIo when it is open for writing
  // elsewhere; kUnsupported for one of another spec; kCorrupt for damage. A run
  // of postings that is damaged is made again from the log when the index is
  // opened for writing.
  static Result<std::unique_ptr<Index>> Open(
      const std::string& folder, const IndexOpenOptions& options = {});
  Index(const Index&) = delete;
  // Closes; errors of that are for Close to tell.
  ~Index();

  // Stores documents in order and says of each whether it is new, in one step:
  // of two equal documents that arrive together exactly one is. A document
  // without an id has its arrival number as id, the first 0. The same id with
  // the same content is not stored again, so that a retry is harmless; with
  // other content it becomes id#2, id#3, or replaces the other
  // (IndexAddOptions::replaces).
  Result<std::vector<IndexAnswer>> CheckAndAdd(
      std::vector<IndexInput> batch, const IndexAddOptions& options = {});
  // Stores captures that lists declare, with their digests alone: nobody here
  // has seen their payloads. They are told beside an answer
  // (IndexFound::declared) and decide nothing, unless
  // IndexAddOptions::trusts_declared is set. Of a digest under one tag the
  // first is stored. Returns how many were. kUsage for what is no digest of a
  // payload.
  Result<uint64_t> Declare(std::span<const IndexDeclaration> captures);
  // What CheckAndAdd would say of a document that had no id.
  Result<IndexFound> Check(Document document, uint64_t limit = 1) const;
  // The same within or without tags. A document of these sets counts whether it
  // was kept or dropped, as it may have been dropped for one of another set.
  Result<IndexFound> Check(Document document, IndexQuery query) const;
  // Every document at the threshold, dropped and equal ones too: those that
  // Match would pair with it.
  Result<IndexFound> Query(Document document,
                           const IndexQuery& query = {}) const;

  // The document that the index knows by this id, if there is one.
  Result<std::optional<IndexDocument>> Find(const std::string& id) const;
  // Documents with this address and this digest (Provenance::digest), those
  // that were seen last first.
  Result<std::vector<IndexCapture>> Captures(
      const IndexCaptureQuery& query) const;
  // What the index compares of a document; kUsage, with the reason, for one
  // that it would reject.
  Result<std::string> TextOf(Document document) const;
  // How it compares: what it was made with.
  ComparisonOptions Comparison() const;

  // Removes a document. Nothing is decided again: what had been dropped because
  // of it stays so, and is told. Returns how many were removed: 0 or 1.
  Result<uint64_t> Remove(const std::string& id,
                          const IndexRemovalSink& sink = {});
  // Removes all documents of a set, and what lists declare under that tag.
  Result<uint64_t> RemoveTag(const std::string& tag,
                             const IndexRemovalSink& sink = {});

  bool HasTag(const std::string& tag) const;  // a document had it
  const std::string& folder() const;
  IndexStats Stats() const;
  // Reads everything. Returns what is wrong, in sentences; with `repair` runs
  // of postings that are damaged are made again.
  Result<std::vector<std::string>> Verify(bool repair = false);
  // Takes the texts, ids and addresses of removed documents out of all files.
  // Nothing else goes on meanwhile.
  Status Compact();
  // Makes an index of its own with the same content in a folder outside. On the
  // same file system it shares the files.
  Status Snapshot(const std::string& folder);
  // Makes an index of the content of a snapshot, which is verified first;
  // kCorrupt, with what is wrong, for one that is not sound.
  static Status Restore(const std::string& snapshot, const std::string& folder);
  // The documents that are there, in the order in which they came, while others
  // write: of what they add and remove meanwhile some may be told.
  Status ForEach(const IndexEntrySink& each) const;
  // Makes an index of other parameters in another folder: `changed`, as flags
  // have them. It decides about the same texts in the same order; what was
  // removed is left out. kUnsupported where bytes are compared, which tokens
  // cannot be taken from. A document that has a name keeps it.
  Status Rebuild(
      const std::string& folder,
      const std::vector<std::pair<std::string, std::string>>& changed,
      const std::atomic<bool>* stop = nullptr) const;
  // Waits until everything is on the disk, whatever the durability.
  Status Sync();
  // Syncs, and ends the writing: every later change fails.
  Status Close();

 private:
  struct Parts;
  explicit Index(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

// The answers of several indexes as one: each by its own parameters, and of the
// tags those that it has.
Result<IndexFound> QueryAll(std::span<const Index* const> indexes,
                            const Document& document, const IndexQuery& query);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_INDEX_H_
