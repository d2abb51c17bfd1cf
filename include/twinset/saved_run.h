// What a saved run (docs/formats/saved-run.md) serves, without its inputs:
// Recut decides it again, with other thresholds, rules and files;
// SavedCollection tells which of its documents are near-duplicates of a single
// text.
//
//   const auto stored = twinset::SavedCollection::Open("run");
//   for (const auto& found : *stored->Find(text)) ...
#ifndef TWINSET_SAVED_RUN_H_
#define TWINSET_SAVED_RUN_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/batch.h"
#include "twinset/dedup.h"
#include "twinset/error.h"
#include "twinset/options.h"

namespace twinset {
inline namespace v1 {

// Options that are not set are as in the saved run.
struct RecutOptions {
  std::string saved;                // folder of DedupOptions::save
  std::string out;                  // result folder
  std::optional<double> threshold;  // not below that of the saved run
  // max:FIELD, min:FIELD and stats_by may only use fields that the saved run
  // named in keep, within, across or stats_by.
  std::optional<std::vector<std::string>> keep, prefer, stats_by;
  std::optional<ClusterRule> cluster;
  std::optional<ListedPairs> pairs;
  std::optional<Action> action;
  std::optional<double> max_loss;
  std::optional<OutputFormat> output_format;
  bool report = false, overwrite = false;
  // As in CorpusOptions; a run that was saved with `kinds` has them anyway.
  // kUsage when the saved run has not kept the texts.
  bool kinds = false;
  ResourceOptions resources;  // no key is read
  ProgressSink on_progress;
  const std::atomic<bool>* stop = nullptr;
};

// Returns true iff the folder holds a saved run, whole or not.
bool IsSavedRun(const std::string& folder);

// Returns the options that a run was saved with, without its inputs, folders
// and resources. Options that name the run in DedupOptions::add or
// MatchOptions::against begin with these. Errors: those of Recut.
Result<DedupOptions> OptionsOfSavedRun(const std::string& folder);

// Writes the files of Dedup into options.out, summary.json last. They have the
// bytes that Dedup would write for the inputs of the saved run with its
// options, these options, and the saved run's bands and rows given, as far as
// docs/formats/saved-run.md says. Neither the inputs nor the saved run change.
// Errors: kUsage for options that the saved run cannot serve, and for a folder
// that is not a saved run; kCorrupt and kUnsupported for a saved run that is
// damaged or of another version; otherwise those of Dedup, but an interrupted
// Recut begins anew.
Result<DedupSummary> Recut(const RecutOptions& options);

struct SavedCollectionOptions {
  std::optional<double> threshold;  // empty: that of the saved run
  int threads = 0;                  // of Open, and of Find over a batch; 0: all
  uint64_t memory_bytes = 0;        // 0: 60 % of what is available
  // How far Open is.
  ProgressSink on_progress;
  // Set: Open, and calls over batches that are running, end with kInterrupted.
  // Must live as long as the collection.
  const std::atomic<bool>* stop = nullptr;
};

// A document of the saved run that is a near-duplicate of the text.
struct FoundDocument {
  std::string id;         // as in the results of the saved run
  double similarity = 0;  // exact
  uint64_t document = 0;  // its number in the saved run
  friend bool operator==(const FoundDocument&, const FoundDocument&) = default;
};

// Immutable: any number of threads may ask one collection together. While it
// lives the saved run cannot be replaced.
class SavedCollection {
 public:
  // Goes once through the sketches of the saved run, or through its features
  // if it has no sketches, and keeps keys in memory: 24 bytes per key. With
  // `complete`, Jaccard and threshold t, a document of n shingles has about
  // (1 - t) n keys, its rarest shingles: the features are read twice, first to
  // count shingles in 1.4 bytes each; with `minhash` it has one per band, 16 at
  // 0.8. `simhash` of up to 64 bits keeps compressed tables instead: about 6
  // bytes per table and document, and 36 bytes per document beside them.
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
  // The same of each text of a batch; none of a null.
  Result<std::vector<std::vector<FoundDocument>>> Find(
      const TextBatch& batch) const;

 private:
  struct Parts;
  explicit SavedCollection(std::unique_ptr<const Parts> parts);
  std::unique_ptr<const Parts> parts_;
};

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_SAVED_RUN_H_
