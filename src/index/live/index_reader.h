// The answers of an index: similar classes, their documents, ids
// (docs/methods/index.md).
#ifndef TWINSET_SRC_INDEX_LIVE_INDEX_READER_H_
#define TWINSET_SRC_INDEX_LIVE_INDEX_READER_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/values.h"
#include "live/index_features.h"
#include "live/index_store.h"
#include "segments/index_key.h"
#include "twinset/error.h"
#include "twinset/index.h"

namespace twinset {

// A class as it is now.
struct ClassNow {
  uint64_t number = 0;  // its first document
  uint64_t newest = 0;  // the entry that changed it last
  ClassState state;
};

// A class at the threshold. `shared` is of the asked document and of it.
struct ClassHit : ClassNow {
  double similarity = 0;
  SharedFeatures shared = {};
  bool is_equal = false;  // of the same features
};

struct SimilarClasses {
  std::vector<ClassHit> hits;
  bool is_bounded = false;
};

// Which tags a question asks for, by their numbers.
struct TagFilter {
  std::vector<uint32_t> within, without;

  bool is_set() const { return !within.empty() || !without.empty(); }
  bool Passes(uint32_t tag) const;  // 0: a document without one
  // False: no document of a class of these tags passes.
  bool MayPass(const std::vector<uint32_t>& tags) const;
};

// Thread-safe as long as the store does not change.
class IndexReader {
 public:
  IndexReader(const IndexStore* store, const IndexFeatures* features)
      : store_(*store), features_(*features) {}

  // Classes at the threshold that have documents. `for_decision`: of those that
  // are not equal, only ones with a kept document; and if an equal one has it,
  // that one alone.
  Result<SimilarClasses> Similar(const IndexedText& asked,
                                 bool for_decision) const;
  // The hit to whose kept document the asked one is most similar, the first of
  // the equally similar; null when none has one.
  static const ClassHit* MostSimilarKept(const SimilarClasses& found);

  Result<ClassNow> Class(uint64_t number) const;
  // Documents of a class that are there, the newest first, until `each` returns
  // false.
  Status ForEachMember(
      const ClassNow& of,
      const std::function<Result<bool>(uint64_t, const IndexRecord&)>& each)
      const;
  // Returns true iff the document was not removed.
  Result<bool> IsThere(uint64_t entry, const IndexRecord& record) const;

  // Document `entry`, which is there.
  Result<IndexDocument> Document(uint64_t entry) const;
  // The same, which is of the class of the hit. *payload, where that is asked
  // for, becomes the hash of its payload.
  Result<IndexMatch> Match(const ClassHit& hit, uint64_t entry,
                           Hash128Value* payload = nullptr) const;
  // Says how a text differs from that of document `entry`, which is there.
  Status Explain(std::string_view asked, uint64_t entry,
                 IndexMatch* match) const;
  Result<IndexFound> Query(const IndexedText& asked,
                           const IndexQuery& query) const;
  Result<TagFilter> FilterOf(const IndexQuery& query) const;

  // Documents that are there and came with this id, the newest first.
  Status ForEachOfId(
      std::string_view id,
      const std::function<Result<bool>(uint64_t, const IndexRecord&)>& each)
      const;
  // Documents that are there and came with this address (kUrl) or digest
  // (kDigest), the newest first.
  Status ForEachCapture(
      IndexKey::Kind kind, std::string_view text,
      const std::function<Result<bool>(uint64_t, const IndexRecord&)>& each)
      const;
  Result<std::vector<IndexCapture>> Captures(
      const IndexCaptureQuery& query) const;
  // Captures that lists declare with a digest (as DigestOfList has it), the
  // newest first.
  Status ForEachDeclared(
      std::string_view digest,
      const std::function<Result<bool>(uint64_t, const IndexRecord&)>& each)
      const;
  // One that has one of these digests and passes.
  Result<std::optional<IndexDeclaration>> FindDeclared(
      std::span<const std::string> digests, const TagFilter& filter) const;
  // The document by which the index knows this id; kNoEntry: there is none.
  Result<uint64_t> FindNamed(const std::string& name) const;
  // Documents that are there and were dropped for this one.
  Status ForEachDropped(
      uint64_t kept,
      const std::function<Status(uint64_t, const IndexRecord&)>& each) const;

 private:
  Status Collect(const IndexedText& asked, std::vector<uint64_t>* classes,
                 bool* is_bounded) const;
  Result<std::optional<ClassHit>> Look(const IndexedText& asked,
                                       uint64_t number,
                                       bool kept_or_equal) const;
  Status ForEachAsked(const ClassHit& hit, const IndexQuery& query,
                      const TagFilter& filter,
                      const std::function<Result<bool>(uint64_t)>& each) const;
  std::vector<std::string> TagNames(const std::vector<uint32_t>& tags) const;

  const IndexStore& store_;
  const IndexFeatures& features_;
};

// The digests by which lists may declare a payload.
std::vector<std::string> DeclaredDigestsOf(std::string_view payload);

// A digest as CDX files have it: SHA-1 without the name of the algorithm.
std::string DigestOfCapture(std::string_view digest);

// "2026-11-28T09:30:00Z"
std::string SeenText(int64_t seconds);

}  // namespace twinset

#endif  // TWINSET_SRC_INDEX_LIVE_INDEX_READER_H_
