// What result rows say of a pair beside its similarity.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_PAIRS_PAIR_FINDINGS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_PAIRS_PAIR_FINDINGS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "pipeline/pairs/judgement.h"
#include "pipeline/pairs/pair_judging.h"
#include "pipeline/run/judged_counts.h"
#include "pipeline/template/template_check.h"
#include "report/row_writer.h"

namespace twinset {

struct PairFindings {
  bool template_differs = false;
  Judgement judgement;
};

// Finds out what this run says of its pairs: nothing at no cost, or all.
class PairLook {
 public:
  // `counts`: of the pairs that are judged; may be null.
  static Result<PairLook> Open(Run* run, JudgedCounts* counts = nullptr);

  // Returns true iff Add reads texts of the documents, and needs memory for
  // them.
  static bool ReadsTexts(const Run& run);

  // What the header of the rows needs, and what each row gets.
  std::string Columns() const;
  void AddTo(RowText* row, const PairFindings& findings) const;

  // The next pair, in any order of pairs. `done` is called for one pair after
  // the other; now or in a later call. `alike`: false for pairs below the
  // threshold.
  Status Add(uint64_t a, uint64_t b, bool alike,
             std::function<Status(const PairFindings&)> done);
  // Calls what is left.
  Status Flush();

 private:
  Status AddChecked(uint64_t a, uint64_t b, bool template_differs,
                    std::function<Status(const PairFindings&)> done);

  std::unique_ptr<TemplateCheck> check_;
  std::unique_ptr<PairJudging> judging_;
  JudgedCounts* counts_ = nullptr;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_PAIRS_PAIR_FINDINGS_H_
