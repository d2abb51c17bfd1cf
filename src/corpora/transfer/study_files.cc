#include "transfer/study_files.h"

#include "report/kept_page.h"
#include "store/journal.h"

namespace twinset {

std::string PlannedSearch::name() const {
  return std::string(control ? "control." : "search.") +
         std::string(ChoiceName(content)) + "." + FileWord(label());
}

std::vector<std::string> PlannedSearch::Files(const StudyPlan& plan) const {
  std::vector<std::string> files = {pairs()};
  if (!control) files.push_back(masks());
  if (IsAssessed(plan)) files.push_back(assess());
  return files;
}

std::vector<PlannedSearch> SearchesOf(const StudyPlan& plan) {
  std::vector<PlannedSearch> searches;
  for (const ContentMode content : plan.content) {
    if (plan.candidates.complete) searches.push_back({content, "", false});
    for (const std::string& mix : plan.candidates.mixes)
      searches.push_back({content, mix, false});
  }
  if (!plan.control.inputs.empty())
    for (const std::string& mix : plan.candidates.mixes)
      searches.push_back({plan.content.front(), mix, true});
  return searches;
}

PlannedSearch CarrySearch(const StudyPlan& plan, ContentMode content) {
  std::string pairs = plan.retrieval.pairs;
  if (pairs == kCompleteSearch)
    pairs = plan.candidates.complete ? "" : plan.candidates.mixes.front();
  return {content, pairs, false};
}

bool IsSearch(const std::string& step) {
  return step.starts_with("search.") || step.starts_with("control.");
}

std::string LabelledFile(ContentMode content) {
  return "labelled." + std::string(ChoiceName(content)) + ".jsonl";
}
std::string TransferredFile(ContentMode content) {
  return "transferred." + std::string(ChoiceName(content)) + ".qrels";
}

std::vector<std::string> StudyFilesOf(const StudyPlan& plan) {
  std::vector<std::string> files = {Journal::kFileName, kStudySummary,
                                    kStudyNumbers,      kStudySameUrl,
                                    kStudyReport,       KeptPage::kFileName};
  for (const PlannedSearch& search : SearchesOf(plan))
    for (const std::string& file : search.Files(plan)) files.push_back(file);
  for (const ContentMode content : plan.content) {
    files.push_back(TransferredFile(content));
    if (plan.assessment.wanted) files.push_back(LabelledFile(content));
  }
  return files;
}

bool IsOfAStep(const std::string& file) {
  return file != kStudySummary && file != kStudyNumbers &&
         file != kStudyReport && file != Journal::kFileName &&
         file != KeptPage::kFileName;
}

}  // namespace twinset
