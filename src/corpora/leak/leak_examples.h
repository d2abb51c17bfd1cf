// The items that the page of `leak` shows beside their documents, with the
// passages that both have.
#ifndef TWINSET_SRC_CORPORA_LEAK_LEAK_EXAMPLES_H_
#define TWINSET_SRC_CORPORA_LEAK_LEAK_EXAMPLES_H_

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/report/text_window.h"
#include "text/tokens/features.h"
#include "twinset/json.h"

namespace twinset {

// A passage, in the item and in the document.
struct LeakPassage {
  uint64_t words = 0;
  TextWindow item, document;
};

struct LeakExample {
  size_t item = 0;                    // in the order of the items
  size_t leak = 0;                    // its number in LeakResult::leaks
  std::vector<LeakPassage> passages;  // the longest, in the order of the item
  bool has_document = false;          // their texts are those of the document
};

// What a page is made of beside the result.
struct LeakShown {
  std::vector<LeakExample> examples;
  std::string training;  // the name of the input, or how many there are
  const FeatureExtractor* extractor = nullptr;  // of both texts
};

// Memory: at most kMost times kMostPassages passages of a few KB each, however
// many items leak and however long the texts are.
class LeakExamples {
 public:
  static constexpr size_t kMost = 20, kMostPassages = 3;

  // An item that leaks, in the order of the items. Those stay that are the
  // first of their split, then the second, and so on.
  void Offer(size_t item, size_t split);
  void Choose();
  // The example of an item; null when it is none. After Choose.
  LeakExample* Find(size_t item);

  // A row of passages.jsonl of the item and the document that has most of it.
  static void AddPassage(const Json& row, LeakExample* example);
  // The whole texts. What the document has in the passages is set by itself,
  // so that it can be kept.
  static void SeeItem(std::string_view text, LeakExample* example);
  static std::vector<TextWindow> WindowsIn(std::string_view text,
                                           const LeakExample& example);
  static void SetDocument(std::vector<TextWindow> windows,
                          LeakExample* example);

  bool empty() const { return examples_.empty(); }
  size_t last_item() const { return examples_.back().item; }
  const std::vector<LeakExample>& examples() const { return examples_; }

 private:
  struct Offered {
    uint64_t rank = 0;  // within the split
    size_t split = 0, item = 0;
    friend auto operator<=>(const Offered&, const Offered&) = default;
  };

  std::vector<uint64_t> leaks_;  // by split
  std::set<Offered> offered_;
  std::vector<LeakExample> examples_;  // ascending by item
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_LEAK_LEAK_EXAMPLES_H_
