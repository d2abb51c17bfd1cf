// Why a document of a finished run was kept or dropped.
#ifndef TWINSET_DECISION_H_
#define TWINSET_DECISION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "twinset/choices.h"
#include "twinset/error.h"
#include "twinset/explain.h"
#include "twinset/progress.h"

namespace twinset::inline v1 {

struct DecisionOptions {
  std::string id;      // as the run names the document
  std::string folder;  // result folder of Dedup, Match or Recut
  // Where the inputs of the run are now; empty: where they were.
  std::vector<std::string> inputs, against;
  ProgressSink on_progress;  // while inputs are read again
};

enum class Fate : uint8_t {
  kKept,
  kDropped,
  kCompared,     // of the second side of a match, which nothing is dropped of
  kQuarantined,  // a record that could not be used
  kRevisit,      // a record that refers to another one
};
template <>
inline constexpr auto kChoices<Fate> =
    std::to_array<NamedChoice<Fate>>({{Fate::kKept, "kept"},
                                      {Fate::kDropped, "dropped"},
                                      {Fate::kCompared, "compared"},
                                      {Fate::kQuarantined, "quarantined"},
                                      {Fate::kRevisit, "revisit"}});

// Another document that the run lists a pair with.
struct DecisionNeighbour {
  std::string id;
  double similarity = 0;  // by the measure of the run
};

struct DocumentDecision {
  std::string id;
  Fate fate = Fate::kKept;
  std::string sentence;  // what became of the document, and because of which
  std::string rule;      // the rule that decided, in sentences
  // The document that stays in its place, else, of one that stays, the most
  // similar of those that it stands for; in a match the best partner. Empty
  // when there is none.
  std::string other;
  std::optional<double> similarity;  // to `other`, by the measure of the run
  uint64_t cluster_size = 0;         // documents, this one too; 0: no cluster
  uint64_t pairs = 0;                // listed pairs that it is in
  std::vector<DecisionNeighbour> neighbours;  // of these the most similar ones
  // `other` as X beside this document as Y, by their whole texts, when both
  // could be read again. `note`: why there is none, or that the run compared
  // less than the whole texts; a sentence, or empty.
  std::optional<Explanation> explanation;
  std::string note;
};

// From the rows of the result folder; texts are read again from the inputs.
// kUsage for a folder that holds no finished run of these kinds and for an id
// that the run does not have, kUnsupported for a run over units, kCorrupt for a
// damaged folder. Time: that of reading the rows twice, and the inputs up to
// the later of the two documents. Memory: a few MB and two documents.
Result<DocumentDecision> ExplainDecision(const DecisionOptions& options);

// Whether the path is a folder that a run over documents has finished.
bool IsFinishedRun(const std::string& path);

// The same for people: one HTML page without scripts. `decision` may be null,
// then it is about the pair alone; `explanation` may be null, then it is about
// the decision alone. Pure.
std::string ExplanationPage(const DocumentDecision* decision,
                            const Explanation* explanation);

// Writes such a page. kUsage when `path` exists.
Status WriteExplanationPage(const std::string& page, const std::string& path,
                            const std::vector<std::string>& inputs);

}  // namespace twinset::inline v1

#endif  // TWINSET_DECISION_H_
