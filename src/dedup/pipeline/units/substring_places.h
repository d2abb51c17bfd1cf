// Places of --unit substring. They count the tokens of the corpus: those of all
// documents in input order, and one number more behind each document, so that
// no window stands beside one of another document.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_UNITS_SUBSTRING_PLACES_H_
#define TWINSET_SRC_DEDUP_PIPELINE_UNITS_SUBSTRING_PLACES_H_

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/sort_records.h"
#include "pipeline/read/token_store.h"
#include "pipeline/run/run.h"
#include "pipeline/units/unit_groups.h"
#include "twinset/error.h"

namespace twinset {

// A window of --min-tokens tokens that stands twice, and its first place.
struct WindowPlace {
  uint64_t place = 0, first = 0;
  std::array<uint64_t, 1> SortWords() const { return {place}; }
};

// So many windows that begin at tokens beside each other, and whose first
// places stand beside each other in the same order.
struct WindowRun {
  uint64_t first = 0, place = 0, windows = 0;
  uint64_t document = 0;  // of place
  std::array<uint64_t, 2> SortWords() const { return {first, place}; }
};

// Finds the documents of places that ascend, in starts.run: where each document
// begins, and where the next one would.
class DocumentsOfPlaces {
 public:
  static Result<DocumentsOfPlaces> Open(const Run& run);

  // Goes on to the document of `place`, and says how many others that leaves
  // behind: 0 if it is the one where it stands.
  Result<uint64_t> GoTo(uint64_t place);
  // Where it stands; before the first GoTo nowhere.
  uint64_t document() const { return document_; }
  uint64_t begin() const { return begin_; }

  Result<UnitPlace> Of(uint64_t place) {
    return GoTo(place).map([&](uint64_t) {
      return UnitPlace{document_, place - begin_};
    });
  }

 private:
  explicit DocumentsOfPlaces(RunReader<uint64_t> starts)
      : starts_(std::move(starts)) {}
  RunReader<uint64_t> starts_;
  uint64_t document_ = UINT64_MAX, begin_ = 0, end_ = 0;
};

// Reads the tokens at places. Only documents that are asked for are read.
class TokensOfPlaces {
 public:
  static Result<TokensOfPlaces> Open(const Run& run);

  // The tokens from `place` on to the end of its document, as StoredTokens::
  // rest(). Places must not descend. Valid until another document is asked for.
  Result<std::string_view> From(uint64_t place);
  // The same for `tokens` of them; neither `place` nor where they end descends.
  Result<std::string_view> Some(uint64_t place, uint64_t tokens);
  uint64_t document() const { return documents_.document(); }

 private:
  TokensOfPlaces(DocumentsOfPlaces documents, BlobReader features)
      : documents_(std::move(documents)), features_(std::move(features)) {}
  DocumentsOfPlaces documents_;
  BlobReader features_;
  StoredTokens begin_, end_;  // of the document
};

// Finds all windows of `tokens` tokens that stand at two places which do not
// overlap, by their hashes: one call of `body` for every place, ascending.
// `attempt`: hashes that collided are others in another one.
Status ForEachRepeatedWindow(
    Run* run, uint64_t tokens, uint64_t attempt,
    const std::function<Status(const WindowPlace&)>& body);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_UNITS_SUBSTRING_PLACES_H_
