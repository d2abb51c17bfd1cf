// What is said of a decision, in sentences.
#ifndef TWINSET_SRC_DEDUP_EXPLAIN_DECISION_WORDS_H_
#define TWINSET_SRC_DEDUP_EXPLAIN_DECISION_WORDS_H_

#include <string>

#include "pipeline/run/plan_options.h"
#include "twinset/decision.h"
#include "twinset/json.h"

namespace twinset {

// What the lists say beside the values of a DocumentDecision.
struct DecisionFacts {
  bool is_match = false;
  bool is_empty = false;           // it has nothing to compare
  bool is_representative = false;  // of its cluster
  bool is_unmatched = false;       // a match's --max-loss lets no pair count
  bool template_differs = false;
  std::string level;           // of equal copies: bytes, text or tokens
  std::string reason, detail;  // of a record that could not be used
};

// The first sentence of an explanation: what became of the document, and
// because of which other one. Pure.
std::string SentenceOf(const DocumentDecision& decision,
                       const DecisionFacts& facts, const Json& summary,
                       const PlanOptions& run);

// Which rule decides in this run, and over what. Pure.
std::string RuleOfRun(const Json& summary, const PlanOptions& run);

// Why no texts are shown, and what helps. `error`: of reading them; its default
// stands for documents that the inputs do not hold any more.
std::string NoTexts(const Error& error);

// That the run compared less than the whole texts, whose resemblance this is.
std::string PartCompared(double whole);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_EXPLAIN_DECISION_WORDS_H_
