// Connected components: union by priority with path halving (Tarjan and van
// Leeuwen 1984).
// See docs/methods/clusters.md.
#ifndef TWINSET_SRC_STAGES_CLUSTER_UNION_FIND_H_
#define TWINSET_SRC_STAGES_CLUSTER_UNION_FIND_H_

#include <cstdint>
#include <string>

#include "store/paged_array.h"
#include "twinset/error.h"

namespace twinset {

// Disjoint sets over 0..count-1. The root of a set is its smallest element, so
// the result does not depend on the order of unions. Elements are priority
// ranks: the root is the document to keep. Memory: 8 bytes per element, paged
// to disk beyond memory_bytes. Not thread-safe.
class UnionFind {
 public:
  static Result<UnionFind> Create(const std::string& path, uint64_t count,
                                  uint64_t memory_bytes, MemoryBudget* budget);
  Result<uint64_t> Find(uint64_t element);
  Status Union(uint64_t a, uint64_t b);

 private:
  explicit UnionFind(PagedArray<uint64_t> parents)
      : parents_(std::move(parents)) {}
  Result<uint64_t> Parent(uint64_t element);
  PagedArray<uint64_t> parents_;  // 0: a root, else parent + 1
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CLUSTER_UNION_FIND_H_
