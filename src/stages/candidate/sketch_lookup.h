// Stored sketches, asked one at a time.
#ifndef TWINSET_SRC_STAGES_CANDIDATE_SKETCH_LOOKUP_H_
#define TWINSET_SRC_STAGES_CANDIDATE_SKETCH_LOOKUP_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/memory_budget.h"
#include "candidate/tables.h"
#include "core/values.h"
#include "twinset/error.h"

namespace twinset {

// What a method uses in place of the keys of its generator when single texts
// are looked up. First Add and Build, by one thread; then Find, by any number
// of threads.
class SketchLookup {
 public:
  virtual ~SketchLookup() = default;
  // Documents ascend. kMemory when they do not fit.
  virtual Status Add(uint64_t document, std::span<const Sketch> sketches) = 0;
  virtual Status Build() = 0;
  // Appends the documents that the filter of the method lets pass, ascending.
  virtual Status Find(std::span<const Sketch> sketches,
                      std::vector<uint64_t>* documents) const = 0;
};

// Makes an empty one. The budget must outlive it.
using SketchLookupFactory =
    std::function<std::unique_ptr<SketchLookup>(MemoryBudget*)>;

// Compressed tables of sketch number `sketch`, which begins with the design's
// bits: 64 at most (docs/methods/tables.md).
SketchLookupFactory MakeCompressedLookup(TableDesign design, size_t sketch);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_SKETCH_LOOKUP_H_
