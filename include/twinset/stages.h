// The stages of a run without folders and plans, for an engine that moves rows
// itself (docs/methods/spark.md). They give what a run of one machine gives.
//
//   documents, or files of them --Take, StagedReader--> facts, digest, keys,
//   features by digest and rank --StagedClasses--> copies, which go no further
//   keys by key and rank --KeyJoin--> pairs to compare, members of hot buckets
//   hot members with features, by key and rank --HotJoin--> more such pairs
//   pairs with features --Verify--> verified pairs
//   these by the ranks of their ends --StagedCover--> members of clusters
//   members and pairs with ids --ResultLines--> lines of the result files
//
// A document is known by its rank, its place in the order of priority: 0 is the
// first that stays. Ranks are below 2^40 and differ. Features and digests are
// made under a secret: whoever has it can make texts that collide, so it goes
// to those who work on the run and stands in no file or setting.
//
// The engine sorts; a stream that gets its rows in another order finds other
// pairs. Nothing here keeps what grows with the corpus but for one bit a
// document in StagedCover and one bucket in KeyJoin.
#ifndef TWINSET_STAGES_H_
#define TWINSET_STAGES_H_

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twinset/document.h"
#include "twinset/error.h"
#include "twinset/inspect.h"
#include "twinset/json.h"
#include "twinset/options.h"

namespace twinset {
inline namespace v1 {

struct StageOptions : ComparisonOptions {
  SecretBytes key = {};                   // not all zero
  uint64_t max_document_bytes = 8 << 20;  // a larger one is rejected
};

// The key that is given as a file or as bytes, or one that is drawn.
Result<SecretBytes> StageKey(const ResourceOptions& resources);

// What is made of a document.
struct StagedDocument {
  std::string rejected, detail;         // set: it is no document, and why
  uint64_t size = 0;                    // of its features; 0: it is in no pair
  std::array<uint64_t, 2> digest = {};  // equal features have equal ones
  std::vector<uint64_t> keys;  // documents that share one may be a pair
  std::string features;
};

struct StagedPosting {
  uint64_t key = 0, rank = 0, size = 0;
};

struct StagedPair {
  uint64_t a = 0, b = 0;  // ranks, a < b
  double similarity = 0;
  double a_contained = 0, b_contained = 0;  // the share of each in the other
};

struct StagedMember {
  uint64_t representative = 0, document = 0;  // ranks
  double similarity = 0, contained = 0;
};

// How documents are compared. A copy costs a pointer; thread-safe.
class Stages {
 public:
  struct Parts;

  // kUsage for options that make no sense together, kUnsupported for a method
  // that finds pairs by more than keys of each document (complete), a filter
  // over sketches, and what is not verified.
  static Result<Stages> Make(const StageOptions& options);

  Result<StagedDocument> Take(Document document) const;
  // Nothing where the two are no pair at the threshold. a < b.
  Result<std::optional<StagedPair>> Verify(uint64_t a,
                                           std::string_view a_features,
                                           uint64_t b,
                                           std::string_view b_features) const;
  // What the options come to, as in summary.json.
  Json Parameters() const;
  double expected_recall() const;  // at the threshold

 private:
  friend class KeyJoin;
  friend class HotJoin;
  std::shared_ptr<const Parts> parts_;
};

// Classes of documents whose features are equal, byte for byte: equal digests
// are a hint. Rows in order of digest, then rank. One thread.
class StagedClasses {
 public:
  // The first document of the class, if this one is a copy of it.
  std::optional<uint64_t> Add(const std::array<uint64_t, 2>& digest,
                              uint64_t rank, std::string_view features);

 private:
  std::array<uint64_t, 2> digest_ = {};
  std::vector<std::pair<uint64_t, std::string>> leaders_;
};

// A file of the inputs. Every machine of the engine can open its path.
struct StagedFile {
  std::string path;    // any bytes
  std::string source;  // as rows of results name it
  std::string relative;
  uint64_t bytes = 0;
  int64_t mtime_ns = 0;
};
// The files of InputOptions::inputs, in the order of a run over them.
// kUnsupported for an input that gives its bytes only once.
Result<std::vector<StagedFile>> ListStagedFiles(const InputOptions& input);

// A record of a file. What it holds goes to Stages::Take, or elsewhere.
struct StagedRecord {
  uint64_t ordinal = 0;  // in its file
  uint64_t offset = 0;   // as of Provenance
  std::string id, url, date;
  std::string rejected, detail;  // set: it is no document, and why
  bool is_skipped = false;       // and belongs in no quarantine
  // The id that the record has, if any; and the one that it had before a name
  // without line ends took its place.
  std::string read_id, original_id;
  Document document;
};

// The records of one file, documents or not, in their order. One thread.
class StagedReader {
 public:
  // kIo for a file that is another than it was when it was listed.
  static Result<StagedReader> Open(const StagedFile& file,
                                   const InputOptions& input);
  StagedReader(StagedReader&&) noexcept;
  ~StagedReader();
  // False at the end.
  Result<bool> Next(StagedRecord* record);

 private:
  struct Parts;
  explicit StagedReader(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

using StagedPairSink = std::function<Status(uint64_t a, uint64_t b)>;

// Pairs to compare, from the postings of documents that are no copies, in order
// of key, then rank. A pair comes once for each key that it shares. The members
// of a bucket beyond MethodOptions::bucket_limit go to `hot`. Of two sides, the
// documents of the first have the ranks below `first_side`, and no pair is of
// one side alone; 0: there is one side. One thread.
class KeyJoin {
 public:
  using HotSink = std::function<Status(const StagedPosting&)>;
  KeyJoin(const Stages& stages, StagedPairSink pairs, HotSink hot,
          uint64_t first_side = 0);
  KeyJoin(KeyJoin&&) noexcept;
  ~KeyJoin();
  Status Add(const StagedPosting& posting);
  Status Finish();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Pairs to compare, from what KeyJoin calls hot, with features, in order of
// key, then rank: each member is compared with at most 64 leaders of its bucket
// (docs/methods/join.md). It keeps the features of the leaders. One thread.
class HotJoin {
 public:
  struct Counts {
    uint64_t buckets = 0, members = 0, pairs_possible = 0, pairs_compared = 0;
  };
  HotJoin(const Stages& stages, StagedPairSink pairs, uint64_t first_side = 0);
  HotJoin(HotJoin&&) noexcept;
  ~HotJoin();
  Status Add(const StagedPosting& posting, std::string features);
  Status Finish();
  Counts counts() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Who stays and whom the others join, copies left out: star cover of the
// verified pairs in order of b, then a (docs/methods/clusters.md). Memory: one
// bit a document. One thread.
class StagedCover {
 public:
  using Sink = std::function<Status(const StagedMember&)>;
  // kMemory when the bits do not fit.
  static Result<StagedCover> Make(uint64_t documents);
  StagedCover(StagedCover&&) noexcept;
  ~StagedCover();
  Status Add(const StagedPair& pair, const Sink& sink);
  Status Finish(const Sink& sink);

 private:
  struct Parts;
  explicit StagedCover(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

// A line of quarantine.jsonl. Rows have no offset.
std::string QuarantineLine(const RejectedRecord& record,
                           std::string_view original_id, bool has_offset);

// A line of clusters.jsonl.
struct ClusterLine {
  std::string_view id, cluster;
  double similarity = 1, contained = 1;
  uint64_t size = 0, ordinal = 0;
  std::string_view source, url, date;
};

// Lines of pairs.jsonl, best.jsonl or clusters.jsonl, as a run writes them. One
// thread.
class ResultLines {
 public:
  ResultLines();
  ResultLines(ResultLines&&) noexcept;
  ~ResultLines();
  void AddPair(std::string_view a, std::string_view b, double similarity);
  void AddBest(std::string_view a, std::string_view b, double similarity,
               double contained);
  void AddMember(const ClusterLine& line, bool is_representative);
  // The lines since the last call.
  std::string Take();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_STAGES_H_
