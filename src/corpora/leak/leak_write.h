// What `leak --write` leaves of the training data.
#ifndef TWINSET_SRC_CORPORA_LEAK_LEAK_WRITE_H_
#define TWINSET_SRC_CORPORA_LEAK_LEAK_WRITE_H_

#include <cstdint>
#include <vector>

#include "leak/item_list.h"
#include "leak/item_search.h"
#include "pipeline/run/run.h"
#include "twinset/corpora/leak.h"
#include "twinset/error.h"

namespace twinset {

// What cannot be written as `options` say: kUsage, before anything is read.
Status CheckLeakWriting(const LeakOptions& options, const Plan& plan);

// A record that does not stay as it is: its source, and its number there.
struct LeakPlace {
  uint32_t source = 0;
  bool leaks = false;  // else it goes, whatever becomes of those that leak
  uint64_t ordinal = 0;
};

// The items as they are looked for in documents that leak.
struct LeakSought {
  const ItemSearch* search = nullptr;
  const ItemList* items = nullptr;
};

// Writes the training data once it is known which documents leak, by the write
// stage of runs; what is cut or said of them is found again then, so that
// nothing of it is held. In this order: Keep, Leak and LeaveOut, then Write.
// Not thread-safe.
class LeakWriting {
 public:
  // `run` has --write and outlives this.
  LeakWriting(const LeakOptions& options, Run* run);

  // Together each document, in the order of the training data; those that stay
  // as they are only by their number.
  void Keep(uint64_t source, uint64_t documents) { kept_[source] += documents; }
  void Leak(uint64_t source, uint64_t ordinal) { Add(source, true, ordinal); }
  void LeaveOut(uint64_t source, uint64_t ordinal) {
    Add(source, false, ordinal);
  }
  // Returns true iff Write needs the items.
  bool looks() const { return action_ != LeakAction::kDrop; }
  // Memory of the documents that do not stay as they are.
  uint64_t bytes() const { return places_.capacity() * sizeof(LeakPlace); }

  // Sets result->written and adds warnings. Goes on where an earlier run ended.
  // `sought`: where Write needs the items.
  Status Write(const LeakSought& sought, LeakResult* result);

 private:
  void Add(uint64_t source, bool leaks, uint64_t ordinal) {
    places_.push_back({static_cast<uint32_t>(source), leaks, ordinal});
  }

  LeakAction action_;
  EmptyRows empty_rows_;
  Run* run_;
  std::vector<uint64_t> kept_;  // documents, by source
  std::vector<LeakPlace> places_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_LEAK_LEAK_WRITE_H_
