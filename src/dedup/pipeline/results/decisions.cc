#include "pipeline/results/decisions.h"

#include "base/file.h"
#include "report/line_list.h"

namespace twinset {

Result<Decisions> Decisions::Open(const Run& run) {
  TWINSET_ASSIGN(auto rows, OpenRun<ClusterRow>(run, "clusters.run"));
  Decisions decisions(std::move(rows), run.plan.options.action);
  TWINSET_ASSIGN(decisions.more_, decisions.rows_.Next(&decisions.row_));
  return decisions;
}

Status Decisions::Seek(uint64_t document) {
  document_ = document;
  TWINSET_TRY(rows_.SeekFirst(
      [&](const ClusterRow& row) { return row.document < document; }));
  TWINSET_ASSIGN(more_, rows_.Next(&row_));
  return {};
}

Result<Decision> Decisions::Next() {
  Decision decision;
  if (more_ && row_.document == document_) {
    decision.clustered = true;
    decision.row = row_;
    const bool is_member = row_.document != row_.representative;
    decision.dropped =
        (action_ == Action::kDrop && is_member) || action_ == Action::kDropAll;
    TWINSET_ASSIGN(more_, rows_.Next(&row_));
  }
  ++document_;
  return decision;
}

Result<AnnotatedDecisions> AnnotatedDecisions::Open(const Run& run) {
  TWINSET_ASSIGN(auto decisions, Decisions::Open(run));
  TWINSET_ASSIGN(auto ids, OpenBlob(run, "ids.blob"));
  TWINSET_ASSIGN(auto random, OpenBlob(run, "ids.blob"));
  return AnnotatedDecisions(std::move(decisions), std::move(ids),
                            std::move(random), run.plan.options.method.verify);
}

Status AnnotatedDecisions::Seek(uint64_t document) {
  TWINSET_TRY(decisions_.Seek(document));
  return ids_.Seek(document);
}

Result<Decision> AnnotatedDecisions::Next() {
  TWINSET_TRY(ids_.Next(&id_));
  return decisions_.Next();
}

Result<Annotation> AnnotatedDecisions::Annotate(
    const Decision& decision) const {
  Annotation annotation;
  annotation.id = annotation.cluster = id_;
  if (!is_verified_) annotation.contained.reset();
  if (!decision.clustered) return annotation;
  const ClusterRow& row = decision.row;
  annotation.size = row.size;
  annotation.is_representative = row.document == row.representative;
  annotation.similarity = row.score;
  if (is_verified_) annotation.contained = row.contained;
  if (!annotation.is_representative)
    TWINSET_TRY(random_.ReadOne(row.representative, &annotation.cluster));
  return annotation;
}

Status WriteLists(const Run& run, std::vector<uint64_t>* kept_by_source,
                  std::vector<uint64_t>* dropped_by_source,
                  DroppedText* dropped_text, RenamedIds* renamed) {
  const std::string& out = run.plan.options.out;
  TWINSET_ASSIGN(auto keep, LineList::Create(out + "/keep.txt"));
  TWINSET_ASSIGN(auto drop, LineList::Create(out + "/drop.txt"));
  TWINSET_ASSIGN(auto empty, LineList::Create(out + "/empty.txt"));
  TWINSET_ASSIGN(auto decisions, Decisions::Open(run));
  TWINSET_ASSIGN(auto ids, OpenBlob(run, "ids.blob"));
  kept_by_source->assign(run.plan.inputs.files.size(), 0);
  for (auto* counts :
       {dropped_by_source, &dropped_text->bytes, &dropped_text->tokens})
    counts->assign(run.plan.inputs.files.size(), 0);
  TWINSET_TRY(ForEachDocument(
      run,
      [&](uint64_t, const DocumentInfo& info) -> Status {
        std::string_view id;
        TWINSET_TRY(ids.Next(&id));
        TWINSET_TRY(renamed->Add(id, info));
        TWINSET_ASSIGN(const Decision decision, decisions.Next());
        const uint32_t source = info.provenance.source;
        if (run.plan.inputs.SideOf(source) != 0) return {};
        ++(*(decision.dropped ? dropped_by_source : kept_by_source))[source];
        if (decision.dropped) {
          dropped_text->bytes[source] += info.payload_bytes;
          dropped_text->tokens[source] += info.tokens;
        }
        TWINSET_TRY((decision.dropped ? drop : keep).Add(id));
        return info.empty ? empty.Add(id) : Status();
      },
      /*is_told=*/false));
  // Every document of a second side stays, whether it was looked at or not.
  const std::vector<uint64_t>& of_source = run.counts.read.source_documents;
  for (size_t source = run.plan.inputs.first_side;
       run.plan.inputs.first_side != 0 && source < of_source.size(); ++source)
    (*kept_by_source)[source] = of_source[source];
  TWINSET_TRY(keep.Commit());
  TWINSET_TRY(drop.Commit());
  return empty.Commit();
}

}  // namespace twinset
