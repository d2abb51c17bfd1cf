// Tells which documents of a saved run (docs/formats/saved-run.md) are
// near-duplicates of a single text.
//
//   const auto stored = twinset::SavedCollection::Open("run");
//   for (const auto& found : *stored->Find(text)) ...
#ifndef TWINSET_SAVED_COLLECTION_H_
#define TWINSET_SAVED_COLLECTION_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/error.h"

namespace twinset {
inline namespace v1 {

struct SavedCollectionOptions {
  std::optional<double> threshold;  // empty: that of the saved run
  int threads = 0;                  // of Open; 0: all
  uint64_t memory_bytes = 0;        // 0: 60 % of what is available
};

struct FoundDocument {
  std::string id;         // as in the results of the saved run
  double similarity = 0;  // exact
  uint64_t document = 0;  // its number in the saved run
};

// Immutable: any number of threads may ask one collection together. While it
// lives the saved run cannot be replaced.
class SavedCollection {
 public:
  // Goes once through the sketches of the saved run, or through its features
  // if it has no sketches, and keeps keys in memory: 24 bytes per key. With
  // `complete`, Jaccard and threshold t, a document of n shingles has about
  // (1 - t) n keys; with `minhash` it has one per band, 16 at 0.8. `simhash` of
  // up to 64 bits keeps compressed tables instead: about 6 bytes per table and
  // document, and 36 bytes per document beside them.
  // kMemory when they do not fit; kUnsupported if the features of two documents
  // do not decide about a pair (without verification, with --verify text, with
  // the measures containment and cosine-tf-idf) or if the method of the saved
  // run uses no keys; otherwise the errors of Recut.
  static Result<SavedCollection> Open(
      const std::string& folder, const SavedCollectionOptions& options = {});
  SavedCollection(SavedCollection&&) noexcept;
  SavedCollection& operator=(SavedCollection&&) noexcept;
  ~SavedCollection();

  // Documents of the saved run.
  uint64_t size() const;
  // The documents that Match would pair with this text: all candidates at the
  // threshold, most similar first, then in the order of the saved run. A text
  // that Match would skip (--language) has none. No bucket is cut, however many
  // documents share a key; a method that learns uses what the saved run learnt.
  // Find reads the features of candidates from the saved run; kCorrupt when
  // they are damaged.
  Result<std::vector<FoundDocument>> Find(std::string_view text) const;

 private:
  struct Parts;
  explicit SavedCollection(std::unique_ptr<const Parts> parts);
  std::unique_ptr<const Parts> parts_;
};

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_SAVED_COLLECTION_H_
