// Known duplicates from a file: pairs of a run or of another program, or groups
// of ids (docs/formats/qrels.md).
#ifndef TWINSET_SRC_CORPORA_RETRIEVAL_DUPLICATE_LIST_H_
#define TWINSET_SRC_CORPORA_RETRIEVAL_DUPLICATE_LIST_H_

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "retrieval/id_table.h"
#include "retrieval/study_lines.h"
#include "twinset/error.h"

namespace twinset {

// What is not said is NaN.
inline constexpr double kUnsaid = std::numeric_limits<double>::quiet_NaN();

struct DuplicateLink {
  uint32_t a = 0, b = 0;
  double similarity = kUnsaid, grade = kUnsaid, label = kUnsaid;
};

// Everybody in a group is a duplicate of everybody else.
struct DuplicateList {
  std::vector<DuplicateLink> links;           // in the order of the file
  std::vector<std::vector<uint32_t>> groups;  // at least two distinct ids each
};

struct DuplicateReading {
  LineReadOptions lines;
  // a and b of a pair are of two collections, which may use the same ids; else
  // a pair of an id with itself is left out.
  bool two_collections = false;
};

// Adds what a file holds. Its lines are JSON rows, or a table with tabs or
// commas whose first line may name the columns:
//   {"a","b"}, {"id_a","id_b"}, {"firstId","secondId"}, each with "similarity"
//   or "s3Score", "grade", "label" where known: a pair;
//   {"id","cluster"}: a member of a group; {"ids":[...]}: a group, of ids or of
//   objects with an "id"; a row of ids: a pair, or with more a group; a number
//   behind two ids is the similarity.
// Lines that are none of these, and pairs of an id with itself, are left out
// and counted. Linear.
Status ReadDuplicates(const StudyText& text, const DuplicateReading& reading,
                      IdTable* ids, LineCounts* counts, DuplicateList* list);
// All files as one. kCorrupt for a file without a pair or a group.
Result<DuplicateList> ReadDuplicateFiles(const std::vector<std::string>& paths,
                                         const DuplicateReading& reading,
                                         IdTable* ids, LineCounts* counts);
// An id of it, for messages; empty when there is none.
std::string FirstIdOf(const DuplicateList& list, const IdTable& ids);

// Which ids are linked: by number of id, who stands beside it in a pair, and
// the groups that it is in.
class DuplicateGraph {
 public:
  // `list` must outlive the graph; its ids are below `size`. Ids that come
  // later have no links.
  DuplicateGraph(const DuplicateList& list, size_t size);
  struct Edge {
    uint32_t other = 0, link = 0;  // link: place in list.links
  };
  std::span<const Edge> EdgesOf(uint32_t id) const {
    if (id >= edges_.size()) return {};
    return edges_[id];
  }
  std::span<const uint32_t> GroupsOf(uint32_t id) const {
    if (id >= groups_.size()) return {};
    return groups_[id];
  }
  bool IsLinked(uint32_t id) const {
    return !EdgesOf(id).empty() || !GroupsOf(id).empty();
  }
  // The number, for each id, of the component that links and groups connect.
  std::vector<uint32_t> Components() const;
  const DuplicateList& list() const { return list_; }

 private:
  const DuplicateList& list_;
  std::vector<std::vector<Edge>> edges_;
  std::vector<std::vector<uint32_t>> groups_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_RETRIEVAL_DUPLICATE_LIST_H_
