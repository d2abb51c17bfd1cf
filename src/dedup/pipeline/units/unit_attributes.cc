// The attributes stage of a run over units (--attributes): what would be cut of
// each document, as spans in the form of Dolma. See docs/methods/units.md.
#include <string>

#include "base/json_text.h"
#include "pipeline/results/attribute_files.h"
#include "pipeline/units/unit_lookup.h"
#include "pipeline/units/unit_stages.h"
#include "report/row_writer.h"

namespace twinset {

namespace {

// [[begin,end,1.0],...]: code points of the clean text.
Result<std::string> SpansOf(const Run& run, uint64_t document,
                            std::string_view bytes, CutsByPlace* cuts) {
  TWINSET_ASSIGN(UnitLookup units,
                 UnitLookup::Open(run.plan.options.unit, bytes));
  std::string spans = "[";
  for (;;) {
    TWINSET_ASSIGN(const UnitCut* cut, cuts->Take(document));
    if (cut == nullptr) return spans + "]";
    TWINSET_ASSIGN(const StoredUnit unit,
                   units.At(cut->place.unit, cut->length));
    if (spans.size() > 1) spans += ',';
    spans += "[" + std::to_string(unit.begin) + "," + std::to_string(unit.end) +
             ",1.0]";
  }
}

}  // namespace

Status UnitAttributesStage(Run* run) {
  const Plan& plan = run->plan;
  if (plan.options.attributes.empty()) return {};
  TWINSET_ASSIGN(auto ids, OpenBlob(*run, "ids.blob"));
  TWINSET_ASSIGN(auto features, OpenBlob(*run, run->features_file));
  TWINSET_ASSIGN(auto cuts, CutsByPlace::Open(*run, "cuts.run"));
  TWINSET_ASSIGN(auto files,
                 AttributeFiles::Open(*run, plan.inputs.files.size()));
  JsonRow row;
  TWINSET_TRY(ForEachDocument(
      *run, [&](uint64_t document, const DocumentInfo& info) -> Status {
        std::string_view id, bytes;
        TWINSET_TRY(ids.Next(&id));
        TWINSET_TRY(features.Next(&bytes));
        TWINSET_ASSIGN(const std::string spans,
                       SpansOf(*run, document, bytes, &cuts));
        const Provenance& place = info.provenance;
        row.Text("id", id)
            .Text("source", plan.inputs.files[place.source].source)
            .Integer("ordinal", place.ordinal)
            .Value("attributes", "{\"twinset_cut\":" + spans + "}");
        return files.Write(place, row.Take() + "\n");
      }));
  return files.Commit();
}

}  // namespace twinset
