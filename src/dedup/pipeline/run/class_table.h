// Which documents are equal, by the first of them.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RUN_CLASS_TABLE_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RUN_CLASS_TABLE_H_

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "pipeline/run/run.h"

namespace twinset {

// The classes of equal feature sets, for random access: which copies a leader
// has.
class ClassTable {
 public:
  static Result<ClassTable> Open(const Run& run, MemoryBudget* budget);
  // Members of the class, its leader included; 1 for a document that has no
  // copies.
  Result<uint64_t> Size(uint64_t leader);
  // The copies in order of priority.
  Status ForEachCopy(uint64_t leader,
                     const std::function<Status(const Copy&)>& body);
  bool empty() const { return copies_.count() == 0; }

 private:
  struct Place {
    uint64_t first = 0, count = 0;
  };
  ClassTable(PagedArray<Place> places, RunReader<Copy> copies)
      : places_(std::move(places)), copies_(std::move(copies)) {}
  PagedArray<Place> places_;
  RunReader<Copy> copies_;
  // All of them, where that is little: classes are asked for in any order.
  Reservation memory_;
  std::vector<Copy> all_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RUN_CLASS_TABLE_H_
