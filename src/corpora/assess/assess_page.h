// assess.html: a sample of pairs that people label in any browser, without a
// server (docs/methods/assessment.md).
#ifndef TWINSET_SRC_CORPORA_ASSESS_ASSESS_PAGE_H_
#define TWINSET_SRC_CORPORA_ASSESS_ASSESS_PAGE_H_

#include <string>
#include <string_view>

#include "assess/assessment.h"
#include "report/html_blocks.h"
#include "text/tokens/features.h"

namespace twinset {

struct AssessSide {
  std::string title, url, text;
  bool is_whole = true;
};

// Texts come from outside. They are escaped as everywhere, the page may load
// nothing, and the only script that runs is the page's own, by its hash. What
// the script must know of the pairs is JSON in ASCII without '<'. Neither
// similarities nor strata are in the page. Without scripts the pairs can still
// be read, below each other.
class AssessPage {
 public:
  explicit AssessPage(const Assessment& assessment);

  // The next pair of the assessment.
  void Add(const AssessSide& left, const AssessSide& right,
           const FeatureExtractor& extractor);
  std::string Finish() &&;

 private:
  std::string html_;
  size_t added_ = 0;
};

// A string of JSON, with quotes, in ASCII and without '<', '>' and '&': it may
// stand in a script of any HTML.
std::string ScriptString(std::string_view text);

// What the page runs (assess_script.cc), and its looks beside those of reports.
extern const std::string_view kAssessScript, kAssessStyle;

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_ASSESS_ASSESS_PAGE_H_
