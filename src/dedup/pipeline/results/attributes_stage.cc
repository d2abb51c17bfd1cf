#include "pipeline/results/attributes_stage.h"

#include <string>

#include "base/json_text.h"
#include "pipeline/results/attribute_files.h"
#include "pipeline/results/decisions.h"

namespace twinset {

namespace {

class Attributes {
 public:
  explicit Attributes(Run* run) : run_(run), plan_(run->plan) {}

  Status Do() {
    const uint64_t sources = plan_.inputs.first_side != 0
                                 ? plan_.inputs.first_side
                                 : plan_.inputs.files.size();
    TWINSET_ASSIGN(auto decisions, AnnotatedDecisions::Open(*run_));
    TWINSET_ASSIGN(auto files, AttributeFiles::Open(*run_, sources));
    TWINSET_TRY(ForEachDocument(
        *run_, [&](uint64_t, const DocumentInfo& info) -> Status {
          const Provenance& place = info.provenance;
          if (place.source >= sources) return {};
          TWINSET_ASSIGN(const Decision decision, decisions.Next());
          TWINSET_ASSIGN(const Annotation annotation,
                         decisions.Annotate(decision));
          return files.Write(
              place, Row(decisions.id(), place, decision.dropped, annotation));
        }));
    return files.Commit();
  }

 private:
  std::string Row(std::string_view id, const Provenance& place, bool dropped,
                  const Annotation& annotation) {
    row_.Text("twinset_cluster", annotation.cluster)
        .Bool("twinset_is_representative", annotation.is_representative)
        .Number("twinset_similarity", annotation.similarity);
    if (annotation.contained)
      row_.Number("twinset_contained", *annotation.contained);
    row_.Integer("twinset_size", annotation.size)
        .Text("twinset_action", dropped ? "drop" : "keep");
    const std::string attributes = row_.Take();
    row_.Text("id", id)
        .Text("source", plan_.inputs.files[place.source].source)
        .Integer("ordinal", place.ordinal)
        .Value("attributes", attributes);
    return row_.Take() + "\n";
  }

  Run* const run_;
  const Plan& plan_;
  JsonRow row_;
};

}  // namespace

Status AttributesStage(Run* run) {
  return run->plan.options.attributes.empty() ? Status() : Attributes(run).Do();
}

}  // namespace twinset
