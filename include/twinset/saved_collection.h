// Single texts against a saved run (docs/formats/saved-run.md): which of its
// documents are near-duplicates.
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

namespace twinset::inline v1 {

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
  // where it has no sketches, and keeps keys in memory: 24 bytes a key. With
  // `complete`, Jaccard and threshold t a document of n shingles has about
  // (1 - t) n keys; with `minhash` one a band, 16 at 0.8. `simhash` of up to 64
  // bits keeps compressed tables instead: about 6 bytes a table and document,
  // and 36 beside them.
  // kMemory when they do not fit; kUnsupported for a saved run whose pairs are
  // not decided by the features of two documents (without verification, with
  // --verify text, measures containment and cosine-tf-idf) or whose method goes
  // by no keys; else as of Recut.
  static Result<SavedCollection> Open(
      const std::string& folder, const SavedCollectionOptions& options = {});
  SavedCollection(SavedCollection&&) noexcept;
  SavedCollection& operator=(SavedCollection&&) noexcept;
  ~SavedCollection();

  // Documents of the saved run.
  uint64_t size() const;
  // The documents that Match would pair with this text: all candidates at the
  // threshold, most similar first, then in the order of the saved run. None for
  // a text that Match would skip (--language). No bucket is cut, however many
  // documents share a key; a method that learns goes by what the saved run
  // learnt. Reads the features of candidates from the saved run; kCorrupt when
  // they are damaged.
  Result<std::vector<FoundDocument>> Find(std::string_view text) const;

 private:
  struct Parts;
  explicit SavedCollection(std::unique_ptr<const Parts> parts);
  std::unique_ptr<const Parts> parts_;
};

}  // namespace twinset::inline v1

#endif  // TWINSET_SAVED_COLLECTION_H_
