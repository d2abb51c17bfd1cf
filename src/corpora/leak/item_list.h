// The items of a test set: how they are read, and what is known of each.
#ifndef TWINSET_SRC_CORPORA_LEAK_ITEM_LIST_H_
#define TWINSET_SRC_CORPORA_LEAK_ITEM_LIST_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/tokens/features.h"
#include "twinset/corpora/leak.h"
#include "twinset/error.h"
#include "twinset/inspect.h"
#include "twinset/options.h"
#include "verify/passages.h"
#include "verify/verifier.h"

namespace twinset {

// `text` with `to` in place of every `from`.
std::string Replaced(std::string text, std::string_view from,
                     std::string_view to);

// N of shingles word:N; kUsage where they are of something else.
Result<uint32_t> LeakGramWords(const FeatureOptions& features);

// By the share of an item in a document. kUsage for a threshold out of (0, 1].
Result<std::unique_ptr<Verifier>> LeakVerifier(double threshold);

// Something is said of how the items are written.
bool IsSaid(const AgainstOptions& test);
// How the items are read: as the training data but for what is said of them.
InputOptions LeakTestInput(const LeakOptions& options);

// kInterrupted when the caller wants it to stop.
Status LeakStopStatus(const LeakOptions& options);

// All items of the inputs, in order, each with the name of its split. Adds what
// was read to result->sides and result->quarantined. kCorrupt for a test input
// without items.
Status ForEachLeakItem(
    const LeakOptions& options, const FeatureExtractor& extractor,
    LeakResult* result,
    const std::function<Status(const DocumentText& text,
                               const std::string& split)>& on_item);

// The page marks also what two texts have between words that differ.
inline constexpr PassageRules kLeakPassages = {.min_tokens = 5};
// The excerpt of a document begins with the first passage of so many words.
uint64_t LeakExcerptWords(uint64_t item_tokens);
// The text from byte `begin` on, as an excerpt.
std::string LeakExcerpt(std::string_view text, size_t begin);

// A document of so many words that has so much of the item is the item and
// little else, or has it among others.
LeakKind LeakKindOf(uint64_t item_tokens, uint64_t document_tokens,
                    double share, double threshold);

// An item, in input order.
struct LeakItem {
  std::string id;
  size_t split = 0;
  uint64_t tokens = 0;
  Leak leak;  // kClean until a document is found
};

class ItemList {
 public:
  // `words`: of a shingle. `extractor` is of the options, and outlives this.
  ItemList(const FeatureExtractor* extractor, uint32_t words)
      : extractor_(extractor), words_(words) {}

  // Adds to result->splits. The item is called by its own id. Returns the words
  // of a short item; none of others.
  std::vector<std::string> Add(const DocumentText& text,
                               const std::string& split, LeakResult* result);
  // Calls all items as a run does: an id that comes again gets a number.
  void NameAll();
  LeakItem& operator[](size_t i) { return items_[i]; }
  const LeakItem& operator[](size_t i) const { return items_[i]; }
  size_t size() const { return items_.size(); }
  // Memory that the items take, about.
  uint64_t bytes() const { return bytes_; }

  // Fills result->leaks, and what splits count of them; `clean` gets the ids of
  // the items that do not leak. The items are then empty.
  void Finish(LeakResult* result, std::vector<std::string>* clean);

 private:
  const FeatureExtractor* extractor_;
  uint32_t words_;
  std::vector<LeakItem> items_;
  std::unordered_map<std::string, size_t> splits_;  // places in the result
  uint64_t bytes_ = 0;
};

// What of the options decided the result.
LeakParameters LeakParametersOf(const LeakOptions& options);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_LEAK_ITEM_LIST_H_
