// The test items while it is looked for them, and what may be held of them.
#ifndef TWINSET_SRC_CORPORA_LEAK_TEST_ITEMS_H_
#define TWINSET_SRC_CORPORA_LEAK_TEST_ITEMS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "leak/item_list.h"
#include "leak/item_search.h"
#include "leak/short_items.h"
#include "text/tokens/features.h"
#include "twinset/corpora/leak.h"
#include "twinset/error.h"

namespace twinset {

// What is held at once, in bytes, by who holds it.
struct LeakMemory {
  uint64_t most = 0;
  uint64_t items = 0, documents = 0, places = 0, search = 0;
  // kMemory when it is more than `most`.
  Status Check() const;
};

// What is known of an item beside LeakItem.
struct ItemState {
  bool has_passage = false;
  uint64_t passage_begin = 0;  // characters of the document
  uint64_t listed = 0;         // of a short item: rows of documents.jsonl
  uint64_t sharing = 0;        // by a rule of others: documents of the match
};

// All items, held. Not thread-safe.
class TestItems {
 public:
  // Both outlive this.
  TestItems(const LeakOptions& options, LeakMemory* memory)
      : options_(options), memory_(memory) {}

  // `words`: of a shingle. Adds to `result` what ForEachLeakItem adds, and the
  // splits.
  Status Read(uint32_t words, LeakResult* result);

  size_t size() const { return list_->size(); }
  LeakItem& operator[](size_t item) { return (*list_)[item]; }
  ItemState& state(size_t item) { return states_[item]; }
  // By the name that runs give it.
  std::optional<size_t> Find(const std::string& id) const;
  const FeatureExtractor& extractor() const { return *extractor_; }
  const ShortItems& shorts() const { return short_; }
  ItemList& list() { return *list_; }
  // The items as they are looked for in documents one by one. The items are
  // read once more for the first call.
  Result<ItemSearch*> Search();

 private:
  Status MakeSearch();

  const LeakOptions& options_;
  LeakMemory* memory_;
  std::unique_ptr<FeatureExtractor> extractor_;
  std::optional<ItemList> list_;
  std::vector<ItemState> states_;
  std::unordered_map<std::string, size_t> by_id_;
  ShortItems short_;
  std::optional<ItemSearch> search_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_LEAK_TEST_ITEMS_H_
