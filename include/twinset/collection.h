// Finds duplicates among documents that a program has at hand: in memory, from
// a callback, from a program over a pipe, or from files.
//
//   auto found = twinset::Dedup(*twinset::FromTexts(texts), {});
//   for (const twinset::Pair& pair : found->pairs) Use(pair.a, pair.b);
//
// Documents are known by their numbers: the first that a source gives is 0.
// Work that fits into the memory of the run never touches a disk. The rest goes
// to work files below ResourceOptions::tmp, which the run removes at its end.
#ifndef TWINSET_COLLECTION_H_
#define TWINSET_COLLECTION_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/batch.h"
#include "twinset/document.h"
#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/options.h"

namespace twinset {
inline namespace v1 {

// Gives documents one after the other. Never called by two threads at once, but
// not always by the same thread.
class Source {
 public:
  virtual ~Source() = default;
  // Fills `document`, which is empty. Returns false at the end. An error ends
  // the run.
  virtual Result<bool> Next(Document* document) = 0;
};

// Plain texts in UTF-8. They are not copied: `texts` must outlive the source.
std::unique_ptr<Source> FromTexts(std::span<const std::string> texts);
// The documents of a batch (twinset/batch.h), or texts alone. kUsage for a
// batch that cannot be read.
Result<std::unique_ptr<Source>> FromBatch(const TextBatch& batch);
Result<std::unique_ptr<Source>> FromBatch(const DocumentBatch& batch);
// The documents of one batch after the other: `next` fills a batch, which is
// empty, and returns false at the end. What a batch points into must be there
// until `next` is called again.
std::unique_ptr<Source> FromBatches(
    std::function<Result<bool>(DocumentBatch*)> next);
// A source whose Next calls `next`.
std::unique_ptr<Source> FromFunction(
    std::function<Result<bool>(Document*)> next);
// The documents of files, read as a run over these files reads them. Records
// that are not documents are passed over.
Result<std::unique_ptr<Source>> FromFiles(const InputOptions& input);
// Rows of JSON that the program `command` prints, one per line. The program is
// started now; its output is read as documents are asked for. When its output
// ends and its exit status is not 0, Next fails with kIo. A source that is
// destroyed early ends the program.
Result<std::unique_ptr<Source>> FromProgram(
    const std::vector<std::string>& command, const InputOptions& input = {});

// Two documents and their exact similarity.
struct Pair {
  uint64_t a = 0, b = 0;  // a < b; in a match, a is of A and b of B
  double similarity = 0;
  friend bool operator==(const Pair&, const Pair&) = default;
};
// A document of a cluster. The representative, which is kept, is a member too.
struct ClusterMember {
  uint64_t representative = 0, document = 0;
  double similarity = 1;  // of the two
  // The share of its shingles that the representative has too; 0 where nothing
  // was verified.
  double contained = 1;
  friend bool operator==(const ClusterMember&, const ClusterMember&) = default;
};

// A document that could not be used.
struct RejectedDocument {
  int side = 0;  // in a match: 0 for A, 1 for B
  uint64_t document = 0;
  std::string reason, detail;  // as in quarantine.jsonl
};

// What was decided about a document.
struct KeepDecision {
  uint64_t document = 0;
  bool kept = false;
  friend bool operator==(const KeepDecision&, const KeepDecision&) = default;
};

// Takes the results of a run when all of them are known: what was rejected,
// then pairs, then members of clusters, then decisions. When a function returns
// an error, the run ends and returns that error. Never called by two threads at
// once.
//
// A run calls the functions of spans alone, with some thousand rows at a time
// and never with none; the span is good for the call. Their defaults give the
// rows one by one to the functions of a row and end at the first error, so a
// sink has for each kind of rows the one or the other. Rows come in the same
// order either way.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual Status OnRejected(const RejectedDocument& rejected);
  // In order of a, then b.
  virtual Status OnPairs(std::span<const Pair> pairs);
  virtual Status OnPair(const Pair& pair);
  // In order of the clusters' representatives, then of the members' numbers,
  // the representative first. A cluster may go on in the next span. None in a
  // match.
  virtual Status OnMembers(std::span<const ClusterMember> members);
  virtual Status OnMember(const ClusterMember& member);
  // In the order of the documents (in a match, those of A), without the
  // rejected ones.
  virtual Status OnDecisions(std::span<const KeepDecision> decisions);
  virtual Status OnDecision(uint64_t document, bool kept);
};

// How a run over a collection compares documents.
struct CollectionRunOptions : ComparisonOptions {
  ResourceOptions resources;
  uint64_t max_document_bytes = 8 << 20;  // a larger one is rejected
  ProgressSink on_progress;
  const std::atomic<bool>* stop = nullptr;  // ends the run with kInterrupted
};

struct CollectionOptions : CollectionRunOptions,
                           ClusterOptions,
                           ScopeOptions {};

struct CollectionMatchOptions : CollectionRunOptions, PriorityOptions {
  std::string window;  // as in ScopeOptions
  // kDrop: a document of A that has a match is not kept.
  Action action = Action::kDrop;
  double max_loss = 1;  // which pairs are matches, as in MatchOptions
};

struct CollectionSummary {
  uint64_t documents = 0;  // without the rejected; in a match, of both sides
  uint64_t rejected = 0, empty = 0;
  uint64_t pairs = 0, clusters = 0, kept = 0, dropped = 0;
  bool on_disk = false;  // work files did not fit into memory
  Json json;             // these, the parameters and the expected recall
};
inline const Json& SummaryJson(const CollectionSummary& summary) {
  return summary.json;
}

// The names of the fields that the options read of each document (--within,
// --across, --site, max:FIELD and min:FIELD): a source need fill no others.
Result<std::vector<std::string>> FieldsOf(const CollectionOptions& options);

// Gives the pairs, clusters and decisions that twinset::Dedup of files gives
// for the same contents and options, whatever the threads and memory. Errors:
// those of `source` and `sink`, kUsage, kIo, kMemory, kInterrupted. Thread-safe
// for different sources and sinks. Memory: that of `resources`, and 64 MB.
Result<CollectionSummary> Dedup(Source& source,
                                const CollectionOptions& options, Sink& sink);
// Finds the pairs of a document of A and one of B.
Result<CollectionSummary> Match(Source& a, Source& b,
                                const CollectionMatchOptions& options,
                                Sink& sink);

// The same for results that fit into memory.
struct Duplicates {
  std::vector<Pair> pairs;
  std::vector<ClusterMember> members;
  std::vector<uint64_t> kept, dropped;
  std::vector<RejectedDocument> rejected;
  CollectionSummary summary;
};
Result<Duplicates> Dedup(Source& source, const CollectionOptions& options = {});
Result<Duplicates> Match(Source& a, Source& b,
                         const CollectionMatchOptions& options = {});

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_COLLECTION_H_
