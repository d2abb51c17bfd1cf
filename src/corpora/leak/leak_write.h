// What `leak --write` leaves of the training data.
#ifndef TWINSET_SRC_CORPORA_LEAK_LEAK_WRITE_H_
#define TWINSET_SRC_CORPORA_LEAK_LEAK_WRITE_H_

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "pipeline/run/plan.h"
#include "pipeline/run/run_folders.h"
#include "store/result_folder.h"
#include "twinset/corpora/leak.h"
#include "twinset/error.h"

namespace twinset {

// A document that goes: its source, and its number there.
struct LeakPlace {
  uint32_t source = 0;
  uint64_t ordinal = 0;
};

// Writes the training data once it is known which documents go, by the write
// stage of runs. In this order: Open, Keep or LeaveOut for each document,
// Write. Not thread-safe.
class LeakWriting {
 public:
  // Refuses what a run refuses of --write, before anything is read; writes
  // nothing. `work`: a folder for work files. `out`: null where there is none.
  static Result<LeakWriting> Open(const LeakOptions& options,
                                  const std::string& work,
                                  const ResultFolder* out);

  // In the order of the training data.
  void Keep(const std::string& source);
  void LeaveOut(const std::string& source, uint64_t ordinal);
  // Memory of the documents that go.
  uint64_t bytes() const { return gone_.capacity() * sizeof(LeakPlace); }

  // Sets result->written and adds warnings. kIo when the training data have a
  // file that was not there at Open. After an error the caller calls Remove.
  Status Write(LeakResult* result);
  // What Write has written, if it was called, goes again.
  Status Remove();

 private:
  LeakWriting(Plan plan, RunFolders folders);
  const uint32_t* Find(const std::string& source);
  Status WriteDocuments(LeakResult* result);

  Plan plan_;
  RunFolders folders_;
  // By name; no two inputs that are written have one.
  std::unordered_map<std::string, uint32_t> numbers_;
  std::vector<uint64_t> kept_;  // documents, by source
  std::vector<LeakPlace> gone_;
  std::string unknown_;  // a source that was not there at Open
  bool has_begun_ = false;
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_LEAK_LEAK_WRITE_H_
