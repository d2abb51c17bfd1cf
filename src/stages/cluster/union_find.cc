#include "cluster/union_find.h"

#include <utility>

namespace twinset {

Result<UnionFind> UnionFind::Create(const std::string& path, uint64_t count,
                                    uint64_t memory_bytes,
                                    MemoryBudget* budget) {
  TWINSET_ASSIGN(auto parents, PagedArray<uint64_t>::Create(
                                   path, count, memory_bytes, budget));
  return UnionFind(std::move(parents));
}

Result<uint64_t> UnionFind::Parent(uint64_t element) {
  TWINSET_ASSIGN(const uint64_t stored, parents_.Get(element));
  return stored == 0 ? element : stored - 1;
}

Result<uint64_t> UnionFind::Find(uint64_t element) {
  for (;;) {
    TWINSET_ASSIGN(const uint64_t parent, Parent(element));
    if (parent == element) return element;
    TWINSET_ASSIGN(const uint64_t grandparent, Parent(parent));
    if (grandparent == parent) return parent;
    TWINSET_TRY(parents_.Set(element, grandparent + 1));
    element = grandparent;
  }
}

Status UnionFind::Union(uint64_t a, uint64_t b) {
  TWINSET_ASSIGN(uint64_t root_a, Find(a));
  TWINSET_ASSIGN(uint64_t root_b, Find(b));
  if (root_a == root_b) return {};
  if (root_b < root_a) std::swap(root_a, root_b);
  return parents_.Set(root_b, root_a + 1);
}

}  // namespace twinset
