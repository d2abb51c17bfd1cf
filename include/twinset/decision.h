// Tells why a finished run kept or dropped a document.
#ifndef TWINSET_DECISION_H_
#define TWINSET_DECISION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "twinset/choices.h"
#include "twinset/error.h"
#include "twinset/explain.h"
#include "twinset/json.h"
#include "twinset/progress.h"
#include "twinset/results.h"

namespace twinset {
inline namespace v1 {

struct DecisionOptions : InputsNow {
  std::string id;            // as the run names the document
  std::string folder;        // result folder of Dedup, Match or Recut
  ProgressSink on_progress;  // while inputs are read again
};

enum class Fate : uint8_t {
  kKept,
  kDropped,
  kCompared,     // it is on the second side of a match, which drops nothing
  kQuarantined,  // a record that could not be used
  kRevisit,      // a record that refers to another one
};
template <>
inline constexpr auto kChoices<Fate> =
    ChoiceTable<Fate>({{Fate::kKept, "kept"},
                       {Fate::kDropped, "dropped"},
                       {Fate::kCompared, "compared"},
                       {Fate::kQuarantined, "quarantined"},
                       {Fate::kRevisit, "revisit"}});

// Another document that the run lists a pair with.
struct DecisionNeighbour {
  std::string id;
  double similarity = 0;  // by the measure of the run

  static void Fields(auto& neighbour, auto& field) {
    field("id", neighbour.id);
    field("similarity", neighbour.similarity);
  }
};

struct DocumentDecision {
  std::string id;
  Fate fate = Fate::kKept;
  std::string sentence;  // what the run did, and because of which document
  std::string rule;      // the rule that decided, in sentences
  // For a dropped document, the one that stays in its place; for a kept one,
  // the most similar of the documents that it stands for; in a match, the best
  // partner. Empty when there is none.
  std::string other;
  std::optional<double> similarity;  // to `other`, by the measure of the run
  // The share of the shingles that the document that stays for it has: of a
  // dropped document those of its own, of a kept one those of `other`. Empty
  // where the run does not say it.
  std::optional<double> contained;
  uint64_t cluster_size = 0;  // documents, this one too; 0: no cluster
  uint64_t pairs = 0;         // listed pairs that it is in
  std::vector<DecisionNeighbour> neighbours;  // the most similar of these
  // Compares `other` as X with this document as Y, by their whole texts, when
  // both could be read again. `note` is a sentence or empty: it says why there
  // is no explanation, or that the run compared less than the whole texts.
  std::optional<Explanation> explanation;
  std::string note;

  static void Fields(auto& decision, auto& field) {
    field("id", decision.id);
    field("fate", decision.fate);
    field("sentence", decision.sentence);
    field("rule", decision.rule);
    field.Derived("other",
                  decision.other.empty() ? Json() : Json(decision.other));
    field.OrNull("similarity", decision.similarity);
    field.OrNull("contained", decision.contained);
    field("cluster_size", decision.cluster_size);
    field("pairs", decision.pairs);
    field("neighbours", decision.neighbours);
    field.OrNull("explanation", decision.explanation);
    if (!decision.note.empty()) field("note", decision.note);
  }
};
// What --json prints.
Json SummaryJson(const DocumentDecision& decision);

// Reads the rows of the result folder, and the texts again from the inputs.
// kUsage for a folder that holds no finished run of these kinds and for an id
// that the run does not have, kUnsupported for a run over units, kCorrupt for a
// damaged folder. Time: it reads the rows twice, and the inputs up to the later
// of the two documents. Memory: a few MB and two documents.
Result<DocumentDecision> ExplainDecision(const DecisionOptions& options);

// Returns true iff the path is a folder that a run over documents has finished.
bool IsFinishedRun(const std::string& path);

// The same for people, as one HTML page without scripts. If `decision` is null,
// the page is about the pair alone; if `explanation` is null, it is about the
// decision alone. Pure.
std::string ExplanationPage(const DocumentDecision* decision,
                            const Explanation* explanation);

// Writes such a page. kUsage when `path` exists.
Status WriteExplanationPage(const std::string& page, const std::string& path,
                            const std::vector<std::string>& inputs);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_DECISION_H_
