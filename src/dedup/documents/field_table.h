// Extra fields of documents from a table beside the inputs (--fields).
// See docs/formats/lists.md.
#ifndef TWINSET_SRC_DEDUP_DOCUMENTS_FIELD_TABLE_H_
#define TWINSET_SRC_DEDUP_DOCUMENTS_FIELD_TABLE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/memory_budget.h"
#include "core/document.h"
#include "twinset/error.h"

namespace twinset {

class InputList;

// Values by key and field. Keys are kept as 128-bit hashes; two keys that meet
// in one have a chance of n^2 / 2^129. Immutable and thread-safe once loaded.
class FieldTable {
 public:
  FieldTable() = default;
  // Reads the rows of `files` (JSON lines, compressed or not) twice, in order,
  // and keeps the values of `names` (a name is a key of the row, or keys joined
  // by dots). Memory: 40 bytes per value and its text, reserved from `budget`.
  // kCorrupt names file and line of what is no row, has no key, or gives a
  // value again, when there is no row and when none has one of the names;
  // kMemory says what it would need.
  static Result<FieldTable> Load(const InputList& files,
                                 const std::vector<std::string>& names,
                                 MemoryBudget* budget);

  // Gives `document` the values of the table for fields it has none of itself:
  // those of its id, then those of its address. Sets Document::fields to the
  // names in order.
  void Fill(std::string_view id, Document* document) const;
  bool empty() const { return entries_.empty(); }
  // Returns true iff a document had a row; the key of the first row, for
  // messages.
  bool is_used() const { return is_used_->load(std::memory_order_relaxed); }
  const std::string& first_key() const { return first_key_; }

 private:
  struct Entry {
    Hash128Value key;
    uint64_t offset = 0;  // of the text in texts_
    uint64_t line = 0;    // for messages
    uint32_t size = 0;
    uint32_t name = 0;  // index into names_
  };
  friend class FieldTableBuilder;

  void FillBy(Hash128Value key, Document* document) const;

  std::vector<std::string> names_;
  std::vector<Entry> entries_;  // ascending by (key, name)
  std::string texts_, first_key_;
  Reservation memory_;
  // Set by any thread that fills; the table itself may be moved.
  std::unique_ptr<std::atomic<bool>> is_used_ =
      std::make_unique<std::atomic<bool>>(false);
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_DOCUMENTS_FIELD_TABLE_H_
