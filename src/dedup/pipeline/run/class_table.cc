#include "pipeline/run/class_table.h"

#include <algorithm>

namespace twinset {

Result<ClassTable> ClassTable::Open(const Run& run, MemoryBudget* budget) {
  TWINSET_ASSIGN(auto places, PagedArray<Place>::Create(
                                  run.Path("class-places.tmp"),
                                  std::max<uint64_t>(1, run.documents()),
                                  run.Share(8), budget));
  TWINSET_ASSIGN(auto copies, OpenRun<Copy>(run, "copies.run"));
  ClassTable table(std::move(places), std::move(copies));
  const uint64_t bytes = table.copies_.count() * sizeof(Copy);
  if (bytes <= run.Share(16)) table.memory_ = budget->TryReserve(bytes);
  if (table.memory_.ok()) table.all_.reserve(table.copies_.count());
  Copy copy;
  Place place;
  uint64_t leader = 0;
  for (uint64_t i = 0; i <= table.copies_.count(); ++i) {
    TWINSET_ASSIGN(const bool more, table.copies_.Next(&copy));
    if (more && table.memory_.ok()) table.all_.push_back(copy);
    if (place.count > 0 && (!more || copy.leader != leader)) {
      TWINSET_TRY(table.places_.Set(leader, place));
      place = {};
    }
    if (!more) break;
    if (place.count == 0) place.first = i;
    leader = copy.leader;
    ++place.count;
  }
  return table;
}

Result<uint64_t> ClassTable::Size(uint64_t leader) {
  TWINSET_ASSIGN(const Place place, places_.Get(leader));
  return place.count + 1;
}

Status ClassTable::ForEachCopy(uint64_t leader,
                               const std::function<Status(const Copy&)>& body) {
  TWINSET_ASSIGN(const Place place, places_.Get(leader));
  if (place.count == 0) return {};
  if (memory_.ok()) {
    for (uint64_t i = 0; i < place.count; ++i)
      TWINSET_TRY(body(all_[place.first + i]));
    return {};
  }
  TWINSET_TRY(copies_.Seek(place.first));
  Copy copy;
  for (uint64_t i = 0; i < place.count; ++i) {
    TWINSET_ASSIGN(const bool more, copies_.Next(&copy));
    if (!more)
      return Fail(ErrorCode::kInternal, "copies.run ends inside a class");
    TWINSET_TRY(body(copy));
  }
  return {};
}

}  // namespace twinset
