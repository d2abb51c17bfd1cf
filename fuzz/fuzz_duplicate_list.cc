// Any bytes as known duplicates: every line is counted, links are of two ids,
// groups of distinct ones, and components hold what is linked.
#include <unordered_set>

#include "retrieval/duplicate_list.h"
#include "scratch_file.h"
#include "target.h"

TWINSET_FUZZ_TARGET(duplicate_list) {
  using namespace twinset;  // NOLINT: the target's subject
  IdTable ids;
  LineCounts counts;
  DuplicateList list;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const bool two_collections = size % 2 == 1;
  if (!IsReadAsList(ReadDuplicates({"d", text}, {{}, two_collections}, &ids,
                                   &counts, &list)))
    return 0;
  Require(counts.problems.size() <= kMostLineProblems);
  for (const DuplicateLink& link : list.links) {
    Require(link.a < ids.size() && link.b < ids.size());
    Require(two_collections || link.a != link.b);
  }
  for (const auto& group : list.groups) {
    const std::unordered_set<uint32_t> distinct(group.begin(), group.end());
    Require(group.size() > 1 && distinct.size() == group.size());
  }
  const DuplicateGraph graph(list, ids.size());
  const auto component = graph.Components();
  for (const DuplicateLink& link : list.links)
    Require(component[link.a] == component[link.b]);
  return 0;
}
