// The page of a finished run (docs/formats/report.md).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_REPORT_RUN_PAGE_H_
#define TWINSET_SRC_DEDUP_PIPELINE_REPORT_RUN_PAGE_H_

#include "pipeline/report/run_story.h"
#include "report/kept_page.h"

namespace twinset {

// Everything but `run` of the summary goes into the part that is the same on
// every machine.
Result<KeptPage> MakeRunPage(const RunStory& story);

// "Duplicates in a.jsonl".
std::string RunTitle(const RunStory& story);

// The sections, in their order. Each leaves itself out, or says so in one
// sentence, when it has nothing to show.
html::Lead RunLead(const RunStory& story);
void AddRunLead(const RunStory& story, KeptPage* page);
void AddRunFacts(const RunStory& story, KeptPage* page);
void AddKinds(const RunStory& story, KeptPage* page);
void AddSimilarities(const RunStory& story, KeptPage* page);
void AddContained(const RunStory& story, KeptPage* page);
Status AddPairs(const RunStory& story, KeptPage* page);
void AddClusters(const RunStory& story, KeptPage* page);
void AddUnits(const RunStory& story, KeptPage* page);
void AddTemplate(const RunStory& story, KeptPage* page);
void AddSources(const RunStory& story, KeptPage* page);
void AddStats(const RunStory& story, KeptPage* page);
void AddLeftOut(const RunStory& story, KeptPage* page);
void AddLimits(const RunStory& story, KeptPage* page);
void AddParameters(const RunStory& story, KeptPage* page);
void AddMachine(const RunStory& story, KeptPage* page);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_REPORT_RUN_PAGE_H_
