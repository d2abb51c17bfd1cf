// `leak` as functions, without folders, for an engine that moves documents
// itself (docs/methods/spark.md): the items are few, so each task holds them
// all, and training documents pass by one at a time.
//
//   test items --LeakItems--> texts, which go to every task
//   a training document beside these texts --LeakLook--> the items it holds
//   of each item the best document --LeakItems--> leaks.jsonl and what else
//   there is to say of items
#ifndef TWINSET_CORPORA_LEAK_STAGES_H_
#define TWINSET_CORPORA_LEAK_STAGES_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/corpora/leak.h"
#include "twinset/document.h"
#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/options.h"

namespace twinset {
inline namespace v1 {

// An item in a training document.
struct LeakHolding {
  uint64_t item = 0;  // its number, in the order of the items
  LeakKind kind = LeakKind::kEmbedded;
  double similarity = 1;      // the share of the item's shingles
  std::string document_text;  // excerpt of what both have
};

struct LeakLooked {
  std::string rejected, detail;  // set: it is no document, and why
  uint64_t tokens = 0;
  // Each item once: whole and embedded ones in the order of the items, then
  // short ones in the order of the text. The caller leaves out where a short
  // item stands if some document is just that item.
  std::vector<LeakHolding> holdings;
};

// Looks for all items in one document after the other. Finds every item that
// FindLeaks finds. A copy costs a pointer; thread-safe. Memory: about 30 bytes
// a word of the items. A document costs its words, and for each item in it once
// more.
class LeakLook {
 public:
  // Heeds what the options say of how texts are read and compared.
  // `key` is a secret, not all zero; `texts` are those of LeakItems.
  static Result<LeakLook> Make(const LeakOptions& options,
                               const SecretBytes& key,
                               const std::vector<std::string_view>& texts);
  Result<LeakLooked> Look(Document document) const;

 private:
  struct Parts;
  std::shared_ptr<const Parts> parts_;
};

// The document that has most of an item, the first of several.
struct LeakBest {
  uint64_t item = 0, documents = 0;  // all that have it
  std::string document;
  LeakHolding holding;
};

// The items, in their order. One thread.
class LeakItems {
 public:
  // Heeds what FindLeaks does of the options but out, report and write.
  static Result<LeakItems> Make(const LeakOptions& options);
  LeakItems(LeakItems&&) noexcept;
  ~LeakItems();

  // All of LeakOptions::test; the errors are those of FindLeaks.
  Status Read();
  // A row of `source` in place of that; split: empty for the source.
  Status Add(Document document, const std::string& source,
             const std::string& split);

  uint64_t size() const;
  std::string_view text(uint64_t item) const;
  // As results have it. No item is added behind this.
  const std::string& id(uint64_t item) const;
  const std::string& split(uint64_t item) const;  // its name

  // For each item that stands in the training data; the last call counts.
  void Found(LeakBest best);

  // What becomes of the items, after all that is found so far.
  struct Files {
    std::string leaks, clean, splits;  // leaks.jsonl, clean.txt, splits.csv
    LeakResult result;                 // of training data nothing is known
  };
  Files Finish();

 private:
  struct Parts;
  explicit LeakItems(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

// A row of documents.jsonl with its line end.
std::string LeakDocumentLine(std::string_view item, std::string_view split,
                             LeakKind kind, std::string_view document,
                             double similarity);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_CORPORA_LEAK_STAGES_H_
