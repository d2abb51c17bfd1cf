// The stages of a run over units (--unit), in the order cut.cc calls them:
// read and order as for documents, then these. See docs/methods/units.md.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_UNITS_UNIT_STAGES_H_
#define TWINSET_SRC_DEDUP_PIPELINE_UNITS_UNIT_STAGES_H_

#include <array>
#include <string>
#include <utility>

#include "base/sort_records.h"
#include "pipeline/read/unit_store.h"
#include "pipeline/run/run.h"
#include "pipeline/units/unit_groups.h"
#include "twinset/dedup.h"
#include "twinset/error.h"

namespace twinset {

// A unit that is taken out, and where the same text stands first; with --unit
// substring so many tokens in a row.
struct UnitCut {
  UnitPlace place, first;
  uint64_t length = 1;
  double similarity = 1;  // of the two
  std::array<uint64_t, 2> SortWords() const {
    return {place.document, place.unit};
  }
};

// A unit whose hash another one has.
struct SuspectedUnit {
  UnitPlace place;
  uint64_t group = 0;  // number of the hash
  std::array<uint64_t, 2> SortWords() const {
    return {place.document, place.unit};
  }
};

Status SuspectStage(Run* run);  // suspects.run (by place)
Status UnitStage(Run* run);     // cuts.run repeated.run (by place)
// The same two with --unit substring.
Status SuspectWindows(Run* run);       // suspects.run starts.run
Status SubstringStage(Run* run);       // cuts.run repeated.run
Status UnitResultStage(Run* run);      // the files of the result folder but
                                       // summary.json
Status UnitAttributesStage(Run* run);  // --attributes
Status UnitWriteStage(Run* run);       // --write

// Calls `body` with what is stored of every document, in input order.
Status ForEachStored(
    Run* run,
    const std::function<Status(uint64_t document, std::string_view)>& body);

// The records of a run file beside a walk over all units in input order.
// `kPlace` is the member of Record by which they are ordered.
template <typename Record, auto kPlace>
class RecordsByPlace {
 public:
  static Result<RecordsByPlace> Open(const Run& run, const std::string& name) {
    TWINSET_ASSIGN(auto reader, OpenRun<Record>(run, name));
    RecordsByPlace records(std::move(reader));
    TWINSET_TRY(records.Advance());
    return records;
  }
  // The record of this unit, or null; valid until the next call. Units are
  // asked for in input order.
  Result<const Record*> Find(const UnitPlace& place) {
    while (more_ && next_.*kPlace < place) TWINSET_TRY(Advance());
    return more_ && next_.*kPlace == place ? &next_ : nullptr;
  }
  // The next record of this document, or null when it has no more; valid until
  // the next call. Documents are asked for in order.
  Result<const Record*> Take(uint64_t document) {
    while (more_ && (next_.*kPlace).document < document) TWINSET_TRY(Advance());
    if (!more_ || (next_.*kPlace).document != document) return nullptr;
    taken_ = next_;
    TWINSET_TRY(Advance());
    return &taken_;
  }
  // Goes to the first one of `document` or a later one.
  Status Seek(uint64_t document) {
    TWINSET_TRY(reader_.SeekFirst([&](const Record& record) {
      return (record.*kPlace).document < document;
    }));
    return Advance();
  }
  // Returns true iff a unit of `document` has one, at or behind the last that
  // was asked for.
  Result<bool> Has(uint64_t document) {
    return Find({document, 0}).map([&](const Record*) {
      return more_ && (next_.*kPlace).document == document;
    });
  }

 private:
  explicit RecordsByPlace(RunReader<Record> reader)
      : reader_(std::move(reader)) {}
  Status Advance() {
    TWINSET_ASSIGN(more_, reader_.Next(&next_));
    return {};
  }
  RunReader<Record> reader_;
  Record next_, taken_;
  bool more_ = false;
};
using CutsByPlace = RecordsByPlace<UnitCut, &UnitCut::place>;

// Counts, warnings and summary.json of a run over units.
CutSummary SummariseUnits(Run* run, double seconds);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_UNITS_UNIT_STAGES_H_
