// The files that a study leaves in its folder, and the searches that leave most
// of them (docs/formats/study.md).
#ifndef TWINSET_SRC_CORPORA_TRANSFER_STUDY_FILES_H_
#define TWINSET_SRC_CORPORA_TRANSFER_STUDY_FILES_H_

#include <string>
#include <vector>

#include "transfer/study_plan.h"

namespace twinset {

inline constexpr char kStudySummary[] = "study.json";
inline constexpr char kStudyNumbers[] = "numbers.csv";
inline constexpr char kStudySameUrl[] = "same_url.jsonl";
inline constexpr char kStudyReport[] = "report.html";
inline constexpr char kCompleteSearch[] = "complete";

// A content and a mix, or the control's.
struct PlannedSearch {
  ContentMode content = ContentMode::kAll;
  std::string mix;  // empty: the complete join
  bool control = false;

  std::string label() const { return mix.empty() ? kCompleteSearch : mix; }
  std::string name() const;  // of its step
  std::string pairs() const { return name() + ".pairs.jsonl"; }
  std::string masks() const { return name() + ".documents.csv"; }
  std::string assess() const { return name() + ".assess.jsonl"; }
  // The files of its step.
  std::vector<std::string> Files(const StudyPlan& plan) const;
  // People judge some of its pairs.
  bool IsAssessed(const StudyPlan& plan) const {
    return plan.assessment.wanted && !control;
  }
};
// In the order in which they are taken.
std::vector<PlannedSearch> SearchesOf(const StudyPlan& plan);
// The one along whose pairs judgements go.
PlannedSearch CarrySearch(const StudyPlan& plan, ContentMode content);
// Tells the step of a search by its name.
bool IsSearch(const std::string& step);

std::string LabelledFile(ContentMode content);
std::string TransferredFile(ContentMode content);

// All files of the folder.
std::vector<std::string> StudyFilesOf(const StudyPlan& plan);
// False for the journal and for what is made of all steps at the end.
bool IsOfAStep(const std::string& file);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_TRANSFER_STUDY_FILES_H_
