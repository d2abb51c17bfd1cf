// Equal units, confirmed byte for byte, in one pass over units in order.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_UNITS_UNIT_GROUPS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_UNITS_UNIT_GROUPS_H_

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory_budget.h"
#include "base/sort_records.h"
#include "twinset/error.h"

namespace twinset {

// Where a unit stands: input order is the order of places.
struct UnitPlace {
  uint64_t document = 0;
  uint64_t unit = 0;  // StoredUnit::number; with --unit substring of a token
  std::array<uint64_t, 2> SortWords() const { return {document, unit}; }
  friend bool operator==(const UnitPlace&, const UnitPlace&) = default;
};

// A unit that stands in two places or more. With --unit substring: tokens in a
// row, of which `first.unit` is the number of the first.
struct RepeatedUnit {
  UnitPlace first;
  uint64_t count = 0;      // places
  uint64_t documents = 0;  // that have one of them
  uint64_t tokens = 0;     // with --unit substring
  double similarity = 1;   // the least of a place to the first
  std::array<uint64_t, 2> SortWords() const {
    return {first.document, first.unit};
  }
};

// Takes units whose hashes are equal (a group), in input order, one group after
// another, and tells which texts are. In memory: the first of each different
// text of one group. There is only one unless somebody made texts whose hashes
// collide; of those, kMaxTexts a group are kept apart and the others count as
// not repeated. Not thread-safe.
class UnitGroups {
 public:
  static constexpr size_t kMaxTexts = 64;

  // `on_place` is called for every place of a repeated unit, with its first
  // place; for the first place itself when the second is found. `on_repeated`
  // is called for every repeated unit after its last place.
  UnitGroups(
      uint64_t max_bytes, MemoryBudget* budget,
      std::function<Status(const UnitPlace& first, const UnitPlace&)> on_place,
      std::function<Status(const RepeatedUnit&)> on_repeated);

  Status Add(uint64_t group, const UnitPlace& place, std::string_view text);
  Status Finish() { return EndGroup(); }
  // Units that were given up.
  uint64_t collisions() const { return collisions_; }

 private:
  struct Leader {
    std::string text;
    RepeatedUnit repeated;
    uint64_t last_document = 0;
  };
  Status EndGroup();
  bool HasRoom(uint64_t bytes);

  uint64_t max_bytes_;
  MemoryBudget* budget_;
  std::function<Status(const UnitPlace&, const UnitPlace&)> on_place_;
  std::function<Status(const RepeatedUnit&)> on_repeated_;
  uint64_t group_ = 0;
  std::vector<Leader> leaders_;
  uint64_t leader_bytes_ = 0;
  Reservation memory_;
  uint64_t collisions_ = 0;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_UNITS_UNIT_GROUPS_H_
