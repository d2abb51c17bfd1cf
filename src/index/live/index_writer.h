// What changes an index: arrivals and removals (docs/methods/index.md). One
// thread at a time; nobody may read the store meanwhile.
#ifndef TWINSET_SRC_INDEX_LIVE_INDEX_WRITER_H_
#define TWINSET_SRC_INDEX_LIVE_INDEX_WRITER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "live/index_features.h"
#include "live/index_reader.h"
#include "live/index_store.h"
#include "twinset/error.h"
#include "twinset/index.h"

namespace twinset {

// What another index has said of a document.
struct IndexOrigin {
  uint64_t arrival = 0, same_id = 1;
  bool has_id = false;
};

// A document on its way into the index, with what was made of it.
struct IndexArrival {
  std::string id, url, date, tag, digest;
  int64_t seen = 0;
  IndexedText text;
  std::string packed;
  uint64_t content_hash = 0;  // of a document with an id
  Hash128Value payload_hash;  // as records have it
  // By which captures are looked for that lists declare; none: by nothing.
  std::vector<std::string> declared_digests;
  // Set: it keeps these, and is no repetition; `id` is set too.
  std::optional<IndexOrigin> origin;
};

// Takes it out of the input. Pure; `now`: when it came, where it has no date;
// `with_digests`: those by which lists may declare it.
IndexArrival MakeArrival(const IndexFeatures& features, int64_t now,
                         bool with_digests, IndexInput* input);

// The same of a document of an index of texts.
IndexArrival MakeStoredArrival(const IndexFeatures& features,
                               const IndexOrigin& origin, int64_t seen,
                               IndexInput* input);

class IndexWriter {
 public:
  IndexWriter(IndexStore* store, const IndexFeatures* features)
      : store_(*store), features_(*features), reader_(store, features) {}

  Result<IndexAnswer> Add(const IndexArrival& arrival,
                          const IndexAddOptions& options = {});
  // False for a capture whose digest is declared under its tag already.
  Result<bool> Declare(const IndexDeclaration& declared);
  Status RemoveDeclared(uint32_t tag, uint64_t* removed);
  // Removes documents, which are there, of any classes.
  Status Remove(std::vector<uint64_t> entries, const IndexRemovalSink& sink);
  // Documents of a tag from entry *from on, at most `most`; *from becomes where
  // to go on.
  Result<std::vector<uint64_t>> WithTag(uint32_t tag, size_t most,
                                        uint64_t* from) const;

 private:
  Result<uint32_t> TagNumber(const std::string& tag);
  Result<bool> FindRepeated(const IndexArrival& arrival, IndexRecord* record,
                            IndexAnswer* answer) const;
  // Fills what finds it by its address and digest.
  Status SetCapture(const IndexArrival& arrival, IndexRecord* record) const;
  Result<bool> IsSame(const IndexArrival& arrival,
                      const IndexRecord& record) const;
  Result<IndexAnswer> Repeated(const IndexArrival& arrival, uint64_t entry,
                               const IndexRecord& record) const;
  // Tells of the kept document `entry`, of the class of the hit.
  Status TellKept(const IndexArrival& arrival, const ClassHit& hit,
                  uint64_t entry, IndexAnswer* answer) const;
  Status RemoveOfClass(uint64_t of_class, std::vector<uint64_t> entries,
                       bool is_replacement = false);
  // Removes what came with the id of a document that is next, and numbers that.
  Status Replace(const IndexArrival& arrival, IndexRecord* record,
                 IndexAnswer* answer);

  IndexStore& store_;
  const IndexFeatures& features_;
  const IndexReader reader_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_INDEX_LIVE_INDEX_WRITER_H_
