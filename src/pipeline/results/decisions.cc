#include "pipeline/results/decisions.h"

namespace twinset {

Result<Decisions> Decisions::Open(const Run& run) {
  TWINSET_ASSIGN(auto rows, OpenRun<ClusterRow>(run, "clusters.run"));
  Decisions decisions(std::move(rows), run.plan.options.action);
  TWINSET_ASSIGN(decisions.more_, decisions.rows_.Next(&decisions.row_));
  return decisions;
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

}  // namespace twinset
