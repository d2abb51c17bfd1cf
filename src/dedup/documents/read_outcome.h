// What became of the records of a corpus: a run over no document at all must
// say so instead of reporting that nothing was found.
#ifndef TWINSET_SRC_DEDUP_DOCUMENTS_READ_OUTCOME_H_
#define TWINSET_SRC_DEDUP_DOCUMENTS_READ_OUTCOME_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/error.h"
#include "twinset/inspect.h"
#include "twinset/results.h"

namespace twinset {

struct ReadOutcome {
  uint64_t records = 0, documents = 0, quarantined = 0;
  uint64_t wordless = 0;  // documents; counted by what compares words alone
  // The problem of the first quarantined record, or of an input that broke off
  // before it.
  std::string problem;

  void CountQuarantined(std::string_view reason, std::string_view detail);
  // Adds what was read behind this.
  void Add(const ReadOutcome& other);
  // Counts records that are no documents on their way to `next` (may be empty).
  std::function<void(const RejectedRecord&)> Counting(
      std::function<void(const RejectedRecord&)> next);

  static void Fields(auto& outcome, auto& field) {
    field("records", outcome.records);
    field("documents", outcome.documents);
    field("quarantined", outcome.quarantined);
    field("wordless", outcome.wordless);
    field("problem", outcome.problem);
  }
};

// One for each reason by which records break off at the end of an input: they
// are data, but nobody wants to miss what should follow. `reasons` counts
// quarantined records by reason; `list` is the file that lists them, or empty.
std::vector<std::string> CutOffWarnings(
    const std::map<std::string, uint64_t>& reasons, std::string_view list);

// The same of inputs that are read several times, each as far as is needed.
class CutOffs {
 public:
  // `inputs`: what was read, whose longest pass counts. `reasons`: of the
  // records that a pass quarantined.
  void Take(const std::string& inputs,
            const std::map<std::string, uint64_t>& reasons);
  std::vector<std::string> Warnings() const;

 private:
  std::map<std::string, std::map<std::string, uint64_t>> passes_;
};

// One sentence, as "B has no document: 3 records were quarantined, the first
// because of no-text-field (no field "question"; the row has id, text)".
std::string NothingUsableText(const SideRead& side);
// The same of a corpus. `whose` is the subject: "B", "the input".
std::string NoDocumentText(const ReadOutcome& outcome, std::string_view whose);
// kCorrupt with that sentence when there is no document.
Status CheckAnyDocument(const ReadOutcome& outcome, std::string_view whose);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_DOCUMENTS_READ_OUTCOME_H_
