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

// A unit that is repeated, or with --unit-window so many in a row, or with
// --unit substring so many tokens: then `first.unit` is the number of the
// first.
struct RepeatedUnit {
  UnitPlace first;
  uint64_t count = 0;      // places
  uint64_t documents = 0;  // that have one of them
  uint64_t length = 1;     // units, or tokens, in a row
  double similarity = 1;   // the least of a place to the first
  std::array<uint64_t, 2> SortWords() const {
    return {first.document, first.unit};
  }
};

// When a unit counts as repeated.
struct RepeatRule {
  uint64_t copies = 2;  // it has so many places or more,
  uint64_t length = 1;  // of which one does not overlap the first: each is so
                        // many units in a row
  bool Overlap(const UnitPlace& first, const UnitPlace& place) const {
    return place.document == first.document && place.unit - first.unit < length;
  }
};

// Takes units whose hashes are equal (a group), in input order, one group after
// another, and tells which texts are. In memory: the first of each different
// text of one group. There is only one unless somebody made texts whose hashes
// collide; of those, kMaxTexts a group are kept apart and the others count as
// not repeated. And the places of what is not repeated yet. Not thread-safe.
class UnitGroups {
 public:
  static constexpr size_t kMaxTexts = 64;

  // `on_place` is called for every place of a repeated unit, with its first
  // place; for the first ones when it is known to be repeated. `on_repeated`
  // is called for every repeated unit after its last place.
  UnitGroups(
      const RepeatRule& rule, uint64_t max_bytes, MemoryBudget* budget,
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
    std::vector<UnitPlace> held = {};  // places, while it is not repeated
    bool is_apart = false;             // not all of them overlap
    bool is_repeated = false;
  };
  Status EndGroup();
  bool HasRoom(uint64_t bytes);
  Status AddPlace(const UnitPlace& place, Leader* leader);

  const RepeatRule rule_;
  uint64_t max_bytes_;
  MemoryBudget* budget_;
  std::function<Status(const UnitPlace&, const UnitPlace&)> on_place_;
  std::function<Status(const RepeatedUnit&)> on_repeated_;
  uint64_t group_ = 0;
  std::vector<Leader> leaders_;
  uint64_t leader_bytes_ = 0;
  Reservation memory_, held_memory_;
  uint64_t collisions_ = 0;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_UNITS_UNIT_GROUPS_H_
