// What `leak --write` leaves of the training data.
#ifndef TWINSET_SRC_CORPORA_LEAK_LEAK_WRITE_H_
#define TWINSET_SRC_CORPORA_LEAK_LEAK_WRITE_H_

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "leak/item_list.h"
#include "leak/item_search.h"
#include "pipeline/run/plan.h"
#include "pipeline/run/run_folders.h"
#include "store/result_folder.h"
#include "twinset/corpora/leak.h"
#include "twinset/error.h"

namespace twinset {

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
// nothing of it is held. In this order: Open, one of Keep, Leak and LeaveOut
// for each document, Write. Not thread-safe.
class LeakWriting {
 public:
  // Refuses what a run refuses of --write, before anything is read; writes
  // nothing. `work`: a folder for work files. `out`: null where there is none.
  static Result<LeakWriting> Open(const LeakOptions& options,
                                  const std::string& work,
                                  const ResultFolder* out);

  // In the order of the training data.
  void Keep(const std::string& source);
  void Leak(const std::string& source, uint64_t ordinal);
  void LeaveOut(const std::string& source, uint64_t ordinal);
  // Returns true iff Write needs the items.
  bool looks() const { return action_ != LeakAction::kDrop; }
  // Memory of the documents that do not stay as they are.
  uint64_t bytes() const { return places_.capacity() * sizeof(LeakPlace); }

  // Sets result->written and adds warnings. kIo when the training data have a
  // file that was not there at Open. After an error the caller calls Remove.
  // `sought`: where Write needs the items.
  Status Write(const LeakSought& sought, LeakResult* result);
  // What Write has written, if it was called, goes again.
  Status Remove();

 private:
  LeakWriting(const LeakOptions& options, Plan plan, RunFolders folders);
  const uint32_t* Find(const std::string& source);
  void Add(const std::string& source, bool leaks, uint64_t ordinal);
  Status WriteDocuments(const LeakSought& sought, LeakResult* result);

  LeakAction action_;
  EmptyRows empty_rows_;
  Plan plan_;
  RunFolders folders_;
  // By name; no two inputs that are written have one.
  std::unordered_map<std::string, uint32_t> numbers_;
  std::vector<uint64_t> kept_;  // documents, by source
  std::vector<LeakPlace> places_;
  std::string unknown_;  // a source that was not there at Open
  bool has_begun_ = false;
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_LEAK_LEAK_WRITE_H_
