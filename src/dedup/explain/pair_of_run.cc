#include "explain/pair_of_run.h"

#include <utility>

#include "text/page/language.h"

namespace twinset {

Result<Explanation> ExplainPairOfRun(DocumentText x, DocumentText y,
                                     const PlanOptions& run) {
  for (DocumentText* text : {&x, &y}) {
    text->language = IdentifyLanguage(text->text, text->language_declared).code;
  }
  TWINSET_ASSIGN(
      Explanation explanation,
      ExplainDocuments(std::move(x), std::move(y), run.features, run.method));
  explanation.sketches.clear();
  explanation.scores.clear();
  explanation.method.clear();
  return explanation;
}

}  // namespace twinset
