// summary.json: what a run was and what came out (docs/formats/results.md).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RESULTS_SUMMARY_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RESULTS_SUMMARY_H_

#include "pipeline/run/run.h"
#include "twinset/dedup.h"

namespace twinset {

// Everything but the `run` object is a function of input, parameters and seed.
DedupSummary Summarise(Run* run, double seconds);

// The parts that runs over units (unit_stages.h) share.
RunSummary BeginSummary(const Run& run, double seconds);  // of the records
// Fields that the options name and no document has: most likely a typing error.
std::vector<std::string> ReadWarnings(const Run& run);
// What the summaries of all runs begin with: versions, completeness, parameters
// and what became of the records.
Json SummaryHead(const Run& run, const RevisitCounts& revisit);
// How much text was read, and of how many documents by the fallback parser or
// from malformed bytes.
Json TextObject(const Run& run);
// Documents without a key: too little for the method's sketch. Left out when 0.
void AddFlagged(const CandidateCounts& counts, Json* json);
// Kinds of pages and how many are unsure, of both sides of a match together;
// nothing where nobody asked what pages are.
void AddPages(const ReadCounts& read, Json* summary);
// What the template stage left out, with the most frequent blocks; nothing
// where it saw no page.
void AddTemplate(const Run& run, Json* summary);
// With --verify text: verify.corrected.
void AddCorrections(const Run& run, Json* summary);
Json RunParameters(const Run& run);
Json ExpectedRecall(const Run& run);
Json RunObject(const Run& run, double seconds);
// The folder of the saved run, or a list of the folders of several.
Json StoredFolders(const Plan& plan);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RESULTS_SUMMARY_H_
