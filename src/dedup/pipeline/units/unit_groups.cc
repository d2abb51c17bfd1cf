#include "pipeline/units/unit_groups.h"

#include <algorithm>
#include <utility>

namespace twinset {

UnitGroups::UnitGroups(
    const RepeatRule& rule, uint64_t max_bytes, MemoryBudget* budget,
    std::function<Status(const UnitPlace&, const UnitPlace&)> on_place,
    std::function<Status(const RepeatedUnit&)> on_repeated)
    : rule_(rule),
      max_bytes_(max_bytes),
      budget_(budget),
      on_place_(std::move(on_place)),
      on_repeated_(std::move(on_repeated)) {
  const uint64_t held = std::max(rule.copies, rule.length) * sizeof(UnitPlace);
  held_memory_ = budget->ReserveUpTo(held, held);
}

Status UnitGroups::Add(uint64_t group, const UnitPlace& place,
                       std::string_view text) {
  if (group != group_) {
    TWINSET_TRY(EndGroup());
    group_ = group;
  }
  const auto leader =
      std::find_if(leaders_.begin(), leaders_.end(),
                   [&](const Leader& other) { return other.text == text; });
  if (leader == leaders_.end()) {
    if (!HasRoom(text.size())) {
      ++collisions_;
      return {};
    }
    leader_bytes_ += text.size();
    leaders_.push_back(
        {std::string(text), {place, 0, 0, rule_.length, 1}, ~place.document});
    return AddPlace(place, &leaders_.back());
  }
  return AddPlace(place, &*leader);
}

Status UnitGroups::AddPlace(const UnitPlace& place, Leader* leader) {
  RepeatedUnit& repeated = leader->repeated;
  ++repeated.count;
  repeated.documents += place.document != leader->last_document;
  leader->last_document = place.document;
  if (leader->is_repeated) return on_place_(repeated.first, place);
  leader->held.push_back(place);
  leader->is_apart |=
      repeated.count > 1 && !rule_.Overlap(repeated.first, place);
  if (!leader->is_apart || repeated.count < rule_.copies) return {};
  leader->is_repeated = true;
  for (const UnitPlace& held : leader->held)
    TWINSET_TRY(on_place_(repeated.first, held));
  leader->held.clear();
  return {};
}

// The first text of a group is always taken, beyond the budget if need be. What
// is given up depends on the texts and constants alone, never on the budget.
bool UnitGroups::HasRoom(uint64_t bytes) {
  if (!leaders_.empty() &&
      (leaders_.size() >= kMaxTexts || leader_bytes_ + bytes > max_bytes_)) {
    return false;
  }
  if (leader_bytes_ + bytes > memory_.bytes()) {
    memory_.Reset();
    memory_ =
        budget_->ReserveUpTo(leader_bytes_ + bytes, leader_bytes_ + bytes);
  }
  return true;
}

Status UnitGroups::EndGroup() {
  for (const Leader& leader : leaders_) {
    if (leader.is_repeated) TWINSET_TRY(on_repeated_(leader.repeated));
  }
  leaders_.clear();
  leader_bytes_ = 0;
  return {};
}

}  // namespace twinset
