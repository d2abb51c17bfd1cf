// Parts of the order stage that a saved run is decided again with.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_PAIRS_ORDER_STAGE_H_
#define TWINSET_SRC_DEDUP_PIPELINE_PAIRS_ORDER_STAGE_H_

#include <functional>

#include "pipeline/run/run.h"

namespace twinset {

using EachDocument = std::function<Status(uint64_t, const DocumentInfo&)>;

// ranks.run: the rank of each document, in input order. `each`: is shown them
// on the way. `beside`: is called after the last of them, beside the ranking.
Status AssignRanks(
    Run* run,
    const EachDocument& each = [](uint64_t,
                                  const DocumentInfo&) { return Status(); },
    const std::function<Status()>& beside = [] { return Status(); });

// copies.run and copies-by-document.run of the ranks there are, from two
// readers of the copies under other ranks: who is equal to whom stays, who
// leads is found anew. `lead` is called with each leader that gives way and the
// new one, in no order. Memory: a page of ranks and two sorts.
Status LeadClassesAnew(
    Run* run, RunReader<Copy> ahead, RunReader<Copy> behind,
    const std::function<Status(uint64_t old_leader, uint64_t leader)>& lead);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_PAIRS_ORDER_STAGE_H_
