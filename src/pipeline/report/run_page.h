// The page of a finished run (docs/formats/report.md).
#ifndef TWINSET_SRC_PIPELINE_REPORT_RUN_PAGE_H_
#define TWINSET_SRC_PIPELINE_REPORT_RUN_PAGE_H_

#include "pipeline/report/run_story.h"
#include "report/html_report.h"

namespace twinset {

// Everything but `run` of the summary goes into the part that is the same on
// every machine.
Result<HtmlReport> MakeRunPage(const RunStory& story);

// The sections, in their order. Each leaves itself out, or says so in one
// sentence, when it has nothing to show.
void AddRunLead(const RunStory& story, HtmlReport* page);
void AddRunFacts(const RunStory& story, HtmlReport* page);
void AddKinds(const RunStory& story, HtmlReport* page);
void AddSimilarities(const RunStory& story, HtmlReport* page);
Status AddPairs(const RunStory& story, HtmlReport* page);
void AddClusters(const RunStory& story, HtmlReport* page);
void AddUnits(const RunStory& story, HtmlReport* page);
void AddTemplate(const RunStory& story, HtmlReport* page);
void AddSources(const RunStory& story, HtmlReport* page);
void AddStats(const RunStory& story, HtmlReport* page);
void AddLeftOut(const RunStory& story, HtmlReport* page);
void AddLimits(const RunStory& story, HtmlReport* page);
void AddParameters(const RunStory& story, HtmlReport* page);
void AddMachine(const RunStory& story, HtmlReport* page);

}  // namespace twinset

#endif  // TWINSET_SRC_PIPELINE_REPORT_RUN_PAGE_H_
